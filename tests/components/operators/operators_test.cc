// Operators on signals: what each computes, in which order, and when.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "components/operators/register.h"
#include "davit/component.h"
#include "simulator/recorder.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::HasSubstr;

constexpr double kH = 0.01;

std::string System(std::string_view content, std::string_view record, std::string_view stop = "1 s") {
  return SystemText("TimeStep='10 ms' StopTime='" + std::string(stop) + "'", "method='runge_kutta4'",
                    std::string(content) + "<Record signals='" + std::string(record) + "'/>");
}

/// A gain of 1 whose input passes through `operators`; the signal comes from `source`, named s.
std::string Chain(std::string_view source, std::string_view operators, std::string_view more = {}) {
  return std::string(source) + "<signal.Gain name='g'><Operators signal='u'>" + std::string(operators) +
         "</Operators></signal.Gain><Route from='s.y' to='g.u'/>" + std::string(more);
}

/// What comes out of the operators at each step point, from the start.
std::vector<double> Out(std::string_view source, std::string_view operators, std::string_view more = {},
                        std::string_view stop = "1 s") {
  // The operators of an output run at the end of each step, so a row has their value at its time.
  std::string text(source);
  const std::size_t end = text.find("/>");
  text.replace(end, 2,
               "><Operators signal='y'>" + std::string(operators) + "</Operators></signal." +
                   text.substr(8, text.find(' ') - 8) + ">");
  TestSystem test(System(text + std::string(more), "s.y s.y_operators.u", stop));
  std::vector<double> values;
  for (const TestRow& row : test.RunAndRecord()) values.push_back(row.values[0]);
  return values;
}

constexpr std::string_view kSine = "<signal.Sine name='s' frequency='7 rad/s' amplitude='3'/>";

TEST(OperatorTest, OrderCounts) {
  constexpr std::string_view kSource = "<signal.Constant name='s' value='0.8'/>";
  constexpr std::string_view kGain = "<operator.Scaling gain='2'/>";
  constexpr std::string_view kLimit = "<operator.Limiter low='-1' high='1'/>";
  EXPECT_EQ(Out(kSource, std::string(kGain) + std::string(kLimit)).back(), 1.0);
  EXPECT_EQ(Out(kSource, std::string(kLimit) + std::string(kGain)).back(), 1.6);
}

TEST(OperatorTest, OperatorsWithoutMemoryAreFunctionsOfTheValueAtTheStepPoint) {
  const std::vector<double> u = Out(kSine, "<operator.Offset offset='0'/>");
  const std::vector<double> moved = Out(kSine, "<operator.Offset offset='0.5'/>");
  const std::vector<double> dead = Out(kSine, "<operator.DeadBand band='1'/>");
  const std::vector<double> squared = Out(kSine,
                                          "<operator.Expression expr='k*u*abs(u) + time/period'>"
                                          "<Parameter name='k' value='2'/></operator.Expression>");
  ASSERT_EQ(u.size(), 101U);
  for (std::size_t n = 0; n < u.size(); ++n) {
    const double t = static_cast<double>(n) * kH;
    EXPECT_EQ(u[n], 3 * std::sin(7 * t)) << n;
    EXPECT_EQ(moved[n], u[n] + 0.5);
    EXPECT_EQ(dead[n], std::abs(u[n]) <= 1 ? std::copysign(0.0, u[n]) : u[n] - std::copysign(1.0, u[n]));
    EXPECT_NEAR(squared[n], 2 * u[n] * std::abs(u[n]) + static_cast<double>(n), 1e-12 * 100);
  }
}

TEST(OperatorTest, DelayOfWholePeriodsGivesBackTheBits) {
  const std::vector<double> u = Out(kSine, "<operator.Offset offset='0'/>");
  for (const std::size_t periods : {0U, 1U, 2U, 17U}) {
    const std::vector<double> y =
        Out(kSine, "<operator.Delay time='" + std::to_string(10 * periods) + " ms'/>");
    for (std::size_t n = 0; n < y.size(); ++n) EXPECT_EQ(y[n], n < periods ? u[0] : u[n - periods]) << n;
  }
}

TEST(OperatorTest, DelayOfPartsOfAPeriodIsLinearBetween) {
  const std::vector<double> u = Out(kSine, "<operator.Offset offset='0'/>");
  for (const double periods : {0.25, 3.25}) {
    const std::vector<double> y = Out(kSine, "<operator.Delay time='" + ToXml(10 * periods) + " ms'/>");
    for (std::size_t n = 5; n < y.size(); ++n) {
      const auto last = n - static_cast<std::size_t>(periods);
      EXPECT_NEAR(y[n], 0.75 * u[last] + 0.25 * u[last - 1], 4e-15) << n;
    }
  }
}

/// y_1 = h U/(2 T + h), then y approaches U by (2 T - h)/(2 T + h) a step.
TEST(OperatorTest, FilterIsTheTrapezoidalRule) {
  constexpr double kT = 0.05;
  const std::vector<double> y =
      Out("<signal.Step name='s' start_time='5 ms' after='4'/>", "<operator.Filter time_constant='50 ms'/>");
  EXPECT_EQ(y[0], 0);
  double rest = 4 - 4 * kH / (2 * kT + kH);
  for (std::size_t n = 1; n < y.size(); ++n) {
    EXPECT_NEAR(y[n], 4 - rest, 4e-14) << n;
    rest *= (2 * kT - kH) / (2 * kT + kH);
  }
}

/// With the measurement u = -a t: y = kp a t + ki a t^2/2 + kd a (1 - r^n), r = (2 T - h)/(2 T + h): the
/// trapezoidal rule is exact on a ramp, and its filter is known.
TEST(OperatorTest, PidIsItsClosedFormOnARamp) {
  constexpr double a = 0.7;
  const std::vector<double> y = Out("<signal.Ramp name='s' from='0' to='-0.7' duration='1 s'/>",
                                    "<operator.PID kp='3' ki='5' kd='2' derivative_filter='40 ms'/>");
  constexpr double kDecay = (2 * 0.04 - kH) / (2 * 0.04 + kH);
  for (std::size_t n = 0; n < y.size(); ++n) {
    const double t = static_cast<double>(n) * kH;
    const double expected =
        3 * a * t + 5 * a * t * t / 2 + 2 * a * (1 - std::pow(kDecay, static_cast<double>(n)));
    EXPECT_NEAR(y[n], expected, 1e-13 * (1 + expected)) << n;
  }
}

/// The setpoint is stepped up for one second, during which the output is at its limit, and then down: the
/// output leaves the limit at once.
TEST(OperatorTest, PidDoesNotWindUp) {
  const std::vector<double> y =
      Out("<signal.Constant name='s' value='0'/>", "<operator.PID kp='1' ki='50' low='-2' high='2'/>",
          "<signal.Step name='w' start_time='1 s' before='1.5' after='-0.5'/>"
          "<Route from='w.y' to='s.y_operators.pid.setpoint'/>",
          "2 s");
  EXPECT_EQ(y[60], 2);
  EXPECT_EQ(y[99], 2);
  EXPECT_LT(y[101], 1);
}

/// D of a ramp is kd times its slope; without kd it dies away by r = (2 T - h)/(2 T + h) = 7/9 a step.
TEST(OperatorTest, PidTakesItsGainsWhileItRuns) {
  const std::vector<double> y = Out("<signal.Ramp name='s' from='0' to='-0.7' duration='1 s'/>",
                                    "<operator.PID kp='0' kd='2' derivative_filter='40 ms'/>",
                                    "<At time='0.5 s' set='s.y_operators.pid.kd' value='0'/>");
  EXPECT_NEAR(y[49], 1.4, 1e-4);
  EXPECT_NEAR(y[100], 0, 1e-4);
}

/// A controller of force: what is before it has the unit of the measurement, what is after it that of the
/// force.
TEST(OperatorTest, UnitsAreKnownOnBothSidesOfAChange) {
  TestSystem test(SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta4'",
                             "<mechanical.MassSpringDamper name='m'><Operators signal='force' unit='m'>"
                             "<operator.Offset name='before'/><operator.PID name='pid'/>"
                             "<operator.Offset name='after'/></Operators></mechanical.MassSpringDamper>"));
  const auto unit = [&](const std::string& item) { return test.Find("m.force_operators." + item).unit(); };
  EXPECT_EQ(unit("before.y"), "m");
  EXPECT_EQ(unit("pid.setpoint"), "m");
  EXPECT_EQ(unit("pid.low"), "N");
  EXPECT_EQ(unit("pid.y"), "N");
  EXPECT_EQ(unit("after.offset"), "N");
  EXPECT_EQ(unit("after.y"), "N");
}

/// With a tracking time the same law as signal.PID's: high - I falls as (1 - h/T)^n.
TEST(OperatorTest, PidNearsALimitInItsTrackingTime) {
  const std::vector<double> y =
      Out("<signal.Constant name='s' value='0'/>",
          "<operator.PID kp='0' ki='1000' high='2' tracking_time='50 ms' setpoint='1'/>");
  for (std::size_t n = 0; n < y.size(); ++n)
    EXPECT_NEAR(2 - y[n], 2 * std::pow(1 - kH / 0.05, static_cast<double>(n)), 1e-14) << n;
}

TEST(OperatorTest, InterlockHoldsOrIsSafe) {
  constexpr std::string_view kBlocked =
      "<signal.Pulse name='b' start_time='295 ms' width='200 ms' period='10 s'/>"
      "<Route from='b.y' to='s.y_operators.interlock.blocked'/>";
  const std::vector<double> u = Out(kSine, "<operator.Offset offset='0'/>");
  const std::vector<double> held = Out(kSine, "<operator.Interlock/>", kBlocked);
  const std::vector<double> safe =
      Out(kSine, "<operator.Interlock action='SafeValue' safe_value='-9'/>", kBlocked);
  for (std::size_t n = 0; n < u.size(); ++n) {
    const bool is_blocked = n >= 30 && n < 50;
    EXPECT_EQ(held[n], is_blocked ? u[29] : u[n]) << n;
    EXPECT_EQ(safe[n], is_blocked ? -9 : u[n]) << n;
  }
}

/// Before a component in an island of differential equations the signal is held over each TimeStep, so a mass
/// of 1 kg moves by v_(n+1) = v_n + h F_n, x_(n+1) = x_n + h v_n + h^2 F_n/2, without error of the method.
TEST(OperatorTest, SignalIsHeldOverATimeStepInAnIsland) {
  for (const char* method : {"runge_kutta4", "runge_kutta_dopri5"}) {
    TestSystem test(SystemText("TimeStep='10 ms' StopTime='2 s'", std::string("method='") + method + "'",
                               R"(<signal.Sine name="s" frequency="7 rad/s" amplitude="3 N"/>
           <mechanical.MassSpringDamper name="m" stiffness="0">
             <Operators signal="force"><operator.Scaling gain="2"/></Operators>
           </mechanical.MassSpringDamper>
           <Route from="s.y" to="m.force"/><Record signals="m.x m.v m.force"/>)"));
    double x = 0;
    double v = 0;
    double force = 0;
    std::size_t n = 0;
    for (const TestRow& row : test.RunAndRecord()) {
      if (n > 0) {
        force = 6 * std::sin(7 * (static_cast<double>(n - 1) * kH));
        x += kH * v + kH * kH * force / 2;
        v += kH * force;
      }
      EXPECT_NEAR(row.values[0], x, 1e-13) << n;
      EXPECT_NEAR(row.values[1], v, 1e-13) << n;
      EXPECT_EQ(row.values[2], force) << n;
      ++n;
    }
    EXPECT_EQ(n, 201U);
  }
}

/// Through the operators of an output and those of the input that reads it goes the value of one step point:
/// no step is lost between.
TEST(OperatorTest, OutputAndInputFollowEachOtherAtOneStepPoint) {
  TestSystem test(System(R"(<signal.Sine name="s" frequency="7 rad/s"><Operators signal="y">
                               <operator.Scaling gain="2"/></Operators></signal.Sine>
                             <signal.Gain name="g"><Operators signal="u"><operator.Offset offset="1"/></Operators>
                             </signal.Gain><Route from="s.y" to="g.u"/>)",
                         "s.y g.u g.u_operators.u"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  for (std::size_t n = 1; n < rows.size(); ++n) {
    EXPECT_EQ(rows[n].values[2], rows[n - 1].values[0]) << n;
    EXPECT_EQ(rows[n].values[1], rows[n - 1].values[0] + 1) << n;
  }
}

/// x'' = -k/m x: routes from x carry what the operators make of it, sampled and held; the state has the bits
/// of a run without operators.
TEST(OperatorTest, RoutesFromAStateCarryWhatItsOperatorsMakeOfIt) {
  const auto system = [](std::string_view operators, std::string_view record) {
    return System("<mechanical.MassSpringDamper name='b' mass='2 kg' stiffness='50 N/m'><Start x='0.1 m'/>" +
                      std::string(operators) +
                      "</mechanical.MassSpringDamper><signal.Gain name='g'/><Route from='b.x' to='g.u'/>",
                  record);
  };
  TestSystem with(system(R"(<Operators signal="x" unit="V"><operator.Scaling gain="2 V/m"/>
                              <operator.Delay time="20 ms"/></Operators>)",
                         "b.x g.u b.x_operators.y b.x.ddt"));
  TestSystem without(system("", "b.x b.x.ddt"));
  const std::vector<TestRow> rows = with.RunAndRecord(), plain = without.RunAndRecord();
  ASSERT_EQ(rows.size(), plain.size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(rows[n].values[0], plain[n].values[0]) << n;
    EXPECT_EQ(rows[n].values[3], plain[n].values[1]) << n;
    EXPECT_EQ(rows[n].values[2], 2 * rows[n < 2 ? 0 : n - 2].values[0]) << n;
    EXPECT_EQ(rows[n].values[1], rows[n > 0 ? n - 1 : 0].values[2]) << n;
  }
  EXPECT_THAT(FaultsOf(System(R"(<mechanical.MassSpringDamper name="b"><Operators signal="x" unit="V">
                                   <operator.Scaling gain="1 V/m"/></Operators></mechanical.MassSpringDamper>
                                 <Route from="b.x" to="b.force"/>)",
                              "b.x")),
              testing::ElementsAre(HasSubstr("cannot route b.x_operators.y [V] to b.force [N]")));
}

TEST(OperatorTest, InputWithoutARouteStartsFromItsOwnValue) {
  TestSystem test(System(R"(<signal.Gain name="g" u="3"><Operators signal="u">
                               <operator.Scaling name="twice" gain="2"/></Operators></signal.Gain>
                             <At time="0.5 s" set="g.u" value="7"/>
                             <At time="0.7 s" set="g.u_operators.twice.gain" value="-1"/>)",
                         "g.y"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  EXPECT_EQ(rows[50].values[0], 6);
  EXPECT_EQ(rows[51].values[0], 14);
  EXPECT_EQ(rows[70].values[0], 14);
  EXPECT_EQ(rows[71].values[0], -7);
}

/// With a TimeStep of its own the component has its operators at that TimeStep: those of inputs where its
/// steps begin, those of outputs where they end.
TEST(OperatorTest, PeriodIsTheTimeStepOfTheComponent) {
  TestSystem test(System(R"(<signal.Ramp name="s" duration="1 s" to="1"/>
                            <test.Body name="b" TimeStep="50 ms"><Operators signal="u">
                              <operator.Expression expr="period"/></Operators></test.Body>
                            <test.Body name="c" TimeStep="50 ms"><Operators signal="u">
                              <operator.Offset offset="0"/></Operators></test.Body>
                            <test.Body name="d" TimeStep="50 ms"><Operators signal="u">
                              <operator.Expression expr="time"/></Operators></test.Body>
                            <signal.Sine name="e" TimeStep="50 ms"><Operators signal="y">
                              <operator.Expression expr="time"/></Operators></signal.Sine>
                            <Route from="s.y" to="b.u"/><Route from="s.y" to="c.u"/>
                            <Route from="s.y" to="d.u"/>)",
                         "b.u c.u s.y d.u e.y"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  for (std::size_t n = 1; n < rows.size(); ++n) {
    const std::size_t begin = n % 5 == 0 ? n - 5 : n / 5 * 5;  // of the step that ends last
    EXPECT_EQ(rows[n].values[0], 0.05) << n;
    EXPECT_EQ(rows[n].values[1], rows[begin].values[2]) << n;
    EXPECT_NEAR(rows[n].values[3], static_cast<double>(begin) * kH, 1e-12) << n;
    EXPECT_NEAR(rows[n].values[4], static_cast<double>(n / 5 * 5) * kH, 1e-12) << n;
  }
}

constexpr std::string_view kWithMemory = R"(
  <test.Oscillator name="o" frequency="9 rad/s"/>
  <mechanical.MassSpringDamper name="m"><Operators signal="force" unit="m">
    <operator.Delay time="35 ms"/><operator.Delay name="short" time="4 ms"/><operator.Filter time_constant="20 ms"/><operator.Interlock/>
    <operator.PID kp="20 N/m" ki="3 N/m/s" kd="1 N.s/m"/></Operators></mechanical.MassSpringDamper>
  <signal.Pulse name="b" start_time="0.31 s" width="0.1 s" period="0.4 s"/>
  <Route from="o.x" to="m.force"/><Route from="b.y" to="m.force_operators.interlock.blocked"/>)";

/// The TimeStep is a power of 2, so that times after the Reset differ by it exactly.
TEST(OperatorTest, ResetResetsThem) {
  const auto run = [](std::string_view reset) {
    std::string content(kWithMemory);
    content.replace(content.find("<signal.Pulse"),
                    content.find("/>", content.find("<signal.Pulse")) + 2 - content.find("<signal.Pulse"),
                    "<signal.Constant name='b' value='0'/>");
    TestSystem test(
        SystemText("TimeStep='0.0078125 s' StopTime='1 s'", "method='runge_kutta4'",
                   content + std::string(reset) + "<Record signals='m.* m.force_operators.*.y'/>"));
    return test.RunAndRecord();
  };
  const std::vector<TestRow> once = run("");
  const std::vector<TestRow> twice = run("<At time='0.5 s' message='Reset' to='SimulatorManager'/>");
  ASSERT_EQ(once.size(), twice.size());
  EXPECT_EQ(once[63].values, twice[63].values);
  for (std::size_t n = 65; n < once.size(); ++n) {
    for (std::size_t i = 0; i < once[n].values.size(); ++i)
      EXPECT_EQ(twice[n].values[i], once[n - 64].values[i]) << n << ", " << i;
  }
}

TEST(OperatorTest, SnapshotsKeepTheirMemory) {
  const std::string text = System(kWithMemory, "* m.force_operators.*.y");
  TestSystem whole(text);
  const std::vector<TestRow> rows = whole.RunAndRecord();
  TestSystem first(text);
  first.RunTo(0.33);  // while the interlock blocks, with values in the delay
  std::stringstream snapshot;
  first.manager().SaveState(snapshot);
  TestSystem second(text);
  Diagnostics diagnostics;
  second.manager().LoadState(snapshot, {}, diagnostics);
  ASSERT_TRUE(diagnostics.all().empty());
  while (!second.manager().is_finished()) second.manager().Step();
  for (const char* path : {"m.x", "m.v", "m.force", "m.force_operators.delay.y", "m.force_operators.pid.y"})
    EXPECT_EQ(second.Read(path), whole.Read(path)) << path;
}

TEST(OperatorTest, AStepTakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  TestSystem test(System(std::string(kWithMemory) +
                             R"(<signal.Gain name="g"><Operators signal="y"><operator.Scaling gain="2"/>
                                <operator.Offset offset="1"/><operator.Limiter low="-1" high="1"/>
                                <operator.DeadBand band="0.1"/><operator.Expression expr="sin(u) + y/2"/>
                                </Operators></signal.Gain><Route from="o.v" to="g.u"/>)",
                         "*"));
  test.manager().Initialize();
  test.manager().Step();
  const AllocationCounter counter;
  while (!test.manager().is_finished()) test.manager().Step();
  EXPECT_EQ(counter.count(), 0U);
}

TEST(OperatorTest, NotFiniteValuesEndTheRunAndNameTheOperator) {
  TestSystem test(System(Chain("<signal.Ramp name='s' from='1' to='-1' duration='1 s'/>",
                               "<operator.Expression name='root' expr='sqrt(u)'/>"),
                         "g.y"));
  try {
    test.Run();
    FAIL() << "the run came through";
  } catch (const SimulationFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("/g/u_operators/root"));
    EXPECT_THAT(failure.what(), HasSubstr("not finite"));
  }
}

std::string Faults(std::string_view operators) {
  std::string all;
  for (const std::string& fault :
       FaultsOf(System("<signal.Sine name='s' amplitude='3 N'/><mechanical.MassSpringDamper name='m'>" +
                           std::string(operators) + "</mechanical.MassSpringDamper>",
                       "m.x")))
    all += fault + '\n';
  return all;
}

TEST(OperatorTest, UnitsAreThoseOfTheSignal) {
  EXPECT_THAT(Faults("<Operators signal='force'><operator.Limiter low='-5 m'/></Operators>"),
              HasSubstr("/m/force_operators/limiter: low: '-5 m' is m, but N is needed"));
  EXPECT_EQ(Faults("<Operators signal='force'><operator.Limiter low='-5 kN'/></Operators>"), "");
  // In front of the operator that changes the unit, and behind it.
  EXPECT_EQ(Faults("<Operators signal='force' unit='V'><operator.Limiter low='-5 mV'/>"
                   "<operator.Scaling gain='3 N/V'/><operator.Offset offset='1 kN'/></Operators>"),
            "");
  EXPECT_THAT(Faults("<Operators signal='force' unit='V'><operator.Limiter low='-5 N'/>"
                     "<operator.Scaling gain='3 N/V'/></Operators>"),
              HasSubstr("'-5 N' is N, but V is needed"));
  EXPECT_THAT(Faults("<Operators signal='force' unit='V'><operator.Limiter low='-5 mV'/></Operators>"),
              HasSubstr("no operator here turns 'V' into 'N'"));
  EXPECT_THAT(Faults("<Operators signal='force' unit='bar'><operator.Scaling/></Operators>"),
              HasSubstr("'bar' is not an SI unit"));
  EXPECT_THAT(FaultsOf(System("<mechanical.MassSpringDamper name='m'><Operators signal='force' unit='V'>"
                              "<operator.Scaling/></Operators></mechanical.MassSpringDamper>"
                              "<test.Oscillator name='o'/><Route from='o.x' to='m.force'/>",
                              "m.x")),
              testing::ElementsAre(HasSubstr("cannot route o.x [m] to m.force [V]")));
}

TEST(OperatorTest, ComponentKnowsItsOperators) {
  TestSystem test(System(kWithMemory, "m.x"));
  test.Run();
  auto& mass = dynamic_cast<DynamicSimComponent&>(*test.system().Find("m"));
  EXPECT_TRUE(mass.HasOperatorWithMatchingFullName("m.force_operators.pid"));
  EXPECT_TRUE(mass.HasOperatorWithMatchingFullName("force_operators.delay"));
  EXPECT_FALSE(mass.HasOperatorWithMatchingFullName("force_operators.limiter"));
  EXPECT_EQ(mass.GetOperatorPeriod(), kH);
}

/// What a plug-in adds.
class Rounding final : public Operator {
 public:
  static constexpr ModelInfo kInfo{.name = "sensors.Rounding", .text = "Rounds to steps of a converter"};
  double Apply(double u) override { return step * std::round(u / step); }

 private:
  Parameter step{this, "step", kAnyUnit, "Step of the converter", 1, kPositive};
};

TEST(OperatorTest, OthersCanBeAdded) {
  const auto add = [](Registry& registry) { registry.Add<Rounding>(); };
  SystemHarness test(
      System("<signal.Sine name='s' amplitude='3'><Operators signal='y'><sensors.Rounding step='0.25'/>"
             "</Operators></signal.Sine>",
             "s.y s.y_operators.u"),
      add);
  for (const RecordedRow& row : test.RunAndRecord())
    EXPECT_EQ(row.values[0], 0.25 * std::round(row.values[1] / 0.25));
}

TEST(OperatorTest, AllAreListedAndDescribed) {
  Registry registry;
  RegisterOperators(registry);
  EXPECT_EQ(registry.names().size(), 9U);
  for (const ModelEntry* entry : registry.entries()) {
    EXPECT_TRUE(entry->is_operator);
    EXPECT_TRUE(std::string_view(entry->info->equations).ends_with('\n')) << entry->info->name;
  }
}

}  // namespace
}  // namespace davit
