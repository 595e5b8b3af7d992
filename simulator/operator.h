#pragma once

#include <string_view>

#include "framework/archive.h"
#include "framework/component.h"
#include "framework/declaration_options.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "framework/signal.h"

namespace davit {

/// An operator on a signal: a limiter, a delay, a filter ... It stands inside `<Operators signal=...>` of a
/// component and turns the value u of the signal into the value y that takes its place, once each TimeStep.
///
///     class Rounding final : public Operator {
///      public:
///       static constexpr ModelInfo kInfo{"sensors.Rounding", "Rounds to steps of a converter"};
///       double Apply(double u) override { return step * std::round(u / step); }
///
///      private:
///       Parameter step{this, "step", kAnyUnit, "Step of the converter", 1, kPositive};
///     };
///
/// Items of any unit (`kAnyUnit`) get the unit of the signal, so `step="1 mm"` is checked. Inputs are sampled
/// before Apply is called; parameters may change between two calls. What it remembers from step to step it
/// lists in ArchiveMemory. Registered as any model: `registry.Add<Rounding>()`.
///
/// Call sequence: Begin at the start of a run and on Reset, maybe several times; then Apply once at each step
/// point. Apply uses neither memory nor exceptions.
class Operator : public Component {
 public:
  using OperatorBase = Operator;

  Operator() = default;

  /// y where u has been the value for ever: fills the memory. By default that of Apply, for operators without
  /// memory.
  virtual double Begin(double u) { return Apply(u); }
  /// y at a step point, where the value is u.
  virtual double Apply(double u) = 0;
  /// Whether y may have another unit than u.
  virtual bool ChangesUnit() const { return false; }
  /// Looks whether it can be applied every `period` [s]; what is wrong goes to `diagnostics`. Called when the
  /// system is built, and again before it continues with another TimeStep.
  virtual void CheckPeriod(double /*period*/, Diagnostics& /*diagnostics*/) const {}

  /// Between two calls of Apply [s]: the TimeStep of the component whose signal it is.
  double GetOperatorPeriod() const { return period_; }

  bool AcceptsChild(std::string_view /*model*/) const override { return false; }

  // For the chain of operators.
  double BeginWith(double u, double t, double period) {
    time_ = t;
    period_ = period;
    return y_ = Begin(u);
  }
  double Run(double u, double t) {
    time_ = t;
    return y_ = Apply(u);
  }
  /// The units of u and y; they live as long as the operator.
  virtual void TakeUnits(std::string_view before, std::string_view after);

 protected:
  /// Gives an item of any unit this one.
  void SetUnit(std::string_view item, std::string_view unit);
  /// y at the step point before.
  double last() const { return y_; }
  /// The time of the step point [s].
  double time() const { return time_; }

 private:
  Output y_{this, "y", kAnyUnit, "Output of the operator"};
  double period_ = 0;
  double time_ = 0;
};

}  // namespace davit
