#include "analysis/study/study_file.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include "analysis/study/study_element_kind.h"
#include "framework/nearest_name.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

class StudyFileReader {
 public:
  StudyFileReader(const std::filesystem::path& file, Diagnostics& diagnostics)
      : name_(std::make_shared<const std::string>(file.string())), diagnostics_(diagnostics) {}

  std::vector<StudyElement> Read(const std::filesystem::path& file) {
    const TextResult text = ReadTextFile(file, "study file");
    if (!text.fault.empty()) {
      Fail(0, text.fault);
      return {};
    }
    const XmlResult xml = ParseXml(text.text, {.noun = "study file",
                                               .root = "Study",
                                               .most_levels = 8,
                                               .remedy = "a study file needs three levels"});
    if (xml.document == nullptr) {
      Fail(xml.line, xml.fault);
      return {};
    }
    const tinyxml2::XMLElement& root = *xml.document->RootElement();
    if (std::string_view(root.Name()) != "Study") {
      Fail(root.GetLineNum(),
           fmt::format("the root element is <{}>; a study file begins with <Study>", root.Name()));
      return {};
    }
    StudyElement study;
    ReadChildren(root, StudyKinds(), study);
    if (study.children.empty() && !diagnostics_.has_errors())
      Fail(root.GetLineNum(), "there is no study; add <Sweep>, <Optimize>, <Fit> or <Sensitivity>");
    return std::move(study.children);
  }

 private:
  void Fail(int line, std::string text) { diagnostics_.Error({name_, line}, {}, std::move(text)); }

  void ReadChildren(const tinyxml2::XMLElement& xml, const StudyNames& allowed, StudyElement& parent) {
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      if (std::ranges::find(allowed, child->Name()) == allowed.end()) {
        Fail(child->GetLineNum(), fmt::format("no element <{}> in <{}>; {}", child->Name(), xml.Name(),
                                              SuggestName("it may have", child->Name(), allowed)));
        continue;
      }
      ReadElement(*child, parent);
    }
  }

  void ReadElement(const tinyxml2::XMLElement& xml, StudyElement& parent) {
    const StudyElementKind& kind =
        *std::ranges::find(StudyElementKinds(), std::string(xml.Name()), &StudyElementKind::name);
    StudyElement& element = parent.children.emplace_back();
    element.name = kind.name;
    element.place = {name_, xml.GetLineNum()};
    StudyNames allowed = kind.required;
    allowed.insert(allowed.end(), kind.optional.begin(), kind.optional.end());
    for (const auto* attribute = xml.FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
      if (std::ranges::find(allowed, attribute->Name()) == allowed.end()) {
        Fail(attribute->GetLineNum(),
             fmt::format("no attribute {} on <{}>; {}", Quoted(attribute->Name()), kind.name,
                         SuggestName("it has", attribute->Name(), allowed)));
        continue;
      }
      element.attributes[attribute->Name()] = attribute->Value();
    }
    for (const std::string& required : kind.required) {
      if (!element.Has(required))
        Fail(xml.GetLineNum(),
             fmt::format("<{}> has no {}; write <{} {}=\"...\"", kind.name, required, kind.name, required));
    }
    ReadChildren(xml, kind.children, element);
  }

  std::shared_ptr<const std::string> name_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::string StudyElement::Get(std::string_view attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? std::string() : found->second;
}

std::vector<StudyElement> LoadStudyFile(const std::filesystem::path& file, Diagnostics& diagnostics) {
  return StudyFileReader(file, diagnostics).Read(file);
}

}  // namespace davit
