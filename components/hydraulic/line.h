#pragma once

#include "components/hydraulic/laws/transmission_line.h"

namespace davit {

/// Line with a rigid wall.
class Line final : public TransmissionLine {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Line",
      .text = "Line with waves, rigid wall",
      .equations = R"(
A = pi/4*inner_diameter^2,  a = sqrt(beta/rho), beta with free_air and compressibility as in
hydraulic.Volume, at mean_pressure,  T = length/a,  Zc = rho*a/A
p = c + Zc*q at both ends, q into the line
c_b(t) = c_a(t-T) + 2*Zc*q_a(t-T),  and the same with a and b swapped
## Delay
T must be at least one TimeStep. If it is an integer multiple of it (within 1e-9 of one step) the
line is exact to rounding; any other T interpolates between communication points: second order, passive.
## Cavitation
Cavitation: p at an end stays at vapour_pressure pv if it would fall below. There a cavity V grows,
V' = (pv - c)/Zc - q, and is filled before p rises: p = max(pv, c - Zc*V/h + Zc*q) with the TimeStep
h.
## Friction
friction none: no loss.
friction steady: half of the resistance R is in series with each end, c as above inside of it,
so the drop of steady flow is R*q: laminar up to Re 2000, a blend to Blasius from Re 4000,
Hermann from Re 1e5. R of turbulent flow follows from the flow of the last step.
friction frequency_dependent: in addition the laminar unsteady friction [Zielke 1968] (ten weights:
[Kagawa 1983]). A closed line of 15 m, 49 mm, 32 cSt has the exact gain within 0.6 % up to its first
resonance.
# Assumptions and limits
- Plane waves of small amplitude in a straight, round line: velocities are small against the speed of sound.
- One speed of sound: with gas in the oil it is that at mean_pressure, whatever the pressure at the ends.
- Friction acts at the ends, half at each; frequency_dependent friction is that of laminar flow.
- Differences in height, bends and fittings are neglected. Oil between the ends does not cavitate.
)",
  };

 protected:
  double WallCompliance() const override { return 0; }
};

}  // namespace davit
