#include "analysis/levels/level_text.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <functional>

#include "framework/aspect.h"
#include "framework/fault.h"
#include "framework/item.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

using tinyxml2::XMLElement;

constexpr std::array<const char*, 3> kFileAttributes{"src", "chart", "file"};

void ForEachElement(XMLElement& parent, const std::function<void(XMLElement&)>& call) {
  for (XMLElement* element = parent.FirstChildElement(); element != nullptr;) {
    XMLElement* const next = element->NextSiblingElement();
    ForEachElement(*element, call);
    call(*element);
    element = next;
  }
}

/// The component of the system that stands for a model: its levels and aspects.
const Component* FindOfModel(const System& system, std::string_view model) {
  const auto& all = system.components();
  const auto found =
      std::ranges::find_if(all, [&](const Component* one) { return one->model().name == model; });
  return found == all.end() ? nullptr : *found;
}

bool SetsBehaviour(const System& system, const XMLElement& at) {
  if (at.Attribute("message", "SetLevel") != nullptr) return true;
  const char* const path = at.Attribute("set");
  if (path == nullptr) return false;
  Fault ignored;
  const std::optional<Item> item = system.FindSetting(system.root(), path, &ignored);
  return item && item->is_behaviour();
}

std::string PrintXml(const tinyxml2::XMLDocument& document) {
  tinyxml2::XMLPrinter printer;
  document.Print(&printer);
  return printer.CStr();
}

}  // namespace

std::string TextAtHighestLevels(std::string_view text, const System& system) {
  XmlResult read = ParseXml(text);
  if (read.document == nullptr) return {};
  XMLElement& root = *read.document->RootElement();
  ForEachElement(root, [&](XMLElement& element) {
    const std::string_view tag = element.Name();
    if (tag == "At" && SetsBehaviour(system, element)) return element.Parent()->DeleteChild(&element);
    if (tag == "SimulatorManager") return element.SetAttribute("levels", "scheduled");
    const Component* const model = FindOfModel(system, tag);
    if (model == nullptr || !model->has_behaviours()) return;
    for (const Level level : kBuiltInLevels) {
      if (model->model().levels.Contains(level))
        element.SetAttribute("level", std::string(ToText(level)).c_str());
    }
    for (const AspectBase* aspect : model->declarations().aspects)
      element.DeleteAttribute(std::string(aspect->label().name).c_str());
  });
  if (root.FirstChildElement("SimulatorManager") == nullptr) {
    XMLElement* const manager = read.document->NewElement("SimulatorManager");
    manager->SetAttribute("levels", "scheduled");
    root.InsertFirstChild(manager);
  }
  return PrintXml(*read.document);
}

std::vector<ScheduledLevel> ScheduleRows(std::span<const LevelGroup> groups, const LevelSchedule& schedule,
                                         std::span<const double> starts) {
  std::vector<ScheduledLevel> rows;
  for (std::size_t w = 0; w < starts.size(); ++w) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const LevelGroup& group = groups[g];
      const std::vector<Level>& before = w == 0 ? group.levels.back() : group.levels[schedule[g][w - 1]];
      const std::vector<Level>& now = group.levels[schedule[g][w]];
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] != before[i])
          rows.push_back({starts[w], group.components[i] + ".level", std::string(ToText(now[i]))});
      }
    }
  }
  return rows;
}

std::string TextWithSchedule(std::string_view text, std::span<const ScheduledLevel> rows,
                             std::string_view comment, const std::filesystem::path& source,
                             const std::filesystem::path& target) {
  XmlResult read = ParseXml(text);
  if (read.document == nullptr) return {};
  tinyxml2::XMLDocument& document = *read.document;
  XMLElement& root = *document.RootElement();
  std::error_code ignored;
  const std::filesystem::path way =
      std::filesystem::relative(source.empty() ? "." : source, target.empty() ? "." : target, ignored);
  if (!way.empty() && way != ".") {
    ForEachElement(root, [&](XMLElement& element) {
      for (const char* const name : kFileAttributes) {
        const char* const value = element.Attribute(name);
        if (value == nullptr || *value == 0 || *value == '$' || std::filesystem::path(value).is_absolute())
          continue;
        element.SetAttribute(name, (way / value).string().c_str());
      }
    });
  }
  document.InsertAfterChild(document.FirstChild(), document.NewComment(std::string(comment).c_str()));
  for (const ScheduledLevel& row : rows) {
    XMLElement* const at = document.NewElement("At");
    at->SetAttribute("time", fmt::format("{:.17g} s", row.time).c_str());
    at->SetAttribute("set", row.path.c_str());
    at->SetAttribute("value", row.level.c_str());
    root.InsertEndChild(at);
  }
  return PrintXml(document);
}

}  // namespace davit
