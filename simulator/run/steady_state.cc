#include "simulator/run/steady_state.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>

namespace davit {
namespace {

constexpr double kAtRest = 1e-9;  // [1/s], in units of the scale
constexpr double kRoundingOfTurns = 1e-3 * kAtRest;
constexpr double kRoundingOfDifferences = 1e-9;  // of what the angles change alone
constexpr double kRoundingShare = 8 * std::numeric_limits<double>::epsilon();
constexpr double kFirstStep = 1e-4;  // [s]
constexpr double kShortestStep = 1e-13;
constexpr double kNewtonStep = 1e9;     // a longer one is Newton's method
constexpr double kStepGrowth = 10;      // at most, from one step to the next
constexpr double kGoodReduction = 0.7;  // of the residual: no need to try shorter steps
constexpr double kLeastShare = 0.03;    // of a step that is tried
constexpr double kLargestGrowth = 3;    // of the residual, in one step
constexpr double kLongestMove = 1;      // of an unknown, in units of its scale or its value
constexpr int kMostIterations = 400;
constexpr int kMostPolishes = 12;
constexpr int kMostMoves = 20;
/// Increments in units of those of a solver. Coarse ones keep the noise of the differences below kSingular:
/// with 1 the locked oil of a crane took pressures 20 % off, and one pose of 54 was not kept. Fine ones are
/// narrower than the kinks of valves.
constexpr double kCoarse = 64;
constexpr double kFine = 1;
constexpr double kSingular = 1e-7;    // pivots below this share of the largest are noise of the differences
constexpr double kNamed = 0.1;        // least share of a free direction that is named
constexpr double kKeptPlace = 1e-3;   // a place that near to its start is put back, in units of its scale
constexpr double kKeptNear = 0.1;     // anything else that near, one by one
constexpr double kPlaceWeight = 1e6;  // of displacements and angles, where rest is not unique
constexpr int kMostJacobians = 3000;  // of a search through time
constexpr int kMostNewtonSteps = 12;
constexpr double kLeastNewtonShare = 1e-3;
constexpr int kFewNewtonSteps = 4;
constexpr double kNewtonConverged = 1e-7;
constexpr double kLongStep = 1e4;  // [s], after which most things rest
constexpr int kRounds = 3;         // of exchange between islands and fixed-step components

/// Each row in units of its largest element.
void Equilibrate(Eigen::MatrixXd& matrix, Eigen::VectorXd& right) {
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const double largest = matrix.row(i).cwiseAbs().maxCoeff();
    if (largest <= 0) continue;
    matrix.row(i) /= largest;
    right[i] /= largest;
  }
}

using Decomposition = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;

/// Orthonormal columns that the decomposed matrix maps to zero.
Eigen::MatrixXd Kernel(const Decomposition& cod) {
  const Eigen::Index n = cod.cols();
  const Eigen::Index free = n - cod.rank();
  Eigen::MatrixXd in_z = Eigen::MatrixXd::Zero(n, free);
  in_z.bottomRows(free).setIdentity();
  return cod.colsPermutation() * (cod.matrixZ().transpose() * in_z);
}

}  // namespace

SteadyState::SteadyState(Network& network, double h) : network_(network), h_(h) {
  for (auto& island : network.islands) {
    if (!island->is_implicit()) ListStates(island->states(), true);
  }
  for (auto& rate : network.rates) {
    ListStates(rate->tlm.states(), true);
    for (TlmComponent* component : rate->tlm.tlm_components()) {
      if (component->SettleWaves()) {
        settling_.push_back(component);
      } else {
        unsettled_.push_back(component->DisplayPath());
      }
    }
  }
  for (const WaveBoundaries::WaveEnd& end : network.wave_ends) {
    if (std::find(settling_.begin(), settling_.end(), end.owner) == settling_.end()) continue;
    const double scale = end.domain->effort.scale;
    unknowns_.push_back(
        {.name = end.name, .owner = end.owner, .value = end.c, .scale = scale, .rate_scale = scale});
  }
  for (auto& island : network.islands) {
    if (island->is_implicit()) ListUnknowns(*island);
  }
}

void SteadyState::ListUnknowns(Island& island) {
  StateVectors& states = island.states();
  const std::size_t begin = unknowns_.size();
  algebraic_.push_back({&island, static_cast<Eigen::Index>(begin)});
  ListStates(states, false);  // one unknown for each residual
  for (std::size_t i = 0; i < states.size(); ++i) {
    Unknown& unknown = unknowns_[begin + i];
    unknown.rate = &states.residual[i];
    unknown.is_residual = true;
  }
}

void SteadyState::ScaleResiduals() {
  if (algebraic_.empty()) return;
  const auto for_each_residual = [this](auto&& visit) {
    for (const AlgebraicPart& part : algebraic_) {
      const auto end = part.begin + static_cast<Eigen::Index>(part.island->states().size());
      for (Eigen::Index i = part.begin; i < end; ++i) visit(i, unknowns_[static_cast<std::size_t>(i)]);
    }
  };
  for_each_residual([](Eigen::Index, Unknown& unknown) { unknown.rate_scale = -1; });
  const Vector z = Values();
  const Matrix mass = MassMatrix();
  const Matrix jacobian = Jacobian(z);
  Rates(z);  // puts the values back
  for_each_residual([&](Eigen::Index i, Unknown& unknown) {
    const double of_slopes = mass.row(i).cwiseAbs().maxCoeff();
    const double of_values = jacobian.row(i).cwiseAbs().maxCoeff();
    const double scale = of_slopes > 0 ? of_slopes : of_values;
    if (scale > 0 && std::isfinite(scale)) unknown.rate_scale = -scale;
  });
}

SteadyState::Matrix SteadyState::MassMatrix() {
  const auto n = static_cast<Eigen::Index>(unknowns_.size());
  Matrix mass = Matrix::Identity(n, n);
  std::vector<double> slopes, moved;
  for (const AlgebraicPart& part : algebraic_) {
    Island& island = *part.island;
    StateVectors& states = island.states();
    const std::size_t size = states.size();
    slopes.assign(size, 0);
    moved.assign(size, 0);
    island.EvaluateResidual(t_, states.y.data(), slopes.data(), states.residual.data());
    for (std::size_t j = 0; j < size; ++j) {
      slopes[j] = unknowns_[static_cast<std::size_t>(part.begin) + j].scale;
      island.EvaluateResidual(t_, states.y.data(), slopes.data(), moved.data());
      slopes[j] = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const double scale = unknowns_[static_cast<std::size_t>(part.begin) + i].rate_scale;
        mass(part.begin + static_cast<Eigen::Index>(i), part.begin + static_cast<Eigen::Index>(j)) =
            (states.residual[i] - moved[i]) / scale;
      }
    }
  }
  return mass;
}

void SteadyState::ListStates(StateVectors& states, bool is_without_idle) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    const StateDeclaration& declaration = states.Declaration(i);
    if (is_without_idle && !declaration.is_in_use()) continue;
    const double scale = std::max(declaration.nominal, std::numeric_limits<double>::min());
    unknowns_.push_back({.name = states.Name(i),
                         .owner = &states.Owner(i),
                         .value = &states.y[i],
                         .rate = &states.ddt[i],
                         .scale = scale,
                         .rate_scale = scale,
                         .unit = declaration.label.unit});
  }
}

SteadyState::Vector SteadyState::Values() const {
  Vector z(static_cast<Eigen::Index>(unknowns_.size()));
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
    z[i] = *u.value / u.scale;
  }
  return z;
}

SteadyState::Vector SteadyState::Released() const {
  Vector released(static_cast<Eigen::Index>(unknowns_.size()));
  for (Eigen::Index i = 0; i < released.size(); ++i) {
    const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
    released[i] = u.is_held || u.is_constant ? 0 : 1;
  }
  return released;
}

double SteadyState::RateOf(const Unknown& u, double z) const {
  if (u.rate == nullptr) return (*u.value / u.scale - z) / h_;
  return (*u.rate - (u.turning != nullptr ? *u.turning : 0)) / u.rate_scale;
}

SteadyState::Vector SteadyState::Rates(const Vector& z) {
  const auto write = [&] {
    for (Eigen::Index i = 0; i < z.size(); ++i) {
      const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
      *u.value = z[i] * u.scale;
    }
  };
  write();
  // The impedances first; the waves are then written over.
  for (TlmComponent* component : settling_) component->SettleWaves();
  write();
  for (int round = 0; round < kRounds; ++round) network_.EvaluateAt(t_);
  for (TlmComponent* component : settling_) component->SettleWaves();
  for (const AlgebraicPart& part : algebraic_) {
    StateVectors& states = part.island->states();
    std::fill(states.ddt.begin(), states.ddt.end(), 0.0);
    part.island->EvaluateResidual(t_, states.y.data(), states.ddt.data(), states.residual.data());
  }
  Vector rates(z.size());
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
    rates[i] = u.is_held ? 0 : RateOf(u, z[i]);
  }
  return rates;
}

SteadyState::Matrix SteadyState::Jacobian(const Vector& z) {
  const auto size = static_cast<std::size_t>(z.size());
  const Vector between = Rates(z);
  const std::span<const double> at(z.data(), size);
  std::vector<double> increments, entries(pattern_.nonzeros());
  for (const double value : at) increments.push_back(increment_ * IncrementOfUnknown(value, 1));
  const auto equations = [this, size](const double* moved, double* rates) {
    Vector::Map(rates, static_cast<Eigen::Index>(size)) =
        Rates(Vector::Map(moved, static_cast<Eigen::Index>(size)));
  };
  quotients_.Fill(pattern_, at, {between.data(), size}, increments, entries,
                  [&](const auto& moved, auto& rates) { equations(moved.data(), rates.data()); });
  const LinearizationPoint point{.t = t_, .y = z.data(), .increments = increments.data()};
  double cost = 0;
  if (check_.IsDue() && check_.Look(point, pattern_, entries.data(), equations, cost)) {
    pattern_ = JacobianPattern::Full(size);
    return Jacobian(z);
  }
  Matrix jacobian(z.size(), z.size());
  CopyEntries(pattern_, entries, jacobian);
  return jacobian;
}

void SteadyState::FindPattern() {
  const std::size_t size = unknowns_.size();
  quotients_ = DifferenceQuotients(size);
  pattern_ = JacobianPattern::Full(size);
  if (network_.has_fixed_steps() || !network_.operators.is_empty()) return;
  if (std::ranges::any_of(unknowns_, [](const Unknown& u) { return u.turning != nullptr; })) return;
  std::vector<std::vector<std::uint32_t>> columns_by_row(size);
  for (const auto& island : network_.islands) {
    const JacobianPattern& pattern = island->jacobian_pattern();
    StateVectors& states = island->states();
    const bool is_held = std::ranges::any_of(
        network_.islands, [&](const auto& other) { return island->HoldsValueOf(other->members()); });
    if (is_held || pattern.size() != states.size()) return;
    std::vector<std::uint32_t> numbers(states.size(), StateVectors::kAbsent);  // of unknowns
    for (std::uint32_t k = 0; k < size; ++k) {
      const std::less<const double*> is_before;
      const double* const value = unknowns_[k].value;
      const bool is_here =
          !is_before(value, states.y.data()) && is_before(value, states.y.data() + states.size());
      if (is_here) numbers[static_cast<std::size_t>(value - states.y.data())] = k;
    }
    for (std::size_t j = 0; j < states.size(); ++j) {
      if (numbers[j] == StateVectors::kAbsent) continue;
      for (const std::uint32_t i : pattern.Rows(j)) {
        if (numbers[i] != StateVectors::kAbsent) columns_by_row[numbers[i]].push_back(numbers[j]);
      }
    }
  }
  for (auto& columns : columns_by_row) std::ranges::sort(columns);
  pattern_ = JacobianPattern(std::move(columns_by_row));
}

void SteadyState::DropTurningAngles() {
  const Vector z = Values();
  const Vector rates = Rates(z);
  std::vector<std::size_t> dropped;
  for (std::size_t j = 0; j < unknowns_.size(); ++j) {
    if (unknowns_[j].rate == nullptr || unknowns_[j].unit != "rad" || unknowns_[j].is_residual) continue;
    Vector moved = z;
    moved[static_cast<Eigen::Index>(j)] += 1 / unknowns_[j].scale;
    // What moves with the angle may round otherwise where it is turned.
    if (((Rates(moved) - rates).array().abs() <= kRoundingOfTurns).all()) dropped.push_back(j);
  }
  Rates(z);
  Drop(std::move(dropped));
}

void SteadyState::JoinTurningAngles() {
  const Vector z = Values();
  const Vector rates = Rates(z);
  std::vector<std::size_t> angles;
  std::vector<Vector> effects;  // on all rates
  for (std::size_t j = 0; j < unknowns_.size(); ++j) {
    if (unknowns_[j].rate == nullptr || unknowns_[j].unit != "rad" || unknowns_[j].is_residual) continue;
    Vector moved = z;
    moved[static_cast<Eigen::Index>(j)] += 1 / unknowns_[j].scale;
    angles.push_back(j);
    effects.emplace_back((Rates(moved) - rates).cwiseAbs());
  }
  std::vector<std::size_t> dropped;
  std::vector<bool> is_done(angles.size(), false);
  for (std::size_t first = 0; first < angles.size(); ++first) {
    if (is_done[first]) continue;
    // All that are joined to it by something that both of them move.
    std::vector<std::size_t> group{first};
    is_done[first] = true;
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (std::size_t other = 0; other < angles.size(); ++other) {
        if (is_done[other] || effects[group[k]].cwiseProduct(effects[other]).isZero(0)) continue;
        is_done[other] = true;
        group.push_back(other);
      }
    }
    if (group.size() < 2) continue;
    Vector moved = z, largest = Vector::Zero(z.size());
    for (const std::size_t k : group) {
      moved[static_cast<Eigen::Index>(angles[k])] += 1 / unknowns_[angles[k]].scale;
      largest = largest.cwiseMax(effects[k]);
    }
    const Eigen::ArrayXd change = (Rates(moved) - rates).array().abs();
    if (!(change <= kRoundingOfTurns + kRoundingOfDifferences * largest.array()).all()) continue;
    for (std::size_t k = 1; k < group.size(); ++k)
      unknowns_[angles[group[k]]].turning = unknowns_[angles[first]].rate;
    dropped.push_back(angles[first]);
  }
  Rates(z);
  Drop(std::move(dropped));
}

void SteadyState::Drop(std::vector<std::size_t> unknowns) {
  std::ranges::sort(unknowns, std::greater<>());
  for (const std::size_t k : unknowns) unknowns_.erase(unknowns_.begin() + static_cast<std::ptrdiff_t>(k));
  for (AlgebraicPart& part : algebraic_) part.begin -= static_cast<Eigen::Index>(unknowns.size());
}

void SteadyState::KeepConstants(const Vector& start, const Vector& z) {
  const Matrix at_start = Jacobian(start), at_rest = Jacobian(z);
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    unknowns_[static_cast<std::size_t>(i)].is_constant =
        z[i] == start[i] && at_start.row(i).isZero(0) && at_rest.row(i).isZero(0);
  }
  Rates(z);
}

void SteadyState::MeasureRounding(const Matrix& jacobian, const Vector& z) {
  rounding_ = kRoundingShare * (jacobian.cwiseAbs() * z.cwiseAbs());
}

double SteadyState::LeastRate(Eigen::Index i) const {
  // A wave changes once a step.
  const double least = unknowns_[static_cast<std::size_t>(i)].rate != nullptr ? kAtRest : kAtRest / h_;
  return least + rounding_[i];
}

double SteadyState::Unrest(const Vector& rates, Eigen::Index* worst) const {
  double most = 0;
  for (Eigen::Index i = 0; i < rates.size(); ++i) {
    const double unrest = std::abs(rates[i]) / LeastRate(i);
    if (unrest <= most) continue;
    most = unrest;
    if (worst != nullptr) *worst = i;
  }
  return rates.allFinite() ? most : std::numeric_limits<double>::infinity();
}

bool SteadyState::Continue(Vector& z, int* iterations) {
  double step = kFirstStep;
  Vector rates = Rates(z);
  double unrest = Unrest(rates);
  Matrix jacobian, mass;
  bool is_new = true;
  for (*iterations = 0; *iterations < kMostIterations; ++*iterations) {
    if (unrest <= 1) return true;
    if (step < kShortestStep || !std::isfinite(unrest)) return false;
    if (is_new) {
      jacobian = Jacobian(z);
      MeasureRounding(jacobian, z);
      Rates(z);
      mass = MassMatrix();
    }
    Matrix matrix = -jacobian;
    if (step < kNewtonStep) matrix += mass / step;
    Vector right = rates;
    Equilibrate(matrix, right);
    Vector change = Eigen::PartialPivLU<Matrix>(matrix).solve(right);
    const double longest = (change.array().abs() / z.array().abs().max(1.0)).maxCoeff();
    if (longest > kLongestMove) change *= kLongestMove / longest;
    // A full step overshoots where a law has a steep root, as q ~ sqrt(dp) at dp = 0.
    Vector next;
    Vector next_rates;
    double next_unrest = std::numeric_limits<double>::infinity();
    for (double share = 1; share > kLeastShare && next_unrest > kGoodReduction * unrest; share /= 2) {
      if (!change.allFinite()) break;
      const Vector tried = z + share * change;
      const Vector tried_rates = Rates(tried);
      const double tried_unrest = Unrest(tried_rates);
      if (tried_unrest >= next_unrest) continue;
      next = tried;
      next_rates = tried_rates;
      next_unrest = tried_unrest;
    }
    is_new = next_unrest <= kLargestGrowth * unrest;
    if (!is_new) {
      step /= 5;
      continue;
    }
    step *= std::clamp(2 * unrest / std::max(next_unrest, 1e-30), 0.5, kStepGrowth);
    z = next;
    rates = next_rates;
    unrest = next_unrest;
  }
  return false;
}

void SteadyState::HoldPlaces(const Vector& z) {
  const Matrix jacobian = Jacobian(z);
  const auto is_pressure = [this](Eigen::Index i) {
    return unknowns_[static_cast<std::size_t>(i)].unit == "Pa";
  };
  for (Eigen::Index place = 0; place < z.size(); ++place) {
    Unknown& u = unknowns_[static_cast<std::size_t>(place)];
    if (!IsPlace(place) || u.is_residual || u.rate == nullptr) continue;
    for (Eigen::Index speed = 0; speed < z.size() && !u.is_held; ++speed) {
      if (speed == place || jacobian(place, speed) == 0) continue;
      for (Eigen::Index pressure = 0; pressure < z.size(); ++pressure) {
        u.is_held = u.is_held || (is_pressure(pressure) && jacobian(speed, pressure) != 0 &&
                                  jacobian(pressure, speed) != 0);
      }
    }
  }
}

bool SteadyState::ReleaseMoving(std::string& released) {
  bool has_any = false;
  for (Unknown& u : unknowns_) {
    if (!u.is_held || std::abs(RateOf(u, 0)) <= kFastestCreep) continue;
    u.is_held = false;
    has_any = true;
    released += fmt::format("{}{} ({:.3g} {}/s)", released.empty() ? "" : ", ", u.name, *u.rate, u.unit);
  }
  return has_any;
}

bool SteadyState::StepImplicitly(double step, Vector& z, int* iterations) {
  const Vector begin = z, released = Released();
  Matrix mass;
  const auto residual = [&](const Vector& at) -> Vector { return Rates(at) - mass * (at - begin) / step; };
  for (int i = 0; i < kMostNewtonSteps; ++i) {
    const Matrix jacobian = Jacobian(z);
    ++*iterations;
    MeasureRounding(jacobian, z);
    Rates(z);
    if (i == 0 || !algebraic_.empty()) mass = MassMatrix();
    Matrix matrix = mass / step - jacobian;
    Vector row_scale = Vector::Ones(z.size());
    Equilibrate(matrix, row_scale);
    const Eigen::PartialPivLU<Matrix> lu(matrix);
    const auto correct = [&](const Vector& at) -> Vector {
      return lu.solve(row_scale.cwiseProduct(residual(at))).cwiseProduct(released);
    };
    const Vector change = correct(z);
    const Eigen::ArrayXd size = z.array().abs().max(1.0);
    const auto norm = [&](const Vector& of) {
      return of.allFinite() ? (of.array().abs() / size).maxCoeff() : std::numeric_limits<double>::infinity();
    };
    const double length = norm(change);
    if (length < kNewtonConverged) {
      z += change;
      return Rates(z).allFinite();
    }
    double share = std::min(1.0, kLongestMove / length);
    if (!(length < std::numeric_limits<double>::infinity())) return false;
    while (norm(correct(z + share * change)) > (1 - share / 4) * length) {
      share /= 2;
      if (share < kLeastNewtonShare) return false;
    }
    z += share * change;
    if (norm(z - begin) > kLongestMove) return false;
  }
  return false;
}

bool SteadyState::Follow(Vector& z, int* iterations) {
  double step = kFirstStep;
  for (*iterations = 0; *iterations < kMostJacobians && step > kShortestStep;) {
    Vector next = z;
    const int before = *iterations;
    if (!StepImplicitly(step, next, iterations)) {
      step /= 4;
      continue;
    }
    z = next;
    if (Unrest(Rates(z)) <= 1) return true;
    if (step >= kLongStep) {
      next = z;
      if (Polish(next, Vector::Ones(z.size()))) {
        z = next;
        return true;
      }
    }
    step = std::min(step * (*iterations - before <= kFewNewtonSteps ? 3.0 : 1.3), kNewtonStep);
  }
  return false;
}

bool SteadyState::SearchWithHeldPlaces(Vector& z, SteadyStateResult& result) {
  increment_ = kFine;
  HoldPlaces(z);
  int iterations = 0;
  const auto follow = [&] {
    const bool is_found = Follow(z, &iterations);
    result.iterations += iterations;
    return is_found;
  };
  std::string released;
  bool is_found = follow();
  while (is_found && ReleaseMoving(released)) is_found = follow();
  Rates(z);
  bool creeps = false;
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    Unknown& u = unknowns_[i];
    if (!u.is_held) continue;
    if (is_found && std::abs(RateOf(u, 0)) > LeastRate(static_cast<Eigen::Index>(i))) {
      result.creeping.push_back(fmt::format("{} at {:.3g} {}/s", u.name, *u.rate, u.unit));
      creeps = true;
    }
  }
  if (!creeps) {
    for (Unknown& u : unknowns_) u.is_held = false;
  }
  if (!is_found) result.fault = DescribeUnrest(z, released);
  return is_found;
}

SteadyState::Vector SteadyState::Weights() const {
  Vector weights(static_cast<Eigen::Index>(unknowns_.size()));
  for (Eigen::Index i = 0; i < weights.size(); ++i) {
    weights[i] = IsPlace(i) ? kPlaceWeight : 1;
  }
  return weights;
}

bool SteadyState::IsPlace(Eigen::Index i) const {
  const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
  return u.unit == "m" || u.unit == "rad";
}

bool SteadyState::Polish(Vector& z, const Vector& wanted) {
  const Vector movable = wanted.cwiseProduct(Released());
  Vector rates = Rates(z);
  double unrest = Unrest(rates);
  for (int i = 0; i < kMostPolishes && unrest > 1; ++i) {
    if (!rates.allFinite()) return false;
    Matrix matrix = Jacobian(z);
    MeasureRounding(matrix, z);
    // What rests already asks for nothing: its rate is rounding, which a row of small elements would blow up.
    for (Eigen::Index k = 0; k < rates.size(); ++k) {
      if (std::abs(rates[k]) <= LeastRate(k)) rates[k] = 0;
    }
    matrix = matrix * movable.asDiagonal();
    Equilibrate(matrix, rates);
    Decomposition cod;
    cod.setThreshold(kSingular);
    const Vector change = cod.compute(matrix).solve(rates).cwiseProduct(movable);
    Vector next;
    double next_unrest = std::numeric_limits<double>::infinity();
    for (double share = 1; share > kLeastShare && !(next_unrest < unrest); share /= 2) {
      next = z - share * change;
      next_unrest = Unrest(Rates(next));
    }
    if (!(next_unrest < unrest)) return false;
    z = next;
    rates = Rates(z);
    unrest = Unrest(rates);
  }
  return unrest <= 1;
}

bool SteadyState::KeepPlaces(const Vector& start, double reach, Vector& z) {
  Vector kept = z, movable = Vector::Ones(z.size());
  for (Eigen::Index j = 0; j < z.size(); ++j) {
    if (!IsPlace(j) || std::abs(z[j] - start[j]) > reach) continue;
    kept[j] = start[j];
    movable[j] = 0;
  }
  const Vector rounding = rounding_;
  if (movable.minCoeff() > 0 || !Polish(kept, movable)) {
    rounding_ = rounding;
    return false;
  }
  z = kept;
  return true;
}

void SteadyState::KeepOthers(const Vector& start, double reach, Vector& z) {
  Vector movable = Vector::Ones(z.size());
  for (Eigen::Index j = 0; j < z.size(); ++j) {
    if (IsPlace(j)) movable[j] = 0;
  }
  for (Eigen::Index j = 0; j < z.size(); ++j) {
    if (IsPlace(j) || z[j] == start[j] || std::abs(z[j] - start[j]) > reach) continue;
    const Vector rounding = rounding_;
    Vector kept = z;
    kept[j] = start[j];
    movable[j] = 0;
    if (Polish(kept, movable)) {
      z = kept;
    } else {
      movable[j] = 1;
      rounding_ = rounding;
    }
  }
}

void SteadyState::MoveToNearest(const Vector& start, Vector& z, SteadyStateResult& result) {
  KeepConstants(start, z);
  const Vector weights = Weights(), all = Vector::Ones(z.size()), movable = Released();
  for (int i = 0; i < kMostMoves; ++i) {
    Matrix matrix = Jacobian(z);
    for (Eigen::Index k = 0; k < z.size(); ++k) {
      if (movable[k] > 0) continue;
      matrix.col(k).setZero();
      matrix(k, k) = 1;  // its row is zero: it is determined by its start
    }
    Vector unused = Vector::Zero(z.size());
    Equilibrate(matrix, unused);
    Decomposition cod;
    cod.setThreshold(kSingular);
    cod.compute(matrix);
    if (cod.rank() == z.size()) return;  // nothing is free
    if (i == 0 && KeepPlaces(start, std::numeric_limits<double>::infinity(), z)) continue;
    const Matrix kernel = Kernel(cod);
    result.free_directions = NameDirections(kernel);
    const Matrix weighted = weights.asDiagonal() * kernel;
    const Vector distance = weights.cwiseProduct(start - z);
    const Vector move = kernel * weighted.colPivHouseholderQr().solve(distance);
    Vector next = z + move;
    if (move.norm() <= kAtRest * std::max(1.0, z.norm()) || !Polish(next, all)) break;
    z = next;
  }
  // What came back that near was not moved by a force: it can stay exactly where it was, if the others rest
  // so.
  KeepPlaces(start, kKeptPlace, z);
  // The move ends where a valve would open, as does that of oil behind a check valve.
  KeepOthers(start, kKeptNear, z);
}

std::vector<std::string> SteadyState::NameDirections(Matrix kernel) const {
  // Gauss-Jordan elimination by columns: each direction gets a leading quantity that the others lack.
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < kernel.cols(); ++k) {
    Eigen::Index leading = 0;
    kernel.col(k).cwiseAbs().maxCoeff(&leading);
    kernel.col(k) /= kernel(leading, k);
    for (Eigen::Index other = 0; other < kernel.cols(); ++other) {
      if (other != k) kernel.col(other) -= kernel(leading, other) * kernel.col(k);
    }
  }
  for (Eigen::Index k = 0; k < kernel.cols(); ++k) {
    std::vector<Eigen::Index> moving;
    const auto list = [&](bool are_waves) {  // those that move most
      double largest = 0;
      for (const bool is_measured : {true, false}) {
        for (Eigen::Index i = 0; i < kernel.rows(); ++i) {
          if ((unknowns_[static_cast<std::size_t>(i)].rate == nullptr) != are_waves) continue;
          const double share = std::abs(kernel(i, k));
          if (is_measured) {
            largest = std::max(largest, share);
          } else if (largest > kSingular && share >= kNamed * largest) {
            moving.push_back(i);
          }
        }
      }
    };
    list(false);
    if (moving.empty()) list(true);
    std::stable_sort(moving.begin(), moving.end(), [&](Eigen::Index a, Eigen::Index b) {
      return std::abs(kernel(a, k)) > std::abs(kernel(b, k));
    });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(moving.size(), 4); ++i) {
      text += (i == 0 ? "" : i == 1 ? " with " : ", ") + unknowns_[static_cast<std::size_t>(moving[i])].name;
    }
    if (moving.size() > 4) text += fmt::format(" and {} more", moving.size() - 4);
    names.push_back(text);
  }
  return names;
}

std::string SteadyState::DescribeUnrest(const Vector& z, const std::string& released) {
  const Vector rates = Rates(z);
  Eigen::Index worst = 0;
  Unrest(rates, &worst);
  const Unknown& u = unknowns_[static_cast<std::size_t>(worst)];
  const std::string how =
      u.is_residual ? fmt::format("the residual of an equation for {} is {:.6g}", u.name, *u.rate)
      : u.rate != nullptr
          ? fmt::format("{}' = {:.6g}", u.name, *u.rate)
          : fmt::format("{} still changes by {:.6g} in a step", u.name, rates[worst] * u.scale * h_);
  if (!released.empty()) {
    return fmt::format(
        "{}: does not reach equilibrium: {}; no oil holds {}, which moves where all else is steady; look for "
        "a valve "
        "that is open, or leave out --steady",
        u.owner->DisplayPath(), how, released);
  }
  return fmt::format(
      "{}: does not reach equilibrium: {}; look for something that drives it permanently, give it start "
      "values nearer to the equilibrium, or leave out --steady",
      u.owner->DisplayPath(), how);
}

void SteadyState::PreferStart(const Vector& start, Vector& z, SteadyStateResult& result) {
  Rates(start);
  HoldPlaces(start);
  bool has_moved = false;
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    has_moved = has_moved || (unknowns_[static_cast<std::size_t>(i)].is_held && z[i] != start[i]);
  }
  for (Unknown& u : unknowns_) u.is_held = false;
  if (!has_moved) return;
  const Vector rounding = rounding_;
  SteadyStateResult held;
  Vector kept = start;
  rounding_.setZero();
  const bool is_found = SearchWithHeldPlaces(kept, held);
  bool is_rest = is_found && held.creeping.empty() && Unrest(Rates(kept)) <= 1;
  for (Eigen::Index i = 0; i < z.size(); ++i) {  // one that was released has moved
    const double rounding_of_place = kRoundingShare * std::max(1.0, std::abs(start[i]));
    const double moved = std::abs(kept[i] - start[i]);
    is_rest = is_rest && (!IsPlace(i) || moved <= std::max(rounding_of_place, std::abs(z[i] - start[i])));
  }
  for (Unknown& u : unknowns_) u.is_held = false;
  increment_ = kCoarse;
  if (is_rest) {
    result.iterations += held.iterations;
    z = kept;
  } else {
    rounding_ = rounding;
  }
}

SteadyStateResult SteadyState::Search(double t) {
  t_ = t;
  increment_ = kCoarse;
  SteadyStateResult result;
  result.unsettled = unsettled_;
  if (unknowns_.size() > kMostUnknowns) {
    result.fault = fmt::format(
        "the system has {} states and waves, too many for the search for a steady state, which takes at most "
        "{}",
        unknowns_.size(), kMostUnknowns);
    return result;
  }
  DropTurningAngles();
  JoinTurningAngles();
  FindPattern();
  ScaleResiduals();
  const Vector start = Values();
  rounding_ = Vector::Zero(start.size());
  Vector z = start;
  if (z.size() == 0) {
    result.is_found = true;
    Rates(z);
    return result;
  }
  if (Continue(z, &result.iterations) || Polish(z, Vector::Ones(z.size()))) {
    result.is_found = true;
    MoveToNearest(start, z, result);
    PreferStart(start, z, result);
  } else {
    z = start;
    rounding_.setZero();
    if (!SearchWithHeldPlaces(z, result)) return result;
    result.is_found = true;
    if (result.creeping.empty()) MoveToNearest(start, z, result);
  }
  Rates(z);
  return result;
}

}  // namespace davit
