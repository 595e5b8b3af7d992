#pragma once

#include "components/user/equation_component.h"

namespace davit {

/// Outputs computed from inputs by expressions of the system file.
class Expression final : public EquationComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Expression",
      .text = "Outputs computed from inputs by expressions",
      .equations = R"(
elements inside, in any order (docs/no-code.md):
  <Input name= unit= value=/>      a signal, routed to it
  <Parameter name= value= unit=/>  a number; --set and <At> reach it
  <Output name= unit= expr=/>      name = expr, such as k*sin(u)
Expressions (docs/expressions.md) read inputs, parameters, other outputs and time.
)",
  };

  std::vector<std::string> ItemKinds() const override { return {"Input", "Parameter", "Output"}; }
  std::string_view ExampleItems() const override {
    return "<Input name=\"u\" text=\"Handle, -1 to 1\"/>\n"
           "<Parameter name=\"k\" value=\"1.5\" text=\"Gain\"/>\n"
           "<Output name=\"y\" expr=\"abs(u) lt 0.1 ? 0 : k*(u - 0.1*sign(u))\" text=\"Without the dead "
           "band\"/>\n";
  }
};

}  // namespace davit
