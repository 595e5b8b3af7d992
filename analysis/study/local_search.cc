#include "analysis/study/local_search.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <new>

namespace davit {
namespace {

nlopt_algorithm AlgorithmOf(LocalMethod method) {
  switch (method) {
    case LocalMethod::kNelderMead: return NLOPT_LN_NELDERMEAD;
    case LocalMethod::kBobyqa: return NLOPT_LN_BOBYQA;
    case LocalMethod::kCobyla: return NLOPT_LN_COBYLA;
    case LocalMethod::kSlsqp: break;
  }
  return NLOPT_LD_SLSQP;
}

/// One search. NLopt is C: what is thrown is kept until it has returned.
class LocalSearch {
 public:
  LocalSearch(Objective& objective, LocalMethod method, double tolerance)
      : objective_(objective),
        search_(nlopt_create(AlgorithmOf(method), static_cast<unsigned>(objective.dimensions())),
                nlopt_destroy) {
    if (search_ == nullptr) throw std::bad_alloc();
    nlopt_set_lower_bounds1(search_.get(), 0);
    nlopt_set_upper_bounds1(search_.get(), 1);
    nlopt_set_xtol_abs1(search_.get(), tolerance);
    nlopt_set_min_objective(search_.get(), ObjectiveOf, this);
    if (objective.constraints() == 0) return;
    const std::vector<double> tolerances(objective.constraints(), 1e-8);
    nlopt_add_inequality_mconstraint(search_.get(), static_cast<unsigned>(objective.constraints()),
                                     ConstraintsOf, this, tolerances.data());
  }

  /// `width`: of difference quotients, where the method needs them; `radius`: of its first step. Returns
  /// whether its steps have become smaller than the tolerance.
  bool Run(std::vector<double> x, double width, double radius) {
    nlopt_set_initial_step1(search_.get(), radius);
    width_ = width;
    has_slope_ = false;
    double value = 0;
    const nlopt_result end = nlopt_optimize(search_.get(), x.data(), &value);
    if (fault_) std::rethrow_exception(fault_);
    return end > 0;
  }

 private:
  static double ObjectiveOf(unsigned n, const double* x, double* gradient, void* self) {
    return static_cast<LocalSearch*>(self)->Guarded([&](LocalSearch& search) {
      const Evaluation& at = search.At({x, x + n});
      if (gradient != nullptr) {
        search.Differentiate();
        std::ranges::copy(search.slope_, gradient);
      }
      return search.Value(at);
    });
  }

  static void ConstraintsOf(unsigned m, double* values, unsigned n, const double* x, double* gradient,
                            void* self) {
    static_cast<LocalSearch*>(self)->Guarded([&](LocalSearch& search) {
      const Evaluation& at = search.At({x, x + n});
      for (unsigned i = 0; i < m; ++i) values[i] = search.Constraint(at, i);
      if (gradient != nullptr) {
        search.Differentiate();
        std::ranges::copy(search.constraint_slopes_, gradient);
      }
      return 0.0;
    });
  }

  template <class Call>
  double Guarded(Call call) {
    try {
      if (!fault_) return call(*this);
    } catch (...) {
      fault_ = std::current_exception();
      nlopt_force_stop(search_.get());
    }
    return HUGE_VAL;
  }

  const Evaluation& At(const std::vector<double>& u) {
    if (at_.u != u) {
      at_ = objective_.Evaluate(u);
      has_slope_ = false;
      if (at_.is_valid) {
        worst_ = has_value_ ? std::max(worst_, at_.objectives.front()) : at_.objectives.front();
        has_value_ = true;
      }
    }
    return at_;
  }

  /// Of a case that has failed: worse than all before, but finite, since models of the objective need
  /// numbers.
  double Value(const Evaluation& at) const {
    return at.is_valid ? at.objectives.front() : worst_ + std::abs(worst_) + 1;
  }
  double Constraint(const Evaluation& at, std::size_t i) const {
    return at.is_valid ? at.constraints[i] : 1.0;
  }

  /// Central differences, at a bound one-sided; all points at the same time.
  void Differentiate() {
    if (has_slope_) return;
    const std::size_t n = at_.u.size();
    std::vector<std::vector<double>> points;
    for (std::size_t i = 0; i < n; ++i) {
      for (const double sign : {-1.0, 1.0}) {
        points.push_back(at_.u);
        points.back()[i] = std::clamp(at_.u[i] + sign * width_, 0.0, 1.0);
      }
    }
    const std::vector<Evaluation> around = objective_.Evaluate(points);
    slope_.assign(n, 0);
    constraint_slopes_.assign(n * objective_.constraints(), 0);
    for (std::size_t i = 0; i < n; ++i) {
      const Evaluation& before = around[2 * i].is_valid ? around[2 * i] : at_;
      const Evaluation& after = around[2 * i + 1].is_valid ? around[2 * i + 1] : at_;
      const double width = after.u[i] - before.u[i];
      if (!(width > 0) || !at_.is_valid) continue;
      slope_[i] = (Value(after) - Value(before)) / width;
      for (std::size_t k = 0; k < objective_.constraints(); ++k)
        constraint_slopes_[k * n + i] = (Constraint(after, k) - Constraint(before, k)) / width;
    }
    has_slope_ = true;
  }

  Objective& objective_;
  std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> search_;
  std::exception_ptr fault_;
  Evaluation at_;
  double width_ = 0;
  bool has_slope_ = false;
  std::vector<double> slope_, constraint_slopes_;
  double worst_ = 0;
  bool has_value_ = false;
};

}  // namespace

bool TakesConstraints(LocalMethod method) {
  return method == LocalMethod::kCobyla || method == LocalMethod::kSlsqp;
}

bool SearchLocally(Objective& objective, LocalMethod method, const std::vector<double>& start,
                   double tolerance) {
  LocalSearch search(objective, method, tolerance);
  // The width of differences is large beside the errors of a solver at its usual tolerance; the error of a
  // slope is of the order of its square, and moves the point where the slopes seem to vanish.
  constexpr double kFirstWidth = 1e-3, kLeastWidth = 1e-7;
  constexpr double kFirstRadius = 0.1;
  double share = 1;
  bool has_ended = search.Run(start, kFirstWidth, kFirstRadius);
  if (method != LocalMethod::kSlsqp && method != LocalMethod::kCobyla) return has_ended;
  for (double moved = 1; moved > tolerance;) {
    share /= 10;
    const bool is_least =
        method == LocalMethod::kSlsqp ? share * kFirstWidth < kLeastWidth : share * kFirstRadius <= tolerance;
    if (is_least) return false;
    const std::vector<double> before = objective.best()->u;
    has_ended = search.Run(before, share * kFirstWidth, share * kFirstRadius);
    moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
      moved = std::max(moved, std::abs(objective.best()->u[i] - before[i]));
  }
  return has_ended;
}

}  // namespace davit
