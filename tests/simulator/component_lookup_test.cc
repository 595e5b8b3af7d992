// The signals and states of a component, found by name.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/test_models.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr const char* kSystem = R"(
    <mechanical.MassSpringDamper name="m" force="3"><Start x="0.5"/></mechanical.MassSpringDamper>
    <signal.Sine name="s" amplitude="4"/><signal.Sum name="sum"/><test.Oscillator name="o"/>
    <test.Pleiades name="p"/>
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
  EXPECT_EQ(Find("sum").GetSimSignals().count("sum.u"), 0U) << "an array is not a signal";
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

TEST_F(ComponentLookupTest, ElementsOfArraysAreStates) {
  DynamicSimComponent& stars = Find("p");
  const StateVariableMap states = stars.GetStateVariables();
  EXPECT_EQ(states.size(), 4 * TestPleiades::kStars);
  for (const auto& [name, state] : states) {
    EXPECT_EQ(*state, test_.Read(name)) << name;
    EXPECT_EQ(state->ddt, test_.Read(name + ".ddt")) << name;
  }
  StateVariable* const x = stars.GetStateVariableWithMatchingFullName("x[2]");
  ASSERT_NE(x, nullptr);
  for (const char* name : {"p.x[2]", "x[2].Value", "p.x[2].ddt"})
    EXPECT_EQ(stars.GetStateVariableWithMatchingFullName(name), x) << name;
  for (const char* none : {"x", "x[7]", "x[-1]", "x[]", "x[02]", "p.x[2", "o.x[2]"})
    EXPECT_EQ(stars.GetStateVariableWithMatchingFullName(none), nullptr) << none;
  x->OverrideStateValue(42);
  EXPECT_EQ(test_.Read("p.x[2]"), 42);
}

/// m x_i' = -x_i: a number with a decimal point after the name is a start value, an integer a size.
class StartedArrays final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.StartedArrays", .text = "Arrays with start values"};
  void Configure(Diagnostics& /*diagnostics*/) override {
    x.SetSize(3);
    z.SetSize(1);
  }
  StateVariableArray x{this, "x", "m", "Sized in Configure", 0.25, 10.0};
  StateVariableArray y{this, "y", "m", "Sized here", 2, 0.5};
  AlgebraicVariableArray z{this, "z", "m", "Sized in Configure", 0.75};
};

TEST(StartedArraysTest, ANumberWithADecimalPointIsTheStart) {
  StartedArrays arrays;
  Diagnostics diagnostics;
  arrays.Configure(diagnostics);
  const auto& states = arrays.declarations().states;
  EXPECT_EQ(states[0].start, std::vector<double>(3, 0.25));
  EXPECT_EQ(states[0].nominal, 10);
  EXPECT_EQ(states[1].start, std::vector<double>(2, 0.5));
  EXPECT_EQ(states[2].start, std::vector<double>(1, 0.75));
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
