#include "simulator/charts/chart_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/property.h"

namespace davit {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

}  // namespace

std::size_t ChartOutputs::Add(std::string name, std::string text, std::string_view unit, bool is_primary) {
  values_.push_back(0);
  OutputDeclaration output;
  output.label = {node_.Keep(std::move(name)), unit, node_.Keep(std::move(text))};
  output.value = &values_.back();
  output.is_primary = is_primary;
  node_.mutable_declarations().outputs.push_back(output);
  return values_.size() - 1;
}

void ChartOutputs::Make(const Chart& chart, bool is_default, Diagnostics& diagnostics) {
  states_.assign(chart.states.size(), kNone);
  times_.assign(chart.states.size(), kNone);
  data_.assign(chart.program.variables.size(), kNone);
  for (Index i = 0; i < data_.size(); ++i) MakeDataOutput(chart, i, !is_default, diagnostics);
  regions_.push_back({0, Add("region", "Position of the active state", "", !is_default)});
  for (StateId state = 1; state < chart.states.size(); ++state) {
    if (!chart.names[state].has_own_id || chart.IsHistory(state)) continue;
    const std::string& id = chart.names[state].id;
    states_[state] = Add("state." + id, "Whether the state is active", "", !is_default);
    node_.mutable_declarations().outputs.back().kind = ValueKind::kCondition;
    if (chart.states[state].kind == StateKind::kCompound)
      regions_.push_back({state, Add("region." + id, "Position of the active state in it", "", !is_default)});
    if (!is_default) times_[state] = Add("time." + id, "Time since the state was entered", "s", false);
  }
}

void ChartOutputs::MakeDataOutput(const Chart& chart, Index number, bool is_primary,
                                  Diagnostics& diagnostics) {
  const ExpressionVariable& variable = chart.program.variables[number];
  const bool is_text = variable.type == ValueType::kString && variable.choices.empty();
  if (is_text) return;
  const bool is_taken = variable.name == "region" || variable.name == "state" || variable.name == "time" ||
                        std::ranges::any_of(node_.declarations().properties, [&](const PropertyBase* p) {
                          return p->label().name == variable.name;
                        });
  if (is_taken) {
    const auto item = std::ranges::find(chart.data, number, &DataItem::variable);
    diagnostics.Warning(chart.At(item->line, item->file), node_.DisplayPath(),
                        fmt::format("the data '{}' cannot be seen outside the chart, where the name has "
                                    "another meaning; choose another name",
                                    variable.name));
    return;
  }
  data_[number] = Add(variable.name, "Data of the chart", kAnyUnit, is_primary);
  OutputDeclaration& output = node_.mutable_declarations().outputs.back();
  if (variable.type == ValueType::kBoolean) output.kind = ValueKind::kCondition;
  if (variable.choices.empty()) return;
  std::vector<std::string> options;
  options.reserve(variable.choices.size());
  for (const SymbolId choice : variable.choices) options.emplace_back(chart.symbols->Text(choice));
  output.kind = ValueKind::kOption;
  output.options = node_.KeepOptions(options);
}

void ChartOutputs::Clear() { std::ranges::fill(values_, 0); }

void ChartOutputs::Publish(const Interpreter& session, double t) {
  if (session.macrosteps() != published_) {
    published_ = session.macrosteps();
    PublishStates(session);
    PublishData(session);
  }
  session.configuration().ForEach([&](StateId state) {
    if (times_[state] != kNone) values_[times_[state]] = t - session.EntryTime(state);
  });
}

void ChartOutputs::PublishStates(const Interpreter& session) {
  const Chart& chart = session.chart();
  for (StateId state = 1; state < states_.size(); ++state) {
    if (states_[state] == kNone) continue;
    const bool is_active = session.IsActive(state);
    values_[states_[state]] = is_active ? 1 : 0;
    if (!is_active && times_[state] != kNone) values_[times_[state]] = 0;
  }
  for (const Region& region : regions_) {
    const IndexRange children = chart.states[region.state].children;
    double position = -1;
    for (Index i = children.begin; i < children.end && position < 0; ++i) {
      if (session.IsActive(chart.state_lists[i])) position = i - children.begin;
    }
    values_[region.output] = position;
  }
}

void ChartOutputs::PublishData(const Interpreter& session) {
  for (Index i = 0; i < data_.size(); ++i) {
    if (data_[i] == kNone) continue;
    double value = session.Value(i);
    const std::vector<SymbolId>& choices = session.chart().program.variables[i].choices;
    if (!choices.empty())
      value = static_cast<double>(std::ranges::find(choices, static_cast<SymbolId>(value)) - choices.begin());
    values_[data_[i]] = value;
  }
}

}  // namespace davit
