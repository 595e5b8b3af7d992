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

/// The unit in which people read values like `typical` of an item declared in `declared`. Angles and their
/// rates are in deg, deg/s and rpm: nobody thinks in radians.
std::string FindReadUnit(double typical, std::string_view declared, const UnitSystem& units) {
  const bool is_size = std::isfinite(typical) && typical != 0;
  if (is_size && declared != "rad" && declared != "rad/s") return ToUsual(typical, declared, units).unit;
  return FindDisplayUnit(declared, is_size ? std::abs(typical) : 0).plain;
}

/// Writes the numbers of one item, in the unit that its table shows.
class NumberWriter {
 public:
  NumberWriter(double typical, std::string_view declared, const UnitSystem& units)
      : unit_(declared.empty() || declared == kAnyUnit ? "" : FindReadUnit(typical, declared, units)) {
    if (declared == kAnyUnit) {
      shown_ = "any";
    } else if (!unit_.empty()) {
      shown_ = unit_;
      scale_ = units.Find(unit_);
    }
  }

  std::string Number(double si) const {
    const std::string text = fmt::format("{:.6g}", scale_ ? scale_->FromSi(si) : si);
    return text == "-0" ? "0" : text;
  }
  std::string Range(davit::Range range) const {
    for (double* end : {&range.low, &range.high})
      if (std::isfinite(*end)) *end = std::stod(Number(*end));
    return ToText(range, "");
  }
  const std::string& unit() const { return shown_; }

 private:
  std::string unit_;
  std::string shown_ = "-";
  std::optional<Unit> scale_;
};

std::string UnitText(std::string_view unit) {
  if (unit == kAnyUnit) return "any";
  return unit.empty() ? "-" : std::string(unit);
}

std::string TuningText(const Item& item) { return item.is_structural() ? "structural" : "live"; }

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

/// The options that make use of an item; empty for one that is always used.
std::string NeedsText(const OptionCondition& when) { return when.is_always() ? "" : when.ToText(); }

DescriptionTable ParameterTable(const std::vector<Item>& items, const UnitSystem& units) {
  DescriptionTable table{"Parameters", {"name", "default", "unit", "range", "change", kNeeds, "meaning"}, {}};
  for (const Item& item : items) {
    if (item.kind() != Item::Kind::kParameter) continue;
    const NumberWriter write(*item.default_number(), item.unit(), units);
    table.rows.push_back({std::string(item.name()), write.Number(*item.default_number()), write.unit(),
                          write.Range(item.range()), TuningText(item), NeedsText(item.when()),
                          std::string(item.text())});
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
  DescriptionTable table{"Properties", {"name", "default", "type", "change", kNeeds, "meaning"}, {}};
  for (const Item& item : items) {
    if (item.kind() != Item::Kind::kProperty || IsCommon(item)) continue;
    const std::string default_text = item.property()->DefaultText();
    table.rows.push_back({std::string(item.name()), default_text.empty() ? "-" : default_text,
                          item.property()->Describe(), TuningText(item), NeedsText(item.when()),
                          std::string(item.text())});
  }
  return table;
}

DescriptionTable InputTable(const Declarations& all, const UnitSystem& units) {
  DescriptionTable table{"Inputs", {"name", "default", "unit", "range", "routes", kNeeds, "meaning"}, {}};
  for (const InputDeclaration& input : all.inputs) {
    std::string count = input.is_array ? "many" : input.is_mandatory ? "one" : "one, optional";
    const NumberWriter write(input.default_value, input.label.unit, units);
    table.rows.push_back({std::string(input.label.name),
                          input.is_mandatory ? "-" : write.Number(input.default_value), write.unit(),
                          write.Range(input.range), std::move(count), NeedsText(input.when),
                          std::string(input.label.text)});
  }
  return table;
}

DescriptionTable OutputTable(const std::vector<Item>& items, const Declarations& all) {
  DescriptionTable table{"Outputs", {"name", "unit", kNeeds, "meaning"}, {}};
  for (const Item& item : items) {
    const auto is_mode = [&](const ModeBase* mode) { return mode->value() == item.place(); };
    const bool is_output = item.kind() == Item::Kind::kOutput && !item.output()->is_indicator;
    if (!is_output || std::ranges::any_of(all.modes, is_mode)) continue;
    table.rows.push_back(
        {std::string(item.name()), UnitText(item.unit()), NeedsText(item.when()), std::string(item.text())});
  }
  return table;
}

DescriptionTable StateTable(const Declarations& all, const UnitSystem& units) {
  DescriptionTable table{"States", {"name", "start", "unit", "nominal", "kind", kNeeds, "meaning"}, {}};
  for (const StateDeclaration& state : all.states) {
    const double start = state.start.empty() ? 0 : state.start.front();
    const NumberWriter write(start == 0 ? state.nominal : start, state.label.unit, units);
    table.rows.push_back({StateName(state), state.start.empty() ? "-" : write.Number(start), write.unit(),
                          write.Number(state.nominal), state.is_algebraic ? "algebraic" : "differential",
                          NeedsText(state.when), std::string(state.label.text)});
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

DescriptionTable StartTable(const std::vector<Item>& items, const UnitSystem& units) {
  DescriptionTable table{"Start values", {"name", "default", "unit", "range", kNeeds, "meaning"}, {}};
  for (const Item& item : items) {
    if (item.kind() != Item::Kind::kStart) continue;
    const NumberWriter write(*item.default_number(), item.unit(), units);
    table.rows.push_back({std::string(item.name()), write.Number(*item.default_number()), write.unit(),
                          write.Range(item.range()), NeedsText(item.when()), std::string(item.text())});
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

DescriptionTable FaultTable(Component& component, const UnitSystem& units) {
  DescriptionTable table{"Faults", {"name", "sets", "to", "meaning"}, {}};
  const std::vector<Item> items = ListItems(component);
  for (const FaultModeDeclaration& fault : component.declarations().fault_modes) {
    const auto item = std::ranges::find(items, fault.item, &Item::name);
    std::string value =
        fault.is_multiple ? fmt::format("{:.9g} times its value", fault.value) : std::string();
    if (!fault.is_multiple && item != items.end()) {
      const NumberWriter write(fault.value, item->unit(), units);
      value = item->value_kind() == ValueKind::kNumber
                  ? fmt::format("{}{}{}", write.Number(fault.value), write.unit().empty() ? "" : " ",
                                write.unit())
                  : item->TextOf(fault.value);
    }
    table.rows.push_back(
        {std::string(fault.label.name), std::string(fault.item), value, std::string(fault.label.text)});
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

std::vector<EquationSection> SplitEquations(std::string_view equations) {
  std::vector<EquationSection> sections;
  const auto append = [&](std::string_view line) {
    const std::size_t depth = std::min(line.find_first_not_of('#'), line.size());
    if (depth > 0 && line.substr(depth).starts_with(' ')) {
      sections.push_back({std::string(line.substr(depth + 1)), depth > 1, {}});
    } else {
      if (sections.empty()) sections.push_back({"Equations", false, {}});
      sections.back().text.append(line).append("\n");
    }
  };
  while (!equations.empty()) {
    const std::size_t end = std::min(equations.find('\n'), equations.size());
    append(equations.substr(0, end));
    equations.remove_prefix(std::min(end + 1, equations.size()));
  }
  return sections;
}

std::string MeaningOf(const Item& item) { return WithNeeds(item.text(), NeedsText(item.when())); }

std::string WithNeeds(std::string_view text, std::string_view needs) {
  return needs.empty() ? std::string(text) : fmt::format("{}; used only with {}", text, needs);
}

bool IsCommon(const Item& item) {
  const AutomaticLevels* const own = item.owner().automatic_levels();
  if (own != nullptr && item.property() == &own->levels) return true;
  return (item.name() == "solver" || item.name() == "TimeStep") &&
         dynamic_cast<const DynamicSimComponent*>(&item.owner()) != nullptr;
}

ModelDescription DescribeModel(const ModelEntry& entry) {
  ComponentPool pool;
  Component& component = pool.Create(entry);
  Diagnostics ignored;  // a text without default, such as the points of a table, may be missing here
  component.Configure(ignored);
  return DescribeComponent(component);
}

ModelDescription DescribeComponent(Component& component) {
  const UnitSystem units;
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
                  ParameterTable(items, units), PropertyTable(items), InputTable(all, units),
                  OutputTable(items, all), StateTable(all, units), ReachTable(all), StartTable(items, units),
                  MessageTable(all), AlarmTable(all), FaultTable(component, units)}) {
    if (!table.rows.empty()) description.tables.push_back(std::move(table));
  }
  description.equations = info.equations;
  description.example = MakeModelExample(component, units);
  return description;
}

}  // namespace davit
