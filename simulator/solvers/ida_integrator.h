#pragma once

#include <memory>

#include "simulator/solvers/integrator.h"

namespace davit {

/// SUNDIALS IDA: backward differentiation formulas of order 1 to 5 with variable steps (A. C. Hindmarsh et
/// al., SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers, ACM Trans. Math. Softw. 31,
/// 2005).
///
/// It runs past step points and gets values there by IDA's own interpolation. The Jacobian is dense
/// below 100 unknowns, else sparse and factorised by KLU. A state's absolute tolerance is `atol`
/// times its nominal value. IDA allocates in its first step and, with KLU, when it factorises.
///
/// An ODE y' = f(t, y) is solved as 0 = y' - f; then `problem` must outlive the integrator.
std::unique_ptr<Integrator> MakeIdaIntegrator(const SolverProblem& problem, const IntegratorOptions& options);

}  // namespace davit
