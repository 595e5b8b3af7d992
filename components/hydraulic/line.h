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
## Leak
With external_leak > 0 oil leaves the system at the end b, between the friction and the port:
q_leak = G*p/(p^2 + d^2)^(1/4) for p > 0, else 0,  G = external_leak/sqrt(100 bar),  d = 1e4 Pa
The flow q_b - q_leak enters the line. During a TimeStep q_leak/p is constant: that of the wave that has just
arrived and of the last flow.
# Assumptions and limits
- Plane waves of small amplitude in a straight, round line: velocities are small against the speed of sound.
- One speed of sound: with gas in the oil it is that at mean_pressure, whatever the pressure at the ends.
- Friction acts at the ends, half at each; frequency_dependent friction is that of laminar flow.
- Differences in height, bends and fittings are neglected. Oil between the ends does not cavitate.
- A leak is at the end b. No air comes in through it, except while p falls below 0 in one TimeStep: then q_leak
  is negative in this step. A line that is blocked is a line with a closed hydraulic.Orifice in series.
)",
  };

 protected:
  double WallCompliance() const override { return 0; }
};

}  // namespace davit
