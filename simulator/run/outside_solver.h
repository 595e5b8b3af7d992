#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/item.h"
#include "simulator/input_ramp.h"

namespace davit {

class Island;
class SystemRun;
struct RunContext;

/// A run for a solver outside of davit (model exchange). Between events that one integrates the equations of
/// all islands by itself; then it gives the states (Island::GiveStates) and calls SystemRun::AdvanceTo for
/// the time it has reached: step points, breaks and events up to there happen as in any other run.
/// SystemRun::Settle ends what is changed at one time.
class OutsideSolver {
 public:
  OutsideSolver(SystemRun& run, RunContext& context) : run_(run), context_(context) {}

  /// Why the equations cannot be handed to a solver outside, and what can be done; empty if they can. Pre:
  /// built.
  std::string Fault() const;
  /// From now on, before Initialize, one solves the run. Pre: Fault is empty.
  void TakeOver();
  /// The network was built anew, without ramps.
  void NetworkChanged();
  /// The next step point at which anything can happen: charts, commands, held signals, operators, hooks that
  /// act; infinity where there is no need to stop at step points.
  double next_step_event() const;
  /// Whether something looks at the values of step points and of accepted steps without changing any: alarms,
  /// checks, modes.
  bool has_looks() const;
  /// An input that nothing is routed to follows a polynomial from the time reached on, c[k] is the factor of
  /// (t - time())^k, until it is written or EndRamps. Where no island reads it alone it is written at once
  /// and held; returns false then.
  bool Follow(const Item& input, const std::array<double, InputRamp::kTerms>& c);
  /// Inputs that follow a polynomial keep the value that they have.
  void EndRamps();

 private:
  SystemRun& run_;
  RunContext& context_;
  bool is_solving_ = false;
  std::vector<std::pair<Island*, std::vector<InputRamp>>> ramps_;
};

}  // namespace davit
