#pragma once

#include "components/mechanical/elastic_c.h"

namespace davit {

/// Linear spring with a damper in parallel, TLM variant (wave variables).
class SpringC final : public ElasticC<TranslationalBond, &TranslationalBond::x, &TranslationalBond::v> {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.SpringC",
      .text = "Linear spring, TLM variant (wave variables) with a delay of one TimeStep",
      .equations = R"(
F = stiffness*(x_a + x_b) + preload + damping*(v_a + v_b)
F is positive in compression; x and v are positive into the spring.
Waves, h = TimeStep, s = v_a + v_b; ' is one step ago:
  Zk = stiffness*h/(1 - filter),  Zc = Zk + damping
  c_a = m + e + damping*v_b',  c_b = m - e + damping*v_a'
  m = stiffness*(x_a' + x_b') + preload + Zk/2*(1 - 2*filter)*s'
  e = -(1 - 2*filter)*e' - stiffness*h*(v_a' - v_b')
# Assumptions and limits
- The stiffness is exact for slow motion, and the spring never releases more energy than it received. With
  filter = 0 it is a line without losses; a filter above 0 takes energy from motions of a few steps
  only. Of second order in h, with damping of first (where both ends move).
- Moved together, both ends have the mass stiffness*h^2/(1 - filter)^2 + 2*damping*h.
- Linear at every deflection: it has no solid length and pulls as well as it pushes.
)",
  };

  SpringC()
      : ElasticC({.stiffness_unit = "N/m",
                  .stiffness_text = "Stiffness",
                  .stiffness_formerly = "rate",
                  .preload_text = "Force at x_a + x_b = 0, positive in compression",
                  .effort = "force",
                  .effort_text = "Force, positive in compression; the mean of both ends"}) {}
};

}  // namespace davit
