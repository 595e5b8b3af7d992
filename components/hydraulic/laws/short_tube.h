#pragma once

#include "components/hydraulic/laws/solve_restriction.h"

namespace davit {

/// Short tube with a sharp entry (H. E. Merritt, Hydraulic Control Systems, 1967): Cd over x = D Re/L,
///   Cd = (2.163 + 64/x)^(-1/2)           x < 50
///   Cd = (1.5 + 13.74 x^(-1/2))^(-1/2)   above
/// where Merritt prints 2.28; 2.163 lets both parts meet (0.538929 and 0.538919). The flow through it, solved
/// for q: q = Cd A sqrt(2 dp/rho), Re = 4 q/(pi D nu).
///   below  dp = (K1/Re + 2.163) rho q^2/(2 A^2),  K1 = 64 L/D: the law of LaminarTurbulentOrifice
///   above  dp = rho/(2 A^2) (1.5 q^2 + 13.74 sqrt(pi nu L/4) q^(3/2))
/// Odd, monotone and continuous: where the two parts do not quite meet (4e-5 of dp), q stays at x = 50.
class ShortTube {
 public:
  ShortTube() = default;
  /// D > 0 [m], L >= 0 [m], rho > 0 [kg/m3], nu > 0 [m2/s].
  ShortTube(double D, double L, double rho, double nu);

  /// Flow [m3/s] from port 1 to port 2, dp = p1 - p2 [Pa].
  double Flow(double dp) const { return FlowWithSlope(dp).q; }
  /// The same with its slope, 0 where q stays at x = 50: what SolveRestriction needs between waves.
  FlowAndSlope FlowWithSlope(double dp) const;

 private:
  double TurbulentFlow(double drop) const;

  double a_ = 0;  // of dp = a q + b q^2, below
  double b_ = 0;
  double q_end_ = 0;         // flow at x = 50
  double turbulent_ = 0;     // of q^2, above [Pa s2/m6]
  double transitional_ = 0;  // of q^(3/2), above
};

}  // namespace davit
