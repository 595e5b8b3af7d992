#include "simulator/solvers/integration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulator/islands/island.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string With(const std::string& integration) {
  return SystemText("TimeStep=\"0.1\"", integration, "<test.Oscillator name=\"m\"/>");
}

IntegratorOptions OptionsOf(const std::string& integration) {
  TestSystem test(With(integration));
  return test.manager().islands().at(0)->options();
}

TEST(IntegrationTest, AutoIsTheDefault) {
  const IntegratorOptions options = OptionsOf("");
  EXPECT_EQ(options.method, "auto");
  EXPECT_EQ(options.relative_tolerance, 1e-6);
  EXPECT_EQ(options.absolute_tolerance, 1e-8);
}

TEST(IntegrationTest, EveryMethodCanBeNamed) {
  for (const OdeMethod& method : OdeMethods()) {
    EXPECT_EQ(OptionsOf("method=\"" + std::string(method.name) + "\"").method, method.name);
  }
}

TEST(IntegrationTest, SubstepsDivideTimeStep) {
  EXPECT_DOUBLE_EQ(OptionsOf("substeps=\"4\"").fixed_step, 0.025);
}

TEST(IntegrationTest, StepLimitsHaveUnits) {
  const IntegratorOptions options = OptionsOf("min_step=\"1 us\" max_step=\"2 ms\"");
  EXPECT_DOUBLE_EQ(options.min_step, 1e-6);
  EXPECT_DOUBLE_EQ(options.max_step, 2e-3);
}

TEST(IntegrationTest, WrongValuesAreAnsweredWithTheRightOnes) {
  EXPECT_THAT(
      FaultsOf(With("method=\"runge_kutta5\"")),
      ElementsAre(AllOf(HasSubstr("test.xml:2"), HasSubstr("'runge_kutta5'"), HasSubstr("runge_kutta4"))));
  EXPECT_THAT(FaultsOf(With("rtol=\"0\"")), ElementsAre(HasSubstr("rtol")));
  EXPECT_THAT(FaultsOf(With("substeps=\"0\"")), ElementsAre(HasSubstr("substeps")));
  EXPECT_THAT(FaultsOf(With("min_step=\"2 s\" max_step=\"1 s\"")),
              ElementsAre(HasSubstr("min_step is larger")));
  EXPECT_THAT(FaultsOf(With("rtol=\"1e-6\"")), IsEmpty());
}

/// x' = -rate*x + 1 over 2 s: beyond 5/rate the solution is flat, so that only stability bounds the steps.
std::vector<std::string> HintsOf(const std::string& method, double rate) {
  TestSystem test(SystemText("TimeStep='0.1' StopTime='2'", "method='" + method + "'",
                             "<signal.Constant name='one' value='1'/><mechanical.Force name='push'/>"
                             "<mechanical.Mass name='body' solver='Differential' viscous_friction='" +
                                 ToXml(rate) +
                                 "'/><Route from='one.y' to='push.force'/>"
                                 "<Connect from='push.port' to='body.a'/>"));
  test.Run();
  return test.manager().Hints();
}

TEST(IntegrationTest, AStiffIslandIsHintedAt) {
  for (const char* method : {"runge_kutta_dopri5", "runge_kutta_cash_karp54", "runge_kutta_fehlberg78"}) {
    const std::vector<std::string> hints = HintsOf(method, 1e5);
    ASSERT_EQ(hints.size(), 1U) << method;
    EXPECT_THAT(hints[0], testing::StartsWith("the island of /one: the step size is limited by "));
    EXPECT_THAT(hints[0], HasSubstr(" stability, not accuracy (stiff), in "));
    EXPECT_THAT(hints[0], testing::EndsWith(std::string(method) + "; try auto, rodas5p or ida"));
  }
}

// Equal pressures on both sides: the flow is the rounding of their difference times 1/a = 2.6e-6 m3/s/Pa.
TEST(IntegrationTest, AStiffIslandAtRestIsHintedAt) {
  TestSystem test(
      SystemText("TimeStep='10 ms' StopTime='30 ms'", "method='runge_kutta_dopri5' rtol='1e-6'",
                 "<hydraulic.Volume name='a' volume='0.1 l'><Start p='100 bar'/></hydraulic.Volume>"
                 "<hydraulic.Volume name='b' volume='0.1 l'/>"
                 "<hydraulic.Orifice name='o' area='1 cm2' law='laminar_turbulent'/>"
                 "<Connect from='a.port' to='o.a'/><Connect from='o.b' to='b.port'/>"));
  test.Run();
  EXPECT_THAT(test.manager().Hints(), ElementsAre(HasSubstr(" stability, not accuracy (stiff), in ")));
}

TEST(IntegrationTest, NoHintWhereTheToleranceSetsTheStepsOrTheMethodIsForStiffIslands) {
  // An oscillation without damping: some thousand steps, all set by the tolerance.
  TestSystem swinging(
      SystemText("TimeStep='0.1' StopTime='200'", "method='runge_kutta_dopri5' rtol='1e-9'",
                 "<mechanical.MassSpringDamper name='m' mass='1' stiffness='100'><Start x='1'/>"
                 "</mechanical.MassSpringDamper>"));
  swinging.Run();
  EXPECT_GT(swinging.manager().statistics().solver_steps, 2000U);
  EXPECT_THAT(swinging.manager().Hints(), IsEmpty());
  for (const char* method : {"rosenbrock4", "rodas5p", "ida", "auto"}) {
    EXPECT_THAT(HintsOf(method, 1e5), IsEmpty()) << method;
  }
}

}  // namespace
}  // namespace davit
