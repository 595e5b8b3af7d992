#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "simulator/simulation_failure.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

std::string Ball(const std::string& method, const std::string& time_step) {
  return SystemText(
      "TimeStep=\"" + time_step + "\" StopTime=\"5\"",
      "method=\"" + method + "\" rtol=\"1e-9\" atol=\"1e-9\"",
      "<mechanical.Mass name=\"ball\" weight=\"9.81\" x_min=\"0\" restitution=\"0.8\" "
      "located_stops=\"true\"><Start x=\"1\"/></mechanical.Mass><Record signals=\"ball.x ball.v\"/>");
}

/// The times of two rows one after the other.
std::vector<double> DoubledTimes(const std::vector<TestRow>& rows) {
  std::vector<double> times;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].t == rows[i - 1].t) times.push_back(rows[i].t);
  }
  return times;
}

TEST(EventsTest, ImpactsOfABallAreLocated) {
  // Impacts at t_1 (1 + 2 sum 0.8^i), t_1 = sqrt(2/g); speeds g t_1 0.8^n.
  const double t1 = std::sqrt(2 / 9.81);
  for (const char* method : {"runge_kutta_dopri5", "runge_kutta_cash_karp54", "runge_kutta_fehlberg78",
                             "rosenbrock4", "rodas5p", "runge_kutta4", "ida"}) {
    for (const char* time_step : {"10 ms", "1 s"}) {
      if (method == std::string("runge_kutta4") && time_step == std::string("1 s")) continue;
      TestSystem test(Ball(method, time_step));
      const auto rows = test.RunAndRecord();
      const std::vector<double> times = DoubledTimes(rows);
      ASSERT_GT(times.size(), 40U) << method;
      double exact = t1;
      for (int n = 0; n < 30; ++n) {
        EXPECT_NEAR(times[static_cast<std::size_t>(n)], exact, 1e-6 * exact) << method << ' ' << n;
        exact += 2 * t1 * std::pow(0.8, n + 1);
      }
      // No event after the accumulation point, and rest there.
      EXPECT_NEAR(times.back(), 4.063712768872, 1e-6) << method;
      EXPECT_EQ(test.Read("ball.v"), 0);
      EXPECT_EQ(test.Read("ball.x"), 0);
      for (const TestRow& row : rows) EXPECT_GT(row.values[0], -1e-9) << method << row.t;
      EXPECT_EQ(test.manager().statistics().events, times.size());
    }
  }
}

TEST(EventsTest, TwoRowsTellBeforeAndAfter) {
  TestSystem test(Ball("runge_kutta_dopri5", "10 ms"));
  const auto rows = test.RunAndRecord();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_GE(rows[i].t, rows[i - 1].t);
    if (rows[i].t != rows[i - 1].t || rows[i].values[1] == 0) continue;
    EXPECT_NEAR(rows[i].values[1], -0.8 * rows[i - 1].values[1], 1e-15);
  }
}

TEST(EventsTest, SimultaneousEventsReactInDeclaredOrder) {
  TestSystem test(SystemText("TimeStep=\"1\" StopTime=\"1\"", "rtol=\"1e-9\" atol=\"1e-9\"",
                             "<test.Clock name=\"c\"/><Record signals=\"c.x c.log\"/>"));
  const auto rows = test.RunAndRecord();
  EXPECT_EQ(test.Read("c.log"), 231);
  const std::vector<double> times = DoubledTimes(rows);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0], 0.3, 1e-9);
  EXPECT_NEAR(times[1], 0.7, 1e-9);
  EXPECT_EQ(test.manager().statistics().events, 3U);
  // Events that change no state leave the solution alone.
  EXPECT_NEAR(test.Read("c.y"), std::exp(-0.5), 1e-8);
  EXPECT_EQ(rows, test.RunAndRecord());
}

TEST(EventsTest, OthersAreInterpolatedInTheRowsOfAnEvent) {
  TestSystem test(
      SystemText("TimeStep=\"1\" StopTime=\"1\"", "",
                 "<test.Clock name=\"c\"/><test.Body name=\"b\"/><signal.Constant name=\"one\" value=\"1\"/>"
                 "<Route from=\"one.y\" to=\"b.u\"/><Record signals=\"c.x b.x\"/>"));
  const auto rows = test.RunAndRecord();
  ASSERT_EQ(rows.size(), 6U);
  for (const TestRow& row : rows) EXPECT_NEAR(row.values[1], row.t, 1e-9);
}

TEST(EventsTest, AnEndlessSequenceWithoutRestEndsTheRun) {
  TestSystem test(SystemText("TimeStep=\"0.1\" StopTime=\"5\"", "", "<test.Restless name=\"r\"/>"));
  try {
    test.Run();
    FAIL();
  } catch (const SimulationFailure& failure) {
    EXPECT_NEAR(failure.time(), 3 * std::sqrt(2), 1e-6);
    EXPECT_THAT(failure.what(),
                testing::HasSubstr("the events of its guard 'floor' follow each other without end (Zeno "
                                   "behaviour); give the guard a rest reaction"));
  }
}

/// A ball that is stopped on the ground, but is still pulled: the rest reaction keeps nothing.
TEST(EventsTest, ARestThatDoesNotHoldEndsTheRun) {
  TestSystem test(SystemText("TimeStep='0.1' StopTime='5'", "",
                             "<user.Equation name='ball'><State name='h' unit='m' start='1' der='v'/>"
                             "<State name='v' unit='m/s' der='-9.81'/>"
                             "<Guard name='floor' value='h' direction='falling'><Set name='v' expr='-0.8*v'/>"
                             "<Rest name='v' expr='0'/></Guard></user.Equation>"));
  try {
    test.Run();
    FAIL();
  } catch (const SimulationFailure& failure) {
    // sqrt(2/g) (1 + 2 e/(1 - e)) with e = 0.8
    EXPECT_NEAR(failure.time(), 9 * std::sqrt(2 / 9.81), 1e-3);
    EXPECT_THAT(failure.what(),
                testing::HasSubstr("guard 'floor' passes zero again after each rest reaction"));
  }
}

TEST(EventsTest, TwoCrossingsCloseTogetherAreFound) {
  // x = t in solver steps of up to 1 s; the guard (x - centre)^2 - width^2 is below zero for 2 width only.
  for (const char* method : {"runge_kutta_dopri5", "rosenbrock4", "rodas5p", "runge_kutta4", "ida"}) {
    for (const double centre : {0.03, 0.37, 0.5, 0.93}) {
      for (const double width : {1e-2, 1e-4, 1e-6}) {
        TestSystem test(SystemText("TimeStep='1' StopTime='1'", std::string("method='") + method + "'",
                                   "<test.Dip name='d' centre='" + ToXml(centre) + "' width='" +
                                       ToXml(width) + "'/><Record signals='d.x'/>"));
        const std::vector<double> times = DoubledTimes(test.RunAndRecord());
        ASSERT_EQ(times.size(), 2U) << method << ' ' << centre << ' ' << width;
        EXPECT_NEAR(times[0], centre - width, 1e-9);
        EXPECT_NEAR(times[1], centre + width, 1e-9);
      }
    }
  }
}

TEST(EventsTest, AValueThatOnlyComesNearIsNoEvent) {
  TestSystem test(SystemText("TimeStep='1' StopTime='1'", "", "<test.Dip name='d' width='0'/>"));
  test.Run();
  EXPECT_EQ(test.manager().statistics().events, 0U);
}

// Law: a value that an event puts on the other side of zero has passed it there, and is watched from that
// side on. At 0.4 s `go` makes 0.3 of -1, which falls through zero at 0.7 s.
TEST(EventsTest, AValueThatJumpsAtAnEventIsWatchedFromItsNewSide) {
  for (const char* method : {"runge_kutta_dopri5", "rodas5p", "ida"}) {
    for (const char* sign : {"1", "-1"}) {
      TestSystem test(
          SystemText("TimeStep='0.01' StopTime='1'", std::string("method='") + method + "'",
                     std::string("<user.Equation name='m'><State name='x' der='1'/><Variable name='mode'/>"
                                 "<Variable name='hits'/><Variable name='last'/>"
                                 "<Guard name='go' value='x - 0.4'><Set name='mode' expr='1'/></Guard>"
                                 "<Guard name='hit' value='") +
                         sign +
                         " * (mode == 0 ? -1 : 0.7 - x)'><Set name='hits' expr='hits + 1'/>"
                         "<Set name='last' expr='x'/></Guard></user.Equation>"));
      test.Run();
      EXPECT_EQ(test.Read("m.hits"), 2) << method << ' ' << sign;
      EXPECT_NEAR(test.Read("m.last"), 0.7, 1e-9) << method << ' ' << sign;
    }
  }
}

// Law: the same where its own reaction moves the value: a relay makes a triangle between 0.2 and 0.4.
TEST(EventsTest, ARelayOfOneGuardSwitchesOnBothSides) {
  TestSystem test(SystemText("TimeStep='0.01' StopTime='3'", "",
                             "<user.Equation name='m'><State name='x' der='falls == 0 ? 1 : -1'/>"
                             "<Variable name='falls'/>"
                             "<Guard name='edge' value='x - (falls == 0 ? 0.4 : 0.2)'>"
                             "<Set name='falls' expr='1 - falls'/></Guard></user.Equation>"
                             "<Record signals='m.x'/>"));
  for (const TestRow& row : test.RunAndRecord()) {
    const double exact = row.t < 0.4 ? row.t : 0.2 + std::abs(std::fmod(row.t, 0.4) - 0.2);
    EXPECT_NEAR(row.values[0], exact, 1e-8) << row.t;  // 15 events, each located to 1e-12 s
  }
}

// Law: zero stays zero for a value that has jumped beyond it. At 0.2 s x drops to -0.3; it is zero again at
// 0.5 s from below, and at 1.5 s from above.
TEST(EventsTest, AFallingValueThatHasJumpedIsLocatedAtZeroAgain) {
  TestSystem test(SystemText("TimeStep='0.01' StopTime='2'", "",
                             "<user.Equation name='m'><State name='clock' der='1'/>"
                             "<State name='x' start='1' der='slope'/><Variable name='slope'/>"
                             "<Variable name='hits'/><Variable name='last'/>"
                             "<Guard name='drop' value='clock - 0.2'><Set name='x' expr='-0.3'/>"
                             "<Set name='slope' expr='1'/></Guard>"
                             "<Guard name='turn' value='clock - 1'><Set name='slope' expr='-1'/></Guard>"
                             "<Guard name='hit' value='x' direction='falling'>"
                             "<Set name='hits' expr='hits + 1'/><Set name='last' expr='clock'/></Guard>"
                             "</user.Equation>"));
  test.Run();
  EXPECT_EQ(test.Read("m.hits"), 2);
  EXPECT_NEAR(test.Read("m.last"), 1.5, 1e-9);
}

// Law: a limit that a value was put beyond is the limit again as soon as the value has come back. At 0.1 s
// the ball is 0.3 m below the floor, with 5 m/s down, of which the floor makes 4 m/s up.
TEST(EventsTest, ABallThatWasPutBelowTheFloorBouncesOnTheFloorAgain) {
  TestSystem test(SystemText("TimeStep='0.01' StopTime='2'", "",
                             "<user.Equation name='ball'><State name='clock' der='1'/>"
                             "<State name='h' unit='m' start='1' der='v'/>"
                             "<State name='v' unit='m/s' der='-9.81'/>"
                             "<Guard name='drop' value='clock - 0.1'><Set name='h' expr='-0.3'/>"
                             "<Set name='v' expr='-5'/></Guard>"
                             "<Guard name='floor' value='h' direction='falling'><Set name='v' expr='-0.8*v'/>"
                             "<Rest name='v' expr='0'/></Guard></user.Equation><Record signals='ball.h'/>"));
  // 0 = -0.3 + 4 s - 9.81/2 s^2
  const double back = 0.1 + (4 - std::sqrt(16 - 2 * 9.81 * 0.3)) / 9.81;
  for (const TestRow& row : test.RunAndRecord()) {
    if (row.t <= back) continue;
    EXPECT_GT(row.values[0], -1e-9) << row.t;
  }
}

TEST(EventsTest, AMassLeavesItsStopWhenItIsPulledAway) {
  // Held down by its weight until the ramp of the force passes it at t = 1; then x'' = (t - 1).
  TestSystem test(
      SystemText("TimeStep=\"0.1\" StopTime=\"3\"", "rtol=\"1e-9\" atol=\"1e-9\"",
                 "<signal.Ramp name=\"ramp\" to=\"3\" duration=\"3\"/><mechanical.Force name=\"pull\"/>"
                 "<mechanical.Mass name=\"m\" weight=\"1\" x_min=\"0\" located_stops=\"true\"/>"
                 "<Route from=\"ramp.y\" to=\"pull.force\"/><Connect from=\"pull.port\" "
                 "to=\"m.a\"/><Record signals=\"m.x\"/>"));
  for (const TestRow& row : test.RunAndRecord()) {
    const double s = std::max(0.0, row.t - 1);
    EXPECT_NEAR(row.values[0], s * s * s / 6, 1e-6) << row.t;
  }
}

TEST(EventsTest, LuGreStickSlip) {
  // Canudas de Wit et al., 1995, with m = 1, k = 2 pulled at 0.1 m/s: upward crossings of 1e-3 m/s.
  const std::vector<double> exact = {7.437607,  13.800326, 20.163046, 26.525766, 32.888486,
                                     39.251206, 45.613926, 51.976645, 58.339365};
  for (const char* method : {"ida", "rosenbrock4", "rodas5p"}) {
    TestSystem test(SystemText(
        "TimeStep=\"0.1\" StopTime=\"60\"",
        std::string("method=\"") + method + "\" rtol=\"1e-9\" atol=\"1e-9\"",
        "<signal.Constant name=\"speed\" value=\"0.1\"/><mechanical.VelocitySource name=\"hand\"/>"
        "<mechanical.Spring name=\"spring\" stiffness=\"2\"/><mechanical.Mass name=\"body\" mass=\"1\"/>"
        "<mechanical.LuGreFriction name=\"friction\"/><mechanical.Fixed name=\"floor\"/>"
        "<signal.Threshold name=\"slip\" threshold=\"0.001\"/><Route from=\"speed.y\" to=\"hand.velocity\"/>"
        "<Connect from=\"hand.port\" to=\"spring.a\"/><Connect from=\"spring.b\" to=\"body.a\"/>"
        "<Connect from=\"body.b\" to=\"friction.a\"/><Connect from=\"friction.b\" to=\"floor.port\"/>"
        "<Route from=\"body.v\" to=\"slip.u\"/><Record signals=\"slip.count\"/>"));
    const std::vector<double> times = DoubledTimes(test.RunAndRecord());
    ASSERT_EQ(times.size(), exact.size()) << method;
    for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(times[i], exact[i], 1e-4) << method;
    EXPECT_NEAR(test.Read("body.x"), 5.535821306, 1e-5);
  }
}

}  // namespace
}  // namespace davit
