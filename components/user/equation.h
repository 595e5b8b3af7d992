#pragma once

#include "components/user/equation_component.h"

namespace davit {

/// A model that is written in the system file.
class Equation final : public EquationComponent {
 public:
  static constexpr ModelInfo kInfo{
      "user.Equation",
      "A model written in XML: states, outputs, ports and guards as expressions",
      {},
      "elements inside, in any order (docs/no-code.md):\n"
      "  <Parameter name= value= unit=/>              a number; --set and <At> reach it\n"
      "  <Input name= unit= value=/>                  a signal, routed to it\n"
      "  <State name= unit= start= nominal= der=/>    name' = der\n"
      "  <Output name= unit= expr=/>                  name = expr\n"
      "  <Variable name= unit= start=/>               changed by guards only\n"
      "  <Port name= domain=hydraulic role=C c= Zc=/> or role=Q q=\n"
      "  <Port name= domain=translational role=C c= Zc= added_mass=/> or role=Q x= v= mass=\n"
      "  <Port name= domain=rotational role=C c= Zc= added_inertia=/> or role=Q angle= w= inertia=\n"
      "  <Guard name= value= direction=falling|rising|both>\n"
      "    <Set name= expr=/>                         where the value passes 0; all at once\n"
      "    <Rest name= expr=/>                        instead, where events come ever faster\n"
      "Expressions are those of charts (docs/statecharts.md), in SI; they read parameters, inputs, states,\n"
      "x.ddt, outputs, variables, time, and of ports all variables and the effort: a.c, a.Zc, a.q, a.p.\n"
      "The order of the elements does not matter; an output must not lead back to itself.\n"};

  std::vector<std::string> ItemKinds() const override {
    return {"Parameter", "Input", "State", "Output", "Variable", "Port", "Guard"};
  }
};

}  // namespace davit
