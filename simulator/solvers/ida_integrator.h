#pragma once

#include <memory>
#include <span>
#include <vector>

#include "simulator/solvers/integrator.h"

namespace davit {

/// The equations 0 = F(t, y, y') of an island, as IDA sees them.
struct DaeProblem {
  std::size_t size = 0;
  void* context = nullptr;
  void (*evaluate)(void* context, double t, const double* y, const double* ddt, double* residual) = nullptr;
  /// As in OdeProblem, of dF/dy + cj dF/dy'.
  double (*linearize)(void* context, const LinearizationPoint& point, double* entries) = nullptr;
  std::vector<double> nominal;     ///< typical sizes
  std::vector<bool> is_algebraic;  ///< unknowns whose derivative does not appear
  JacobianPattern pattern;         ///< of dF/dy and dF/dy' together; empty for a full one
};

/// SUNDIALS IDA: backward differentiation formulas of order 1 to 5 with variable steps (A. C. Hindmarsh et
/// al., SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers, ACM Trans. Math. Softw. 31,
/// 2005).
///
/// It runs past step points and gets values there by IDA's own interpolation. The Jacobian is dense
/// below kSparseFrom unknowns, else sparse and factorised by KLU. A state's absolute tolerance is `atol`
/// times its nominal value. IDA allocates in its first step and, with KLU, when it factorises.
class IdaIntegrator : public Integrator {
 public:
  static constexpr std::size_t kSparseFrom = 100;

  /// An ODE y' = f(t, y) as 0 = y' - f. `problem` must outlive the integrator.
  static std::unique_ptr<IdaIntegrator> Make(const OdeProblem& problem, const IntegratorOptions& options);
  static std::unique_ptr<IdaIntegrator> Make(const DaeProblem& problem, const IntegratorOptions& options);

  /// After Restart: finds the algebraic unknowns and the derivatives that belong to the differential unknowns
  /// at hand, and writes all of them. `t_next` is the next time of interest. Throws IntegrationError if there
  /// are none near by.
  virtual void MakeConsistent(double t_next, std::span<double> y, std::span<double> ddt) = 0;
  /// Writes y' at the time of the last AdvanceTo or ValueAt.
  virtual void CopySlope(std::span<double> ddt) const = 0;
  bool has_values_inside() const final { return true; }
};

}  // namespace davit
