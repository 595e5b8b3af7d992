#include "analysis/studies/study_file.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/studies/study_kinds.h"
#include "framework/nearest_name.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// How a study file has an option, for messages: `<Vary path="load.mass" values="5 t:1 t:15 t"/>`.
std::string SpellInFile(const StudyOption& option, std::string_view example) {
  if (!option.is_in_files) return "--" + option.name;  // of davit study
  if (option.element.empty())
    return example.empty() ? option.name : fmt::format("{}=\"{}\"", option.name, example);
  std::string text = "<" + option.element;
  std::vector<PatternPart> parts = SplitPattern(option.pattern);
  std::erase_if(parts, [](const PatternPart& part) { return part.is_optional; });
  for (std::size_t i = 0; !example.empty() && i < parts.size(); ++i) {
    const std::size_t end = i + 1 < parts.size() ? example.find(parts[i + 1].before) : example.size();
    text += fmt::format(" {}=\"{}\"", parts[i].attribute, example.substr(0, end));
    example.remove_prefix(std::min(end + 1, example.size()));
  }
  return text + (text.find(' ') == std::string::npos ? ">" : "/>");
}

class StudyFileReader {
 public:
  StudyFileReader(fs::path file, bool is_resumed, Diagnostics& diagnostics, const StudyFileRules& rules)
      : rules_(rules),
        file_(std::move(file)),
        name_(std::make_shared<const std::string>(file_.string())),
        is_resumed_(is_resumed),
        diagnostics_(diagnostics) {}

  std::vector<std::unique_ptr<Study>> Read() {
    const TextResult text = ReadTextFrom(rules_.files, file_, "study file");
    if (!text.fault.empty()) return Fail(0, text.fault);
    const XmlResult xml = ParseXml(text.text, {.noun = "study file",
                                               .root = "Study",
                                               .most_levels = 8,
                                               .remedy = "a study file needs three levels"});
    if (xml.document == nullptr) return Fail(xml.line, xml.fault);
    const tinyxml2::XMLElement& root = *xml.document->RootElement();
    if (std::string_view(root.Name()) != "Study")
      return Fail(root.GetLineNum(),
                  fmt::format("the root element is <{}>; a study file begins with <Study>", root.Name()));
    Names kinds;
    for (const StudyKind& kind : StudyKinds()) kinds.push_back(kind.element);
    std::vector<std::unique_ptr<Study>> studies;
    for (const auto* child = root.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      const auto kind = std::ranges::find(StudyKinds(), std::string_view(child->Name()), &StudyKind::element);
      if (kind != StudyKinds().end()) {
        studies.push_back(ReadStudy(*kind, *child));
      } else {
        FailElement(*child, root, kinds);
      }
    }
    if (studies.empty() && !diagnostics_.has_errors())
      Fail(root.GetLineNum(), "there is no study; add for example a <Sweep>");
    return studies;
  }

 private:
  std::vector<std::unique_ptr<Study>> Fail(int line, std::string_view text) {
    diagnostics_.Error({name_, line}, {}, text);
    return {};
  }
  void FailElement(const tinyxml2::XMLElement& child, const tinyxml2::XMLElement& parent,
                   const Names& known) {
    Fail(child.GetLineNum(), fmt::format("no element <{}> in <{}>; {}", child.Name(), parent.Name(),
                                         SuggestName("it may have", child.Name(), known)));
  }
  void FailAttribute(const tinyxml2::XMLAttribute& attribute, const tinyxml2::XMLElement& element,
                     const Names& known) {
    Fail(attribute.GetLineNum(), fmt::format("no attribute {} on <{}>; {}", Quoted(attribute.Name()),
                                             element.Name(), SuggestName("it has", attribute.Name(), known)));
  }
  void FailMissing(const tinyxml2::XMLElement& element, const std::string& attribute) {
    Fail(element.GetLineNum(),
         fmt::format("<{0}> has no {1}; write <{0} {1}=\"...\"", element.Name(), attribute));
  }

  std::unique_ptr<Study> ReadStudy(const StudyKind& kind, const tinyxml2::XMLElement& xml) {
    std::unique_ptr<Study> study = kind.make();
    StudyOptions& options = study->shared();
    options.place = {name_, xml.GetLineNum()};
    options.file = file_;
    options.spell = SpellInFile;
    given_.clear();
    ReadAttributes(kind, xml, options);
    ReadElements(kind, xml, options);
    if (xml.Attribute("system") == nullptr) FailMissing(xml, "system");
    for (const StudyOption& option : kind.options) {
      if (option.is_required && !given_.contains(option.name)) {
        if (IsAttribute(option)) {
          FailMissing(xml, option.name);
        } else {
          Fail(xml.GetLineNum(), fmt::format("<{}> has no <{}>; write {} inside", xml.Name(), option.element,
                                             SpellInFile(option, "load.x")));
        }
      }
      if (is_resumed_ && option.name == "resume" && given_.contains("output"))
        option.Store(options, {"true", options.place});
    }
    return study;
  }

  void Store(const StudyOption& option, std::string text, int line, StudyOptions& options) {
    if (option.kind == StudyOption::Kind::kFile) {
      text = (file_.parent_path() / text).string();
      if (const std::string fault = rules_.fault_of ? rules_.fault_of(text) : std::string(); !fault.empty())
        Fail(line, option.name + ": " + fault);
    }
    given_.insert(option.name);
    if (const Fault fault = option.Store(options, {text, {name_, line}}))
      Fail(line, option.name + ": " + fault.ToText());
  }

  void ReadAttributes(const StudyKind& kind, const tinyxml2::XMLElement& xml, StudyOptions& options) {
    Names known{"system"};
    for (const StudyOption& option : kind.options) {
      if (IsAttribute(option)) known.push_back(option.name);
    }
    for (const auto* attribute = xml.FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
      const std::string name = attribute->Name();
      if (std::ranges::find(known, name) == known.end()) {
        FailAttribute(*attribute, xml, known);
      } else if (name == "system") {
        options.system = file_.parent_path() / attribute->Value();
      } else {
        Store(kind.Get(name), attribute->Value(), xml.GetLineNum(), options);
      }
    }
  }

  void ReadElements(const StudyKind& kind, const tinyxml2::XMLElement& xml, StudyOptions& options) {
    Names known;
    for (const StudyOption& option : kind.options) {
      if (!option.element.empty()) known.push_back(option.element);
    }
    std::size_t experiments = given_.contains("data") ? 1 : 0;
    std::map<std::string, std::vector<const tinyxml2::XMLElement*>> settings;  // of data, by path
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const auto option =
          std::ranges::find(kind.options, std::string_view(child->Name()), &StudyOption::element);
      if (option == kind.options.end()) {
        FailElement(*child, xml, known);
        continue;
      }
      if (!option->is_repeated && given_.contains(option->name)) {
        Fail(child->GetLineNum(),
             fmt::format("<{}> has a second <{}>; leave one of them out", xml.Name(), child->Name()));
      }
      if (const std::optional<std::string> text = ReadElement(option->pattern, *child))
        Store(*option, *text, child->GetLineNum(), options);
      if (option->name == "data") {
        ++experiments;
        ReadSettings(*child, settings);
      } else if (const auto* inner = child->FirstChildElement(); inner != nullptr) {
        FailElement(*inner, *child, {});
      }
    }
    for (const auto& [path, sets] : settings) {
      std::string text = path + "=";
      for (const auto* set : sets)
        text += (set == sets.front() ? "" : ",") + std::string(set->Attribute("value"));
      if (sets.size() == experiments) {
        Store(kind.Get("per_data"), text, sets.front()->GetLineNum(), options);
      } else {
        Fail(sets.front()->GetLineNum(),
             path + " must be set once in each <Data>, or for all of them in <Fit>");
      }
    }
  }

  /// The `<Set>` of one experiment.
  void ReadSettings(const tinyxml2::XMLElement& data,
                    std::map<std::string, std::vector<const tinyxml2::XMLElement*>>& settings) {
    for (const auto* set = data.FirstChildElement(); set != nullptr; set = set->NextSiblingElement()) {
      if (std::string_view(set->Name()) != "Set") {
        FailElement(*set, data, {"Set"});
      } else if (ReadElement("path=value", *set)) {
        settings[set->Attribute("path")].push_back(set);
      }
    }
  }

  /// The attributes of an element as the text that a command line has. Nothing after an error.
  std::optional<std::string> ReadElement(const std::string& pattern, const tinyxml2::XMLElement& xml) {
    const std::vector<PatternPart> parts = SplitPattern(pattern);
    Names known;
    for (const PatternPart& part : parts) known.push_back(part.attribute);
    std::string text;
    bool is_right = true;
    for (const auto* attribute = xml.FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
      if (std::ranges::find(known, attribute->Name()) == known.end()) {
        FailAttribute(*attribute, xml, known);
        is_right = false;
      }
    }
    for (const PatternPart& part : parts) {
      if (const char* const value = xml.Attribute(part.attribute.c_str()); value != nullptr) {
        text += part.before + value + part.after;
      } else if (!part.is_optional) {
        FailMissing(xml, part.attribute);
        is_right = false;
      }
    }
    return is_right ? std::optional(text) : std::nullopt;
  }

  const StudyFileRules& rules_;
  fs::path file_;
  std::shared_ptr<const std::string> name_;
  bool is_resumed_;
  Diagnostics& diagnostics_;
  std::set<std::string> given_;  ///< options of the study that is read
};

}  // namespace

std::vector<std::unique_ptr<Study>> LoadStudies(const fs::path& file, bool is_resumed,
                                                Diagnostics& diagnostics, const StudyFileRules& rules) {
  return StudyFileReader(file, is_resumed, diagnostics, rules).Read();
}

}  // namespace davit
