// The signals and states of a component, found by name.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr const char* kSystem = R"(
    <mechanical.MassSpringDamper name="m" force="3"><Start x="0.5"/></mechanical.MassSpringDamper>
    <signal.Sine name="s" amplitude="4"/><signal.Sum name="sum"/><test.Oscillator name="o"/>
    <Route from="s.y" to="sum.u"/>)";

class ComponentLookupTest : public testing::Test {
 protected:
  ComponentLookupTest() { test_.RunTo(0.01); }

  DynamicSimComponent& Find(std::string_view path) {
    return dynamic_cast<DynamicSimComponent&>(*test_.system().Find(path));
  }

  TestSystem test_{SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta4'", kSystem)};
};

TEST_F(ComponentLookupTest, SignalsAreInputsAndOutputs) {
  const auto force = Find("m").GetSimSignalWithMatchingFullName("m.force");
  ASSERT_TRUE(force);
  EXPECT_EQ(force->Read(), 3);
  EXPECT_EQ(Find("m").GetSimSignalWithMatchingFullName("force")->path(), "m.force");
  EXPECT_EQ(Find("s").GetSimSignalWithMatchingFullName("y")->Read(), test_.Read("s.y"));
  for (const char* none : {"x", "m.x", "mass", "forc", "", "s.y"})
    EXPECT_FALSE(Find("m").GetSimSignalWithMatchingFullName(none)) << none;
  const SimSignalMap signals = Find("m").GetSimSignals();
  ASSERT_EQ(signals.size(), 1U);
  EXPECT_EQ(signals.begin()->first, "m.force");
  EXPECT_EQ(Find("sum").GetSimSignals().count("sum.u"), 0U) << "an array is no signal";
  EXPECT_EQ(Find("sum").GetSimSignals().count("sum.y"), 1U);
}

TEST_F(ComponentLookupTest, StatesAreTheMembers) {
  DynamicSimComponent& mass = Find("m");
  StateVariable* const x = mass.GetStateVariableWithMatchingFullName("x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(*x, test_.Read("m.x"));
  EXPECT_EQ(x->ddt, test_.Read("m.x.ddt"));
  for (const char* name : {"m.x", "x.Value", "m.x.Value", "x.ddt", "m.x.ddt"})
    EXPECT_EQ(mass.GetStateVariableWithMatchingFullName(name), x) << name;
  for (const char* none : {"force", "m.mass", "y", "", "ddt", ".ddt", "o.x"})
    EXPECT_EQ(mass.GetStateVariableWithMatchingFullName(none), nullptr) << none;
  const StateVariableMap states = mass.GetStateVariables();
  ASSERT_EQ(states.size(), 2U);
  EXPECT_EQ(states.at("m.x"), x);
  EXPECT_EQ(states.at("m.v"), mass.GetStateVariableWithMatchingFullName("v"));
  for (const auto& [name, state] : states) EXPECT_EQ(*state, test_.Read(name)) << name;
}

/// As the member itself: the solver restarts from the value, and another place in memory does not matter.
TEST_F(ComponentLookupTest, StateCanBeOverridden) {
  StateVariable* const x = Find("o").GetStateVariableWithMatchingFullName("o.x");
  x->OverrideStateValue(7);
  EXPECT_EQ(test_.Read("o.x"), 7);
  test_.RunTo(0.02);
  EXPECT_NE(test_.Read("o.x"), 7);
  EXPECT_NEAR(test_.Read("o.x"), 7, 0.1);
  test_.manager().Initialize();
  EXPECT_EQ(*x, 1);
}

}  // namespace
}  // namespace davit
