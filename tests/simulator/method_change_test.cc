// Another ODE method while the run goes on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "components/register.h"
#include "framework/run_log.h"
#include "session/simulation.h"
#include "simulator/islands/island.h"
#include "simulator/solvers/integrator.h"
#include "tests/support/test_models.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::HasSubstr;

/// x = cos 5 t, with a method and something added.
std::string Oscillator(std::string_view method, std::string_view added = {}) {
  return SystemText(
      "TimeStep='0.015625 s' StopTime='4 s'", "method='" + std::string(method) + "' rtol='1e-5' atol='1e-7'",
      "<test.Oscillator name='o' frequency='5 rad/s'/><Record signals='o.*'/>" + std::string(added));
}

std::string To(std::string_view method, std::string_view time = "2 s") {
  return "<At time='" + std::string(time) + "' message='SetMethod' to='SimulatorManager' value='" +
         std::string(method) + "'/>";
}

std::string MethodOf(TestSystem& test) { return test.manager().islands().front()->options().method; }

/// From the step point on the run is one that begins there, then, with the new method: the same bits.
TEST(MethodChangeTest, ContinuesAsARunThatBeginsThere) {
  for (const char* method :
       {"euler", "runge_kutta4", "runge_kutta_dopri5", "rosenbrock4", "runge_kutta_fehlberg78"}) {
    TestSystem changed(Oscillator("runge_kutta_cash_karp54", To(method)));
    const std::vector<TestRow> rows = changed.RunAndRecord();
    EXPECT_EQ(MethodOf(changed), method);
    const std::vector<double>& middle = rows[128].values;
    TestSystem second(SystemText("TimeStep='0.015625 s' StartTime='2 s' StopTime='4 s'",
                                 "method='" + std::string(method) + "' rtol='1e-5' atol='1e-7'",
                                 "<test.Oscillator name='o' frequency='5 rad/s'><Start x='" +
                                     ToXml(middle[0]) + "' v='" + ToXml(middle[1]) +
                                     "'/></test.Oscillator><Record signals='o.*'/>"));
    const std::vector<TestRow> rest = second.RunAndRecord();
    for (std::size_t n = 0; n < rest.size(); ++n)
      EXPECT_EQ(rows[128 + n].values, rest[n].values) << method << n;
  }
}

/// A state that is out of use has no place in the vector of a method that may resize, and one in that of the
/// others: nothing but the method differs from a run that has it from the start.
TEST(MethodChangeTest, StatesOutOfUseComeAndGoWithTheMethod) {
  const auto follower = [](std::string_view method, std::string_view added) {
    const bool has_tolerance = method == "ida" || method == "runge_kutta_dopri5";
    const std::string tolerance = has_tolerance ? " rtol='1e-8' atol='1e-8'" : "";
    return SystemText("TimeStep='0.015625 s' StopTime='4 s'",
                      "method='" + std::string(method) + "'" + tolerance,
                      "<test.Follower name='f' level='Standard' time='0.5'><Start x='-1'/></test.Follower>"
                      "<test.Oscillator name='o' frequency='5 rad/s'/><Route from='o.x' to='f.u'/>"
                      "<Record signals='f.* o.*'/>" +
                          std::string(added));
  };
  const auto switch_level = std::string("<At time='3 s' set='f.level' value='Advanced'/>");
  // adams_bashforth_moulton and ida keep places for all.
  for (const auto& [before, after] :
       {std::pair("runge_kutta4", "adams_bashforth_moulton"),
        std::pair("adams_bashforth_moulton", "runge_kutta4"), std::pair("runge_kutta_dopri5", "ida"),
        std::pair("ida", "runge_kutta_dopri5")}) {
    TestSystem changed(follower(before, To(after, "2 s") + switch_level));
    TestSystem whole(follower(after, switch_level));
    const std::vector<TestRow> rows = changed.RunAndRecord(), others = whole.RunAndRecord();
    ASSERT_EQ(rows.size(), others.size());
    // runge_kutta4 is late by omega t (omega h)^4/120 [rad] after t, of the amplitude omega of o.v; the
    // others are closer.
    const double tolerance = 1.1 * 5 * (5 * 4 * std::pow(5 * 0.015625, 4) / 120);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      for (std::size_t i = 0; i < rows[n].values.size(); ++i)
        EXPECT_NEAR(rows[n].values[i], others[n].values[i], tolerance) << before << after << n << ' ' << i;
    }
  }
}

TEST(MethodChangeTest, IsLogged) {
  std::vector<std::string> lines;
  const SimulationOptions options{.log_level = RunLog::Severity::kInfo,
                                  .log = [&](RunLog::Severity /*severity*/, std::string_view line) {
                                    if (line.find("its island") != line.npos) lines.emplace_back(line);
                                  }};
  Registry registry = AllModels();
  RegisterTestModels(registry);
  const auto simulation =
      Simulation::LoadText(Oscillator("runge_kutta4", To("rosenbrock4") + To("rosenbrock4", "3 s")), "test",
                           registry, options)
          .Take();
  simulation->Initialize();
  simulation->Run();
  EXPECT_THAT(lines, testing::ElementsAre("t = 2 s: /o: its island continues with the method rosenbrock4 in "
                                          "place of runge_kutta4"));
}

TEST(MethodChangeTest, EveryMethodGoesOnWithTheSolution) {
  for (const OdeMethod& method : OdeMethods()) {
    TestSystem test(Oscillator("runge_kutta_dopri5", To(method.name) + To("AsGiven", "3 s")));
    test.RunTo(2.5);
    EXPECT_EQ(MethodOf(test), method.name);
    // The methods of low order and fixed step: 5 h = 0.08 a step.
    const double tolerance = method.is_adaptive ? 1e-3 : method.order == 1 ? 0.4 : 0.02;
    EXPECT_NEAR(test.Read("o.x"), std::cos(12.5), tolerance) << method.name;
    test.RunTo(4);
    EXPECT_EQ(MethodOf(test), "runge_kutta_dopri5");
  }
}

/// Both methods take one step in each TimeStep.
TEST(MethodChangeTest, TheStepsOfBothMethodsCount) {
  TestSystem test(Oscillator("runge_kutta4", To("euler")));
  test.RunTo(2);
  const auto before = test.manager().statistics().solver_steps;
  EXPECT_GE(before, 128U);
  test.RunTo(4);
  EXPECT_EQ(test.manager().statistics().solver_steps, 2 * before);
}

TEST(MethodChangeTest, TheRunCanBeRepeated) {
  TestSystem test(Oscillator("runge_kutta4", To("rosenbrock4") + To("euler", "3 s")));
  const std::vector<TestRow> rows = test.RunAndRecord();
  EXPECT_EQ(MethodOf(test), "euler");
  EXPECT_TRUE(rows == test.RunAndRecord());
}

TEST(MethodChangeTest, SnapshotsKeepIt) {
  for (const char* method : {"rosenbrock4", "bulirsch_stoer", "euler"}) {
    const std::string text = Oscillator("runge_kutta_dopri5", To(method));
    TestSystem first(text);
    first.RunTo(3);
    std::stringstream snapshot;
    first.manager().SaveState(snapshot);
    first.RunTo(4);
    TestSystem second(text);
    Diagnostics diagnostics;
    second.manager().LoadState(snapshot, {}, diagnostics);
    ASSERT_TRUE(diagnostics.all().empty());
    EXPECT_EQ(MethodOf(second), method);
    while (!second.manager().is_finished()) second.manager().Step();
    EXPECT_EQ(second.Read("o.x"), first.Read("o.x")) << method;
    EXPECT_EQ(second.Read("o.v"), first.Read("o.v")) << method;
  }
}

TEST(MethodChangeTest, AnIslandKeepsAMethodOfItsOwnAndOneThatItsEventsNeed) {
  TestSystem own(
      SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta4'",
                 "<test.Oscillator name='o'><Integration method='rosenbrock4'/></test.Oscillator>" +
                     To("euler", "0.5 s")));
  own.Run();
  EXPECT_EQ(MethodOf(own), "rosenbrock4");

  TestSystem ball(SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta_dopri5'",
                             "<user.Equation name='ball'><State name='x' start='0.5' der='v'/>"
                             "<State name='v' der='-9.81'/><Guard name='floor' value='x' direction='falling'>"
                             "<Set name='v' expr='-v'/></Guard></user.Equation>" +
                                 To("bulirsch_stoer", "0.1 s")));
  ball.Run();
  EXPECT_EQ(MethodOf(ball), "runge_kutta_dopri5");
}

TEST(MethodChangeTest, FaultsAreTold) {
  EXPECT_THAT(FaultsOf(Oscillator("runge_kutta4", To("rosenbrok4"))),
              testing::ElementsAre(HasSubstr("did you mean 'rosenbrock4'?")));
  EXPECT_THAT(
      FaultsOf(Oscillator("runge_kutta4", "<At time='1 s' message='SetMethod' to='SimulatorManager'/>")),
      testing::ElementsAre(HasSubstr("the message 'SetMethod' needs a text")));
}

}  // namespace
}  // namespace davit
