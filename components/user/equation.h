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
  std::string_view ExampleItems() const override {
    return "<Parameter name=\"m\" unit=\"kg\" value=\"2 kg\" text=\"Moving mass\"/>\n"
           "<Parameter name=\"k\" unit=\"N/m\" value=\"50 N/m\" text=\"Spring rate\"/>\n"
           "<Input name=\"F\" unit=\"N\" text=\"Force along x\"/>\n"
           "<State name=\"x\" unit=\"m\" start=\"100 mm\" der=\"v\" text=\"Displacement\"/>\n"
           "<State name=\"v\" unit=\"m/s\" der=\"(F - k*x)/m\" text=\"Velocity\"/>\n"
           "<Output name=\"energy\" unit=\"J\" expr=\"m*v*v/2 + k*x*x/2\" text=\"Of motion and spring\"/>\n";
  }
};

}  // namespace davit
