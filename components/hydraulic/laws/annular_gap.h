#pragma once

#include "components/hydraulic/laws/solve_restriction.h"

namespace davit {

/// Oil in the gap between a piston or rod and its bore. All lengths [m]; `length` is that of the sealing
/// land, not of the stroke.
struct AnnularGap {
  double diameter = 0;
  double clearance = 0;     ///< c, radial, much smaller than the diameter
  double length = 0;        ///< L > 0
  double eccentricity = 0;  ///< e, 0 (concentric) .. c (touching)

  /// G [m3/s/Pa] of laminar flow q = G dp (Re < 1000), mu dynamic viscosity [Pa s]:
  ///   G = pi d c^3/(12 mu L) (1 + 1.5 (e/c)^2).
  /// A touching piston leaks 2.5 times as much as a concentric one.
  double LaminarConductance(double mu) const;

  /// Flow [m3/s] of turbulent oil (K. J. Bell, O. P. Bergelin, Trans. ASME 79 (1957); A. Ellman, 1995), the
  /// losses of friction and of both ends in series:
  ///   dp = rho/2 (q/A)^2 (xi L/(2c) + 1.5),  xi = 0.316 Re^(-0.21)/(1 + 0.2 e/c),
  ///   A = pi (r^2 - (r-c)^2),  Re = 2 c q/(A nu).
  /// Both losses are in units of the velocity head, so they add up. 1.5 = 0.5 + 1: a sharp inlet and the head
  /// lost at the outlet (Yu Li, MSc thesis, NTNU 2016, table 3-6), as in a short tube without friction
  /// (Merritt, 1967: Cd = 1.5^(-1/2)). The thesis prints 2c/(xi L) + 1/1.5^2 in the place of
  /// 1/(xi L/(2c) + 1.5): with it, an additional loss increases the flow, and 1.5^2 = 2.25 is more than the
  /// ends of its table lose together (at most 2). Odd. rho [kg/m3], nu [m2/s].
  double TurbulentFlow(double dp, double rho, double nu) const;

  /// |dp| [Pa] at which both flows are equal: the critical drop, below which the flow is laminar. Infinite
  /// without a gap.
  double CriticalDrop(double rho, double nu) const;

  /// The smaller of both: laminar up to where the turbulent loss is larger. Odd, continuous, slope G at 0.
  double Flow(double dp, double rho, double nu) const { return FlowWithSlope(dp, rho, nu).q; }
  /// The same with its slope: what SolveRestriction needs between waves.
  FlowAndSlope FlowWithSlope(double dp, double rho, double nu) const;

 private:
  /// Losses gap*q^1.79 + ends*q^2 of turbulent flow.
  struct TurbulentLoss {
    double gap, ends;
  };
  TurbulentLoss MakeTurbulentLoss(double rho, double nu) const;
};

}  // namespace davit
