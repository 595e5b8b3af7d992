#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string WireSystem(const std::string& inside) {
  return fmt::format(R"(<System name="s"><SimulatorManager TimeStep="10 ms" StopTime="10 s">
    <Integration solver="ODE" method="runge_kutta_dopri5" rtol="1e-10" atol="1e-10"/></SimulatorManager>{}</System>)",
                     inside);
}

/// Two weights that slide along z, 1 m apart, on a rope over two sheaves 5 m above them.
std::string Atwood(double mass_1, double mass_2, double length) {
  const auto body = [](const char* name, const char* x, double mass) {
    return fmt::format(R"(<Body name="{}" at="{} 0 0 m" joint="prismatic" axis="0 0 1" mass="{} kg"/>)", name,
                       x, mass);
  };
  return WireSystem(fmt::format(R"(<mechanism.Mechanism name="m">{}{}
      <Frame name="left" at="-0.5 0 5 m"/><Frame name="right" at="0.5 0 5 m"/>
      <Mount name="line" a="one" via="left right" b="two"/></mechanism.Mechanism>
      <mechanical.WireRope name="rope" length="{:.17g} m" axial_stiffness="1e6 N"/>
      <Connect from="rope.a" to="m.line"/>)",
                                body("one", "-0.5", mass_1), body("two", "0.5", mass_2), length));
}

// Two weights on one rope: both accelerate with (m1 - m2)/(m1 + m2)*g, and the tension is 2*m1*m2/(m1 +
// m2)*g.
TEST(Wire, TwoWeightsOnARopeAccelerateAsAtwoodsMachine) {
  const double g = 9.81, m1 = 3, m2 = 2, tension = 2 * m1 * m2 / (m1 + m2) * g;
  // Stretched by that tension from the start: 11 m = L*(1 + T/EA).
  SystemHarness system(Atwood(m1, m2, 11 / (1 + tension / 1e6)));
  for (const double t : {0.5, 1.0, 1.5}) {
    system.RunTo(t);
    const double fall = (m1 - m2) / (m1 + m2) * g * t * t / 2;
    EXPECT_NEAR(system.Read("m.one_x"), -fall, 1e-7);
    EXPECT_NEAR(system.Read("m.two_x"), fall, 1e-7);
    EXPECT_NEAR(system.Read("rope.tension"), tension, 1e-3);
    EXPECT_EQ(system.Read("m.line_force"), -system.Read("rope.tension"));
  }
}

TEST(Wire, ASlackRopeLetsBothWeightsFall) {
  SystemHarness system(Atwood(3, 2, 20));
  system.RunTo(0.5);
  EXPECT_EQ(system.Read("rope.tension"), 0);
  EXPECT_NEAR(system.Read("m.one_x"), -9.81 * 0.125, 1e-9);
  EXPECT_NEAR(system.Read("m.two_x"), -9.81 * 0.125, 1e-9);
}

// A weight turns the drum that it hangs from: r*g*m/(J + m*r^2).
TEST(Wire, AWeightTurnsTheDrum) {
  const double m = 10, r = 0.2, J = 0.5, g = 9.81;
  const double turn = r * g * m / (J + m * r * r), tension = m * (g - r * turn);
  SystemHarness system(WireSystem(fmt::format(
      R"(<mechanism.Mechanism name="m"><Body name="weight" joint="prismatic" axis="0 0 1" mass="10 kg"/>
         <Mount name="line" a="base" a_at="0 0 4 m" b="weight"/></mechanism.Mechanism>
       <mechanical.WireRope name="rope" length="{:.17g} m" radius="0.2 m" axial_stiffness="1e6 N" axial_damping="1e4 N.s"/>
       <mechanical.Inertia name="drum" inertia="0.5 kg.m2"/>
       <Connect from="rope.a" to="m.line"/><Connect from="rope.drum" to="drum.a"/>)",
      4 / (1 + tension / 1e6))));
  system.RunTo(1);
  // The stiffness follows the free length, so the tension is approached from 4 m to nearly 8 m of rope.
  EXPECT_NEAR(system.Read("drum.w"), -turn, 1e-3 * turn);
  EXPECT_NEAR(system.Read("rope.tension"), tension, 1e-3 * tension);
  EXPECT_NEAR(system.Read("m.weight_x"), -r * turn / 2, 1e-3);
  EXPECT_NEAR(system.Read("rope.free_length") * (1 + system.Read("rope.tension") / 1e6),
              4 - system.Read("m.weight_x"), 1e-5);
}

TEST(Wire, FramesThatAreNotThereAreNamed) {
  EXPECT_THAT(SystemHarness::FaultsOf(WireSystem(
                  R"(<mechanism.Mechanism name="m"><Body name="b" joint="prismatic" axis="0 0 1" mass="1 kg"/>
                       <Frame name="top" at="0 0 5 m"/><Mount name="line" a="base" via="top tip" b="b"/>
                     </mechanism.Mechanism>)")),
              ElementsAre(HasSubstr("via: no frame 'tip'; did you mean 'top'?")));
}

}  // namespace
}  // namespace davit
