#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "simulator/solvers/adaptive_integrator.h"
#include "simulator/solvers/rosenbrock_stepper.h"
#include "simulator/solvers/rosenbrock_tableaus.h"

namespace davit {

/// A linearly implicit Rosenbrock method with error control.
template <class Tableau>
class RosenbrockIntegrator final : public AdaptiveIntegrator {
 public:
  RosenbrockIntegrator(const OdeProblem& problem, const IntegratorOptions& options);

  double overhead() const override {
    return kFixedOverhead +
           stepper_.OperationsOfStep() / (kOperationsOfState * static_cast<double>(y_old_.size()));
  }
  void set_profile(SolverProfile* profile) override {
    AdaptiveIntegrator::set_profile(profile);
    stepper_.set_profile(profile);
  }
  bool can_be_archived() const override { return true; }
  void ArchiveMemory(Archive& archive) override {
    AdaptiveIntegrator::ArchiveMemory(archive);
    archive(stepper_, is_linearized_, is_extension_checked_, is_extension_good_);
  }

 protected:
  bool TryStep(double& dt) override;
  void Interpolate(double t, std::span<double> y) override;
  std::size_t FindWorstError() override { return norm_.FindWorst(y_new_, error_); }
  void ForgetHistory() override {
    is_linearized_ = false;
    std::fill(move_.begin(), move_.end(), 0.0);
  }
  void ResizeMethod(const OdeProblem& problem) override;

 private:
  /// About what an evaluation takes for each state: 25 in the circuit of the lifting cylinder, ...
  static constexpr double kOperationsOfState = 25;
  /// ... and what an attempt of rodas5p costs beyond these and the evaluations that it counts: from processor
  /// times, in evaluations as runge_kutta_dopri5 takes them. Van der Pol's oscillator 16.6, the lifting
  /// cylinder at Ideal 14.0 and at Standard 13.7.
  static constexpr double kFixedOverhead = 15;
  /// In units of the tolerance. An error inside a step does not add to that of later ones.
  static constexpr double kLargestExtensionError = 5;

  void Linearize();
  /// Whether a step of size h is no progress: takes back a part of what the one before has done, as those of
  /// a smooth solution do once where it turns, or is ten times shorter than its slope at the beginning says,
  /// as it is once where something stiff comes to rest. The method damps what is faster than its steps, but
  /// not behind a law with a steep root, such as q ~ sqrt(dp) of a wide port beside a small volume, where
  /// that is narrower than the tolerances: a step along the tangent ends on the other side, or after all
  /// stages where it has begun, and the error, which stays near the tolerance, keeps the step small. Each
  /// such step counts as an attempt in vain (ProgressWatch).
  bool IsInVain(double h);

  const OdeProblem& problem_;
  RosenbrockStepper<Tableau> stepper_;
  State error_, inside_;
  State move_;                  ///< in the last step, in units of the sizes of the states
  bool is_linearized_ = false;  ///< the Jacobian belongs to y_old_: a step was just rejected
  bool is_extension_checked_ = false;
  bool is_extension_good_ = false;
};

extern template class RosenbrockIntegrator<Rodas>;
extern template class RosenbrockIntegrator<Rodas5p>;

}  // namespace davit
