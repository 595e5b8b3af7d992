#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Linear spring without mass.
class Spring final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Spring",
      .text = "Linear spring",
      .equations = R"(
F = rate*(x_a + x_b) + preload
F is positive in compression; x_a and x_b are positive into the spring.
c = F, Zc = 0 at both ports.
)",
  };

  Spring();

  void EvaluateEfforts(double /*t*/) override {
    force = rate * (a->x + b->x) + preload;
    a->c = force;
    b->c = force;
  }

 private:
  TranslationalPort a{this, "a", Role::kC, "One end"};
  TranslationalPort b{this, "b", Role::kC, "Other end"};
  Parameter rate{this, "rate", "N/m", "Spring rate", 1000.0, kNonNegative};
  Parameter preload{this, "preload", "N", "Force at x_a + x_b = 0, positive in compression", 0.0};
  Output force{this, "force", "N", "Force, positive in compression", WrittenBy::kEfforts};
};

}  // namespace davit
