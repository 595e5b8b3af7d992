#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// A point that does not move.
class Fixed final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Fixed",
      .text = "Point that does not move",
      .equations = R"(
x = position, v = 0 at every port
position is positive into the connected component: position > 0 compresses a relaxed spring.
# Assumptions and limits
- The point takes up any force without yielding; the force itself is not an output.
)",
  };

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;

 private:
  TranslationalPortArray port{this, "port", Role::kQ, "Held components"};
  Parameter position{this, "position", "m", "Displacement into the connected component", 0.0};
};

}  // namespace davit
