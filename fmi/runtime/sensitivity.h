#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "framework/item.h"
#include "session/simulation.h"

namespace davit {

/// How what a system computes depends on its states, inputs and time at one point: central differences of its
/// equations, with the shifts that the solvers use for their Jacobians. Nothing of the run changes.
///
/// Pre: OutsideSolver::Fault is empty, and a run has begun. `y` are the states of all islands,
/// one after the other.
class Sensitivity {
 public:
  Sensitivity(SimulatorManager& manager, double t, std::vector<double> y);
  /// The values that are shown are those of the run again.
  ~Sensitivity();
  Sensitivity(const Sensitivity&) = delete;
  Sensitivity& operator=(const Sensitivity&) = delete;

  /// Whether an item is a state, or an input that nothing is routed to. States that the present levels do not
  /// use change nothing, not even what is shown of them.
  bool IsKnown(const Item& item) const;
  /// The sum of d(unknown)/d(known) seed over all knowns, for each unknown. Pre: IsKnown of all.
  std::vector<double> Directional(std::span<const Item> unknowns, std::span<const Item> knowns,
                                  std::span<const double> seed);
  /// d(unknown)/dt along the solution, with the inputs held.
  std::vector<double> TimeDerivative(std::span<const Item> unknowns);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// The position of a state in y, or kNone.
  std::size_t PlaceOf(const Item& item) const;
  void Evaluate(double t, const std::vector<double>& y);
  std::vector<double> ValuesAt(double t, const std::vector<double>& y, std::span<const Item> items);

  SimulatorManager& manager_;
  double t_;
  std::vector<double> y_, ddt_;
  std::vector<double> nominal_;
};

}  // namespace davit
