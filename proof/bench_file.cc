#include "proof/bench_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/xml/xml_file.h"
#include "proof/bench_element.h"

namespace davit {
namespace {

using Place = ElementKind::Place;

class BenchReader {
 public:
  BenchReader(const std::filesystem::path& file, Diagnostics& diagnostics, const FileSource* files)
      : file_(file),
        name_(std::make_shared<const std::string>(file.string())),
        diagnostics_(diagnostics),
        files_(files) {}

  Bench Read() {
    Bench bench{.file = file_};
    const TextResult text = ReadTextFrom(files_, file_, "bench file");
    if (!text.fault.empty()) {
      Fail(0, text.fault);
      return bench;
    }
    const XmlResult xml = ParseXml(text.text, {.noun = "bench file",
                                               .root = "Bench",
                                               .most_levels = 8,
                                               .remedy = "a bench file needs three levels"});
    if (xml.document == nullptr) {
      Fail(xml.line, xml.fault);
      return bench;
    }
    const tinyxml2::XMLElement& root = *xml.document->RootElement();
    const ElementKind* const kind = FindBenchElement(Place::kFile, root.Name());
    if (kind == nullptr) {
      Fail(root.GetLineNum(),
           fmt::format("the root element is <{}>; a bench file begins with <Bench>", root.Name()));
      return bench;
    }
    ReadBench(ReadElement(root, *kind), root, bench);
    return bench;
  }

 private:
  void Fail(int line, std::string_view text) { diagnostics_.Error({name_, line}, {}, text); }

  void ReadBench(const BenchElement& element, const tinyxml2::XMLElement& root, Bench& bench) {
    bench.text = element.Get("text");
    std::vector<BenchElement> settings;
    ForEachInside(root, Place::kBench, [&](const ElementKind& kind, const tinyxml2::XMLElement& xml) {
      if (kind.name == "Case") return;
      BenchElement inner = ReadElement(xml, kind);
      if (kind.name == "Cover") bench.covered.emplace_back(inner.Get("chart"));
      if (kind.name == "Set" || kind.name == "Level") settings.push_back(std::move(inner));
    });
    std::set<std::string, std::less<>> names;
    ForEachInside(root, Place::kBench, [&](const ElementKind& kind, const tinyxml2::XMLElement& xml) {
      if (kind.name != "Case") return;
      bench.cases.push_back(ReadCase(element, xml, settings));
      const BenchCase& last = bench.cases.back();
      if (!last.name.empty() && !names.insert(last.name).second)
        Fail(last.place.line,
             fmt::format("two cases are named {}; give each a unique name", Quoted(last.name)));
    });
    if (bench.cases.empty() && !diagnostics_.has_errors())
      Fail(root.GetLineNum(), "there is no case; add a <Case name=\"...\">");
  }

  BenchCase ReadCase(const BenchElement& bench, const tinyxml2::XMLElement& xml,
                     const std::vector<BenchElement>& settings) {
    BenchCase one;
    static_cast<BenchElement&>(one) = ReadElement(xml, *FindBenchElement(Place::kBench, "Case"));
    one.name = one.Get("name");
    const auto get = [&](std::string_view name) {
      return std::string(one.Has(name) ? one.Get(name) : bench.Get(name));
    };
    one.system = get("system").empty() ? std::filesystem::path() : file_.parent_path() / get("system");
    one.snapshot = get("snapshot").empty() ? std::filesystem::path() : file_.parent_path() / get("snapshot");
    one.stop = get("stop");
    one.settings = settings;
    if (one.system.empty())
      Fail(xml.GetLineNum(), "the case has no system; write <Bench system=\"...\"> or <Case system=\"...\">");
    ForEachInside(xml, Place::kCase, [&](const ElementKind& kind, const tinyxml2::XMLElement& inner) {
      BenchElement element = ReadElement(inner, kind);
      const bool is_setting = kind.name == "Set" || kind.name == "Level";
      const bool is_action = kind.name == "At" || kind.name == "When";
      (is_setting ? one.settings : is_action ? one.actions : one.expectations).push_back(std::move(element));
    });
    if (one.expectations.empty() && !diagnostics_.has_errors())
      Fail(xml.GetLineNum(),
           fmt::format("the case {} expects nothing; add for example <Always expr=\"...\"/>",
                       Quoted(one.name)));
    return one;
  }

  /// Calls `read` for each element that may be there; others are faults, the first time they are seen.
  template <class Read>
  void ForEachInside(const tinyxml2::XMLElement& xml, Place place, const Read& read) {
    const bool is_first = seen_.insert(&xml).second;
    for (const auto* child = xml.FirstChildElement(); child != nullptr; child = child->NextSiblingElement()) {
      const ElementKind* const kind = FindBenchElement(place, child->Name());
      if (kind != nullptr) {
        read(*kind, *child);
      } else if (is_first) {
        std::vector<std::string> known;
        for (const ElementKind& one : BenchElementKinds()) {
          if (one.place == place) known.emplace_back(one.name);
        }
        Fail(child->GetLineNum(), fmt::format("no element <{}> in <{}>; {}", child->Name(), xml.Name(),
                                              SuggestName("it may have", child->Name(), known)));
      }
    }
  }

  BenchElement ReadElement(const tinyxml2::XMLElement& xml, const ElementKind& kind) {
    const std::size_t faults = diagnostics_.error_count();
    BenchElement element{.kind = &kind, .place = {name_, xml.GetLineNum()}};
    std::vector<std::string> forms, given;  // of an element with several forms
    for (const AttributeKind& one : kind.attributes) {
      if (one.with.size() != 1 || one.with.front() != one.name) continue;
      forms.emplace_back(one.name);
      if (xml.Attribute(forms.back().c_str()) != nullptr) given.push_back(forms.back());
    }
    const std::string form = given.empty() ? std::string() : given.front();
    if (given.size() > 1) {
      Fail(xml.GetLineNum(), fmt::format("<{}> has both {}=\"...\" and {}=\"...\"; leave one of them out",
                                         xml.Name(), given[0], given[1]));
      element.is_whole = false;
      return element;
    }
    const std::vector<std::string> known = kind.NamesWith(form);
    for (const auto* attribute = xml.FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
      const std::string name = attribute->Name();
      if (name.starts_with("xmlns")) continue;
      if (std::ranges::find(known, name) == known.end()) {
        Fail(xml.GetLineNum(), fmt::format("no attribute {} on <{}>; {}", Quoted(name), xml.Name(),
                                           SuggestName("it has", name, known)));
        continue;
      }
      CheckChoice(*kind.Find(name), attribute->Value(), xml);
      element.given[name] = attribute->Value();
    }
    for (const AttributeKind& one : kind.attributes) {
      if (one.is_required && !element.Has(one.name)) FailMissing(xml, one.name);
    }
    if (!forms.empty() && form.empty()) {
      Fail(xml.GetLineNum(), fmt::format("<{}> is incomplete; give it one of the attributes {}", xml.Name(),
                                         fmt::join(forms, ", ")));
    }
    if (form == "set" && !element.Has("value")) FailMissing(xml, "value");
    if (form == "message" && !element.Has("to")) FailMissing(xml, "to");
    if (!PlaceInside(kind.content) && xml.FirstChildElement() != nullptr)
      Fail(xml.FirstChildElement()->GetLineNum(),
           fmt::format("no element <{}> in <{}>; it has none", xml.FirstChildElement()->Name(), xml.Name()));
    element.is_whole = diagnostics_.error_count() == faults;
    return element;
  }

  void FailMissing(const tinyxml2::XMLElement& xml, std::string_view attribute) {
    Fail(xml.GetLineNum(), fmt::format("<{0}> has no {1}; write <{0} {1}=\"...\">", xml.Name(), attribute));
  }

  void CheckChoice(const AttributeKind& attribute, std::string_view value, const tinyxml2::XMLElement& xml) {
    if (attribute.choices.empty() || std::ranges::find(attribute.choices, value) != attribute.choices.end())
      return;
    const std::vector<std::string> choices(attribute.choices.begin(), attribute.choices.end());
    Fail(xml.GetLineNum(), fmt::format("no option {} of {}; {}", Quoted(value), attribute.name,
                                       SuggestName("it has", value, choices)));
  }

  std::filesystem::path file_;
  std::shared_ptr<const std::string> name_;
  Diagnostics& diagnostics_;
  const FileSource* files_;
  std::set<const tinyxml2::XMLElement*> seen_;
};

}  // namespace

std::string_view BenchElement::Get(std::string_view attribute) const {
  const auto found = given.find(attribute);
  return found == given.end() ? std::string_view() : std::string_view(found->second);
}

Bench LoadBench(const std::filesystem::path& file, Diagnostics& diagnostics, const FileSource* files) {
  return BenchReader(file, diagnostics, files).Read();
}

}  // namespace davit
