#include "components/user/equation_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "components/user/equation.h"
#include "simulator/simulation_failure.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kMembers = 11;  // a full block, and one that is not

/// What makes the code of a component another one, with the same values: each then has a block of its own.
std::string Different(bool is_different, int i) {
  std::string parameters;
  for (int k = 0; is_different && k <= i; ++k)
    parameters += "<Parameter name='unused" + std::to_string(k) + "' value='0'/>";
  return parameters;
}

/// Balls that bounce on the ends of springs, each with its own numbers, in one island. They share what they
/// read with nobody, and a sum reads all of them.
std::string Balls(bool are_different) {
  std::string content = "<signal.Sum name='sum'/>";
  std::string recorded;
  for (int i = 0; i < kMembers; ++i) {
    const std::string n = std::to_string(i);
    content += "<user.Equation name='ball" + n + "' m='" + std::to_string(1 + 0.1 * i) + "' e='" +
               std::to_string(0.5 + 0.04 * i) + "'>" + Different(are_different, i) +
               "<Parameter name='m' value='1'/><Parameter name='e' value='0.8'/>"
               "<Parameter name='weight' value='9.81'/>"
               "<State name='x' start='" +
               std::to_string(0.5 + 0.3 * i) +
               "' der='v'/><State name='v' der='rests == 1 ? 0 : (a.F - m*weight - drag)/m'/>"
               "<Variable name='impacts'/><Variable name='rests'/>"
               // Lanes part here, and calls are on both sides.
               "<Output name='drag' expr='v > 0 ? impacts*sin(v)*0.01 : abs(v) > 1 and x > 0.3 ? "
               "v*hypot(v, x)*0.02 : max(v, time*v)*0.1'/>"
               "<Output name='height' expr='x*x/2 + x%0.3'/>"
               "<Port name='a' domain='translational' role='Q' x='-x' v='-v' mass='m'/>"
               "<Guard name='floor' value='x' direction='falling'><Set name='v' expr='-e*v'/>"
               "<Set name='impacts' expr='impacts + 1'/><Rest name='v' expr='0'/><Rest name='rests' "
               "expr='1'/></Guard></user.Equation>"
               "<user.Equation name='spring" +
               n + "' k='" + std::to_string(2 + i) + "'>" + Different(are_different, i) +
               "<Parameter name='k' value='3'/>"
               "<Port name='a' domain='translational' role='C' c='k*(a.x + b.x)'/>"
               "<Port name='b' domain='translational' role='C' c='k*(a.x + b.x)' Zc='0.2*k'/></user.Equation>"
               "<mechanical.Fixed name='wall" +
               n + "'/><Connect from='wall" + n + ".port' to='spring" + n + ".a'/><Connect from='spring" + n +
               ".b' to='ball" + n + ".a'/><Route from='ball" + n + ".height' to='sum.u' hold='none'/>";
    recorded += " ball" + n + ".*";
  }
  return content + "<Record signals='sum.y" + recorded + "'/>";
}

TestSystem Built(const std::string& content) {
  return TestSystem(SystemText("TimeStep='10 ms' StopTime='1 s'",
                               "method='runge_kutta_dopri5' rtol='1e-6' atol='1e-8'", content));
}

std::vector<TestRow> RowsOfSystem(const std::string& content) {
  TestSystem test = Built(content);
  test.StartRecording();
  return test.RunAndRecord();
}

/// How many are evaluated together with the component `name`.
std::size_t LanesOf(TestSystem& test, const std::string& name) {
  return dynamic_cast<const Equation&>(*test.system().Find(name)).lanes();
}

// Not one bit differs, whatever the members do: parameters, modes, calls, branches, ports, events.
TEST(EquationBlockTest, GivesTheBitsOfComponentsEvaluatedOneByOne) {
  TestSystem together = Built(Balls(false));
  EXPECT_EQ(LanesOf(together, "ball0"), RegisterCode::kLanes);
  EXPECT_EQ(LanesOf(together, "ball10"), kMembers - RegisterCode::kLanes);
  EXPECT_EQ(LanesOf(together, "spring3"), RegisterCode::kLanes);
  TestSystem alone = Built(Balls(true));
  EXPECT_EQ(LanesOf(alone, "ball0"), 1U);
  EXPECT_EQ(LanesOf(alone, "ball10"), 1U);
  const std::vector<TestRow> rows = RowsOfSystem(Balls(false));
  EXPECT_GT(rows.size(), 101U);  // events have rows of their own
  EXPECT_EQ(rows, RowsOfSystem(Balls(true)));
}

// A run from a snapshot, and a parameter that is changed meanwhile, meet the values where they lie now.
TEST(EquationBlockTest, GoesOnFromASnapshotAndWithNewParameters) {
  const std::string change =
      "<At time='0.2' set='ball4.m' value='3'/><At time='0.3' set='ball9.x' value='2'/>";
  EXPECT_EQ(RowsOfSystem(Balls(false) + change), RowsOfSystem(Balls(true) + change));
  TestSystem whole = Built(Balls(false) + change);
  whole.manager().Initialize();
  whole.manager().RunUntil(0.5);
  std::stringstream snapshot;
  whole.manager().SaveState(snapshot);
  whole.manager().RunUntil(1);
  TestSystem rest = Built(Balls(false) + change);
  Diagnostics diagnostics;
  rest.manager().LoadState(snapshot, {}, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  rest.manager().RunUntil(1);
  for (int i = 0; i < kMembers; ++i) {
    const std::string name = "ball" + std::to_string(i) + ".";
    for (const char* item : {"x", "v", "drag", "impacts"})
      EXPECT_EQ(rest.Read(name + item), whole.Read(name + item)) << name << item;
  }
}

// y doubles from one to the next, at once: what reads a member is not evaluated together with it.
TEST(EquationBlockTest, WhatReadsAMemberIsEvaluatedAfterIt) {
  constexpr int kLength = 6;
  std::string content;
  for (const std::string chain : {"a", "b"}) {
    for (int i = 0; i < kLength; ++i) {
      const std::string n = std::to_string(i);
      content += "<user.Equation name='" + chain + n +
                 "'><Input name='u' value='1'/><Output name='y' expr='2*u'/><State name='s' der='y'/>"
                 "</user.Equation>";
      if (i > 0) {
        content +=
            "<Route from='" + chain + std::to_string(i - 1) + ".y' to='" + chain + n + ".u' hold='none'/>";
      }
    }
  }
  content += "<signal.Sum name='sum'/>";
  for (const char* end : {"a5.y", "b5.y"})
    content += std::string("<Route from='") + end + "' to='sum.u' hold='none'/>";
  TestSystem test = Built(content);
  for (int i = 0; i < kLength; ++i) EXPECT_EQ(LanesOf(test, "a" + std::to_string(i)), 2U);
  test.Run();
  for (int i = 0; i < kLength; ++i) {
    const std::string n = std::to_string(i);
    EXPECT_EQ(test.Read("a" + n + ".y"), std::exp2(i + 1));
    EXPECT_NEAR(test.Read("b" + n + ".s"), std::exp2(i + 1), 1e-12 * std::exp2(i + 1));  // 100 steps summed
  }
}

TEST(EquationBlockTest, AMemberWithoutAFiniteValueIsNamed) {
  std::string content = "<signal.Sum name='sum'/>";
  for (int i = 0; i < kMembers; ++i) {
    const std::string n = std::to_string(i);
    content += "<user.Equation name='e" + n + "'><Parameter name='rate' value='" + (i == 5 ? "-2" : "-0.5") +
               "'/><State name='x' start='1' der='rate'/>"
               "<Output name='y' expr='sqrt(x)'/></user.Equation><Route from='e" +
               n + ".y' to='sum.u' hold='none'/>";
  }
  TestSystem test = Built(content);
  EXPECT_EQ(LanesOf(test, "e5"), RegisterCode::kLanes);
  try {
    test.Run();
    FAIL() << "x of e5 is below 0 after 0.5 s";
  } catch (const SimulationFailure& failure) {
    EXPECT_THAT(failure.what(), AllOf(HasSubstr("e5"), HasSubstr("the value of 'y' is not finite")));
    EXPECT_NEAR(test.manager().time(), 0.5, 0.02);
  }
}

}  // namespace
}  // namespace davit
