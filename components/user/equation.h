#pragma once

#include "components/user/equation_component.h"

namespace davit {

/// A model that is written in the system file.
class Equation final : public EquationComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "user.Equation",
      .text = "A model written in XML: states, outputs, ports and guards as expressions",
      .equations = R"(
elements inside, in any order (docs/no-code.md):
  <Parameter name= value= unit=/>              a number; --set and <At> reach it
  <Input name= unit= value=/>                  a signal, routed to it
  <State name= unit= start= nominal= der=/>    name' = der
  <State name= size= before= after= der=/>     name[i]' = der, an array; reads name[i-1]
  <Output name= unit= expr=/>                  name = expr
  <Variable name= unit= start=/>               changed by guards only
  <Port name= domain=hydraulic role=C c= Zc=/> or role=Q q=
  <Port name= domain=translational role=C c= Zc= added_mass=/> or role=Q x= v= mass=
  <Port name= domain=rotational role=C c= Zc= added_inertia=/> or role=Q angle= w= inertia=
  <Guard name= value= direction=falling|rising|both>
    <Set name= expr=/>                         when the value passes 0; all together
    <Rest name= expr=/>                        instead, if events follow ever faster
Expressions (docs/expressions.md) read parameters, inputs, states, x.ddt, outputs, variables, time, and of
ports all variables and the effort: a.c, a.Zc, a.q, a.p.
The order of the elements does not matter; an output must not depend on itself.
)",
  };

  std::vector<std::string> ItemKinds() const override {
    return {"Parameter", "Input", "State", "Output", "Variable", "Port", "Guard"};
  }
  std::string_view ExampleItems() const override {
    return "<Parameter name=\"m\" unit=\"kg\" value=\"2 kg\" text=\"Moving mass\"/>\n"
           "<Parameter name=\"k\" unit=\"N/m\" value=\"50 N/m\" text=\"Spring rate\"/>\n"
           "<Input name=\"F\" unit=\"N\" text=\"Force along x\"/>\n"
           "<State name=\"x\" unit=\"m\" start=\"100 mm\" der=\"v\" text=\"Displacement\"/>\n"
           "<State name=\"v\" unit=\"m/s\" der=\"(F - k*x)/m\" text=\"Velocity\"/>\n"
           "<Output name=\"energy\" unit=\"J\" expr=\"m*v*v/2 + k*x*x/2\" text=\"Energy of motion and "
           "spring\"/>\n";
  }
};

}  // namespace davit
