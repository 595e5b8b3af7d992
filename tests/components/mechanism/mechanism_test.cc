#include "components/mechanism/mechanism.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "components/mechanism/crane.h"
#include "components/mechanism/mechanism_description.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string SystemOf(const std::string& inside, const std::string& method = "runge_kutta_dopri5",
                     const std::string& tolerance = "1e-10") {
  return fmt::format(R"(<System name="s">
    <SimulatorManager TimeStep="10 ms" StopTime="10 s">
      <Integration solver="ODE" method="{}" rtol="{}" atol="{}"/>
    </SimulatorManager>{}</System>)",
                     method, tolerance, tolerance, inside);
}

std::vector<std::string> FaultsOf(const std::string& items) {
  return SystemHarness::FaultsOf(
      SystemOf("<mechanism.Mechanism name=\"m\">" + items + "</mechanism.Mechanism>"));
}

constexpr std::string_view kRod =
    R"(mass="1 kg" centre="0.5 0 0 m" inertia="0 0.08333333333333333 0.08333333333333333 kg.m2")";

std::string Body(std::string_view name, std::string_view rest) {
  return fmt::format(R"(<Body name="{}" joint="revolute" axis="0 -1 0" {} {}/>)", name, kRod, rest);
}

class MechanismTest : public testing::Test {
 protected:
  static double Energy(const SystemHarness& system) {
    return system.Read("m.kinetic_energy") + system.Read("m.potential_energy");
  }
};

TEST_F(MechanismTest, AThreefoldPendulumKeepsItsEnergy) {
  SystemHarness system(SystemOf("<mechanism.Mechanism name=\"m\">" + Body("a", "start=\"10 deg\"") +
                                Body("b", "on=\"a\" at=\"1 0 0 m\"") +
                                R"(<Body name="c" on="b" at="1 0 0 m" joint="spherical" mass="1 kg"
                                        centre="0.5 0 0 m" inertia="0.01 0.08 0.08 kg.m2"/></mechanism.Mechanism>)"));
  system.RunTo(0);
  const double energy = Energy(system);
  double largest = 0;
  for (double t = 0.5; t <= 10; t += 0.5) {
    system.RunTo(t);
    largest = std::max(largest, system.Read("m.kinetic_energy"));
    // A hundred times the tolerance for ten seconds of it.
    EXPECT_NEAR(Energy(system), energy, 1e-8 * largest);
  }
  EXPECT_GT(largest, 10);
}

// What nothing reads inside of steps is left out there; what is read must not be: outputs of a frame, and
// what the states of a load would be that is fixed to its tip. These, as of all states that are not in use,
// are read one evaluation late; a velocity that is held over a TimeStep would miss the way by 1e-2 m.
TEST_F(MechanismTest, TheIntegralOfAVelocityIsTheWay) {
  for (const auto& [velocity, tolerance] : {std::pair("m.tip_vz", 1e-8), std::pair("m.load_vz", 1e-4)}) {
    SystemHarness system(SystemOf("<mechanism.Crane name=\"m\" level=\"Ideal\">" +
                                  Body("a", "start=\"10 deg\"") +
                                  R"(<Frame name="tip" on="a" at="1 0 0 m"/>
                                     <Load name="load" on="a" at="1 0 0 m" mass="1 kg"/></mechanism.Crane>
                                   <signal.Integrator name="way"/><Route to="way.u" from=")" +
                                  std::string(velocity) + "\"/>"));
    system.RunTo(0);
    const double begin = system.Read("m.tip_z");
    double largest = 0;
    for (double t = 0.1; t <= 2; t += 0.1) {
      system.RunTo(t);
      const double way = system.Read("m.tip_z") - begin;
      EXPECT_NEAR(system.Read("way.y"), way, tolerance) << velocity;
      largest = std::max(largest, std::abs(way));
    }
    EXPECT_GT(largest, 1);
  }
}

TEST_F(MechanismTest, AFourBarKeepsItsEnergyAndItsLoop) {
  SystemHarness system(SystemOf("<mechanism.Mechanism name=\"m\"><Start crank_rate=\"3 rad/s\"/>" +
                                Body("crank", "start=\"60 deg\"") +
                                Body("coupler", "on=\"crank\" at=\"1 0 0 m\" start=\"-60 deg\"") +
                                Body("rocker", "on=\"coupler\" at=\"1.5 0 0 m\" start=\"-60 deg\"") +
                                R"(<Loop name="ground" a="rocker" a_at="1.2 0 0 m" b="base" b_at="1.6 0 0 m"
                                         joint="revolute" axis="0 -1 0"/></mechanism.Mechanism>)"));
  system.RunTo(0);
  EXPECT_LT(system.Read("m.loop_error"), 1e-12);
  const double energy = Energy(system);
  for (double t = 0.5; t <= 10; t += 0.5) {
    system.RunTo(t);
    EXPECT_NEAR(Energy(system), energy, 1e-8 * (std::abs(energy) + 20));
    EXPECT_LT(system.Read("m.loop_error"), 1e-9);
  }
}

// A body that slides on a spring is the mass that davit has for it, and one that turns is the inertia.
TEST_F(MechanismTest, PortsOfJointsAreThoseOfMassAndInertia) {
  const std::string spring =
      R"(<mechanical.Spring name="{0}" stiffness="100 N/m"/><Connect from="{0}.b" to="wall.port"/>)";
  const auto with = [&](const char* name) { return fmt::format(fmt::runtime(spring), name); };
  SystemHarness system(SystemOf(
      R"(<mechanism.Mechanism name="m" gravity="0"><Body name="cart" joint="prismatic" axis="1 0 0" mass="2 kg"
           friction="0.5 N.s/m"/><Start cart_x="0.1 m"/></mechanism.Mechanism>
         <mechanical.Mass name="mass" mass="2 kg" viscous_friction="0.5 N.s/m"><Start x="0.1 m"/></mechanical.Mass>)" +
      std::string(R"(<mechanical.Fixed name="wall"/>)") + with("left") + with("right") +
      R"(<Connect from="left.a" to="m.cart"/><Connect from="right.a" to="mass.a"/>)"));
  for (double t = 0.5; t <= 3; t += 0.5) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("m.cart_x"), system.Read("mass.x"), 1e-9);
    EXPECT_NEAR(system.Read("m.cart_v"), system.Read("mass.v"), 1e-9);
  }
  EXPECT_NE(system.Read("mass.v"), 0);
}

TEST_F(MechanismTest, AMountHoldsABodyOnASpring) {
  // A spring between two points one above the other, and a body that slides along their line: at rest k*s =
  // m*g.
  SystemHarness system(SystemOf(
      R"(<mechanism.Mechanism name="m"><Body name="cart" joint="prismatic" axis="0 0 1" mass="2 kg"
           friction="40 N.s/m" start="1 m"/><Mount name="on" a="base" b="cart" shortest="1 m"/></mechanism.Mechanism>
         <mechanical.Spring name="spring" stiffness="100 N/m"/><mechanical.Fixed name="wall"/>
         <Connect from="spring.a" to="m.on"/><Connect from="spring.b" to="wall.port"/>)"));
  system.RunTo(10);
  EXPECT_NEAR(system.Read("m.on_length"), 1 - 2 * 9.81 / 100, 1e-8);
  EXPECT_NEAR(system.Read("m.on_force"), 2 * 9.81, 1e-6);
  EXPECT_EQ(system.Read("m.on_length"), system.Read("m.cart_x"));
}

// A cylinder says where its prismatic joint starts, unless the joint says it.
TEST_F(MechanismTest, ACylinderAtAPrismaticJointSaysWhereItStarts) {
  const auto start = [](const std::string& given) {
    SystemHarness system(SystemOf(
        R"(<mechanism.Mechanism name="m" gravity="0"><Body name="slide" joint="prismatic" axis="1 0 0" mass="100 kg"
             start="0.1 m"/>)" +
        given +
        R"(</mechanism.Mechanism><hydraulic.Cylinder name="c" stroke="1 m"><Start x="0.3 m"/></hydraulic.Cylinder>
                   <hydraulic.Tank name="t"/><Connect from="c.a" to="t.port"/><Connect from="c.b" to="t.port"/>
                   <Connect from="c.rod" to="m.slide"/>)"));
    system.RunTo(0);
    return system.Read("m.slide_x");
  };
  EXPECT_EQ(start(""), 0.3);
  EXPECT_EQ(start(R"(<Start slide_x="0.4 m"/>)"), 0.4);
}

// What a glob such as `m.*` means.
TEST_F(MechanismTest, AllOutputsOfAFrameAreResults) {
  SystemHarness system(SystemOf("<mechanism.Mechanism name=\"m\">" + Body("a", "") +
                                R"(<Frame name="tip" on="a" at="2 0 0 m"/></mechanism.Mechanism>)"));
  int count = 0;
  for (const Component* component : system.system().components()) {
    for (const OutputDeclaration& output : component->declarations().outputs) {
      if (!output.label.name.starts_with("tip_")) continue;
      EXPECT_TRUE(output.is_primary) << output.label.name;
      ++count;
    }
  }
  EXPECT_EQ(count, 15);
}

TEST_F(MechanismTest, FramesShowWhereTheyAre) {
  SystemHarness system(SystemOf("<mechanism.Mechanism name=\"m\" gravity=\"0\"><Start a_rate=\"2 rad/s\"/>" +
                                Body("a", "at=\"1 2 3 m\" turned=\"0 0 90 deg\"") +
                                R"(<Frame name="tip" on="a" at="2 0 0 m"/></mechanism.Mechanism>)"));
  system.RunTo(0.5);
  // The joint axis is turned onto x: the tip circles in the plane of y and z.
  EXPECT_NEAR(system.Read("m.tip_x"), 1, 1e-9);
  EXPECT_NEAR(system.Read("m.tip_y"), 2 + 2 * std::cos(1.0), 1e-8);
  EXPECT_NEAR(system.Read("m.tip_z"), 3 + 2 * std::sin(1.0), 1e-8);
  EXPECT_NEAR(system.Read("m.tip_vz"), 4 * std::cos(1.0), 1e-8);
  EXPECT_NEAR(system.Read("m.tip_az"), -8 * std::sin(1.0), 1e-7);
  EXPECT_NEAR(system.Read("m.tip_ay"), -8 * std::cos(1.0), 1e-7);
  EXPECT_NEAR(system.Read("m.tip_wx"), 2, 1e-8);
  EXPECT_NEAR(system.Read("m.tip_yaw"), std::numbers::pi / 2, 1e-9);
  EXPECT_NEAR(system.Read("m.tip_pitch"), -1, 1e-8);
  EXPECT_NEAR(system.Read("m.tip_roll"), 0, 1e-9);
}

// Roll, pitch and yaw of a frame on the base are those of the base.
TEST_F(MechanismTest, DirectionsAreThoseOfTheBase) {
  SystemHarness system(SystemOf(
      R"(<mechanism.Mechanism name="m" roll="20 deg" pitch="-30 deg" yaw="140 deg"><Body name="b" mass="1 kg"/>
           <Frame name="f" on="b"/></mechanism.Mechanism>)"));
  system.RunTo(0.01);
  const double degree = std::numbers::pi / 180;
  EXPECT_NEAR(system.Read("m.f_roll"), 20 * degree, 1e-14);
  EXPECT_NEAR(system.Read("m.f_pitch"), -30 * degree, 1e-14);
  EXPECT_NEAR(system.Read("m.f_yaw"), 140 * degree, 1e-14);
}

TEST_F(MechanismTest, ABeamHoldsItsWeightAtItsEnd) {
  SystemHarness system(SystemOf(
      R"(<mechanism.Mechanism name="m"><Body name="beam" turned="0 0 90 deg" mass="2 kg" centre="0.5 0 0 m"/>
           <Reaction name="wall" of="beam"/></mechanism.Mechanism>)"));
  system.RunTo(0.01);
  EXPECT_NEAR(system.Read("m.wall_fz"), 2 * 9.81, 1e-13);
  EXPECT_NEAR(system.Read("m.wall_my"), -0.5 * 2 * 9.81, 1e-13);  // in the frame of the joint
  EXPECT_NEAR(system.Read("m.wall_mx"), 0, 1e-13);
}

// Newton's law for the whole: what goes through the first joint moves all masses and carries their weight.
TEST_F(MechanismTest, TheFirstJointCarriesAllThatMoves) {
  SystemHarness system(SystemOf("<mechanism.Mechanism name=\"m\">" + Body("a", "start=\"10 deg\"") +
                                Body("b", "on=\"a\" at=\"1 0 0 m\" turned=\"0 0 40 deg\"") +
                                R"(<Mount name="rod" a="a" a_at="0.3 0 0.2 m" b="b" b_at="0.4 0 -0.1 m"/>
                                   <Frame name="fa" on="a" at="0.5 0 0 m"/><Frame name="fb" on="b" at="0.5 0 0 m"/>
                                   <Reaction name="pin" of="a"/></mechanism.Mechanism>
                                   <mechanical.Spring name="s" stiffness="300 N/m"/><mechanical.Fixed name="wall"/>
                                   <Connect from="s.a" to="m.rod"/><Connect from="s.b" to="wall.port"/>)"));
  for (double t = 0.1; t <= 1; t += 0.1) {
    system.RunTo(t);
    const auto sum = [&](const std::string& of) {
      return system.Read("m.fa_" + of) + system.Read("m.fb_" + of);
    };
    EXPECT_NEAR(system.Read("m.pin_fx"), sum("ax"), 1e-11);
    EXPECT_NEAR(system.Read("m.pin_fy"), sum("ay"), 1e-11);
    EXPECT_NEAR(system.Read("m.pin_fz"), sum("az") + 2 * 9.81, 1e-11);
    EXPECT_NEAR(system.Read("m.pin_my"), 0, 1e-11);  // the pin turns freely
  }
  EXPECT_GT(std::abs(system.Read("m.pin_mx")), 0.1);
}

// The base pushes by a joint and by a mount, the ground by a contact; the base is turned.
TEST_F(MechanismTest, TheBaseCarriesAllThatMovesLessWhatTheGroundCarries) {
  SystemHarness system(
      SystemOf("<mechanism.Mechanism name=\"m\" roll=\"20 deg\" heave=\"1 m\" ground=\"1.5 m\">" +
               Body("a", "start=\"10 deg\"") + Body("b", "on=\"a\" at=\"1 0 0 m\" turned=\"0 0 40 deg\"") +
               R"(<Mount name="rod" a="base" a_at="0.3 0 0.6 m" b="b" b_at="0.4 0 -0.1 m"/>
                                   <Contact name="foot" on="b" at="1 0 0 m" stiffness="1e3 N/m" friction="0.3"/>
                                   <Frame name="fa" on="a" at="0.5 0 0 m"/><Frame name="fb" on="b" at="0.5 0 0 m"/>
                                   <Reaction name="all" of="base"/></mechanism.Mechanism>
                                   <mechanical.Spring name="s" stiffness="300 N/m"/><mechanical.Fixed name="wall"/>
                                   <Connect from="s.a" to="m.rod"/><Connect from="s.b" to="wall.port"/>)"));
  const double c = std::cos(20 * std::numbers::pi / 180), s = std::sin(20 * std::numbers::pi / 180);
  double largest = 0;
  for (double t = 0.1; t <= 1; t += 0.1) {
    system.RunTo(t);
    const auto sum = [&](const std::string& of) {
      return system.Read("m.fa_a" + of) + system.Read("m.fb_a" + of) - system.Read("m.foot_f" + of);
    };
    const double x = sum("x"), y = sum("y"), z = sum("z") + 2 * 9.81;
    EXPECT_NEAR(system.Read("m.all_fx"), x, 1e-11);
    EXPECT_NEAR(system.Read("m.all_fy"), c * y + s * z, 1e-11);
    EXPECT_NEAR(system.Read("m.all_fz"), c * z - s * y, 1e-11);
    largest = std::max(largest, system.Read("m.foot_fz"));
  }
  EXPECT_GT(largest, 1);
}

// At rest its moment is that of the weight, whatever holds it.
TEST_F(MechanismTest, TheMomentOfTheBaseIsAboutItsOrigin) {
  SystemHarness system(SystemOf(
      R"(<mechanism.Mechanism name="m" surge="7 m" heave="3 m"><Body name="beam" at="1 2 3 m" mass="2 kg" centre="0.5 0 0 m"/>
           <Reaction name="all" of="base"/></mechanism.Mechanism>)"));
  system.RunTo(0.01);
  EXPECT_NEAR(system.Read("m.all_fz"), 2 * 9.81, 1e-12);
  EXPECT_NEAR(system.Read("m.all_mx"), 2 * 2 * 9.81, 1e-12);
  EXPECT_NEAR(system.Read("m.all_my"), -1.5 * 2 * 9.81, 1e-12);
  EXPECT_NEAR(system.Read("m.all_mz"), 0, 1e-12);
}

// What a joint carries, a loop carries that joins a free body in the same way.
TEST_F(MechanismTest, ALoopCarriesWhatAJointCarries) {
  const std::string rest = R"(mass="2 kg" centre="0.5 0.1 -0.2 m" inertia="0.3 0.4 0.5 kg.m2"/>)";
  const std::string place = R"( at="1 2 0.5 m" turned="0 20 0 deg" )";
  SystemHarness system(SystemOf(
      R"(<mechanism.Mechanism name="m" surge_acceleration="3 m/s2" yaw_acceleration="2 rad/s2" roll="0.3 rad">
           <Body name="joined" joint="revolute" axis="1 0 0" start="40 deg")" +
      place + rest + R"(<Body name="looped" joint="free")" + place + rest +
      fmt::format(R"(<Start looped_qw="{}" looped_qx="{}"/>)", std::cos(std::numbers::pi / 9),
                  std::sin(std::numbers::pi / 9)) +
      R"(<Loop name="pin" a="base" a_at="1 2 0.5 m" a_turned="0 20 0 deg" b="looped" joint="revolute" axis="1 0 0"/>
         <Reaction name="j" of="joined"/><Reaction name="l" of="pin"/></mechanism.Mechanism>)"));
  system.RunTo(0.05);
  for (const char* axis : {"fx", "fy", "fz", "my", "mz"}) {
    const double of_joint = system.Read(std::string("m.j_") + axis);
    EXPECT_NEAR(system.Read(std::string("m.l_") + axis), of_joint, 1e-8 * 20) << axis;
    EXPECT_GT(std::abs(of_joint), 0.1) << axis;
  }
}

/// A body that is free to move, with a contact at its centre.
std::string Free(const std::string& contact, const std::string& start) {
  return R"(<mechanism.Mechanism name="m" ground="0.5 m"><Body name="b" joint="free" mass="2 kg" inertia="1 1 1 kg.m2"/>
              <Contact name="c" on="b" stiffness="1e4 N/m" )" +
         contact + "/><Start " + start + "/></mechanism.Mechanism>";
}

TEST_F(MechanismTest, ABodyThatFallsOnTheGroundBouncesBack) {
  SystemHarness system(SystemOf(Free("", R"(b_z="1.5 m")")));
  const double energy = 2 * 9.81 * 1.5;
  double deepest = 0, highest_later = 0;
  for (double t = 0.01; t <= 2; t += 0.01) {
    system.RunTo(t);
    const double depth = std::max(0.0, system.Read("m.c_depth"));
    deepest = std::max(deepest, depth);
    if (t > 0.6) highest_later = std::max(highest_later, system.Read("m.b_z"));
    EXPECT_NEAR(Energy(system) + 1e4 * depth * depth / 2, energy, 1e-6 * energy) << t;
  }
  EXPECT_GT(deepest, 0.05);
  EXPECT_GT(highest_later, 1.49);
}

TEST_F(MechanismTest, ABodyOnTheGroundRestsAndSlidesToAStop) {
  SystemHarness system(
      SystemOf(Free(R"(damping="2 s/m" friction="0.3")", R"(b_z="0.498038 m" b_vx="2 m/s")")));
  system.RunTo(0.5);
  // mu*g slows it; the speed of slip takes 0.01^2/2/v^2 of that at most.
  EXPECT_NEAR(system.Read("m.b_vx"), 2 - 0.3 * 9.81 * 0.5, 3e-4);
  system.RunTo(5);
  EXPECT_NEAR(system.Read("m.b_vx"), 0, 1e-8);
  EXPECT_NEAR(system.Read("m.c_depth"), 2 * 9.81 / 1e4, 1e-9);
  EXPECT_NEAR(system.Read("m.c_fz"), 2 * 9.81, 1e-5);
}

// A pendulum swings from its upper limit to the lower one and bounces back: without damping it keeps its
// energy.
TEST_F(MechanismTest, LimitsOfJointsAreElasticStops) {
  SystemHarness system(
      SystemOf("<mechanism.Mechanism name=\"m\" stop_damping=\"0\" angle_stop_stiffness=\"1e4 N.m/rad\">" +
               Body("a", "start=\"10 deg\" lower=\"-30 deg\" upper=\"20 deg\"") + "</mechanism.Mechanism>"));
  const double lower = -std::numbers::pi / 6, energy = 9.81 * 0.5 * std::sin(std::numbers::pi / 18);
  double least = 0, most_later = -1;
  for (double t = 0.01; t <= 3; t += 0.01) {
    system.RunTo(t);
    const double angle = system.Read("m.a_angle"), beyond = std::min(0.0, angle - lower);
    least = std::min(least, angle);
    if (t > 0.5) most_later = std::max(most_later, angle);
    EXPECT_NEAR(Energy(system) + 1e4 * beyond * beyond / 2, energy, 1e-6 * energy) << t;
  }
  EXPECT_LT(least, lower);
  EXPECT_NEAR(most_later, std::numbers::pi / 18, 1e-3);
}

TEST_F(MechanismTest, WrongLimitsAreNamed) {
  EXPECT_THAT(
      FaultsOf(Body("a", "lower=\"1 rad\" upper=\"0 rad\"") + Body("b", "lower=\"0 rad\" start=\"-1 rad\"") +
               R"(<Body name="c" joint="free" mass="1 kg" lower="1 m"/>)"),
      ElementsAre(HasSubstr("lower: it is above upper"), HasSubstr("start: it is beyond the limits"),
                  HasSubstr("lower: only revolute and prismatic joints have it")));
}

TEST_F(MechanismTest, WrongContactsAndReactionsAreNamed) {
  EXPECT_THAT(FaultsOf(R"(<Body name="a" mass="1 kg"/><Contact name="c" on="a"/>
                          <Contact name="d" on="a" stiffness="0 N/m" friction="-1"/>
                          <Contact name="e" stiffness="1e5 N/m"/>
                          <Contact name="h" on="a" stiffness="1e5 N/m" deck_on="base"/>
                          <Contact name="i" on="a" stiffness="1e5 N/m" deck_on="bass" deck_height="1 m"/>
                          <Reaction name="f" of="aa"/><Reaction name="g"/>)"),
              ElementsAre(HasSubstr("Contact needs the attribute 'stiffness'"),
                          HasSubstr("stiffness: it must be above 0"), HasSubstr("friction: it is negative"),
                          HasSubstr("Contact: the base cannot be pushed"),
                          HasSubstr("Contact needs the attribute 'deck_height'"),
                          HasSubstr("deck_on: 'bass' is none; did you mean 'base'?"),
                          HasSubstr("of: no body or loop 'aa'; did you mean 'a'?"),
                          HasSubstr("Reaction needs the attribute 'of'")));
}

// On a base that falls a pendulum does not fall; on one that turns it is left behind by the Coriolis force.
TEST_F(MechanismTest, ThePendulumFeelsTheMotionOfItsBase) {
  const auto rate_after = [&](const std::string& attributes) {
    SystemHarness system(SystemOf("<mechanism.Mechanism name=\"m\" " + attributes + ">" + Body("a", "") +
                                  "</mechanism.Mechanism>"));
    system.RunTo(0.01);
    return system.Read("m.a_rate");
  };
  const double l = 0.5, inertia = 1.0 / 12 + l * l;
  // To first order in 10 ms, with gravity across the rod: -m*l*(g + a)*t/I.
  EXPECT_NEAR(rate_after(""), -l * 9.81 * 0.01 / inertia, 1e-5);
  EXPECT_NEAR(rate_after("heave_acceleration=\"2 m/s2\""), -l * 11.81 * 0.01 / inertia, 1e-5);
  EXPECT_NEAR(rate_after("heave_acceleration=\"-9.81 m/s2\""), 0, 1e-12);
  // Turned by 90 deg about x, the axis points along -z, and nothing makes it turn but the base.
  EXPECT_NEAR(rate_after("roll=\"90 deg\""), 0, 1e-12);
  EXPECT_NEAR(rate_after("roll=\"90 deg\" yaw_acceleration=\"3 rad/s2\""), 3 * 0.01, 1e-12);
}

TEST_F(MechanismTest, WhatIsWrongIsNamedInOnePass) {
  EXPECT_THAT(
      FaultsOf(R"(<Body name="a" joint="hinge" mass="1 kg"/>
                          <Body name="b" on="c" mass="-1 kg"/>
                          <Body name="d" joint="revolute" mass="1 kg"/>
                          <Body name="e" joint="revolute" axis="0 0 0" mass="1 kg"/>
                          <Body name="f" mass="1 kg" inertia="1 1 5 kg.m2"/>
                          <Body name="g" at="1 2 m"/>
                          <Body name="g" colour="red"/>
                          <Frame name="h" on="x"/>
                          <Mount name="i" a="base" b="base"/>
                          <Loop name="j" a="base" b="f"/>
                          <Loop name="k" a="base" b="base" distance="0 m"/>)"),
      ElementsAre(HasSubstr("no attribute 'colour' in Body"), HasSubstr("a second item 'g'"),
                  HasSubstr("joint: 'hinge' is none; use one of"), HasSubstr("on: no body 'c'"),
                  HasSubstr("mass: it is negative"), HasSubstr("Body needs the attribute 'axis'"),
                  HasSubstr("axis: '0 0 0' has no direction"), HasSubstr("inertia: its principal moments"),
                  HasSubstr("at: '1 2 m' has 2 numbers in place of 3; write for example"),
                  HasSubstr("on: no body 'x'"), HasSubstr("give either joint"),
                  HasSubstr("Loop: both ends are on one body"), HasSubstr("distance: it must be above 0"),
                  HasSubstr("Mount: both ends are on one body")));
}

TEST_F(MechanismTest, BodiesThatCarryEachOtherAreACircle) {
  EXPECT_THAT(FaultsOf(R"(<Body name="a" on="b" mass="1 kg"/><Body name="b" on="a" mass="1 kg"/>)"),
              ElementsAre(HasSubstr("is carried by this body itself")));
}

TEST_F(MechanismTest, ABodyThatNothingResistsIsNamed) {
  EXPECT_THAT(FaultsOf(Body("a", "") + R"(<Body name="b" on="a" joint="revolute" axis="0 0 1"/>)"),
              ElementsAre(HasSubstr("nothing resists the motion of body 'b'")));
}

TEST_F(MechanismTest, ALoopThatCannotCloseSaysByHowMuch) {
  EXPECT_THAT(
      FaultsOf(Body("a", "") + Body("b", "on=\"a\" at=\"1 0 0 m\"") +
               R"(<Loop name="far" a="b" a_at="1 0 0 m" b="base" b_at="5 0 0 m" joint="spherical"/>)"),
      ElementsAre(HasSubstr("far does not close at the start: its ends are 3 m apart")));
}

TEST_F(MechanismTest, ALoopOfFixedJointsOnlyIsAnError) {
  constexpr const char* kBodies =
      R"(<Body name="a" mass="1 kg"/><Body name="b" on="a" at="1 0 0 m" mass="1 kg"/>)";
  for (const char* place : {"1 0 0 m", "2 0 0 m"}) {
    EXPECT_THAT(
        FaultsOf(kBodies + fmt::format(R"(<Loop name="l" a="b" b="base" b_at="{}" joint="fixed"/>)", place)),
        ElementsAre(HasSubstr("only fixed joints are between its ends")));
  }
  // A cylinder there is as useless, and says where it would have to start.
  EXPECT_THAT(SystemHarness::FaultsOf(
                  SystemOf(std::string("<mechanism.Mechanism name='m'>") + kBodies +
                           "<Mount name='c_mount' a='base' b='b' shortest='1 m'/></mechanism.Mechanism>"
                           "<hydraulic.Cylinder name='c' stroke='1 m'><Start x='0.3 "
                           "m'/></hydraulic.Cylinder><hydraulic.Tank name='t'/>"
                           "<Connect from='c.a' to='t.port'/><Connect from='c.b' to='t.port'/><Connect "
                           "from='c.rod' to='m.c_mount'/>")),
              ElementsAre(HasSubstr("c_mount does not close at the start: its cylinder makes it 1.3 m long, "
                                    "with x = 0.3 m, but its ends are 1 m apart, which is x = 0 m")));
}

// A body that is left out takes along what it carries, what names it, and what would be wrong without it.
TEST_F(MechanismTest, OneFaultyAttributeIsOneError) {
  const auto faults_with = [](std::string_view mass, std::string_view mount) {
    return SystemHarness::FaultsOf(SystemOf(fmt::format(
        R"(<mechanism.Mechanism name="m" king_friction="1 N.m.s/rad">
             <Body name="king" joint="revolute" axis="0 0 1" mass="{0}" inertia="1 1 1 kg.m2"/>
             <Body name="boom" on="king" joint="revolute" axis="0 -1 0" mass="1 kg" centre="1 0 0 m"/>
             <Body name="carrier" joint="prismatic" axis="1 0 0"/><Body name="load" on="carrier" mass="{0}"/>
             <Mount name="lift" a="king" a_at="0 0 -1 m" b="boom" b_at="1 0 0 m" {1}/>
             <Frame name="tip" on="boom" at="2 0 0 m"/><Mount name="wire" a="base" a_at="9 0 0 m" via="tip" b="boom"/>
             <Loop name="far" a="base" a_at="0 0 9 m" b="boom" distance="1 m"/>
             <Reaction name="pin" of="king"/><Holding name="hold" of="boom"/><Reaction name="rod" of="far"/>
             <Rename name="q" of="boom_angle"/>
             <Start king_angle="1 rad" q="2 rad"/>
           </mechanism.Mechanism>
           <hydraulic.Cylinder name="c"/><hydraulic.Tank name="t"/><Connect from="c.rod" to="m.lift"/>
           <Connect from="c.a" to="t.port"/><Connect from="c.b" to="t.port"/>
           <signal.Gain name="gain"/><Route from="m.lift_length" to="gain.u"/>
           <Record signals="m.king_rate m.q m.lift_force m.tip_x"/>)",
        mass, mount)));
  };
  EXPECT_THAT(faults_with("1 kgg", ""), ElementsAre(HasSubstr("mass: "), HasSubstr("mass: ")));
  EXPECT_THAT(faults_with("1 kg", "shortest=\"-1 m\""), ElementsAre(HasSubstr("shortest: it is negative")));
  EXPECT_THAT(FaultsOf(Body("2nd", "") + Body("hook", "on=\"2nd\"") + R"(<Frame name="tip" on="2nd"/>)"),
              ElementsAre(HasSubstr("'2nd' is not a name")));
}

TEST_F(MechanismTest, ASecondCarrierIsALoop) {
  EXPECT_THAT(FaultsOf(Body("a", "") + Body("b", "") + Body("c", "on=\"a\"") + Body("c", "on=\"b\"")),
              ElementsAre(HasSubstr("a second carrier of a body is a <Loop>")));
}

TEST_F(MechanismTest, AnAngleThatCannotCloseSaysByHowMuch) {
  EXPECT_THAT(FaultsOf(R"(<Body name="a" joint="prismatic" axis="1 0 0" mass="1 kg"/>
                          <Loop name="l" a="a" b="base" b_turned="0 0 30 deg" joint="revolute" axis="1 0 0"/>)"),
              ElementsAre(HasSubstr("l does not close at the start: its ends are 30 deg apart")));
}

/// A parallelogram of three rods with the crank upright.
std::string Parallelogram(const std::string& starts) {
  return starts + Body("crank", "start=\"90 deg\"") +
         Body("coupler", "on=\"crank\" at=\"1 0 0 m\" start=\"-90 deg\"") +
         Body("rocker", "on=\"coupler\" at=\"1 0 0 m\" start=\"-90 deg\"") +
         R"(<Loop name="ground" a="rocker" a_at="1 0 0 m" b="base" b_at="1 0 0 m" joint="revolute" axis="0 -1 0"/>)";
}

// The coupler of a parallelogram keeps its direction: its speed against the crank is that of the crank,
// backwards.
TEST_F(MechanismTest, StartsThatContradictALoopAreAnError) {
  EXPECT_THAT(FaultsOf(Parallelogram(R"(<Start crank_rate="1 rad/s" coupler_rate="-1 rad/s"/>)")),
              ElementsAre());
  EXPECT_THAT(FaultsOf(Parallelogram(R"(<Start crank_rate="1 rad/s" coupler_rate="1 rad/s"/>)")),
              ElementsAre(HasSubstr("the start speeds do not fit ground: its ends would part by")));
  EXPECT_THAT(
      FaultsOf(Parallelogram(R"(<Start crank_angle="90 deg" coupler_angle="0 deg" rocker_angle="0 deg"/>)")),
      ElementsAre(HasSubstr("ground does not close at the start")));
}

TEST_F(MechanismTest, NamesThatMeetAreAnError) {
  EXPECT_THAT(
      FaultsOf(R"(<Body name="a" mass="1 kg"/><Body name="b" joint="prismatic" axis="1 0 0" mass="1 kg"/>
                          <Mount name="a_mass" a="base" a_at="1 0 0 m" b="b"/>
                          <Frame name="at_a"/>)"),
      ElementsAre(HasSubstr("two items are named 'at_a_x'"), HasSubstr("two items are named 'at_a_y'"),
                  HasSubstr("two items are named 'at_a_z'"), HasSubstr("two items are named 'a_mass'")));
}

TEST_F(MechanismTest, AMountWhoseEndsMeetIsAnError) {
  EXPECT_THAT(
      FaultsOf(
          R"(<Body name="b" joint="prismatic" axis="1 0 0" mass="1 kg"/><Mount name="on" a="base" b="b"/>)"),
      ElementsAre(HasSubstr("two points of on meet at the start, so its force has no direction")));
}

// The four-bar stands for redundant equations: three of its five repeat others.
TEST_F(MechanismTest, AnEvaluationTakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  SystemHarness system(
      SystemOf("<mechanism.Mechanism name=\"m\">" + Parallelogram(R"(<Start crank_rate="1 rad/s"/>)") +
               R"(<Mount name="rod" a="base" a_at="0 0 -1 m" b="coupler"/></mechanism.Mechanism>)"));
  system.RunTo(0.1);
  const AllocationCounter counter;
  system.RunTo(0.2);
  EXPECT_EQ(counter.count(), 0U);
}

// The table of docs/mechanisms.md has a row for each element: | `Body` | what | `name`, `on`, ... |
TEST(MechanismPage, ThePageListsTheAttributesOfEachElement) {
  std::ifstream page(std::string(DAVIT_SOURCE_DIR) + "/docs/mechanisms.md");
  std::map<std::string, std::vector<std::string>> rows;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> words;
    for (std::size_t at = line.find('`'); at != std::string::npos; at = line.find('`', at)) {
      const std::size_t end = line.find('`', at + 1);
      words.push_back(line.substr(at + 1, end - at - 1));
      at = end + 1;
    }
    rows[words.front()].assign(words.begin() + 1, words.end());
  }
  for (const std::string& kind : Crane().ItemKinds()) EXPECT_EQ(rows[kind], AttributesOf(kind)) << kind;
}

TEST_F(MechanismTest, ALongChainIsReadWithoutRecursion) {
  std::string items;
  for (int i = 2000; i > 0; --i) {
    items += fmt::format(R"(<Body name="b{}" on="{}" joint="revolute" axis="0 1 0" {}/>)", i,
                         i == 1 ? std::string("base") : fmt::format("b{}", i - 1), kRod);
  }
  EXPECT_THAT(FaultsOf(items), ElementsAre());
}

}  // namespace
}  // namespace davit
