#include "simulator/solvers/rosenbrock_integrator.h"

#include <algorithm>
#include <cmath>

namespace davit {

template <class Tableau>
RosenbrockIntegrator<Tableau>::RosenbrockIntegrator(const SolverProblem& problem,
                                                    const IntegratorOptions& options)
    : AdaptiveIntegrator(problem, options, Tableau::kErrorOrder + 1),
      problem_(problem),
      stepper_(problem.size, nominal_, problem.pattern,
               problem.largest > 0 ? problem.smallest : problem.size),
      error_(problem.size),
      inside_(problem.size) {
  spurious_.Resize(problem.size);
}

template <class Tableau>
bool RosenbrockIntegrator<Tableau>::TryStep(double& dt) {
  const bool was_rejected = is_linearized_;
  if (!is_linearized_) Linearize();
  const double h = dt;
  stepper_.DoStep(rhs_, y_old_, ddt_old_, t_old_, y_new_, h, error_);
  const double error = norm_.Compute(y_new_, error_);
  constexpr double kExponent = 1.0 / (Tableau::kErrorOrder + 1);
  double factor = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -kExponent), 0.2, 5.0);
  if (error > 1) {
    factor = std::min(factor, 0.9);
  } else if (was_rejected) {
    factor = std::min(factor, 1.0);  // what was rejected a step ago would be again
  }
  dt = std::min(dt * factor, max_step_);
  is_linearized_ = error > 1;
  is_extension_checked_ = false;
  if (error > 1) return false;
  if (spurious_.Look(y_old_, y_new_, stepper_.first_stage(), error_, norm_)) {
    dt = std::min(dt, SpuriousSteps::kShorter * h);
    if (progress_ != nullptr) progress_->Reject(1, FindWorstError());
  }
  return true;
}

template <class Tableau>
void RosenbrockIntegrator<Tableau>::Linearize() {
  const TimedPart part(profile_, SolverProfile::Part::kJacobian);
  if (problem_.linearize == nullptr) {
    stepper_.Linearize(rhs_, y_old_, ddt_old_, t_old_);
  } else {
    const LinearizationPoint point{.t = t_old_,
                                   .y = y_old_.data(),
                                   .ddt = ddt_old_.data(),
                                   .increments = stepper_.FindIncrements(y_old_).data(),
                                   .is_evaluated = is_evaluated_};
    CountEvaluations(problem_.linearize(problem_.context, point, stepper_.jacobian().data()));
  }
  stepper_.LinearizeInTime(rhs_, y_old_, ddt_old_, t_old_, t_limit_);
}

// Stiffly accurate steps can be so long that the continuous extension says nothing about what lies inside.
// Then a value inside is made by a shorter step with the same Jacobian.
template <class Tableau>
void RosenbrockIntegrator<Tableau>::Interpolate(double t, std::span<double> y) {
  if (!is_extension_checked_) {
    stepper_.EstimateInterpolationError(rhs_, y_old_, t_old_, y_new_, t_new_, error_);
    is_extension_good_ = norm_.Compute(y_new_, error_) <= kLargestExtensionError;
    is_extension_checked_ = true;
  }
  if (is_extension_good_) {
    stepper_.Interpolate(t, inside_, y_old_, t_old_, y_new_, t_new_);
  } else {
    stepper_.DoStep(rhs_, y_old_, ddt_old_, t_old_, inside_, t - t_old_, error_);
  }
  std::copy(inside_.begin(), inside_.end(), y.begin());
}

template <class Tableau>
void RosenbrockIntegrator<Tableau>::ResizeMethod(const SolverProblem& problem) {
  stepper_.Resize(problem.nominal, problem.pattern);
  error_.resize(problem.size);
  inside_.resize(problem.size);
  spurious_.Resize(problem.size);
  is_linearized_ = false;
}

template class RosenbrockIntegrator<Rodas>;
template class RosenbrockIntegrator<Rodas5p>;

}  // namespace davit
