// Valves, pump and motor between closed volumes: no oil comes or goes while their levels change.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/special_values.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

/// A component between volumes, one for each of its ports.
struct ValveCircuit {
  std::string name;
  std::string element;               ///< with %L for the level
  std::vector<std::string> volumes;  ///< the pressure in front of each port
  std::vector<std::string> ports;
  std::string inner;  ///< a quantity that the component holds itself, where it does; else empty
  std::string more;
};

const std::vector<ValveCircuit>& Circuits() {
  static const std::vector<ValveCircuit> circuits{
      {"dcv",
       "<hydraulic.DirectionalControlValve name=\"c\" level=\"%L\" formulation=\"quantity\"><Start "
       "p_inner=\"60 "
       "bar\"/></hydraulic.DirectionalControlValve>",
       {"100 bar", "30 bar", "50 bar", "5 bar"},
       {"p", "a", "b", "t"},
       "c.inner_quantity",
       "<signal.Sine name=\"spool\" frequency=\"125 rad/s\" amplitude=\"1\"/><Route from=\"spool.y\" "
       "to=\"c.spool\"/>"},
      {"cbv",
       "<hydraulic.CounterbalanceValve name=\"c\" level=\"%L\"/>",
       {"80 bar", "40 bar", "100 bar"},
       {"a", "c", "pilot"},
       "",
       ""},
      {"cbv_back",
       "<hydraulic.CounterbalanceValve name=\"c\" level=\"%L\"/>",
       {"10 bar", "90 bar", "60 bar"},
       {"a", "c", "pilot"},
       "",
       ""},
      {"pump",
       "<hydraulic.AxialPistonPump name=\"c\" level=\"%L\" displacement=\"5 cm3/rev\"/>",
       {"50 bar", "20 bar", "1 bar"},
       {"in", "out", "drain"},
       "",
       ""},
      {"motor",
       "<hydraulic.HydraulicMotor name=\"c\" level=\"%L\" displacement=\"5 cm3/rev\"/>",
       {"90 bar", "30 bar"},
       {"a", "b"},
       "",
       "<mechanical.Inertia name=\"shaft\" inertia=\"0.01\"/><Connect from=\"c.shaft\" to=\"shaft.a\"/>"}};
  return circuits;
}

using Pair = std::tuple<std::string, std::string>;

class OilOfValves : public testing::TestWithParam<std::tuple<std::size_t, Pair>> {
 protected:
  static std::string Text(const ValveCircuit& circuit, const std::string& from, const std::string& to) {
    std::string text = circuit.element;
    text.replace(text.find("%L"), 2, from);
    for (std::size_t i = 0; i < circuit.ports.size(); ++i) {
      const std::string name = "v" + std::to_string(i);
      text += "<hydraulic.Volume name=\"" + name + "\" volume=\"10 l\" formulation=\"quantity\"><Start p=\"" +
              circuit.volumes[i] + "\"/></hydraulic.Volume><Connect from=\"c." + circuit.ports[i] +
              "\" to=\"" + name + ".port\"/>";
    }
    const auto at = [](const std::string& time, const std::string& level) {
      return "<At time=\"" + time + "\" set=\"c.level\" value=\"" + level + "\"/>";
    };
    return SystemText("TimeStep=\"1 ms\" StopTime=\"0.1\"",
                      "method=\"runge_kutta_dopri5\" rtol=\"1e-6\" atol=\"1e-8\"",
                      text + circuit.more + at("23 ms", to) + at("61 ms", from));
  }
};

TEST_P(OilOfValves, IsConserved) {
  const ValveCircuit& circuit = Circuits()[std::get<0>(GetParam())];
  const auto& [from, to] = std::get<1>(GetParam());
  TestSystem test(Text(circuit, from, to));
  const auto oil = [&] {
    double sum = test.manager().statistics().released_oil;
    for (std::size_t i = 0; i < circuit.ports.size(); ++i)
      sum += test.Read("v" + std::to_string(i) + ".quantity");
    const bool has_inner = !circuit.inner.empty() && test.Read("c.compensator") == 1;
    return has_inner ? sum + test.Read(circuit.inner) : sum;
  };
  test.manager().Initialize();
  const double before = oil();
  const double first = test.Read("v0.quantity");
  while (!test.manager().is_finished()) {
    test.manager().Step();
    // An explicit method keeps sums of states to rounding: each solver step adds up some tens of terms, none
    // larger than all the oil.
    const auto steps = static_cast<double>(test.manager().statistics().solver_steps);
    ASSERT_NEAR(oil(), before, 100 * kEpsilon * before * (steps + 1)) << test.manager().time();
  }
  EXPECT_NE(test.Read("v0.quantity"), first) << "something flows";
  EXPECT_EQ(test.manager().statistics().level_switches, 2U);
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, OilOfValves,
    testing::Combine(testing::Range<std::size_t>(0, Circuits().size()),
                     testing::Values(Pair("Ideal", "Standard"), Pair("Ideal", "Advanced"),
                                     Pair("Standard", "Ideal"), Pair("Standard", "Advanced"),
                                     Pair("Advanced", "Ideal"), Pair("Advanced", "Standard"))),
    [](const testing::TestParamInfo<OilOfValves::ParamType>& of) {
      const Pair& pair = std::get<1>(of.param);
      return Circuits()[std::get<0>(of.param)].name + std::get<0>(pair) + std::get<1>(pair);
    });

}  // namespace
}  // namespace davit
