#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "framework/archive.h"
#include "framework/component.h"

namespace davit {

/// How large `neglected` is compared with `scale`: 0 for 0/0, so that nothing is neglected at rest.
inline double Share(double neglected, double scale) {
  return neglected == 0 ? 0.0 : std::abs(neglected) / std::abs(scale);
}

/// The rate of change of a value between communication points, for an indicator at a level that has no
/// equation for it. 0 until the value has been seen twice. Observed while the indicators of its owner are
/// evaluated.
class ObservedRate {
 public:
  ObservedRate(Component* owner, std::function<double()> value) : read_(std::move(value)) {
    owner->mutable_declarations().observed_rates.push_back(this);
  }
  ObservedRate(const ObservedRate&) = delete;
  ObservedRate& operator=(const ObservedRate&) = delete;

  operator double() const { return rate_; }  // NOLINT(google-explicit-constructor): reads like a double
  void Start();
  /// Everything is evaluated at t.
  void Observe(double t);
  void ArchiveMemory(Archive& archive) { archive(is_seen_, t_, value_, rate_); }

 private:
  std::function<double()> read_;
  bool is_seen_ = false;
  double t_ = 0;
  double value_ = 0;
  double rate_ = 0;
};

/// How large an effect is that some options of a component neglect: 0 if they are exact, about 1 or more if
/// they fail. Like a mode it is seen, not set, and no equation reads it.
///
///     Indicator laminar_port{this, "laminar_port", "Laminar share of the loss in the ports",
///                            ports.Is(Ports::kTurbulent), [this] { return Share(dp_laminar, dp); }};
///
/// It is computed from values that exist with every option: if a simple option has no equation for the
/// effect, from a quasi-static estimate. Its output `indicator.NAME` is written at communication points, and
/// only while something reads an indicator of the component. Where a level neglects an indicator, it counts
/// for the output `indicator.LEVEL`, the largest of them: the error that the level would make.
class Indicator {
 public:
  /// `neglecting` names the options that neglect the effect. The texts have static storage.
  Indicator(Component* owner, Text name, Text text, const OptionCondition& neglecting,
            std::function<double()> compute);
  Indicator(const Indicator&) = delete;
  Indicator& operator=(const Indicator&) = delete;

  /// The largest value: whatever fails by more fails.
  static constexpr double kMost = 1e3;

  const Label& label() const { return label_; }
  const OptionCondition& neglecting() const { return neglecting_; }
  const double* value() const { return &value_; }
  /// Whether a level of its owner neglects the effect. Pre: `owner` has `level`.
  bool IsNeglectedBy(const Component& owner, Level level) const;
  /// From the present values of its owner. What is not a number counts as kMost.
  void Evaluate();

 private:
  Label label_;
  OptionCondition neglecting_;
  std::function<double()> compute_;
  double value_ = 0;
};

/// The indicators that a level of a component neglects. Pre: the component has `level`.
std::vector<const Indicator*> NeglectedBy(const Component& component, Level level);
/// The largest present value of those; 0 without any. Pre: the component has `level`.
double WorstNeglected(const Component& component, Level level);

/// Declares the outputs `indicator.LEVEL` of a component with levels: for all built-in ones but the highest.
void DeclareLevelIndicators(Component& component);
/// The values of a component are those of a first communication point, at t: forgets rates and evaluates.
void StartIndicators(Component& component, double t);
/// The same of a later point: rates, indicators, the outputs of levels.
void EvaluateIndicators(Component& component, double t);
/// Evaluates with the rates of the last communication point.
void ShowIndicators(Component& component);

}  // namespace davit
