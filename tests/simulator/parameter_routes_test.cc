// Routes that end at parameters: what they bring is written at each step point.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "simulator/simulation_failure.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The system of Hopsan's tutorial with something added.
std::string Tutorial(const std::string& added) {
  std::ifstream file(DAVIT_SOURCE_DIR "/systems/tutorial_pump_and_mass.xml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.insert(text.find("<Record"), added);
}

struct Variable {
  const char* path;
  double after;
  const char* shows;  ///< what it has an effect on
};

class TutorialVariable : public testing::TestWithParam<Variable> {};

/// Each variable of the tutorial's two components can be routed: a signal that jumps at a step point does
/// what a command at that time does, bit for bit.
TEST_P(TutorialVariable, CanBeRouted) {
  const auto& [path, after, shows] = GetParam();
  TestSystem untouched(Tutorial(""));
  const std::string before = ToXml(untouched.Read(path));
  TestSystem routed(Tutorial("<signal.Step name='signal' start_time='0.5 s' before='" + before + "' after='" +
                             ToXml(after) + "'/><Route from='signal.y' to='" + path + "'/>"));
  TestSystem commanded(
      Tutorial(std::string("<At time='0.5 s' set='") + path + "' value='" + ToXml(after) + "'/>"));
  const std::vector<TestRow> rows = routed.RunAndRecord();
  EXPECT_TRUE(rows == commanded.RunAndRecord());
  EXPECT_EQ(routed.Read(path), after);
  const std::vector<TestRow> without = untouched.RunAndRecord();
  for (std::size_t n = 0; n <= 500; ++n) EXPECT_EQ(rows[n].values, without[n].values) << n;
  EXPECT_NE(routed.Read(shows), untouched.Read(shows));
}

INSTANTIATE_TEST_SUITE_P(All, TutorialVariable,
                         testing::Values(Variable{"pump.displacement", 4e-6, "volume.p"},
                                         Variable{"pump.leakage", 5e-10, "volume.p"},
                                         Variable{"mass.viscous_friction", 80, "mass.x"},
                                         Variable{"mass.x_min", 0.05, "mass.x"},
                                         Variable{"mass.x_max", 0.12, "mass.x"}),
                         [](const auto& variable) {
                           std::string name(variable.param.path);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

/// The mass of a body under a constant force follows a signal: v_(n+1) = v_n + h F/m_n.
TEST(ParameterRouteTest, HoldsOverAStep) {
  const std::string text = SystemText("TimeStep='1 ms' StopTime='0.2 s'", "method='runge_kutta4'",
                                      R"(<signal.Sine name='s' amplitude='2' offset='3' frequency='40 rad/s'/>
      <mechanical.MassSpringDamper name='m' stiffness='0' force='6'/>
      <Route from='s.y' to='m.mass'/><Record signals='m.v m.mass s.y'/>)");
  TestSystem test(text);
  const std::vector<TestRow> rows = test.RunAndRecord();
  double v = 0;
  for (std::size_t n = 1; n < rows.size(); ++n) {
    EXPECT_EQ(rows[n].values[1], rows[n - 1].values[2]) << n;
    v += 1e-3 * (6 / rows[n - 1].values[2]);
    EXPECT_NEAR(rows[n].values[0], v, 1e-14) << n;
  }
  EXPECT_EQ(test.RunAndRecord(), rows) << "the run can be repeated";

  TestSystem first(text);
  first.RunTo(0.1);
  std::stringstream snapshot;
  first.manager().SaveState(snapshot);
  TestSystem second(text);
  Diagnostics diagnostics;
  second.manager().LoadState(snapshot, {}, diagnostics);
  ASSERT_TRUE(diagnostics.all().empty());
  while (!second.manager().is_finished()) second.manager().Step();
  EXPECT_EQ(second.Read("m.v"), rows.back().values[0]);
}

/// Parameters of operators, too.
TEST(ParameterRouteTest, MovesLimits) {
  TestSystem test(SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta4'",
                             R"(<signal.Sine name='s' amplitude='3' frequency='20 rad/s'/>
      <signal.Ramp name='limit' from='0' to='2' duration='1 s'/>
      <signal.Gain name='g'><Operators signal='u'><operator.Limiter low='-9'/></Operators></signal.Gain>
      <Route from='s.y' to='g.u'/><Route from='limit.y' to='g.u_operators.limiter.high'/>
      <Record signals='g.y s.y limit.y'/>)"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  for (std::size_t n = 1; n < rows.size(); ++n)
    EXPECT_EQ(rows[n].values[0], std::min(rows[n - 1].values[1], rows[n - 1].values[2])) << n;
}

TEST(ParameterRouteTest, AValueThatItCannotHaveEndsTheRun) {
  TestSystem test(SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta4'",
                             R"(<signal.Ramp name='r' from='1' to='-1' duration='1 s'/>
      <mechanical.MassSpringDamper name='m'/><Route from='r.y' to='m.mass'/>)"));
  try {
    test.Run();
    FAIL() << "the run came through";
  } catch (const SimulationFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("/m: the route from r.y brings a value that mass cannot have"));
    EXPECT_THAT(failure.what(), HasSubstr("t = 0.5"));
  }
}

TEST(ParameterRouteTest, FaultsAreTold) {
  const auto faults = [](const std::string& added) {
    return FaultsOf(SystemText("StopTime='1 s'", "method='runge_kutta4'",
                               "<signal.Sine name='s'/><signal.Sine name='s2'/><test.Oscillator name='o'/>"
                               "<mechanical.MassSpringDamper name='m'/><hydraulic.Pipe name='pipe'/>" +
                                   added + "<Connect from='pipe.a' to='pipe.b'/>"));
  };
  EXPECT_THAT(faults("<Route from='s.y' to='pipe.lumps'/>"), testing::Contains(HasSubstr("lumps")));
  EXPECT_THAT(faults("<Route from='o.x' to='m.mass'/>"),
              testing::Contains(HasSubstr("cannot route o.x [m] to m.mass [kg]: different dimensions")));
  EXPECT_THAT(faults("<Route from='s.y' to='m.mass'/><Route from='s2.y' to='m.mass'/>"),
              testing::Contains(HasSubstr("parameter m.mass has a route already, from s.y")));
  EXPECT_THAT(faults("<Route from='s.y' to='m.mass'/><At time='0.1 s' set='m.mass' value='2 kg'/>"),
              testing::Contains(HasSubstr("m.mass is driven by a <Route>")));
  EXPECT_THAT(faults("<Route from='s.y' to='SimulatorManager.TimeStep'/>"),
              testing::Contains(HasSubstr("TimeStep")));
}

}  // namespace
}  // namespace davit
