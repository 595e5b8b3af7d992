#include "simulator/solvers/integrator.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "simulator/solvers/integration_error.h"
#include "simulator/solvers/progress_watch.h"

namespace davit {
namespace {

/// The pressure drop of a wide orifice beside a small volume:  d' = r (q - d / sqrt(w + |d|)),  with a root
/// that is narrower (w = 1e-3 Pa) than the tolerances (0.1 Pa + 1e-4 d).
struct WideOrifice {
  double rate;  ///< r

  static void Evaluate(void* context, const double* y, double* ddt, double /*t*/) {
    const double rate = static_cast<WideOrifice*>(context)->rate;
    ddt[0] = rate * (0.1 - y[0] / std::sqrt(1e-3 + std::abs(y[0])));
  }
};

/// Whether a method comes to the end of a TimeStep of 20 ms; false where it says that it makes no progress.
bool Ends(const char* method, double rate) {
  WideOrifice orifice{rate};
  OdeProblem problem;
  problem.size = 1;
  problem.context = &orifice;
  problem.evaluate = &WideOrifice::Evaluate;
  problem.nominal = {1e5};
  IntegratorOptions options;
  options.method = method;
  options.relative_tolerance = 1e-4;
  options.absolute_tolerance = 1e-2;
  ProgressWatch watch;
  watch.Resize(problem.nominal);
  watch.Begin(0, 20e-3);
  const auto integrator = MakeIntegrator(problem, options);
  integrator->set_progress_watch(&watch);
  std::array<double, 1> y{3e6};
  integrator->Restart(0, y, Integrator::RestartKind::kNewProblem);
  try {
    integrator->AdvanceTo(20e-3, 20e-3, y);
  } catch (const IntegrationError& error) {
    EXPECT_EQ(error.kind(), IntegrationError::Kind::kNoProgress);
    return false;
  }
  EXPECT_LT(std::abs(y[0]), 1e5);
  return true;
}

TEST(RosenbrockIntegratorTest, SaysWhereASteepRootKeepsStepsSmall) {
  EXPECT_TRUE(Ends("rosenbrock4", 1e6));
  EXPECT_TRUE(Ends("rodas5p", 1e6));
  EXPECT_FALSE(Ends("rosenbrock4", 1e15));
  // Steps that would need 6e8 more, none of them rejected, but going nowhere.
  EXPECT_FALSE(Ends("rodas5p", 1e13));
}

}  // namespace
}  // namespace davit
