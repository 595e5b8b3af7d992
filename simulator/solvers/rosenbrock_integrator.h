#pragma once

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
  void ForgetHistory() override { is_linearized_ = false; }
  void ResizeMethod(const OdeProblem& problem) override;

 private:
  /// About what an evaluation takes for each state: 25 in the circuit of the lifting cylinder, ...
  static constexpr double kOperationsOfState = 25;
  /// ... and what a Jacobian costs beyond the evaluations that it counts. Measured against
  /// runge_kutta_dopri5: van der Pol's oscillator 20, the lifting cylinder at Ideal 19 and at Standard 23.
  static constexpr double kFixedOverhead = 20;
  /// In units of the tolerance. An error inside a step does not add to that of later ones.
  static constexpr double kLargestExtensionError = 5;

  void Linearize();

  const OdeProblem& problem_;
  RosenbrockStepper<Tableau> stepper_;
  State error_, inside_;
  bool is_linearized_ = false;  ///< the Jacobian belongs to y_old_: a step was just rejected
  bool is_extension_checked_ = false;
  bool is_extension_good_ = false;
};

extern template class RosenbrockIntegrator<Rodas>;
extern template class RosenbrockIntegrator<Rodas5p>;

}  // namespace davit
