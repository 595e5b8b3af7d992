#include "tests/support/solver_problems.h"

#include <cmath>
#include <numbers>

namespace davit {

void TestHires::EvaluateDiffEquations(double /*t*/) {
  y1.ddt = -1.71 * y1 + 0.43 * y2 + 8.32 * y3 + 0.0007;
  y2.ddt = 1.71 * y1 - 8.75 * y2;
  y3.ddt = -10.03 * y3 + 0.43 * y4 + 0.035 * y5;
  y4.ddt = 8.32 * y2 + 1.71 * y3 - 1.12 * y4;
  y5.ddt = -1.745 * y5 + 0.43 * y6 + 0.43 * y7;
  y6.ddt = -280 * y6 * y8 + 0.69 * y4 + 1.71 * y5 - 0.43 * y6 + 0.69 * y7;
  y7.ddt = 280 * y6 * y8 - 1.81 * y7;
  y8.ddt = -(280 * y6 * y8 - 1.81 * y7);
}

void TestSingularAmplifier::Configure(Diagnostics& /*diagnostics*/) {
  for (StateDeclaration& state : mutable_declarations().states) state.start = {0, 3, 3, 6, 3, 3, 6, 0};
}

void TestSingularAmplifier::EvaluateAlgebraicEquations(double t) {
  const auto g = [](double u) { return 1e-6 * (std::exp(u / 0.026) - 1); };
  constexpr double al = 0.99;
  constexpr double Ub = 6;
  constexpr double R = 9000;
  const double Ue = 0.1 * std::sin(200 * std::numbers::pi * t);
  const double g1 = g(y[1] - y[2]);
  const double g2 = g(y[4] - y[5]);
  y[0].residual = -1e-6 * (y[0].ddt - y[1].ddt) - (y[0] - Ue) / 1000;
  y[1].residual = 1e-6 * (y[0].ddt - y[1].ddt) - (y[1] / R + (y[1] - Ub) / R + (1 - al) * g1);
  y[2].residual = -2e-6 * y[2].ddt - (y[2] / R - g1);
  y[3].residual = -3e-6 * (y[3].ddt - y[4].ddt) - ((y[3] - Ub) / R + al * g1);
  y[4].residual = 3e-6 * (y[3].ddt - y[4].ddt) - (y[4] / R + (y[4] - Ub) / R + (1 - al) * g2);
  y[5].residual = -4e-6 * y[5].ddt - (y[5] / R - g2);
  y[6].residual = -5e-6 * (y[6].ddt - y[7].ddt) - ((y[6] - Ub) / R + al * g2);
  y[7].residual = 5e-6 * (y[6].ddt - y[7].ddt) - y[7] / R;
}

void TestCarAxis::EvaluateAlgebraicEquations(double t) {
  constexpr double L = 1;
  constexpr double L0 = 0.5;
  constexpr double r = 0.1;
  constexpr double w = 10;
  constexpr double k = 10 * 1e-2 * 1e-2 / 2;
  const double yb = r * std::sin(w * t);
  const double xb = std::sqrt(L * L - yb * yb);
  const double yb1 = r * w * std::cos(w * t);
  const double yb2 = -w * w * yb;
  const double xb1 = -yb * yb1 / xb;
  const double xb2 = -(yb1 * yb1 + yb * yb2 + xb1 * xb1) / xb;
  const double Ll = std::hypot(xl, yl);
  const double Lr = std::hypot(xr - xb, yr - yb);
  const double axl = ((L0 - Ll) * xl / Ll + lam1 * xb + 2 * lam2 * (xl - xr)) / k;
  const double ayl = ((L0 - Ll) * yl / Ll + lam1 * yb + 2 * lam2 * (yl - yr) - k) / k;
  const double axr = ((L0 - Lr) * (xr - xb) / Lr - 2 * lam2 * (xl - xr)) / k;
  const double ayr = ((L0 - Lr) * (yr - yb) / Lr - 2 * lam2 * (yl - yr) - k) / k;
  xl.residual = xl.ddt - ul;
  yl.residual = yl.ddt - vl;
  xr.residual = xr.ddt - ur;
  yr.residual = yr.ddt - vr;
  ul.residual = ul.ddt - axl;
  vl.residual = vl.ddt - ayl;
  ur.residual = ur.ddt - axr;
  vr.residual = vr.ddt - ayr;
  lam1.residual = xb * axl + yb * ayl + 2 * (xb1 * ul + yb1 * vl) + xb2 * xl + yb2 * yl;
  const double du = ul - ur;
  const double dv = vl - vr;
  lam2.residual = (xl - xr) * (axl - axr) + (yl - yr) * (ayl - ayr) + du * du + dv * dv;
}

void RegisterSolverProblems(Registry& registry) {
  registry.Add<TestHires, TestRobertson, TestE5, TestRobertsonDae, TestRobertsonRoots, TestSingularAmplifier,
               TestCarAxis>();
}

}  // namespace davit
