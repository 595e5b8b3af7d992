#pragma once

#include "components/mechanical/elastic_c.h"

namespace davit {

/// Elastic shaft with a damper in parallel, TLM variant (wave variables).
class ShaftC final : public ElasticC<RotationalBond, &RotationalBond::angle, &RotationalBond::w> {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.ShaftC",
      .text = "Elastic shaft, TLM variant (wave variables) with a delay of one TimeStep",
      .equations = R"(
T = stiffness*(angle_a + angle_b) + preload + damping*(w_a + w_b)
angle and w of the ends are positive into the shaft: a shaft that turns without twisting has w_a = -w_b.
The inertia connected with its side b at a is pushed back by a positive T, the one connected with
its side a at b is driven on.
Waves as in mechanical.SpringC with angle, w and T for x, v and F.
# Assumptions and limits
- Linear at every angle of twist: no backlash, no yield.
- The shaft is exact for slow motion and never releases more energy than it received. It is of second order
  in h, with damping of first (where both ends turn).
- Turned without twisting, it has the inertia stiffness*h^2/(1 - filter)^2 + 2*damping*h. Its real inertia belongs
  to the components at its ends.
)",
  };

  ShaftC()
      : ElasticC({.stiffness_unit = "N.m/rad",
                  .stiffness_text = "Torsional stiffness",
                  .preload_text = "Torque at angle_a + angle_b = 0",
                  .effort = "torque",
                  .effort_text = "Torque in the shaft; the mean of both ends"}) {}
};

}  // namespace davit
