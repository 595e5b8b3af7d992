#pragma once

#include <cstddef>
#include <span>

#include "simulator/solvers/adaptive_integrator.h"
#include "simulator/solvers/rosenbrock_stepper.h"
#include "simulator/solvers/rosenbrock_tableaus.h"
#include "simulator/solvers/spurious_steps.h"

namespace davit {

/// A linearly implicit Rosenbrock method with error control.
template <class Tableau>
class RosenbrockIntegrator final : public AdaptiveIntegrator {
 public:
  RosenbrockIntegrator(const SolverProblem& problem, const IntegratorOptions& options);

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
    archive(stepper_, spurious_, is_linearized_, is_extension_checked_, is_extension_good_);
  }

 protected:
  bool TryStep(double& dt) override;
  void Interpolate(double t, std::span<double> y) override;
  std::size_t FindWorstError() override { return norm_.FindWorst(y_new_, error_); }
  void ForgetHistory() override {
    is_linearized_ = false;
    spurious_.Forget();
  }
  void ResizeMethod(const SolverProblem& problem) override;

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

  const SolverProblem& problem_;
  RosenbrockStepper<Tableau> stepper_;
  State error_, inside_;
  SpuriousSteps spurious_;
  bool is_linearized_ = false;  ///< the Jacobian belongs to y_old_: a step was just rejected
  bool is_extension_checked_ = false;
  bool is_extension_good_ = false;
};

extern template class RosenbrockIntegrator<Rodas>;
extern template class RosenbrockIntegrator<Rodas5p>;

}  // namespace davit
