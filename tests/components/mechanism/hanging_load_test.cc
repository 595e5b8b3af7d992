// Loads of a mechanism.Crane, and what its elements name. crane_motion_test.cc compares them with
// equations derived by hand.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "components/mechanism/crane.h"
#include "tests/support/partials_law.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A king and two booms with a load of 300 kg on 2 m of wire.
std::string CraneOf(std::string_view attributes, std::string_view load, std::string_view start = "") {
  return fmt::format(
      "<mechanism.Crane name='c' {}>"
      "<Body name='king' joint='revolute' axis='0 0 1' inertia='500 500 500 kg.m2'/>"
      "<Body name='boom' on='king' at='0.3 0 2 m' joint='revolute' axis='0 -1 0' mass='500 kg' centre='2 0 0 "
      "m' "
      "inertia='10 700 700 kg.m2' friction='200 N.m.s/rad'/>"
      "<Body name='jib' on='boom' at='4 0 0 m' joint='revolute' axis='0 -1 0' mass='250 kg' centre='1.5 0 0 "
      "m' "
      "inertia='5 200 200 kg.m2' friction='200 N.m.s/rad'/>"
      "<Load name='load' on='jib' at='3 0 0 m' about='king' mass='300 kg' length='2 m' stiffness='1e6 N' {}/>"
      "<Holding name='holds' of='boom'/>"
      "<Start king_rate='0.3 rad/s' boom_angle='40 deg' jib_angle='-70 deg' {}/></mechanism.Crane>",
      attributes, load, start);
}

std::string SystemWith(const std::string& content, std::string_view method = "runge_kutta_dopri5") {
  return SystemText("TimeStep='10 ms' StopTime='20 s'",
                    fmt::format("method='{}' rtol='1e-9' atol='1e-11'", method), content);
}

DynamicSimComponent& CraneIn(TestSystem& system) {
  const auto& components = system.system().components();
  return dynamic_cast<DynamicSimComponent&>(**std::ranges::find(components, "c", &Component::name));
}

// A boom that hangs down at rest and holds still: it carries the load at a fixed point. Small swings of a
// pendulum have the period 2*pi*sqrt(L/g); that of 0.02 rad is longer by 0.02^2/16.
TEST(HangingLoad, SwingsAsAPendulumOfTheLengthOfItsWire) {
  TestSystem system(SystemWith(
      "<mechanism.Crane name='c' level='Standard'>"
      "<Body name='boom' joint='revolute' axis='0 -1 0' start='-90 deg' mass='1e9 kg' centre='1 0 0 m' "
      "inertia='1e9 1e9 1e9 kg.m2'/>"
      "<Load name='load' on='boom' at='1 0 0 m' mass='10 kg' length='5 m' stiffness='1e8 N'/>"
      "<Start load_x='0.1 m' load_z='-5.998999899979995 m'/></mechanism.Crane>"));
  std::vector<double> crossings;
  double before = 0, t_before = 0;
  for (double t = 0; t <= 20; t += 0.01) {
    system.RunTo(t);
    const double x = system.Read("c.load_x");
    if (before > 0 && x <= 0) crossings.push_back(t_before + 0.01 * before / (before - x));
    before = x;
    t_before = t;
  }
  ASSERT_GE(crossings.size(), 4U);
  const double period = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
  EXPECT_NEAR(period / (2 * std::numbers::pi * std::sqrt(5 / 9.81)), 1, 1e-4);
}

// Taut and slack, on a deck, in the wind, while it is paid out, on a base that moves.
TEST(HangingLoad, ThePartialDerivativesAreThoseOfTheEquations) {
  const std::string base = "heave_rate='0.2 m/s' roll='0.1 rad' roll_rate='0.2 rad/s' yaw_rate='0.1 rad/s' ";
  for (const std::string& attributes :
       {std::string("level='Standard'"), base + "level='Standard' load_winch_speed='0.1 m/s'",
        base + "level='Advanced' load_release='1' load_wind_x='10 m/s'", std::string("level='Ideal'")}) {
    for (const char* load : {"swing_damping_ratio='0.02'", "deck_height='1.1 m' release_tension='100 N'",
                             "deck_height='1.1 m' deck_on='base'"}) {
      TestSystem system(SystemWith(CraneOf(attributes, load), "rodas5p"));
      DynamicSimComponent& crane = CraneIn(system);
      // At the start the pull is the weight, where the law of the damping has a kink.
      for (const double t : {0.03, 0.1, 0.4}) {
        system.RunTo(t);
        const auto evaluate = [&] {
          crane.EvaluateEfforts(t);
          crane.EvaluateDiffEquations(t);
        };
        EXPECT_THAT(WrongPartials(evaluate, crane), IsEmpty()) << attributes << ' ' << load << ' ' << t;
      }
    }
  }
}

TEST(HangingLoad, AContactWithADeckThatMovesHasThePartialDerivativesOfItsForce) {
  TestSystem system(SystemWith(
      "<mechanism.Crane name='c' heave_rate='0.2 m/s' roll='0.1 rad' roll_rate='0.2 rad/s' yaw_rate='0.1 "
      "rad/s'>"
      "<Body name='box' joint='free' mass='300 kg' inertia='50 60 70 kg.m2'/>"
      "<Contact name='toe' on='box' at='0.4 0.3 -0.5 m' stiffness='1e6 N/m' damping='0.3 s/m' friction='0.3' "
      "deck_height='2 m' deck_on='base'/>"
      "<Start box_z='2.498 m' box_vx='0.5 m/s' box_wy='0.2 rad/s'/></mechanism.Crane>",
      "rodas5p"));
  DynamicSimComponent& crane = CraneIn(system);
  system.RunTo(0.01);
  EXPECT_GT(system.Read("c.toe_fz"), 100);
  const auto evaluate = [&] {
    crane.EvaluateEfforts(0.01);
    crane.EvaluateDiffEquations(0.01);
  };
  EXPECT_THAT(WrongPartials(evaluate, crane), IsEmpty());
}

// dV/dq along the joint, by differences of the potential energy of booms and load.
TEST(HangingLoad, AHoldingTorqueIsTheSlopeOfThePotentialEnergy) {
  const auto read = [](const std::string& level, double angle, const char* item) {
    std::string text = SystemWith(CraneOf("level='" + level + "'", ""));
    const std::string own = "boom_angle='40 deg'";
    text.replace(text.find(own), own.size(), fmt::format("boom_angle='{} rad'", angle));
    TestSystem system(text);
    system.RunTo(0);
    return system.Read(item);
  };
  constexpr double kAngle = 0.7, kStep = 1e-4;
  const double slope = (read("Ideal", kAngle + kStep, "c.potential_energy") -
                        read("Ideal", kAngle - kStep, "c.potential_energy")) /
                       (2 * kStep);
  // The third derivative of V, which is as large as the first, times step^2/6.
  EXPECT_NEAR(read("Ideal", kAngle, "c.holds") / slope, 1, 1e-7);
  EXPECT_NEAR(read("Standard", kAngle, "c.holds") / slope, 1, 1e-7);
}

TEST(HangingLoad, ASwitchKeepsTheMotionOfTheBooms) {
  for (const auto& [from, to] :
       {std::pair<const char*, const char*>{"Ideal", "Standard"}, {"Standard", "Ideal"}}) {
    TestSystem system(SystemWith(CraneOf(fmt::format("level='{}'", from), "") +
                                 fmt::format("<At time='0.2 s' set='c.level' value='{}'/>", to)));
    system.RunTo(0.19);
    const double angle = system.Read("c.boom_angle"), rate = system.Read("c.boom_rate");
    const double again = system.Read("c.king_rate");
    system.RunTo(0.21);
    // They accelerate by at most g over the length of the jib, as a jump would not.
    EXPECT_NEAR(system.Read("c.boom_angle"), angle + 0.02 * rate, 0.02 * 0.02 * 10);
    EXPECT_NEAR(system.Read("c.boom_rate"), rate, 0.02 * 10);
    EXPECT_NEAR(system.Read("c.king_rate"), again, 0.02);
    EXPECT_EQ(system.Read("c.load_at"), to == std::string("Standard") ? 1 : 0);
    if (to == std::string("Ideal")) continue;
    const double below = std::hypot(system.Read("c.at_load_x") - system.Read("c.at_load_tip_x"),
                                    system.Read("c.at_load_y") - system.Read("c.at_load_tip_y"),
                                    system.Read("c.at_load_z") - system.Read("c.at_load_tip_z"));
    EXPECT_NEAR(below, 2, 0.02);  // the wire is not stretched far in 10 ms
  }
}

TEST(HangingLoad, RadiusAndMomentAreSeenFromTheKing) {
  TestSystem system(SystemWith(CraneOf("level='Ideal'", "", "king_angle='50 deg'")));
  system.RunTo(0);
  const double degree = std::numbers::pi / 180;
  const double radius = 0.3 + 4 * std::cos(40 * degree) + 3 * std::cos(-30 * degree);
  EXPECT_NEAR(system.Read("c.load_radius"), radius, 1e-12);
  EXPECT_NEAR(system.Read("c.load_height"), 2 + 4 * std::sin(40 * degree) + 3 * std::sin(-30 * degree),
              1e-12);
  EXPECT_NEAR(system.Read("c.load_pull"), 300 * 9.81, 1e-9);
  EXPECT_NEAR(system.Read("c.load_moment"), 300 * 9.81 * radius, 1e-8);
}

TEST(MechanismNames, ARenamedItemHasTheNewName) {
  const std::string renames =
      "<Rename name='q' of='boom_angle'/><Rename name='load' of='load_mass'/><Rename name='slew' of='king'/>";
  std::string text = SystemWith(CraneOf("level='Ideal'", ""));
  text.insert(text.find("<Holding"), renames);
  text.replace(text.find("boom_angle='40 deg'"), 10, "q");
  text.insert(text.find("</mechanism.Crane>") + 18, "<At time='0.1 s' set='c.load' value='400 kg'/>");
  TestSystem system(text);
  system.RunTo(0);
  EXPECT_NEAR(system.Read("c.q"), 40 * std::numbers::pi / 180, 1e-15);
  system.RunTo(0.2);
  EXPECT_NEAR(system.Read("c.load_pull"), 400 * 9.81, 1e-9);
  EXPECT_THROW((void)system.Read("c.boom_angle"), std::out_of_range);
}

TEST(MechanismNames, WhatIsWrongIsNamedInOnePass) {
  const auto faults = [](const std::string& items) {
    return FaultsOf(
        SystemWith("<mechanism.Crane name='c'><Body name='boom' joint='revolute' axis='0 -1 0' mass='5 kg' "
                   "inertia='1 1 1 kg.m2'/><Body name='weld' on='boom'/>" +
                   items + "</mechanism.Crane>"));
  };
  EXPECT_THAT(
      faults("<Load name='a' on='boom'/><Load name='b' on='boom' mass='-1 kg'/>"
             "<Load name='d' on='base' mass='1 kg'/><Load name='e' on='boom' mass='1 kg' length='0 m'/>"
             "<Holding name='f' of='weld'/><Holding name='g' of='bom'/>"),
      ElementsAre(HasSubstr("Load needs the attribute 'mass'"), HasSubstr("mass: it must be >= 0"),
                  HasSubstr("the base cannot carry it"), HasSubstr("length: it must be above 0"),
                  HasSubstr("only a body with a revolute or prismatic joint"), HasSubstr("boom")));
  EXPECT_THAT(faults("<Rename name='q' of='boom_angel'/>"),
              ElementsAre(HasSubstr("no item 'boom_angel'; did you mean 'boom_angle'")));
  EXPECT_THAT(faults("<Rename name='boom_rate' of='boom_angle'/>"),
              ElementsAre(HasSubstr("two items are named 'boom_rate'")));
}

}  // namespace
}  // namespace davit
