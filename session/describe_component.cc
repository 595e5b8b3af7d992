#include "session/describe_component.h"

#include <fmt/format.h>

#include <filesystem>

#include "framework/plugin.h"
#include "framework/tree/file_described.h"
#include "framework/tree/item_element.h"
#include "session/describe_item.h"
#include "session/model_description.h"

namespace davit {
namespace {

Described LevelOf(const Component& component) {
  if (!component.level()) return nullptr;
  return AsText(component.LevelName(*component.level()));
}

Described PlaceOf(const Component& component) {
  const SourceLocation& place = component.location();
  if (place.file == nullptr) return nullptr;
  return fmt::format("{}:{}", std::filesystem::path(*place.file).filename().string(), place.line);
}

/// The part of a model's name before the dot; empty for parts such as SimulatorManager.
std::string_view DomainOf(std::string_view model) {
  const std::size_t dot = model.find('.');
  return dot == std::string_view::npos ? std::string_view() : model.substr(0, dot);
}

Described PresetsOf(const AspectOfModel& one) {
  std::map<std::string, std::string> presets;
  for (const Level level : kBuiltInLevels) {
    if (one.model.levels.Contains(level))
      presets.emplace(ToText(level), one.aspect.options()[one.aspect.preset(level)]);
  }
  return presets;
}

Described AspectsOf(const Component& component) {
  DescribedList aspects;
  for (const AspectBase* aspect : component.declarations().aspects)
    aspects.push_back(Describe<AspectOfModel>(AspectFields(), {*aspect, component.model()}));
  return aspects;
}

bool TakesChart(const Component& component) {
  return !IsPart(component.model()) && !component.entry().is_operator;
}

bool IsOpen(const Component& component) {
  return dynamic_cast<const FileDescribed*>(&component) != nullptr ||
         dynamic_cast<const ItemTaker*>(&component) != nullptr;
}

std::vector<std::string> Split(std::string_view text, std::string_view mark) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(mark);
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + mark.size());
  }
  return parts;
}

constexpr std::string_view kUses = "{of: string; options: string[]}[]";

std::string_view UnitOf(const Label& label) { return label.unit == kAnyUnit ? "any" : label.unit; }

using Po = const PortDeclaration&;
constexpr DescribedField<PortDeclaration> kPort[] = {
    {"name", "string", [](Po p) { return AsText(p.label.name); }},
    {"domain", "string", [](Po p) { return AsText(p.domain->name); }},
    {"role", "string", [](Po p) { return AsText(ToText(p.role)); }, "C offers effort, Q answers with flow"},
    {"is_many", "boolean", [](Po p) { return Described(p.is_array); }, "Takes any number of connections"},
    {"is_mandatory", "boolean", [](Po p) { return Described(p.is_mandatory); }},
    {"text", "string", [](Po p) { return AsText(p.label.text); }},
};

using In = const InputDeclaration&;
constexpr DescribedField<InputDeclaration> kInput[] = {
    {"name", "string", [](In i) { return AsText(i.label.name); }},
    {"unit", "string", [](In i) { return AsText(UnitOf(i.label)); }},
    {"text", "string", [](In i) { return AsText(i.label.text); }},
    {"is_many", "boolean", [](In i) { return Described(i.is_array); }},
    {"is_mandatory", "boolean", [](In i) { return Described(i.is_mandatory); }},
    {"used_with", kUses, [](In i) { return Described(DescribeUses(i.when)); },
     "One must hold; empty: always"},
    {"default", "number", [](In i) { return i.is_mandatory ? Described() : i.default_value; }, {}, true},
    {"min", "number", [](In i) { return Described(i.range.low); }, {}, true},
    {"max", "number", [](In i) { return Described(i.range.high); }, {}, true},
};

using Out = const OutputDeclaration&;
constexpr DescribedField<OutputDeclaration> kOutput[] = {
    {"name", "string", [](Out o) { return AsText(o.label.name); }},
    {"unit", "string", [](Out o) { return AsText(UnitOf(o.label)); }},
    {"text", "string", [](Out o) { return AsText(o.label.text); }},
    {"value_kind", "string", [](Out o) { return AsText(ToText(o.kind)); }},
    {"options",
     "string[]",
     [](Out o) { return o.options.empty() ? Described() : AsTexts(o.options); },
     {},
     true},
};

using St = const StateDeclaration&;
constexpr DescribedField<StateDeclaration> kState[] = {
    {"name", "string", [](St s) { return AsText(s.label.name); }},
    {"unit", "string", [](St s) { return AsText(UnitOf(s.label)); }},
    {"text", "string", [](St s) { return AsText(s.label.text); }},
    {"value_kind", "string", [](St) { return AsText("number"); }},
    {"is_state", "boolean", [](St) { return Described(true); }},
    {"is_many", "boolean", [](St s) { return Described(s.is_array); }},
    {"used_with", kUses, [](St s) { return Described(DescribeUses(s.when)); }},
    {"default", "number", [](St s) { return Described(s.start.empty() ? 0 : s.start.front()); }, {}, true},
};

constexpr DescribedField<Message> kMessage[] = {
    {"name", "string", [](const Message& m) { return AsText(m.label().name); }},
    {"text", "string", [](const Message& m) { return AsText(m.label().text); }},
    {"has_text", "boolean", [](const Message& m) { return Described(m.property() != nullptr); }},
};

constexpr DescribedField<Alarm> kAlarm[] = {
    {"name", "string", [](const Alarm& a) { return AsText(a.label().name); }},
    {"text", "string", [](const Alarm& a) { return AsText(a.label().text); }},
    {"level", "string", [](const Alarm& a) { return AsText(ToText(a.level())); }},
};

using Fm = const FaultModeDeclaration&;
constexpr DescribedField<FaultModeDeclaration> kFaultMode[] = {
    {"name", "string", [](Fm f) { return AsText(f.label.name); }},
    {"text", "string", [](Fm f) { return AsText(f.label.text); }},
    {"item", "string", [](Fm f) { return AsText(f.item); }, "What stands for it"},
    {"value", "number", [](Fm f) { return Described(f.value); }, "SI, or the position of an option"},
    {"is_multiple", "boolean", [](Fm f) { return Described(f.is_multiple); }, "The value is a factor"},
};

constexpr DescribedField<ModeBase> kMode[] = {
    {"name", "string", [](const ModeBase& m) { return AsText(m.label().name); }},
    {"text", "string", [](const ModeBase& m) { return AsText(m.label().text); }},
    {"options", "string[]", [](const ModeBase& m) { return AsTexts(m.options()); }},
};

using As = const AspectOfModel&;
constexpr DescribedField<AspectOfModel> kAspect[] = {
    {"name", "string", [](As a) { return AsText(a.aspect.label().name); }},
    {"text", "string", [](As a) { return AsText(a.aspect.label().text); }},
    {"options", "string[]", [](As a) { return AsTexts(a.aspect.options()); }},
    {"default", "string", [](As a) { return AsText(a.aspect.option_name()); }},
    {"presets", "Record<string, string>", PresetsOf, "The option that each level stands for"},
};

Described PortsOf(const Component& c) { return DescribeAll(PortFields(), c.declarations().ports); }
Described ModesOf(const Component& c) { return DescribeAll(ModeFields(), c.declarations().modes); }
Described MessagesOf(const Component& c) { return DescribeAll(MessageFields(), c.declarations().messages); }
Described AlarmsOf(const Component& c) { return DescribeAll(AlarmFields(), c.declarations().alarms); }

Described FaultModesOf(const Component& c) {
  return DescribeAll(FaultModeFields(), c.declarations().fault_modes);
}

using Co = const Component&;
constexpr DescribedField<Component> kComponent[] = {
    {"path", "string", [](Co c) { return AsText(c.path()); }},
    {"name", "string", [](Co c) { return AsText(c.name()); }, "The last part of its path"},
    {"parent", "string",
     [](Co c) { return AsText(c.parent() == nullptr ? std::string() : c.parent()->path()); }},
    {"model", "string", [](Co c) { return AsText(c.model().name); }},
    {"text", "string", [](Co c) { return AsText(c.model().text); }},
    {"location", "string | null", PlaceOf, "File and line"},
    {"levels", "string[]", [](Co c) { return AsTexts(c.LevelNames()); }},
    {"level", "string | null", LevelOf},
    {"equations", "string", [](Co c) { return AsText(c.model().equations); }},
    {"ports", "DescribedPort[]", PortsOf},
    {"messages", "DescribedMessage[]", MessagesOf},
    {"alarms", "DescribedAlarm[]", AlarmsOf},
    {"faults", "DescribedFaultMode[]", FaultModesOf},
};

constexpr DescribedField<Component> kModel[] = {
    {"name", "string", [](Co c) { return AsText(c.model().name); }, "domain.Type"},
    {"domain", "string", [](Co c) { return AsText(DomainOf(c.model().name)); }},
    {"text", "string", [](Co c) { return AsText(c.model().text); }},
    {"equations", "string", [](Co c) { return AsText(c.model().equations); }},
    {"stands_in_systems", "boolean",
     [](Co c) { return Described(TakesChart(c) || c.entry().stands_in_systems); }, "Belongs into a palette"},
    {"is_operator", "boolean", [](Co c) { return Described(c.entry().is_operator); }},
    {"is_from_plugin", "boolean", [](Co c) { return Described(IsFromPlugin(c.entry())); }},
    {"has_chart", "boolean", [](Co c) { return Described(c.has_behaviours()); }, "By default"},
    {"takes_chart", "boolean", [](Co c) { return Described(TakesChart(c)); },
     "It may have the attribute chart"},
    {"is_open", "boolean", [](Co c) { return Described(IsOpen(c)); }, "A file or its elements declare items"},
    {"levels", "string[]", [](Co c) { return AsTexts(c.LevelNames()); }},
    {"level", "string | null", LevelOf},
    {"ports", "DescribedPort[]", PortsOf},
    {"aspects", "DescribedAspect[]", AspectsOf},
    {"modes", "DescribedMode[]", ModesOf},
    {"messages", "DescribedMessage[]", MessagesOf},
    {"alarms", "DescribedAlarm[]", AlarmsOf},
    {"faults", "DescribedFaultMode[]", FaultModesOf},
};

}  // namespace

DescribedFields<PortDeclaration> PortFields() { return kPort; }
DescribedFields<InputDeclaration> InputFields() { return kInput; }
DescribedFields<OutputDeclaration> OutputFields() { return kOutput; }
DescribedFields<StateDeclaration> StateFields() { return kState; }
DescribedFields<Message> MessageFields() { return kMessage; }
DescribedFields<Alarm> AlarmFields() { return kAlarm; }
DescribedFields<FaultModeDeclaration> FaultModeFields() { return kFaultMode; }
DescribedFields<ModeBase> ModeFields() { return kMode; }
DescribedFields<AspectOfModel> AspectFields() { return kAspect; }
DescribedFields<Component> ComponentFields() { return kComponent; }
DescribedFields<Component> ModelFields() { return kModel; }

DescribedList DescribeUses(const OptionCondition& when) {
  // `friction = LuGre or Stribeck, or law = A, B or C`: the words of the condition are names, so they have no
  // spaces, commas or signs of their own.
  DescribedList uses;
  if (when.is_always()) return uses;
  for (const std::string& clause : Split(when.ToText(), ", or ")) {
    const std::vector<std::string> sides = Split(clause, " = ");
    std::vector<std::string> options;
    for (const std::string& some : Split(sides[1], ", ")) {
      for (std::string& option : Split(some, " or ")) options.push_back(std::move(option));
    }
    uses.push_back({{{"of", sides[0]}, {"options", std::move(options)}}});
  }
  return uses;
}

}  // namespace davit
