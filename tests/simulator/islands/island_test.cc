#include "simulator/islands/island.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "simulator/dynamic_sim_component.h"
#include "simulator/sparing_evaluations.h"
#include "simulator/state_variable.h"
#include "tests/support/system_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kAccurate = "rtol=\"1e-10\" atol=\"1e-10\"";

// ---- which components make one island --------------------------------------------------------------

/// x'' = -x of two integrators; `hold` is on one of the two routes.
std::string Loop(const std::string& hold) {
  return "<signal.Integrator name=\"v\" gain=\"-1\"/>"
         "<signal.Integrator name=\"x\"><Start y=\"1\"/></signal.Integrator>"
         "<Route from=\"v.y\" to=\"x.u\"/><Route from=\"x.y\" to=\"v.u\" " +
         hold + "/><Record signals=\"x.y\"/>";
}

TEST(IslandTest, ALoopOfIntegratorsIsSolvedAsOne) {
  TestSystem test(SystemText("TimeStep=\"0.5\" StopTime=\"10\"", kAccurate, Loop("")));
  for (const TestRow& row : test.RunAndRecord()) EXPECT_NEAR(row.values[0], std::cos(row.t), 1e-8);
  EXPECT_EQ(test.manager().statistics().islands, 1U);
}

TEST(IslandTest, ASampledLoopIsAsGoodAsTimeStep) {
  const auto error = [](double time_step) {
    TestSystem test(
        SystemText("TimeStep=\"" + ToXml(time_step) + "\" StopTime=\"1\"", kAccurate, Loop("hold=\"step\"")));
    test.Run();
    return std::abs(test.Read("x.y") - std::cos(1));
  };
  EXPECT_GT(error(0.1), 1e-3);
  EXPECT_NEAR(error(0.1) / error(0.05), 2, 0.2);  // holding a value is a method of first order
}

/// Two bodies; x of the first drives the second.
std::string TwoBodies(const std::string& hold) {
  return "<signal.Constant name=\"one\" value=\"1\"/><test.Body name=\"a\"/><test.Body name=\"b\"/>"
         "<Route from=\"one.y\" to=\"a.u\"/><Route from=\"a.x\" to=\"b.u\" " +
         hold + "/><Record signals=\"a.x b.x b.seen\"/>";
}

TEST(IslandTest, BetweenIslandsTheValueOfTheLastStepPointIsHeld) {
  for (const char* hold : {"", "hold=\"step\""}) {
    TestSystem test(SystemText("TimeStep=\"0.125\" StopTime=\"1\"", kAccurate, TwoBodies(hold)));
    const auto rows = test.RunAndRecord();
    EXPECT_EQ(test.manager().statistics().islands, 2U);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const double h = 0.125;
      const auto k = static_cast<double>(n);
      EXPECT_NEAR(rows[n].values[0], k * h, 1e-14);
      EXPECT_NEAR(rows[n].values[1], h * h * k * (k - 1) / 2, 1e-14);
      EXPECT_NEAR(rows[n].values[2], n == 0 ? 0 : (k - 1) * h, 1e-14);
    }
  }
}

TEST(IslandTest, HoldNoneWeldsTwoIslands) {
  TestSystem test(SystemText("TimeStep=\"0.125\" StopTime=\"1\"", kAccurate, TwoBodies("hold=\"none\"")));
  for (const TestRow& row : test.RunAndRecord()) EXPECT_NEAR(row.values[1], row.t * row.t / 2, 1e-12);
  EXPECT_EQ(test.manager().statistics().islands, 1U);
}

TEST(IslandTest, HoldStepSamplesInsideOneIsland) {
  TestSystem test(
      SystemText("TimeStep=\"0.25\" StopTime=\"1\"", kAccurate,
                 "<signal.Ramp name=\"s\" duration=\"10\" to=\"10\"/><signal.Integrator name=\"i\"/>"
                 "<Route from=\"s.y\" to=\"i.u\" hold=\"step\"/>"));
  test.Run();
  EXPECT_NEAR(test.Read("i.y"), 0.25 * (0 + 0.25 + 0.5 + 0.75), 1e-14);
}

TEST(IslandTest, ASourceIsExactInEveryIslandThatReadsIt) {
  TestSystem test(
      SystemText("TimeStep=\"1\" StopTime=\"10\"", kAccurate,
                 "<signal.Sine name=\"s\" frequency=\"3\"/><signal.Gain name=\"g\" gain=\"2\"/>"
                 "<test.Body name=\"a\"/><test.Body name=\"b\"/><test.Body name=\"c\" gain=\"0.5\"/>"
                 "<Route from=\"s.y\" to=\"a.u\"/><Route from=\"s.y\" to=\"b.u\"/>"
                 "<Route from=\"s.y\" to=\"g.u\"/><Route from=\"g.y\" to=\"c.u\"/>"
                 "<Record signals=\"a.x b.x c.x s.y\"/>"));
  const auto rows = test.RunAndRecord();
  EXPECT_EQ(test.manager().statistics().islands, 3U);
  for (const TestRow& row : rows) {
    EXPECT_NEAR(row.values[0], (1 - std::cos(3 * row.t)) / 3, 1e-8);
    EXPECT_EQ(row.values[0], row.values[1]);
    EXPECT_EQ(row.values[0], row.values[2]);
    EXPECT_EQ(row.values[3], std::sin(3 * row.t));
  }
}

TEST(IslandTest, DerivativesCanBeRouted) {
  TestSystem test(SystemText("TimeStep=\"0.5\" StopTime=\"5\"", kAccurate,
                             "<test.Oscillator name=\"m\"/><signal.Integrator name=\"i\"/>"
                             "<Route from=\"m.v.ddt\" to=\"i.u\"/><Record signals=\"i.y m.v\"/>"));
  for (const TestRow& row : test.RunAndRecord()) EXPECT_NEAR(row.values[0], row.values[1], 1e-8);
}

// ---- loops -----------------------------------------------------------------------------------------

TEST(IslandTest, ALoopOfSignalsIsReportedWithItsPath) {
  const auto faults =
      FaultsOf(SystemText("TimeStep=\"0.1\"", "",
                          "<test.Sum name=\"first\"/><test.Sum name=\"second\"/><test.Sum name=\"aside\"/>"
                          "<Route from=\"first.sum\" to=\"second.a\"/>"
                          "<Route from=\"second.sum\" to=\"first.b\"/>"
                          "<Route from=\"second.sum\" to=\"aside.a\"/>"));
  EXPECT_THAT(faults, ElementsAre(AllOf(HasSubstr("algebraic loop"),
                                        testing::AnyOf(HasSubstr("first.sum -> second.sum -> first.sum"),
                                                       HasSubstr("second.sum -> first.sum -> second.sum")))));
}

TEST(IslandTest, ALoopOfPortsIsReportedWithItsPath) {
  const auto faults =
      FaultsOf(SystemText("TimeStep=\"0.1\"", "",
                          "<test.PassThrough name=\"first\"/><test.PassThrough name=\"second\"/>"
                          "<Connect from=\"first.b\" to=\"second.a\"/>"
                          "<Connect from=\"second.b\" to=\"first.a\"/>"));
  EXPECT_THAT(faults, ElementsAre(AllOf(HasSubstr("algebraic loop"), HasSubstr("first.b.p"),
                                        HasSubstr("second.b.p"), testing::Not(HasSubstr("aside")))));
}

TEST(IslandTest, AStateInTheLoopCutsIt) {
  EXPECT_THAT(FaultsOf(SystemText("TimeStep=\"0.1\"", "",
                                  "<test.Sum name=\"first\"/><signal.LowPass name=\"second\"/>"
                                  "<Route from=\"first.sum\" to=\"second.u\"/>"
                                  "<Route from=\"second.y\" to=\"first.b\"/>")),
              testing::IsEmpty());
}

// ---- what evaluations leave out ----------------------------------------------------------------------

/// x'' = -x, with its energy as an output that the evaluations of a solver leave out.
class Sparing final : public DynamicSimComponent, public SparingEvaluations {
 public:
  static constexpr ModelInfo kInfo{.name = "check.Sparing", .text = "An oscillator that spares its output"};
  void EvaluateDiffEquations(double /*t*/) override {
    x.ddt = v;
    v.ddt = -x;
    ++(is_trial_ ? trials : shown);
    if (!is_trial_) energy = (x * x + v * v) / 2;
  }
  void SetTrial(bool is_trial) override { is_trial_ = is_trial; }

  int trials = 0, shown = 0;

 private:
  StateVariable x{this, "x", "", "Place", 1};
  StateVariable v{this, "v", "", "Velocity"};
  Output energy{this, "energy", "", "Energy"};
  bool is_trial_ = false;
};

// Law: what a better accuracy costs are trials; what is shown is evaluated once at each step point.
TEST(IslandTest, TheStepsOfASolverAreTrials) {
  struct Counts {
    int trials, shown;
  };
  const auto count = [](const std::string& method, const std::string& tolerance) {
    SystemHarness system(
        "<System><SimulatorManager TimeStep='0.1 s' StopTime='10 s'><Integration solver='ODE' " +
            ("method='" + method + "' rtol='" + tolerance + "' atol='" + tolerance) +
            "'/></SimulatorManager><check.Sparing name='s'/></System>",
        [](Registry& registry) { registry.Add<Sparing>(); });
    for (int k = 1; k <= 100; ++k) {
      system.RunTo(0.1 * k);
      const double x = system.Read("s.x"), v = system.Read("s.v");
      EXPECT_EQ(system.Read("s.energy"), (x * x + v * v) / 2) << method << ' ' << k;
    }
    const auto& components = system.system().components();
    const auto& sparing =
        dynamic_cast<const Sparing&>(**std::ranges::find(components, "s", &Component::name));
    return Counts{sparing.trials, sparing.shown};
  };
  for (const std::string method : {"runge_kutta_dopri5", "rodas5p", "ida"}) {
    const Counts rough = count(method, "1e-3"), fine = count(method, "1e-10");
    EXPECT_GT(fine.trials, 2 * rough.trials) << method;
    EXPECT_EQ(fine.shown, rough.shown) << method;
    EXPECT_LT(fine.shown, 120) << method;
  }
}

// ---- what the island watches -------------------------------------------------------------------------

TEST(IslandTest, AnUnchangedHeldValueRestartsNothing) {
  const auto steps = [](const char* hold) {
    TestSystem test(
        SystemText("TimeStep=\"0.01\" StopTime=\"10\"", kAccurate,
                   std::string("<signal.Constant name=\"one\" value=\"1\"/><test.Kepler name=\"m\"/>"
                               "<signal.LowPass name=\"f\"><Start y=\"1\"/></signal.LowPass>"
                               "<Route from=\"one.y\" to=\"f.u\" ") +
                       hold + "/>"));
    test.Run();
    return static_cast<double>(test.manager().statistics().solver_steps);
  };
  EXPECT_NEAR(steps("hold=\"step\""), steps(""), 3);
}

TEST(IslandTest, OverridesRestartTheSolver) {
  // A ball over hard ground, found below it at a step point and thrown back; its energy stays what it was, so
  // after each bounce it follows the parabola it came on.
  for (const OdeMethod& method : OdeMethods()) {
    if (method.order < 2) continue;
    TestSystem test(SystemText("TimeStep=\"1 ms\" StopTime=\"3\"",
                               "method=\"" + std::string(method.name) + "\" rtol=\"1e-9\" atol=\"1e-12\"",
                               "<test.Ball name=\"late\"/><test.Ball name=\"early\" early=\"true\"/>"
                               "<Record signals=\"late.* early.*\"/>"));
    int bounces = 0;
    double speed = 0;
    for (const TestRow& row : test.RunAndRecord()) {
      for (const std::size_t i : {0U, 2U}) {
        const double energy = 10 * row.values[i] + 0.5 * row.values[i + 1] * row.values[i + 1];
        EXPECT_NEAR(energy, 10, 1e-9) << method.name << " at " << row.t;
      }
      if (row.values[1] > speed + 1) ++bounces;
      speed = row.values[1];
    }
    EXPECT_EQ(bounces, 3) << method.name;  // at 0.447 s, 1.342 s, 2.236 s
  }
}

// Also to a component of the same type, which is otherwise evaluated in one go with the first: y' = u - y
// holds at each step point, bit for bit.
TEST(IslandTest, DerivativesCanBeRoutedToTheSameType) {
  TestSystem test(
      SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta4'",
                 "<signal.LowPass name='a' solver='Differential'><Start y='0.1'/></signal.LowPass>"
                 "<signal.LowPass name='b' solver='Differential'/>"
                 "<Route from='a.y.ddt' to='b.u' hold='none'/>"
                 "<Record signals='a.y.ddt b.u b.y b.y.ddt'/>"));
  test.StartRecording();
  const std::vector<TestRow> rows = test.RunAndRecord();
  ASSERT_EQ(rows.size(), 101U);
  for (const TestRow& row : rows) {
    EXPECT_EQ(row.values[1], row.values[0]) << row.t;
    EXPECT_EQ(row.values[3], row.values[1] - row.values[2]) << row.t;
  }
}

// The first of two derivatives that are read belongs to a component that waits for the reader of the second.
TEST(IslandTest, ADerivativeIsThatOfTheSameEvaluationWhateverTheOrderOfRoutes) {
  TestSystem test(SystemText("TimeStep='10 ms' StopTime='0.1 s'", kAccurate,
                             "<signal.Sine name='s' frequency='10 rad/s'/><signal.LowPass name='a'/>"
                             "<signal.Gain name='g'/><signal.LowPass name='z'/><signal.Gain name='h'/>"
                             "<Route from='s.y' to='a.u'/><Route from='z.y.ddt' to='h.u'/>"
                             "<Route from='a.y.ddt' to='g.u'/><Route from='g.y' to='z.u'/>"
                             "<Record signals='a.y.ddt g.y z.y.ddt h.y'/>"));
  for (const TestRow& row : test.RunAndRecord()) {
    EXPECT_EQ(row.values[1], row.values[0]) << row.t;
    EXPECT_EQ(row.values[3], row.values[2]) << row.t;
  }
}

TEST(IslandTest, AnOverriddenStateIsShownWithItsDerivatives) {
  TestSystem test(SystemText("TimeStep=\"0.4\" StopTime=\"0.8\"", kAccurate,
                             "<test.Ball name=\"m\"/><Record signals=\"m.v m.x.ddt\"/>"));
  for (const TestRow& row : test.RunAndRecord()) EXPECT_EQ(row.values[0], row.values[1]);
}

TEST(IslandTest, ALiveParameterTakesEffectAtItsStepPoint) {
  for (const OdeMethod& method : OdeMethods()) {
    TestSystem test(SystemText("TimeStep=\"0.1\" StopTime=\"1\"",
                               "method=\"" + std::string(method.name) + "\"",
                               "<signal.Constant name=\"c\" value=\"1\"/><signal.Gain name=\"g\"/>"
                               "<signal.Integrator name=\"i\"/><Route from=\"c.y\" to=\"g.u\"/>"
                               "<Route from=\"g.y\" to=\"i.u\"/><At time=\"0.5\" set=\"g.gain\" value=\"3\"/>"
                               "<At time=\"0.7\" set=\"c.value\" value=\"0\"/>"));
    test.Run();
    EXPECT_NEAR(test.Read("i.y"), 0.5 + 0.6, 1e-13) << method.name;
  }
}

TEST(IslandTest, AParameterThatIsRoutedElsewhereTakesEffectThere) {
  for (const OdeMethod& method : OdeMethods()) {
    TestSystem test(
        SystemText("TimeStep=\"0.1\" StopTime=\"1\"", "method=\"" + std::string(method.name) + "\"",
                   "<test.Body name=\"a\"/><test.Body name=\"b\"/><Route from=\"a.gain\" to=\"b.u\"/>"
                   "<At time=\"0.5\" set=\"a.gain\" value=\"2\"/>"));
    test.Run();
    EXPECT_NEAR(test.Read("b.x"), 0.5 + 1, 1e-13) << method.name;
  }
}

TEST(IslandTest, OverridesPerComponentHoldForTheIslandOnly) {
  TestSystem test(SystemText("TimeStep=\"0.1\" StopTime=\"1\"", "method=\"runge_kutta4\"",
                             "<test.Body name=\"a\"/><test.Body name=\"b\"><Integration solver=\"ODE\" "
                             "method=\"euler\" substeps=\"2\"/></test.Body>"));
  EXPECT_EQ(test.manager().islands()[0]->options().method, "runge_kutta4");
  EXPECT_EQ(test.manager().islands()[1]->options().method, "euler");
  EXPECT_EQ(test.manager().islands()[1]->options().fixed_step, 0.05);
}

TEST(IslandTest, TwoDifferentOverridesInOneIslandAreAnError) {
  EXPECT_THAT(
      FaultsOf(SystemText("TimeStep=\"0.1\"", "",
                          "<test.Body name=\"a\"><Integration solver=\"ODE\" method=\"euler\"/></test.Body>"
                          "<test.Body name=\"b\"><Integration solver=\"ODE\"/></test.Body>"
                          "<Route from=\"a.x\" to=\"b.u\" hold=\"none\"/>")),
      ElementsAre(AllOf(HasSubstr("/b"), HasSubstr("/a"), HasSubstr("two different integrations"))));
}

TEST(IslandTest, NamesItsStates) {
  TestSystem test(SystemText("TimeStep=\"0.1\"", "", "<test.Pleiades name=\"m\"/>"));
  const Island& island = *test.manager().islands()[0];
  EXPECT_EQ(island.states().size(), 28U);
  EXPECT_EQ(island.states().Name(0), "m.x[0]");
  EXPECT_EQ(island.states().Name(27), "m.v[6]");
  EXPECT_EQ(island.states().Owner(27).path(), "m");
}

}  // namespace
}  // namespace davit
