#include "framework/indicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace davit {

void ObservedRate::Start() {
  is_seen_ = false;
  t_ = value_ = rate_ = 0;
}

void ObservedRate::Observe(double t) {
  if (is_seen_ && !(t > t_)) return;
  const double value = read_();
  rate_ = is_seen_ ? (value - value_) / (t - t_) : 0;
  is_seen_ = true;
  t_ = t;
  value_ = value;
}

Indicator::Indicator(Component* owner, Text name, Text text, const OptionCondition& neglecting,
                     std::function<double()> compute)
    : label_{name, "", text}, neglecting_(neglecting), compute_(std::move(compute)) {
  Declarations& declarations = owner->mutable_declarations();
  declarations.indicators.push_back(this);
  OutputDeclaration output;
  output.label = {owner->Keep(fmt::format("indicator.{}", label_.name)), "", text};
  output.value = &value_;
  output.is_primary = false;
  output.is_indicator = true;
  declarations.outputs.push_back(output);
}

bool Indicator::IsNeglectedBy(const Component& owner, Level level) const {
  return neglecting_.HoldsAt(owner, level);
}

void Indicator::Evaluate() {
  const double value = compute_();
  value_ = value < kMost ? std::max(value, 0.0) : kMost;
}

std::vector<const Indicator*> NeglectedBy(const Component& component, Level level) {
  std::vector<const Indicator*> neglected;
  for (const Indicator* indicator : component.declarations().indicators) {
    if (indicator->IsNeglectedBy(component, level)) neglected.push_back(indicator);
  }
  return neglected;
}

double WorstNeglected(const Component& component, Level level) {
  double worst = 0;
  for (const Indicator* indicator : component.declarations().indicators) {
    if (*indicator->value() > worst && indicator->IsNeglectedBy(component, level))
      worst = *indicator->value();
  }
  return worst;
}

void DeclareLevelIndicators(Component& component) {
  Declarations& declarations = component.mutable_declarations();
  if (declarations.indicators.empty()) return;
  std::optional<Level> lower;
  for (const Level level : kBuiltInLevels) {
    if (!component.model().levels.Contains(level)) continue;
    if (lower) {
      LevelIndicator& one = *declarations.level_indicators.emplace_back(std::make_unique<LevelIndicator>());
      one.level = *lower;
      OutputDeclaration output;
      output.label = {component.Keep(fmt::format("indicator.{}", ToText(*lower))), "",
                      component.Keep(fmt::format("The largest indicator that {} neglects", ToText(*lower)))};
      output.value = &one.value;
      output.is_primary = false;
      output.is_indicator = true;
      declarations.outputs.push_back(output);
    }
    lower = level;
  }
}

void StartIndicators(Component& component, double t) {
  for (ObservedRate* rate : component.declarations().observed_rates) rate->Start();
  EvaluateIndicators(component, t);
}

void EvaluateIndicators(Component& component, double t) {
  for (ObservedRate* rate : component.declarations().observed_rates) rate->Observe(t);
  ShowIndicators(component);
}

void ShowIndicators(Component& component) {
  const Declarations& declarations = component.declarations();
  for (Indicator* indicator : declarations.indicators) indicator->Evaluate();
  for (const auto& one : declarations.level_indicators) one->value = WorstNeglected(component, one->level);
}

}  // namespace davit
