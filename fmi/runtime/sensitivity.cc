#include "fmi/runtime/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simulator/evaluation_failure.h"
#include "simulator/islands/island.h"
#include "simulator/solvers/difference_quotients.h"

namespace davit {
namespace {

/// Share of a TimeStep to either side, for derivatives over time.
constexpr double kShareOfStep = 1e-5;

/// A number that is shifted, and at the end what it was, also where an evaluation between fails.
struct Shifted {
  explicit Shifted(double& of) : place(of), kept(of) {}
  ~Shifted() { place = kept; }
  Shifted(const Shifted&) = delete;
  Shifted& operator=(const Shifted&) = delete;

  /// Returns how far it is after rounding.
  double ShiftBy(double increment) {
    place = kept + increment;
    return place - kept;
  }

  double& place;
  const double kept;
};

}  // namespace

Sensitivity::Sensitivity(SimulatorManager& manager, double t, std::vector<double> y)
    : manager_(manager), t_(t), y_(std::move(y)), ddt_(y_.size()) {
  for (const auto& island : manager_.islands()) {
    const StateVectors& states = island->states();
    for (std::size_t i = 0; i < states.size(); ++i) nominal_.push_back(states.Declaration(i).nominal);
  }
}

Sensitivity::~Sensitivity() {
  try {
    for (const auto& island : manager_.islands()) island->EvaluateAt(manager_.time());
  } catch (const EvaluationFailure&) {  // the next one who asks for values is told
  }
}

std::size_t Sensitivity::PlaceOf(const Item& item) const {
  if (item.kind() != Item::Kind::kState) return kNone;
  std::size_t first = 0;
  for (const auto& island : manager_.islands()) {
    const StateSlot& slot = *item.slot();
    if (slot.memory == &island->states().memory) return first + slot.offset;
    first += island->states().size();
  }
  return kNone;
}

bool Sensitivity::IsKnown(const Item& item) const {
  return item.kind() == Item::Kind::kState ||
         (item.kind() == Item::Kind::kInput && item.is_writable() && item.input()->own_value != nullptr);
}

void Sensitivity::Evaluate(double t, const std::vector<double>& y) {
  std::size_t first = 0;
  for (const auto& island : manager_.islands()) {
    const SolverProblem& problem = island->problem();
    problem.evaluate(problem.context, y.data() + first, ddt_.data() + first, t);
    first += island->states().size();
  }
}

std::vector<double> Sensitivity::ValuesAt(double t, const std::vector<double>& y,
                                          std::span<const Item> items) {
  Evaluate(t, y);
  std::vector<double> values;
  for (const Item& item : items) values.push_back(item.Read());
  return values;
}

std::vector<double> Sensitivity::Directional(std::span<const Item> unknowns, std::span<const Item> knowns,
                                             std::span<const double> seed) {
  std::vector<double> sum(unknowns.size(), 0.0);
  const std::vector<double> between = ValuesAt(t_, y_, unknowns);
  for (std::size_t k = 0; k < knowns.size(); ++k) {
    if (seed[k] == 0) continue;
    const std::size_t place = PlaceOf(knowns[k]);
    // One that is not in use shows what the component makes of it, whatever its value is.
    if (place == kNone && knowns[k].kind() == Item::Kind::kState) continue;
    Shifted value(place == kNone ? *knowns[k].input()->own_value : y_[place]);
    const double increment = IncrementOfUnknown(value.kept, place == kNone ? 1 : nominal_[place]);
    const double up = value.ShiftBy(increment);
    const std::vector<double> above = ValuesAt(t_, y_, unknowns);
    const double down = -value.ShiftBy(-increment);
    const std::vector<double> below = ValuesAt(t_, y_, unknowns);
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += seed[k] * Quotient(above[i], below[i], between[i], up, down);
  }
  return sum;
}

std::vector<double> Sensitivity::TimeDerivative(std::span<const Item> unknowns) {
  const double half = kShareOfStep * manager_.time_step();
  const std::vector<double> between = ValuesAt(t_, y_, unknowns);
  const std::vector<double> slope = ddt_;
  const auto moved = [&](double by) {
    std::vector<double> y = y_;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += by * slope[i];
    return y;
  };
  const double later = t_ + half;
  const double earlier = t_ - half;
  const std::vector<double> above = ValuesAt(later, moved(later - t_), unknowns);
  const std::vector<double> below = ValuesAt(earlier, moved(earlier - t_), unknowns);
  std::vector<double> derivatives(unknowns.size());
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    derivatives[i] = Quotient(above[i], below[i], between[i], later - t_, t_ - earlier);
  return derivatives;
}

}  // namespace davit
