#include "components/user/equation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "simulator/simulation_failure.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kAccurate = "method='runge_kutta_dopri5' rtol='1e-10' atol='1e-12'";

std::vector<TestRow> RowsOf(const std::string& content,
                            std::string_view manager = "TimeStep='10 ms' StopTime='2 s'",
                            std::string_view integration = kAccurate) {
  TestSystem test(SystemText(manager, integration, content));
  test.StartRecording();
  return test.RunAndRecord();
}

constexpr const char* kOscillator = R"(
    <user.Equation name='body'>
      <Output name='energy' unit='J' expr='kinetic + k*x*x/2'/>
      <Output name='kinetic' unit='J' expr='m*v*v/2'/>
      <Parameter name='m' unit='kg' value='2 kg'/>
      <Parameter name='k' unit='N/m' value='50'/>
      <Parameter name='c' unit='N.s/m' value='3'/>
      <Input name='force' unit='N'/>
      <State name='x' unit='m' start='100 mm' der='v'/>
      <State name='v' unit='m/s' der='(force - c*v - k*x)/m'/>
    </user.Equation>)";

constexpr const char* kBall = R"(
    <user.Equation name='ball'>
      <Parameter name='g' value='9.81'/><Parameter name='e' value='0.8'/>
      <State name='h' unit='m' start='1' der='v'/><State name='v' unit='m/s' der='rests > 0.5 ? 0 : -g'/>
      <Variable name='rests'/><Variable name='impacts'/>
      <Guard name='floor' value='h' direction='falling'>
        <Set name='v' expr='-e*v'/><Set name='impacts' expr='impacts + 1'/>
        <Rest name='v' expr='0'/><Rest name='rests' expr='1'/><Rest name='h' expr='0'/>
      </Guard>
    </user.Equation><Record signals='ball.h ball.rests ball.impacts'/>)";

// The same equations with the same roundings: not one bit differs.
TEST(EquationTest, HasTheBitsOfTheModelInCpp) {
  const std::string rest =
      "<signal.Sine name='sine' amplitude='5' frequency='3 rad/s'/>"
      "<Route from='sine.y' to='body.force'/><Record signals='body.x body.v body.v.ddt'/>"
      "<At time='0.5' set='body.x' value='0.3'/>";
  const auto ours = RowsOf(kOscillator + rest);
  const auto theirs = RowsOf(
      "<mechanical.MassSpringDamper name='body' mass='2' stiffness='50' damping='3'>"
      "<Start x='0.1'/></mechanical.MassSpringDamper>" +
      rest);
  EXPECT_EQ(ours.size(), 201U);
  EXPECT_EQ(ours, theirs);
}

TEST(EquationTest, OutputsReadEachOtherInAnyOrder) {
  TestSystem test(SystemText("TimeStep='10 ms' StopTime='1 s'", kAccurate, kOscillator));
  test.manager().Initialize();
  EXPECT_EQ(test.Read("body.kinetic"), 0);
  EXPECT_DOUBLE_EQ(test.Read("body.energy"), 50 * 0.1 * 0.1 / 2);
}

// Attributes of the element set what is declared inside it; commands reach it during a run.
TEST(EquationTest, ParametersAreLive) {
  TestSystem test(SystemText(
      "TimeStep='10 ms' StopTime='1 s'", kAccurate,
      "<user.Equation name='e' k='3'><Parameter name='k' value='2'/><Parameter name='j' value='1'/>"
      "<Output name='y' expr='k + twice'/><Output name='twice' expr='2*j'/><State name='x' der='y'/>"
      "</user.Equation><At time='0.5 s' set='e.k' value='7'/>"));
  test.manager().Initialize();
  EXPECT_EQ(test.Read("e.y"), 5);
  test.manager().RunUntil(1);
  EXPECT_EQ(test.Read("e.y"), 9);
  EXPECT_NEAR(test.Read("e.x"), 0.5 * 5 + 0.5 * 9, 1e-12);
}

TEST(EquationTest, TakesNoMemoryInAStep) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "the heap belongs to the sanitizer";
  const auto count = [](const std::string& content) {
    TestSystem test(SystemText("TimeStep='10 ms' StopTime='5 s'", kAccurate, content));
    test.manager().Initialize();
    test.manager().RunUntil(0.1);
    const AllocationCounter counter;
    test.manager().RunUntil(2.5);
    return counter.count();
  };
  EXPECT_EQ(count(kOscillator), 0U);
  // An event is written down in the log of the run, in words; that is all, as with a model in C++.
  const std::string ball =
      "<mechanical.Mass name='ball' mass='1' weight='9.81' x_min='0' restitution='0.8' "
      "located_stops='true'><Start x='1'/></mechanical.Mass>";
  EXPECT_EQ(count(kBall), count(ball));
}

// ---- ports: each side written in XML against the component in C++, bit for bit

std::string Lines(const std::string& spring, const std::string& mass) {
  return "<mechanical.Fixed name='wall'/>" + spring + mass +
         "<Connect from='wall.port' to='spring.a'/><Connect from='spring.b' to='load.a'/>"
         "<Record signals='load.x load.v spring.b.F'/>";
}

TEST(EquationPortTest, ASpringAndAMassAreThoseOfCpp) {
  const std::string spring = "<mechanical.Spring name='spring' stiffness='400'/>";
  const std::string spring_equation =
      "<user.Equation name='spring'><Parameter name='k' value='400'/><Output name='F' unit='N' expr='k*(a.x "
      "+ b.x)'/>"
      "<Port name='a' domain='translational' role='C' c='F'/><Port name='b' domain='translational' role='C' "
      "c='F'/>"
      "</user.Equation>";
  const std::string mass = "<mechanical.Mass name='load' mass='10 kg'><Start x='0.1'/></mechanical.Mass>";
  const std::string mass_equation =
      "<user.Equation name='load'><Parameter name='m' unit='kg' value='10'/>"
      "<State name='x' unit='m' start='0.1' der='v'/><State name='v' unit='m/s' der='(a.c - a.Zc*v)/(m + "
      "a.added_mass)'/>"
      "<Port name='a' domain='translational' role='Q' x='-x' v='-v' mass='m'/></user.Equation>";
  // The bond's v is -v, so that c + Zc*v of the bond is a.c - a.Zc*v.
  const auto expected = RowsOf(Lines(spring, mass));
  EXPECT_EQ(RowsOf(Lines(spring_equation, mass)), expected);
  EXPECT_EQ(RowsOf(Lines(spring, mass_equation)), expected);
  EXPECT_EQ(RowsOf(Lines(spring_equation, mass_equation)), expected);
}

// V/B p' = -G p:  p = p0 exp(-G B/V t).
TEST(EquationPortTest, AVolumeEmptiesThroughALaminarRestriction) {
  const auto rows = RowsOf(R"(
      <user.Equation name='volume'>
        <Parameter name='V' unit='m3' value='1 l'/><Parameter name='B' unit='Pa' value='1e9'/>
        <State name='p' unit='Pa' start='100 bar' nominal='1 bar' der='B/V*port.q'/>
        <Port name='port' domain='hydraulic' role='C' c='p'/>
      </user.Equation>
      <user.Equation name='leak'>
        <Parameter name='G' unit='m3/s/Pa' value='1e-12'/>
        <Output name='q' unit='m3/s' expr='G*(a.c - b.c)/(1 + G*(a.Zc + b.Zc))'/>
        <Output name='drop' unit='Pa' expr='a.p - b.p'/>
        <Port name='a' domain='hydraulic' role='Q' q='-q'/><Port name='b' domain='hydraulic' role='Q' q='q'/>
      </user.Equation>
      <hydraulic.Tank name='tank'/>
      <Connect from='leak.a' to='volume.port'/><Connect from='leak.b' to='tank.port'/>
      <Record signals='volume.p leak.drop'/>)");
  ASSERT_EQ(rows.size(), 201U);
  for (const TestRow& row : rows) {
    EXPECT_NEAR(row.values[0], 1e7 * std::exp(-row.t), 1e-8 * 1e7) << row.t;  // 100 times rtol
    EXPECT_NEAR(row.values[1], row.values[0], 1e-9 * 1e7);
  }
}

// J w' = -k angle:  angle = cos(sqrt(k/J) t).
TEST(EquationPortTest, AnInertiaSwingsOnAShaft) {
  const auto rows = RowsOf(R"(
      <user.Equation name='wheel'>
        <State name='angle' unit='rad' start='1 rad' der='w'/><State name='w' unit='rad/s' der='-a.T/J'/>
        <Parameter name='J' unit='kg.m2' value='4'/>
        <Port name='a' domain='rotational' role='Q' angle='angle' w='w' inertia='J'/>
      </user.Equation>
      <user.Equation name='shaft'>
        <Parameter name='k' value='36'/><Port name='a' domain='rotational' role='C' c='k*a.angle'/>
      </user.Equation>
      <Connect from='wheel.a' to='shaft.a'/><Record signals='wheel.angle'/>)");
  for (const TestRow& row : rows) EXPECT_NEAR(row.values[0], std::cos(3 * row.t), 1e-8) << row.t;
}

// ---- guards

// Impacts at T (1 + 2 e + 2 e^2 ...), T = sqrt(2 h/g); all over after T (1 + e)/(1 - e) = 4.0637 s.
TEST(EquationGuardTest, ABallBouncesAndComesToRest) {
  const auto rows = RowsOf(kBall, "TimeStep='10 ms' StopTime='5 s'");
  const double T = std::sqrt(2 / 9.81);
  double impact = T;
  double flight = 2 * T;
  for (int n = 0; n < 8; ++n) {
    for (const TestRow& row : rows) {
      if (row.t < impact - 1e-9) {
        EXPECT_LE(row.values[2], n) << row.t;
      } else if (row.t > impact + 1e-9) {
        EXPECT_GE(row.values[2], n + 1) << row.t;
      }
    }
    flight *= 0.8;
    impact += flight;
  }
  EXPECT_EQ(rows.back().values[0], 0);
  EXPECT_EQ(rows.back().values[1], 1);
}

// All values are found before the first is written: the two change places.
TEST(EquationGuardTest, SetsTakeEffectTogether) {
  TestSystem test(
      SystemText("TimeStep='10 ms' StopTime='1 s'", kAccurate,
                 "<user.Equation name='e'><State name='a' start='3' der='0'/><Variable name='b' start='5'/>"
                 "<State name='s' der='1'/><Guard name='half' value='s - 0.5' direction='rising'>"
                 "<Set name='a' expr='b'/><Set name='b' expr='a'/></Guard></user.Equation>"));
  test.Run();
  EXPECT_EQ(test.Read("e.a"), 5);
  EXPECT_EQ(test.Read("e.b"), 3);
  test.Run();  // starts again
  EXPECT_EQ(test.Read("e.a"), 5);
}

// ---- faults of the run, and what is known early

TEST(EquationTest, AnExpressionWithoutAFiniteValueEndsTheRunByName) {
  TestSystem test(SystemText("TimeStep='10 ms' StopTime='2 s'", kAccurate,
                             "<user.Equation name='e'><State name='x' start='1' der='-1'/>"
                             "<Output name='y' expr='sqrt(x)'/></user.Equation>"));
  try {
    test.Run();
    FAIL() << "x is below 0 after 1 s";
  } catch (const SimulationFailure& failure) {
    EXPECT_THAT(failure.what(), HasSubstr("the value of 'y' is not finite"));
    EXPECT_NEAR(test.manager().time(), 1, 0.02);
  }
}

// An algebraic loop is reported in one line, however long it is; a chain has no such limit but a depth.
TEST(EquationTest, LongChainsAndCirclesAreAnswered) {
  const auto faults = [](int count, const std::string& last) {
    std::string content = "<user.Equation name='e'><Parameter name='k' value='1'/>";
    for (int i = 0; i < count; ++i) {
      content += "<Output name='y" + std::to_string(i) + "' expr='" +
                 (i + 1 < count ? 'y' + std::to_string(i + 1) : last) + "'/>";
    }
    return FaultsOf(SystemText("TimeStep='10 ms' StopTime='1 s'", kAccurate, content + "</user.Equation>"));
  };
  EXPECT_THAT(faults(5000, "k"), ElementsAre());
  EXPECT_THAT(faults(5000, "y0"), ElementsAre(HasSubstr("y8 -> y9 -> ... -> y0; solve the equations")));
  EXPECT_THAT(faults(20'000, "k"), ElementsAre(HasSubstr("more than 10000 levels")));
}

// An output of states alone is known before the evaluation of its readers; one of inputs closes a loop.
TEST(EquationTest, AnOutputOfStatesClosesNoLoop) {
  const auto faults = [](const std::string& expr) {
    return FaultsOf(SystemText("TimeStep='10 ms' StopTime='1 s'", kAccurate,
                               "<user.Equation name='plant'><Input name='u'/><State name='x' der='u - x'/>"
                               "<Output name='y' expr='" +
                                   expr +
                                   "'/></user.Equation><signal.Expression name='control'><Input name='e'/>"
                                   "<Output name='u' expr='-3*e'/></signal.Expression>"
                                   "<Route from='plant.y' to='control.e' hold='none'/>"
                                   "<Route from='control.u' to='plant.u' hold='none'/>"));
  };
  EXPECT_THAT(faults("2*x"), ElementsAre());
  EXPECT_THAT(faults("2*x + u"), testing::Contains(HasSubstr("loop")));
}

}  // namespace
}  // namespace davit
