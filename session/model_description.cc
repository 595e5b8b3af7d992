#include "session/model_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "framework/alarm.h"
#include "framework/aspect.h"
#include "framework/automatic_levels.h"
#include "framework/diagnostics.h"
#include "framework/indicator.h"
#include "framework/item.h"
#include "framework/message.h"
#include "framework/mode.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/item_list.h"
#include "framework/units/unit_system.h"
#include "results/display_unit.h"
#include "session/model_example.h"
#include "session/usual_text.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {
namespace {

std::string NumberText(double value) { return fmt::format("{:.6g}", value); }

bool IsAngular(std::string_view unit) { return unit == "rad" || unit == "rad/s"; }

/// Writes the values of declared items. Angles and their rates are shown in deg, deg/s and rpm, with their
/// unit, in each style: nobody thinks in radians.
class NumberWriter {
 public:
  NumberWriter(NumberStyle style, const UnitSystem& units) : style_(style), units_(units) {}
  std::string operator()(double si, std::string_view unit) const {
    if (IsAngular(unit) && std::isfinite(si) && si != 0) {
      const DisplayUnit shown = FindDisplayUnit(unit, std::abs(si));
      return fmt::format("{:.6g} {}", shown.factor * si, shown.plain);
    }
    if (style_ == NumberStyle::kSi || !std::isfinite(si)) return NumberText(si);
    return ToUsualText(si, unit, units_);
  }

 private:
  NumberStyle style_;
  const UnitSystem& units_;
};

/// With the digits of NumberText; the unit has a column of its own, but for angles.
std::string RangeText(Range range, std::string_view unit) {
  std::string_view shown;
  const bool has_end = std::isfinite(range.low) || std::isfinite(range.high);
  const bool is_zero =
      (range.low == 0 || !std::isfinite(range.low)) && (range.high == 0 || !std::isfinite(range.high));
  const DisplayUnit angular = FindDisplayUnit(unit, 0);
  if (IsAngular(unit) && has_end && !is_zero) {
    range.low *= angular.factor;
    range.high *= angular.factor;
    shown = angular.plain;
  }
  for (double* end : {&range.low, &range.high}) *end = std::stod(NumberText(*end));
  return ToText(range, shown);
}

std::string UnitText(std::string_view unit) {
  if (unit == kAnyUnit) return "any";
  return unit.empty() ? "-" : std::string(unit);
}

std::string TuningText(const Item& item) { return item.is_structural() ? "structural" : "live"; }

std::string WithCondition(std::string_view text, const OptionCondition& when) {
  return when.is_always() ? std::string(text) : fmt::format("{}; used only with {}", text, when.ToText());
}

std::string StateName(const StateDeclaration& state) {
  std::string name(state.label.name);
  if (state.is_array) name += state.count == 0 ? "[]" : fmt::format("[0..{}]", state.count - 1);
  return name;
}

DescriptionTable PortTable(const Declarations& all) {
  DescriptionTable table{"Ports", {"name", "domain", "role", "connections", "meaning"}, {}};
  for (const PortDeclaration& port : all.ports) {
    std::string count = port.is_array ? (port.is_mandatory ? "many" : "many, optional")
                                      : (port.is_mandatory ? "one" : "one, optional");
    table.rows.push_back({std::string(port.label.name), std::string(port.domain->name),
                          std::string(ToText(port.role)), std::move(count), std::string(port.label.text)});
  }
  return table;
}

DescriptionTable ParameterTable(const std::vector<Item>& items, const NumberWriter& write) {
  DescriptionTable table{"Parameters", {"name", "default", "unit", "range", "change", "meaning"}, {}};
  for (const Item& item : items) {
    if (item.kind() != Item::Kind::kParameter) continue;
    table.rows.push_back({std::string(item.name()), write(*item.default_number(), item.unit()),
                          UnitText(item.unit()), RangeText(item.range(), item.unit()), TuningText(item),
                          MeaningOf(item)});
  }
  return table;
}

/// What each level of the model chooses.
DescriptionTable AspectTable(const Component& component) {
  DescriptionTable table{"Aspects", {"name", "options"}, {}};
  std::vector<Level> levels;
  for (const Level level : kBuiltInLevels) {
    if (!component.model().levels.Contains(level)) continue;
    levels.push_back(level);
    table.headers.emplace_back(ToText(level));
  }
  table.headers.emplace_back("meaning");
  for (const AspectBase* aspect : component.declarations().aspects) {
    std::vector<std::string> row{std::string(aspect->label().name),
                                 fmt::format("{}", fmt::join(aspect->options(), ", "))};
    for (const Level level : levels) row.emplace_back(aspect->options()[aspect->preset(level)]);
    row.emplace_back(aspect->label().text);
    table.rows.push_back(std::move(row));
  }
  return table;
}

DescriptionTable ModeTable(const Declarations& all) {
  DescriptionTable table{"Modes", {"name", "options", "meaning"}, {}};
  for (const ModeBase* mode : all.modes) {
    table.rows.push_back({std::string(mode->label().name),
                          fmt::format("{}", fmt::join(mode->options(), ", ")),
                          std::string(mode->label().text)});
  }
  return table;
}

/// Which effects a model judges, and which options neglect them; then the largest for each level.
DescriptionTable IndicatorTable(const Declarations& all) {
  DescriptionTable table{"Indicators", {"name", "neglected by", "meaning"}, {}};
  for (const OutputDeclaration& output : all.outputs) {
    if (!output.is_indicator) continue;
    const auto indicator = std::ranges::find(all.indicators, output.value, &Indicator::value);
    table.rows.push_back(
        {std::string(output.label.name),
         indicator == all.indicators.end() ? std::string("-") : (*indicator)->neglecting().ToText(),
         std::string(output.label.text)});
  }
  return table;
}

DescriptionTable PropertyTable(const std::vector<Item>& items) {
  DescriptionTable table{"Properties", {"name", "default", "type", "change", "meaning"}, {}};
  for (const Item& item : items) {
    if (item.kind() != Item::Kind::kProperty || IsCommon(item)) continue;
    const std::string default_text = item.property()->DefaultText();
    table.rows.push_back({std::string(item.name()), default_text.empty() ? "-" : default_text,
                          item.property()->Describe(), TuningText(item), MeaningOf(item)});
  }
  return table;
}

DescriptionTable InputTable(const Declarations& all, const NumberWriter& write) {
  DescriptionTable table{"Inputs", {"name", "default", "unit", "range", "routes", "meaning"}, {}};
  for (const InputDeclaration& input : all.inputs) {
    std::string count = input.is_array ? "many" : input.is_mandatory ? "one" : "one, optional";
    table.rows.push_back({std::string(input.label.name),
                          input.is_mandatory ? "-" : write(input.default_value, input.label.unit),
                          UnitText(input.label.unit), RangeText(input.range, input.label.unit),
                          std::move(count), WithCondition(input.label.text, input.when)});
  }
  return table;
}

DescriptionTable OutputTable(const std::vector<Item>& items, const Declarations& all) {
  DescriptionTable table{"Outputs", {"name", "unit", "meaning"}, {}};
  for (const Item& item : items) {
    const auto is_mode = [&](const ModeBase* mode) { return mode->value() == item.place(); };
    const bool is_output = item.kind() == Item::Kind::kOutput && !item.output()->is_indicator;
    if (!is_output || std::ranges::any_of(all.modes, is_mode)) continue;
    table.rows.push_back({std::string(item.name()), UnitText(item.unit()), MeaningOf(item)});
  }
  return table;
}

DescriptionTable StateTable(const Declarations& all, const NumberWriter& write) {
  DescriptionTable table{"States", {"name", "start", "unit", "nominal", "kind", "meaning"}, {}};
  for (const StateDeclaration& state : all.states) {
    table.rows.push_back(
        {StateName(state), state.start.empty() ? "-" : write(state.start.front(), state.label.unit),
         UnitText(state.label.unit), write(state.nominal, state.label.unit),
         state.is_algebraic ? "algebraic" : "differential", WithCondition(state.label.text, state.when)});
  }
  return table;
}

/// What an array reads: `u[i-1] ... u[i+1]`, `outlet (the last only)`.
std::string ReachText(const Declarations& all, const Reach& reach) {
  std::string text;
  for (const StateDeclaration& state : all.states) {
    if (state.id != reach.of.id()) continue;
    text = state.label.name;
    if (!state.is_array) continue;
    const auto element = [&](int offset) {
      return offset == 0 ? fmt::format("{}[i]", text) : fmt::format("{}[i{:+}]", text, offset);
    };
    if (reach.of.elements() == Elements::kFirst) {
      text += "[0]";
    } else if (reach.of.elements() == Elements::kLast) {
      text += "[last]";
    } else if (reach.of.elements() == Elements::kAll) {
      text += "[all]";
    } else if (reach.from == reach.to) {
      text = element(reach.from);
    } else {
      text = fmt::format("{} ... {}", element(reach.from), element(reach.to));
    }
    if (reach.wraps) text += " (a ring)";
  }
  for (const InputDeclaration& input : all.inputs) {
    if (reach.of.id() == (input.is_array ? static_cast<const void*>(input.sources) : input.source))
      text = input.label.name;
  }
  for (const PortDeclaration& port : all.ports) {
    if (reach.of.id() == port.port) text = port.label.name;
  }
  if (reach.by == Elements::kFirst) text += " (the first only)";
  if (reach.by == Elements::kLast) text += " (the last only)";
  return text;
}

/// What the equations of arrays read, where that is declared: what makes implicit methods linear in their
/// size.
DescriptionTable ReachTable(const Declarations& all) {
  DescriptionTable table{"Reach", {"of", "reads besides itself"}, {}};
  for (const StateDeclaration& state : all.states) {
    for (const ReachDeclaration& reach : all.reaches) {
      if (!state.is_array || reach.reader != state.id) continue;
      std::vector<std::string> texts;
      texts.reserve(reach.reads.size());
      for (const Reach& read : reach.reads) texts.push_back(ReachText(all, read));
      table.rows.push_back({fmt::format("{}[i]", state.label.name),
                            texts.empty() ? "nothing" : fmt::format("{}", fmt::join(texts, ", "))});
    }
  }
  return table;
}

DescriptionTable StartTable(const std::vector<Item>& items, const NumberWriter& write) {
  DescriptionTable table{"Start values", {"name", "default", "unit", "range", "meaning"}, {}};
  for (const Item& item : items) {
    if (item.kind() != Item::Kind::kStart) continue;
    table.rows.push_back({std::string(item.name()), write(*item.default_number(), item.unit()),
                          UnitText(item.unit()), RangeText(item.range(), item.unit()), MeaningOf(item)});
  }
  return table;
}

DescriptionTable MessageTable(const Declarations& all) {
  DescriptionTable table{"Messages", {"name", "meaning"}, {}};
  for (const Message* message : all.messages) {
    table.rows.push_back({std::string(message->label().name), std::string(message->label().text)});
  }
  return table;
}

DescriptionTable AlarmTable(const Declarations& all) {
  DescriptionTable table{"Alarms", {"name", "level", "meaning"}, {}};
  for (const Alarm* alarm : all.alarms) {
    table.rows.push_back({std::string(alarm->label().name), std::string(ToText(alarm->level())),
                          std::string(alarm->label().text)});
  }
  return table;
}

std::string LevelsText(const Component& component) {
  std::string text;
  for (const Level level : {Level::kIdeal, Level::kStandard, Level::kAdvanced}) {
    if (!component.model().levels.Contains(level)) continue;
    if (!text.empty()) text += ", ";
    text += ToText(level);
    if (component.level() == level) text += " (default)";
  }
  return text;
}

}  // namespace

bool IsPart(const ModelInfo& info) { return info.name.find('.') == std::string_view::npos; }

std::string MeaningOf(const Item& item) { return WithCondition(item.text(), item.when()); }

bool IsCommon(const Item& item) {
  const AutomaticLevels* const own = item.owner().automatic_levels();
  if (own != nullptr && item.property() == &own->levels) return true;
  return (item.name() == "solver" || item.name() == "TimeStep") &&
         dynamic_cast<const DynamicSimComponent*>(&item.owner()) != nullptr;
}

ModelDescription DescribeModel(const ModelEntry& entry, NumberStyle style) {
  ComponentPool pool;
  Component& component = pool.Create(entry);
  Diagnostics ignored;  // a text without default, such as the points of a table, may be missing here
  component.Configure(ignored);
  return DescribeComponent(component, style);
}

ModelDescription DescribeComponent(Component& component, NumberStyle style) {
  const UnitSystem units;
  const NumberWriter write(style, units);
  ModelDescription description;
  const ModelInfo& info = component.model();
  const Declarations& all = component.declarations();
  const std::vector<Item> items = ListItems(component);
  description.name = info.name;
  description.text = info.text;
  if (!info.levels.is_empty()) description.settings.emplace_back("level", LevelsText(component));
  description.has_chart = component.has_behaviours();
  if (description.has_chart) {
    description.settings.emplace_back(
        "chart",
        fmt::format("file of a statechart; default: what `davit chart default {}` prints", info.name));
  }
  for (const Item& item : items) {
    if (item.kind() != Item::Kind::kProperty || !IsCommon(item)) continue;
    description.settings.emplace_back(
        item.name(), fmt::format("{}; default {}", item.property()->Describe(), item.default_text()));
  }
  for (DescriptionTable& table :
       std::array{PortTable(all), AspectTable(component), ModeTable(all), IndicatorTable(all),
                  ParameterTable(items, write), PropertyTable(items), InputTable(all, write),
                  OutputTable(items, all), StateTable(all, write), ReachTable(all), StartTable(items, write),
                  MessageTable(all), AlarmTable(all)}) {
    if (!table.rows.empty()) description.tables.push_back(std::move(table));
  }
  description.equations = info.equations;
  description.example = MakeModelExample(component, units);
  return description;
}

}  // namespace davit
