#include "framework/xml/compare_systems.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/xml/file_source.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLElement;
using DifferencePart = SystemDifference::Part;
using DifferenceKind = SystemDifference::Kind;

constexpr int kMostFilePairs = 10'000;  // sub-systems

std::string AttributeOf(const XMLElement& element, const char* name) {
  const char* const value = element.Attribute(name);
  return value == nullptr ? std::string() : std::string(value);
}

struct WrittenValue {
  std::string text;
  int line = 0;
};

/// An element of a system, and all that it says, by name.
struct WrittenPart {
  DifferencePart part = DifferencePart::kComponent;
  std::string name;     ///< of a component, or what it is about
  std::string summary;  ///< of all of it
  int line = 0;
  std::map<std::string, WrittenValue> values;
  std::string source;  ///< of a sub-system or chart
};

/// The elements of one file, by what they are about.
class WrittenSystem {
 public:
  explicit WrittenSystem(const XMLElement& root) {
    WrittenPart& system = Add(DifferencePart::kSetting, "System", root);
    system.values["name"] = {AttributeOf(root, "name"), root.GetLineNum()};
    ReadInside(root, "");
  }

  /// What an element is about, and how many about the same come before it.
  using Key = std::tuple<DifferencePart, std::string, std::size_t>;

  const std::vector<Key>& order() const { return order_; }
  const WrittenPart* Find(const Key& key) const {
    const auto found = parts_.find(key);
    return found == parts_.end() ? nullptr : &found->second;
  }

 private:
  /// `repeated`: the `<For>` elements around.
  void ReadInside(const XMLElement& parent, const std::string& repeated) {
    for (const auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const std::string_view kind = e->Name();
      if (kind == "For") {
        ReadInside(*e, repeated + fmt::format("{} = {} to {} ", AttributeOf(*e, "name"),
                                              AttributeOf(*e, "from"), AttributeOf(*e, "to")));
      } else if (kind == "Layout") {
        ReadInside(*e, repeated);
      } else {
        WrittenPart& part = Read(*e, kind);
        if (!repeated.empty()) part.values["For"] = {repeated, e->GetLineNum()};
      }
    }
  }

  WrittenPart& Read(const XMLElement& element, std::string_view kind) {
    const auto value = [&](const char* name) { return AttributeOf(element, name); };
    if (kind == "Connect") {
      // The two ends of a connection have no order.
      std::string a = value("from"), b = value("to");
      if (b < a) std::swap(a, b);
      return Add(DifferencePart::kConnection, a + " - " + b, element);
    }
    if (kind == "Route") return AddWith(DifferencePart::kRoute, value("from") + " > " + value("to"), element);
    if (kind == "Expose") return AddWith(DifferencePart::kExpose, value("as"), element);
    if (kind == "At") return Add(DifferencePart::kCommand, Summary(element), element);
    if (kind == "Record") {
      const std::string when = value("interval") + value("times");
      return AddWith(DifferencePart::kRecord, when.empty() ? "each step" : when, element);
    }
    if (kind == "Parameter") return AddWith(DifferencePart::kSetting, "Parameter " + value("name"), element);
    if (kind == "Plugin") return AddWith(DifferencePart::kSetting, "Plugin " + value("src"), element);
    if (kind == "SimulatorManager") return AddWith(DifferencePart::kSetting, "SimulatorManager", element);
    if (kind == "Place") return AddWith(DifferencePart::kLayout, value("name"), element);
    if (kind == "Note") return Add(DifferencePart::kLayout, "note " + Quoted(Summary(element)), element);
    WrittenPart& component = AddWith(DifferencePart::kComponent, value("name"), element);
    component.values["model"] = {element.Name(), element.GetLineNum()};
    component.source = value(kind == "Subsystem" || kind == "Statechart" ? "src" : "chart");
    return component;
  }

  WrittenPart& Add(DifferencePart part, const std::string& name, const XMLElement& element) {
    const Key& key = order_.emplace_back(part, name, counts_[{part, name}]++);
    WrittenPart& made = parts_[key];
    made.part = part;
    made.name = name;
    made.summary = part == DifferencePart::kComponent ? element.Name() : Summary(element);
    made.line = element.GetLineNum();
    return made;
  }
  WrittenPart& AddWith(DifferencePart part, const std::string& name, const XMLElement& element) {
    WrittenPart& made = Add(part, name, element);
    AddValues(element, "", made.values);
    return made;
  }

  static void AddValues(const XMLElement& element, const std::string& prefix,
                        std::map<std::string, WrittenValue>& values) {
    for (const tinyxml2::XMLAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next()) {
      if (!prefix.empty() || std::string_view(a->Name()) != "name")
        values[prefix + a->Name()] = {a->Value(), a->GetLineNum()};
    }
    if (const char* const text = element.GetText()) values[prefix + "text"] = {text, element.GetLineNum()};
    std::map<std::string, int> counts;
    for (const auto* e = element.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      std::string own = e->Name();
      for (const char* const name : {"name", "solver", "variable"}) {
        if (e->Attribute(name) == nullptr) continue;
        own += ' ' + AttributeOf(*e, name);
        break;
      }
      if (const int count = counts[own]++; count > 0) own += ' ' + std::to_string(count + 1);
      // An element without attributes is there, too.
      if (e->FirstAttribute() == nullptr && e->FirstChild() == nullptr)
        values[prefix + own] = {"yes", e->GetLineNum()};
      AddValues(*e, prefix + own + '.', values);
    }
  }

  static std::string Summary(const XMLElement& element) {
    std::string text;
    for (const tinyxml2::XMLAttribute* a = element.FirstAttribute(); a != nullptr; a = a->Next())
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", a->Name(), a->Value());
    return text;
  }

  std::map<Key, WrittenPart> parts_;
  std::map<std::pair<DifferencePart, std::string>, std::size_t> counts_;
  std::vector<Key> order_;
};

class SystemComparison {
 public:
  explicit SystemComparison(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void Compare(const SystemVersion& before, const SystemVersion& after, const std::string& prefix) {
    const auto name_before = std::make_shared<const std::string>(before.file.string());
    const auto name_after = std::make_shared<const std::string>(after.file.string());
    // Circles end, and so do files that contain each other many times.
    const std::pair<std::string, std::string> pair{*name_before, *name_after};
    if (std::ranges::find(open_, pair) != open_.end() || ++compared_ > kMostFilePairs) return;
    open_.push_back(pair);
    CompareFiles(before, after, prefix, name_before, name_after);
    open_.pop_back();
  }

  std::vector<SystemDifference> Take() && {
    differences_.insert(differences_.end(), std::make_move_iterator(layout_.begin()),
                        std::make_move_iterator(layout_.end()));
    return std::move(differences_);
  }

 private:
  using FileName = std::shared_ptr<const std::string>;

  void CompareFiles(const SystemVersion& before, const SystemVersion& after, const std::string& prefix,
                    const FileName& name_before, const FileName& name_after) {
    const std::optional<WrittenSystem> a = Load(before, name_before), b = Load(after, name_after);
    if (!a || !b) return;
    const auto add = [&](DifferenceKind kind, const WrittenPart& part, std::string name,
                         const WrittenValue* one, const WrittenValue* other) {
      const bool is_component =
          part.part == DifferencePart::kComponent || part.part == DifferencePart::kLayout;
      SystemDifference made;
      made.kind = kind;
      made.part = part.part;
      made.path = prefix + part.name;
      made.name = std::move(name);
      if (!is_component && !prefix.empty())
        made.path = prefix.substr(0, prefix.size() - 1) + ": " + part.name;
      if (one != nullptr) {
        made.before = one->text;
        made.at_before = {name_before, one->line};
      }
      if (other != nullptr) {
        made.after = other->text;
        made.at_after = {name_after, other->line};
      }
      (part.part == DifferencePart::kLayout ? layout_ : differences_).push_back(std::move(made));
    };
    for (const WrittenSystem::Key& key : a->order()) {
      const WrittenPart& part = *a->Find(key);
      const WrittenValue whole{part.summary, part.line};
      if (b->Find(key) == nullptr) add(DifferenceKind::kRemoved, part, "", &whole, nullptr);
    }
    for (const WrittenSystem::Key& key : b->order()) {
      const WrittenPart& part = *b->Find(key);
      const WrittenValue whole{part.summary, part.line};
      const WrittenPart* const known = a->Find(key);
      if (known == nullptr) {
        add(DifferenceKind::kAdded, part, "", nullptr, &whole);
        continue;
      }
      std::set<std::string> names;
      for (const auto* values : {&known->values, &part.values}) {
        for (const auto& [name, value] : *values) names.insert(name);
      }
      for (const std::string& name : names) {
        const auto one = known->values.find(name), other = part.values.find(name);
        const bool is_before = one != known->values.end(), is_after = other != part.values.end();
        if (is_before && is_after && one->second.text == other->second.text) continue;
        add(DifferenceKind::kChanged, part, name, is_before ? &one->second : nullptr,
            is_after ? &other->second : nullptr);
      }
      if (!known->source.empty() && !part.source.empty())
        CompareSources(*known, {(before.file.parent_path() / known->source).lexically_normal(), before.files},
                       part, {(after.file.parent_path() / part.source).lexically_normal(), after.files},
                       prefix + part.name);
    }
  }

  void CompareSources(const WrittenPart& known, const SystemVersion& before, const WrittenPart& part,
                      const SystemVersion& after, const std::string& path) {
    if (known.values.at("model").text == "Subsystem" && part.values.at("model").text == "Subsystem") {
      return Compare(before, after, path + '.');
    }
    const TextResult one = ReadTextFrom(before.files, before.file, "chart");
    const TextResult other = ReadTextFrom(after.files, after.file, "chart");
    if (one.text == other.text && one.fault.empty() == other.fault.empty()) return;
    SystemDifference made;
    made.part = DifferencePart::kChart;
    made.path = path;
    made.before = known.source;
    made.after = part.source;
    made.at_before = {std::make_shared<const std::string>(before.file.string()), 0};
    made.at_after = {std::make_shared<const std::string>(after.file.string()), 0};
    differences_.push_back(std::move(made));
  }

  std::optional<WrittenSystem> Load(const SystemVersion& version,
                                    const std::shared_ptr<const std::string>& name) {
    const TextResult read = ReadTextFrom(version.files, version.file);
    if (!read.fault.empty()) {
      diagnostics_.Error({name, 0}, "", read.fault);
      return std::nullopt;
    }
    const XmlResult xml = ParseXml(read.text);
    if (xml.document == nullptr) {
      diagnostics_.Error({name, xml.line}, "", xml.fault);
      return std::nullopt;
    }
    const XMLElement& root = *xml.document->RootElement();
    if (std::string_view(root.Name()) != "System") {
      diagnostics_.Error({name, root.GetLineNum()}, "",
                         fmt::format("the root element is <{}>; name a system file", root.Name()));
      return std::nullopt;
    }
    return WrittenSystem(root);
  }

  Diagnostics& diagnostics_;
  std::vector<SystemDifference> differences_, layout_;
  std::vector<std::pair<std::string, std::string>> open_;  ///< files that are being compared
  int compared_ = 0;
};

}  // namespace

std::string_view ToText(SystemDifference::Kind kind) {
  switch (kind) {
    case DifferenceKind::kAdded: return "added";
    case DifferenceKind::kRemoved: return "removed";
    case DifferenceKind::kChanged: return "changed";
  }
  return {};
}

std::string_view ToText(SystemDifference::Part part) {
  switch (part) {
    case DifferencePart::kSetting: return "setting";
    case DifferencePart::kComponent: return "component";
    case DifferencePart::kConnection: return "connection";
    case DifferencePart::kRoute: return "route";
    case DifferencePart::kExpose: return "expose";
    case DifferencePart::kCommand: return "command";
    case DifferencePart::kRecord: return "record";
    case DifferencePart::kChart: return "chart";
    case DifferencePart::kLayout: return "layout";
  }
  return {};
}

std::vector<SystemDifference> CompareSystems(const SystemVersion& before, const SystemVersion& after,
                                             Diagnostics& diagnostics) {
  SystemComparison comparison(diagnostics);
  comparison.Compare(before, after, "");
  return std::move(comparison).Take();
}

bool IsLayoutOnly(const std::vector<SystemDifference>& differences) {
  return std::ranges::all_of(differences,
                             [](const SystemDifference& one) { return one.part == DifferencePart::kLayout; });
}

}  // namespace davit
