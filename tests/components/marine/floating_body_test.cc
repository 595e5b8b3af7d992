#include "components/marine/floating_body.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/simulator_manager.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kGravity = 9.81;

/// IDA holds the error of a step to 1e-10; some thousand steps add up to less than 1e-6.
constexpr double kTolerance = 1e-6;

std::string AfloatSystem(const std::string& inside, const std::string& rest = "") {
  return R"(<System name="s" xmlns="urn:davit:system:1"><SimulatorManager TimeStep="50 ms" StopTime="200 s">
    <Integration solver="DAE" method="ida" rtol="1e-10" atol="1e-12"/></SimulatorManager>
    <marine.FloatingBody name="hull">)" +
         inside + "</marine.FloatingBody>" + rest + "</System>";
}

/// A mechanism `crane` that stands on the vessel: its base moves with it and loads it.
std::string StandingCrane(const std::string& bodies, const std::string& attributes = "") {
  std::string text = "<mechanism.Crane name=\"crane\" " + attributes + ">" + bodies +
                     "<Reaction name=\"foot\" of=\"base\"/></mechanism.Crane>";
  for (const char* degree : {"surge", "sway", "heave", "roll", "pitch", "yaw"}) {
    for (const char* what : {"", "_rate", "_acceleration"})
      text += fmt::format(R"(<Route from="hull.{0}{1}" to="crane.{0}{1}" hold="none"/>)", degree, what);
  }
  for (const char* load : {"fx", "fy", "fz", "mx", "my", "mz"})
    text += fmt::format(R"(<Route from="crane.foot_{0}" to="hull.{0}" hold="none"/>)", load);
  return text;
}

constexpr const char* kHeave =
    R"(<Mass degree="heave" heave="4000 t"/><AddedMass degree="heave" heave="5000 t"/>
       <Stiffness degree="heave" heave="1.2e7 N/m"/>)";
constexpr double kInertia = 9e6, kStiffness = 1.2e7;  // of it

TEST(FloatingBodyTest, HeaveDecaysAsADampedOscillator) {
  SystemHarness system(AfloatSystem(
      std::string(kHeave) + R"(<Damping degree="heave" heave="3e6 N.s/m"/><Start heave_shift="0.5 m"/>)"));
  const double decay = 3e6 / (2 * kInertia), w = std::sqrt(kStiffness / kInertia - decay * decay);
  for (const double t : {0.0, 1.0, 5.0, 30.0}) {
    system.RunTo(t);
    const double expected = 0.5 * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
    EXPECT_NEAR(system.Read("hull.heave"), expected, kTolerance) << t;
  }
}

TEST(FloatingBodyTest, ARigidLoadSwingsAlongHoweverHeavyItIs) {
  // Twice as heavy as the hull with its added mass.
  SystemHarness system(AfloatSystem(std::string(kHeave) + R"(<Start heave_shift="-14.2150 m"/>)",
                                    StandingCrane(R"(<Body name="load" at="3 -2 5 m" mass="18000 t"/>)")));
  const double m = 1.8e7, rest = -m * kGravity / kStiffness, w = std::sqrt(kStiffness / (kInertia + m));
  for (const double t : {0.5, 5.0, 20.0}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("hull.heave"), rest + (-14.2150 - rest) * std::cos(w * t), 10 * kTolerance) << t;
    EXPECT_NEAR(system.Read("crane.foot_fz"), m * (kGravity + system.Read("hull.heave_acceleration")),
                1e-9 * m * kGravity);
  }
}

TEST(FloatingBodyTest, ALoadAtARadiusHeelsIt) {
  // Critically damped with 2 rad/s: after 100 s it is at rest.
  const double m = 20e3, radius = 8, height = 5, stiffness = 4e7;
  SystemHarness system(AfloatSystem(std::string(kHeave) + R"(<Damping degree="heave" heave="2e7 N.s/m"/>
          <Mass degree="roll" roll="1e7 kg.m2"/><Damping degree="roll" roll="4e7 N.m.s/rad"/>
          <Stiffness degree="roll" roll="4e7 N.m/rad"/>)",
                                    StandingCrane(R"(<Body name="load" at="0 8 5 m" mass="20 t"/>)")));
  system.RunTo(100);
  double roll = 0;  // stiffness*roll = -m*g*(radius*cos(roll) - height*sin(roll))
  for (int i = 0; i < 100; ++i)
    roll = -m * kGravity * (radius * std::cos(roll) - height * std::sin(roll)) / stiffness;
  EXPECT_NEAR(system.Read("hull.roll"), roll, 1e-8);
  EXPECT_LT(roll, -0.03) << "port goes down";
  EXPECT_NEAR(system.Read("hull.heave"), -m * kGravity / kStiffness, 1e-8);
  EXPECT_EQ(system.Read("hull.pitch"), 0) << "it has no mass";
}

TEST(FloatingBodyTest, AForceAtAPlaceHasItsMoment) {
  const std::string hull =
      R"(<Mass degree="pitch" pitch="1e7 kg.m2"/><Damping degree="pitch" pitch="4e7 N.m.s/rad"/>
                              <Stiffness degree="pitch" pitch="4e7 N.m/rad"/>)";
  SystemHarness system(AfloatSystem(hull));
  // 10 m forward, pulled down by 100 kN along the axis of the vessel: my = 10*F, bow down.
  system.simulation().Write("hull.x", 10);
  system.simulation().Write("hull.fz", 1e5);
  system.RunTo(100);
  EXPECT_NEAR(system.Read("hull.pitch"), 10 * 1e5 / 4e7, 1e-9);
}

// All that a passive crane and a hull without damping have is the energy of the start, and nothing pushes
// along x.
TEST(FloatingBodyTest, CraneAndHullKeepEnergyAndMomentum) {
  SystemHarness system(AfloatSystem(
      R"(<Mass degree="surge" surge="300 t"/><Mass degree="sway" sway="300 t"/>
         <Mass degree="heave" heave="300 t" pitch="4e5 kg.m"/><Mass degree="roll" roll="5e6 kg.m2"/>
         <Mass degree="pitch" pitch="2e7 kg.m2"/><Mass degree="yaw" yaw="2e7 kg.m2"/>
         <AddedMass degree="surge" surge="30 t"/><AddedMass degree="heave" heave="200 t"/>
         <Stiffness degree="heave" heave="4e6 N/m" pitch="2e6 N/rad"/><Stiffness degree="roll" roll="2e7 N.m/rad"/>
         <Stiffness degree="pitch" pitch="3e8 N.m/rad"/><Start heave_shift="-0.1 m"/>)",
      StandingCrane(
          R"(<Body name="hook" at="4 1 12 m" joint="universal" axis="1 0 0" second_axis="0 1 0" mass="40 t"
          centre="0 0 -6 m" inertia="1e4 1e4 1e4 kg.m2"/><Frame name="load" on="hook" at="0 0 -6 m"/>
          <Start hook_angle_1="25 deg" hook_angle_2="-40 deg"/>)")));
  const auto energy = [&] {
    double sum = 0;
    for (const char* part :
         {"hull.kinetic_energy", "hull.potential_energy", "crane.kinetic_energy", "crane.potential_energy"})
      sum += system.Read(part);
    return sum;
  };
  system.RunTo(0);
  const double first = energy(), swing = 40e3 * kGravity * 6;
  double largest_roll = 0, largest_speed = 0;
  for (double t = 0.5; t <= 30; t += 0.5) {
    system.RunTo(t);
    EXPECT_NEAR(energy(), first, kTolerance * swing) << t;
    const double hull = 330e3 * system.Read("hull.surge_rate"), crane = 40e3 * system.Read("crane.load_vx");
    EXPECT_NEAR(hull + crane, 0, kTolerance * 40e3 * 10) << t;
    largest_roll = std::max(largest_roll, std::abs(system.Read("hull.roll")));
    largest_speed = std::max(largest_speed, std::abs(system.Read("hull.surge_rate")));
  }
  EXPECT_GT(largest_roll, 0.05);
  EXPECT_GT(largest_speed, 0.3);
}

constexpr std::array<const char*, 6> kFoot{"crane.foot_fx", "crane.foot_fy", "crane.foot_fz",
                                           "crane.foot_mx", "crane.foot_my", "crane.foot_mz"};

/// What the vessel does to its load at rest, and how deep and inclined it lies.
std::vector<double> RestOf(const std::string& hull, const std::string& crane) {
  SystemHarness system(AfloatSystem(hull, crane));
  system.RunTo(100);
  std::vector<double> rest;
  for (const char* item : kFoot) rest.push_back(system.Read(item));
  for (const char* item : {"hull.heave", "hull.roll", "hull.pitch"}) rest.push_back(system.Read(item));
  return rest;
}

void ExpectTheSame(const std::vector<double>& rest, const std::vector<double>& fixed) {
  for (std::size_t i = 0; i < kFoot.size(); ++i) {
    // A moment of 2 MN.m is the largest of them.
    EXPECT_NEAR(rest[i], fixed[i], 1e-9 * (i < 3 ? 2e5 : 2e6)) << kFoot[i];
  }
  for (std::size_t i = kFoot.size(); i < rest.size(); ++i) EXPECT_NEAR(rest[i], fixed[i], 1e-9) << i;
}

constexpr const char* kHeavilyDamped =
    R"(<Mass degree="heave" heave="4000 t"/><AddedMass degree="heave" heave="5000 t"/>
       <Stiffness degree="heave" heave="1.2e7 N/m"/><Damping degree="heave" heave="2e7 N.s/m"/>)";

// A weight of 20 t that stands on the deck, 8 m to port, loads and heels the vessel as one that is fixed to
// it. A guide keeps it in place; the deck is higher by how deep the weight is in it.
TEST(FloatingBodyTest, AContactWithTheDeckLoadsItAsWhatIsFixedToIt) {
  const std::string hull =
      std::string(kHeavilyDamped) +
      R"(<Mass degree="roll" roll="1e7 kg.m2"/><Damping degree="roll" roll="4e7 N.m.s/rad"/>
      <Stiffness degree="roll" roll="4e7 N.m/rad"/><Mass degree="pitch" pitch="1e7 kg.m2"/>
      <Damping degree="pitch" pitch="4e7 N.m.s/rad"/><Stiffness degree="pitch" pitch="4e7 N.m/rad"/>)";
  const std::vector<double> fixed =
      RestOf(hull, StandingCrane(R"(<Body name="load" at="3 8 5 m" mass="20 t"/>)"));
  const double roll = fixed[7], pitch = fixed[8];
  EXPECT_LT(roll, -0.03);
  const std::vector<double> standing =
      RestOf(hull, StandingCrane(fmt::format(
                       R"(<Body name="load" at="3 8 5 m" joint="prismatic" axis="0 0 1" mass="20 t"/>
      <Contact name="foot_a" on="load" stiffness="1e7 N/m" damping="5 s/m" friction="0.5" deck_height="{0:.17g} m" deck_on="base"/>
      <Contact name="foot_b" on="load" stiffness="1e7 N/m" damping="5 s/m" deck_height="{0:.17g} m" deck_on="base"/>)",
                       5 + 20e3 * kGravity * std::cos(roll) * std::cos(pitch) / 2e7)));
  ExpectTheSame(standing, fixed);
}

// The same on a wire that is slack.
TEST(FloatingBodyTest, ALoadThatIsSetDownOnTheDeckLoadsItAsWhatIsFixedToIt) {
  const std::string post = R"(<Body name="post" at="3 8 10 m" mass="1 t"/>)";
  const std::vector<double> fixed =
      RestOf(kHeavilyDamped, StandingCrane(post + R"(<Body name="fixed" at="3 8 6 m" mass="20 t"/>)"));
  const double sinks = 20e3 * kGravity / 1e7;
  const std::vector<double> lying = RestOf(
      kHeavilyDamped, StandingCrane(post + fmt::format(R"(<Load name="load" on="post" mass="20 t" length="5 m"
          deck_height="{:.17g} m" deck_on="base"/><Start load_x="3 m" load_y="8 m" load_z="6 m"/>)",
                                                       6 + sinks),
                                    "level=\"Standard\""));
  ExpectTheSame(lying, fixed);
  EXPECT_NEAR(fixed[3], 8 * 21e3 * kGravity, 1);
}

// A box falls on the deck, slides, turns and comes to rest on it, beside a load that is set down with a slack
// wire. Only heave is held by something else.
TEST(FloatingBodyTest, WhatSlidesOnTheDeckGivesItsMomentumToTheVessel) {
  std::string crane =
      R"(<Body name="post" at="-6 -3 10 m" mass="2 t" inertia="1 1 1 kg.m2"/>
         <Body name="box" joint="free" mass="40 t" inertia="1e5 1e5 1e5 kg.m2"/><Frame name="centre" on="box"/>
         <Frame name="head" on="post"/>
         <Load name="load" on="post" mass="30 t" length="5 m" deck_height="6 m" deck_on="base" deck_friction="0.2"/>
         <Start box_x="4 m" box_y="1 m" box_z="4.2 m" box_vx="3 m/s" box_vy="1 m/s" box_wz="0.4 rad/s"
             load_x="-6 m" load_y="-3 m" load_z="6 m" load_vx="-1 m/s" load_vy="2 m/s"/>)";
  for (const char* corner : {"1.5 1 -1 m", "1.5 -1 -1 m", "-1.5 1 -1 m", "-1.5 -1 -1 m"})
    crane += fmt::format(
        R"(<Contact name="c{}" on="box" at="{}" stiffness="1e7 N/m" damping="0.5 s/m" friction="0.4"
                              deck_height="3 m" deck_on="base"/>)",
        std::count(crane.begin(), crane.end(), 'C'), corner);
  SystemHarness system(AfloatSystem(
      R"(<Mass degree="surge" surge="300 t"/><Mass degree="sway" sway="300 t"/><Mass degree="heave" heave="300 t"/>
         <Mass degree="yaw" yaw="2e7 kg.m2"/><Stiffness degree="heave" heave="4e6 N/m"/>
         <Damping degree="heave" heave="3e5 N.s/m"/>)",
      StandingCrane(crane, "level=\"Standard\"")));
  struct Momentum {
    double x = 0, y = 0, about_z = 0;
  };
  const auto momentum = [&] {
    Momentum sum;
    const auto add = [&](double m, double x, double y, double vx, double vy) {
      sum.x += m * vx;
      sum.y += m * vy;
      sum.about_z += m * (x * vy - y * vx);
    };
    const auto read = [&](const char* item) { return system.Read(item); };
    const double surge = read("hull.surge"), sway = read("hull.sway"), yaw = read("hull.yaw"),
                 rate = read("hull.yaw_rate"), c = std::cos(yaw), s = std::sin(yaw);
    add(300e3, surge, sway, read("hull.surge_rate"), read("hull.sway_rate"));
    add(40e3, read("crane.centre_x"), read("crane.centre_y"), read("crane.centre_vx"),
        read("crane.centre_vy"));
    add(2e3, read("crane.head_x"), read("crane.head_y"), read("crane.head_vx"), read("crane.head_vy"));
    // The load is seen from the vessel.
    const double x = c * read("crane.load_x") - s * read("crane.load_y"),
                 y = s * read("crane.load_x") + c * read("crane.load_y"),
                 vx = c * read("crane.load_vx") - s * read("crane.load_vy"),
                 vy = s * read("crane.load_vx") + c * read("crane.load_vy");
    add(30e3, surge + x, sway + y, read("hull.surge_rate") + vx - rate * y,
        read("hull.sway_rate") + vy + rate * x);
    sum.about_z += (2e7 + 1) * rate + 1e5 * read("crane.centre_wz");
    return sum;
  };
  system.RunTo(0);
  const Momentum first = momentum();
  EXPECT_NEAR(first.x, 40e3 * 3 - 30e3, 1);
  for (double t = 0.25; t <= 8; t += 0.25) {
    system.RunTo(t);
    const Momentum now = momentum();
    EXPECT_NEAR(now.x, first.x, kTolerance * 40e3 * 3) << t;
    EXPECT_NEAR(now.y, first.y, kTolerance * 40e3 * 3) << t;
    EXPECT_NEAR(now.about_z, first.about_z, kTolerance * 40e3 * 3 * 10) << t;
  }
  // Both have come to rest on the vessel, which has their momentum.
  EXPECT_LT(std::hypot(system.Read("crane.load_vx"), system.Read("crane.load_vy")), 1e-3);
  EXPECT_NEAR(system.Read("crane.centre_wz"), system.Read("hull.yaw_rate"), 1e-3);
  EXPECT_GT(system.Read("hull.surge_rate"), 0.2);
  EXPECT_EQ(system.Read("crane.load_pull"), 0);
}

constexpr const char* kSeaAndVessel =
    R"(<marine.Sea name="sea" direction="120 deg"/><marine.Vessel name="vessel">
       <Response heading="0 deg" frequency="0.2 rad/s" heave="1 m/m" roll="1 deg/m" surge="0.5 m/m"/>
       <Response heading="0 deg" frequency="3 rad/s" heave="0.3 m/m" heave_phase="-80 deg"/>
       <Response heading="180 deg" frequency="0.2 rad/s" heave="1 m/m" roll="2 deg/m" roll_phase="90 deg"/>
       <Response heading="180 deg" frequency="3 rad/s" heave="0.2 m/m" heave_phase="-40 deg"/></marine.Vessel>)";

TEST(FloatingBodyTest, WithoutLoadItMovesAsItsResponses) {
  const std::string hull = std::string(kHeave) + R"(<Mass degree="roll" roll="1e8 kg.m2"/>
      <Stiffness degree="roll" roll="4e8 N.m/rad"/>)";
  for (const std::string& crane :
       {std::string(), StandingCrane(R"(<Body name="nothing" at="1 2 3 m" mass="0 kg"/>)")}) {
    SystemHarness system(AfloatSystem(hull, kSeaAndVessel + crane));
    for (const double t : {0.0, 1.0, 17.3, 60.0}) {
      system.RunTo(t);
      for (const char* degree : {"surge", "heave", "roll"}) {
        for (const char* what : {"", "_rate", "_acceleration"}) {
          const std::string name = std::string(degree) + what;
          EXPECT_EQ(system.Read("hull." + name), system.Read("vessel." + name)) << name << t;
        }
      }
    }
    EXPECT_NE(system.Read("vessel.heave"), 0);
  }
}

TEST(FloatingBodyTest, WavesAddToWhatALoadDoes) {
  std::vector<double> shifts;
  shifts.reserve(2);
  for (const std::string& sea : {std::string(), std::string(kSeaAndVessel)}) {
    SystemHarness system(AfloatSystem(kHeave, sea));
    system.simulation().Write("hull.fz", 1e6);
    system.RunTo(20);
    shifts.push_back(system.Read("hull.heave_shift"));
    EXPECT_NEAR(system.Read("hull.heave") - (sea.empty() ? 0 : system.Read("vessel.heave")), shifts.back(),
                1e-14);
  }
  // The rolling vessel turns the force: by 1 - cos(roll) at most.
  EXPECT_NEAR(shifts[1], shifts[0], 2e-3 * std::abs(shifts[0]) + 1e-4);
  EXPECT_NEAR(shifts[0], -1e6 / kStiffness * (1 - std::cos(20 * std::sqrt(kStiffness / kInertia))),
              kTolerance);
}

TEST(FloatingBodyTest, RadiationIsThatOfItsStateSpace) {
  SystemHarness system(AfloatSystem(
      std::string(kHeave) +
      R"(<Radiation force="heave" motion="heave" a="-0.5 1 -1 0" b="1.5e6 2e5" c="1 0"/><Start heave_shift="1 m"/>)"));
  Eigen::Matrix4d A;  // of s, v, z1, z2
  A << 0, 1, 0, 0, -kStiffness / kInertia, 0, -1 / kInertia, 0, 0, 1.5e6, -0.5, 1, 0, 2e5, -1, 0;
  const Eigen::EigenSolver<Eigen::Matrix4d> modes(A);
  const Eigen::Vector4cd start = modes.eigenvectors().inverse() * Eigen::Vector4d(1, 0, 0, 0);
  for (const double t : {1.0, 10.0, 40.0}) {
    system.RunTo(t);
    std::complex<double> expected = 0;
    for (int i = 0; i < 4; ++i)
      expected += modes.eigenvectors()(0, i) * std::exp(modes.eigenvalues()[i] * t) * start[i];
    EXPECT_NEAR(system.Read("hull.heave"), expected.real(), kTolerance) << t;
    EXPECT_LT(std::abs(expected), std::exp(-0.01 * t)) << "it takes energy";
  }
}

std::vector<std::string> HullFaults(const std::string& inside) {
  return SystemHarness::FaultsOf(AfloatSystem(inside));
}

TEST(FloatingBodyTest, WrongHullsAreNamed) {
  EXPECT_THAT(HullFaults(kHeave), IsEmpty());
  EXPECT_THAT(HullFaults(""), ElementsAre(HasSubstr("there is no hull; write for example <Mass")));
  EXPECT_THAT(
      HullFaults(R"(<Mass heave="1 t"/><Mass degree="heav" heave="1 t"/><Mass degree="heave" heav="1 t"/>
                            <Mass degree="roll" roll="1 t"/>)"),
      ElementsAre(HasSubstr("Mass needs the attribute 'degree'"),
                  HasSubstr("no degree of freedom 'heav'; did you mean 'heave'?"),
                  HasSubstr("no attribute 'heav' in Mass"), HasSubstr("kg.m2")));
  EXPECT_THAT(HullFaults(R"(<Mass degree="heave" heave="-1 t"/>)"),
              ElementsAre(HasSubstr("the mass of heave is -1000, which must be > 0")));
  EXPECT_THAT(HullFaults(R"(<Stiffness degree="heave" heave="1 N/m"/>)"),
              ElementsAre(HasSubstr("no degree of freedom has a mass")));
  EXPECT_THAT(HullFaults(std::string(kHeave) + R"(<Stiffness degree="roll" roll="1 N.m/rad"/>)"),
              ElementsAre(HasSubstr("Stiffness has values of roll, which has no mass")));
  EXPECT_THAT(HullFaults(std::string(kHeave) + R"(<AddedMass degree="heave" heave="2 t"/>)"),
              ElementsAre(HasSubstr("AddedMass: heave and heave have a value already")));
  const std::string two = R"(<Mass degree="heave" heave="100 t"/><Mass degree="pitch" pitch="1e7 kg.m2"/>)";
  EXPECT_THAT(
      HullFaults(
          two + R"(<Stiffness degree="heave" pitch="1e5 N/rad"/><Stiffness degree="pitch" heave="-1e5 N"/>)"),
      ElementsAre(
          HasSubstr("Stiffness is not symmetric: heave by pitch is 100000, pitch by heave is -100000")));
  EXPECT_THAT(
      HullFaults(
          R"(<Mass degree="heave" heave="100 t" pitch="2e6 kg.m"/><Mass degree="pitch" pitch="1e7 kg.m2"/>)"),
      ElementsAre(HasSubstr("Mass is not positive definite; no body has such a mass")));
  EXPECT_THAT(HullFaults(two + R"(<AddedMass degree="heave" heave="-5 t"/>)"),
              ElementsAre(HasSubstr("AddedMass of heave is -5000; added mass is not negative")));
  EXPECT_THAT(
      HullFaults(
          two +
          R"(<AddedMass degree="heave" heave="5 t" pitch="1e6 kg.m"/><AddedMass degree="pitch" pitch="1e7 kg.m2"/>)"),
      ElementsAre(HasSubstr("AddedMass is not positive semidefinite; added mass is not negative")));
  EXPECT_THAT(HullFaults(two + R"(<Damping degree="pitch" pitch="-1 N.m.s/rad"/>)"),
              ElementsAre(HasSubstr("such damping drives the vessel")));
  EXPECT_THAT(HullFaults(two + R"(<Stiffness degree="pitch" pitch="-1e6 N.m/rad"/>)"),
              ElementsAre(HasSubstr("such a vessel capsizes")));
  // The coupling of a damping at forward speed is not symmetric, and takes no power where it is
  // antisymmetric.
  EXPECT_THAT(
      HullFaults(
          two + R"(<Damping degree="heave" pitch="1e5 N.s/rad"/><Damping degree="pitch" heave="-1e5 N.s"/>)"),
      IsEmpty());
}

TEST(FloatingBodyTest, WrongRadiationIsNamed) {
  const auto faults = [](const std::string& radiation) {
    return HullFaults(std::string(kHeave) + "<Radiation " + radiation + "/>");
  };
  EXPECT_THAT(faults(R"(force="heave" motion="heave" a="-1" b="1e5" c="1")"), IsEmpty());
  EXPECT_THAT(faults(R"(force="heave" motion="heave" a="1" b="1e5" c="1")"),
              ElementsAre(HasSubstr("an eigenvalue with the real part 1 1/s")));
  EXPECT_THAT(faults(R"(force="heave" motion="heave" a="-1 0" b="1e5" c="1")"),
              ElementsAre(HasSubstr("1 numbers in b, 1 in c and 2 in a")));
  EXPECT_THAT(faults(R"(force="heave" motion="roll" a="-1" b="1e5" c="1")"),
              ElementsAre(HasSubstr("Radiation has values of roll, which has no mass")));
  EXPECT_THAT(
      faults(R"(force="heave" a="-1 x" b="" c="1" d="2")"),
      ElementsAre(HasSubstr("no attribute 'd' in Radiation"), HasSubstr("needs the attribute 'motion'"),
                  HasSubstr("a: '-1 x' is not a list of numbers")));
}

TEST(FloatingBodyTest, AMotionReferenceUnitSaysWhatItDoesNotSee) {
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);
  const std::string text =
      AfloatSystem(kHeave, std::string(kSeaAndVessel) + "<marine.MotionReferenceUnit name=\"unit\"/>");
  EXPECT_THAT(
      Simulation::LoadText(text, "s.xml", registry).ToText(),
      HasSubstr(
          "warning: /unit: it measures the motion in the waves alone, and not by how much /hull yields"));
}

/// The motion of the hull to a unit.
std::string MotionRoutes(std::string_view without = "") {
  std::string text;
  for (const char* degree : {"heave", "roll", "pitch"}) {
    for (const char* what : {"", "_rate", "_acceleration"}) {
      const std::string name = std::string(degree) + what;
      if (name != without) text += fmt::format(R"(<Route from="hull.{0}" to="unit.{0}" hold="none"/>)", name);
    }
  }
  return text;
}

// What a unit measures is what it saw a delay ago, of the waves and of a free oscillation of all three
// degrees.
TEST(FloatingBodyTest, AMotionReferenceUnitMeasuresWhatTheHullDidADelayAgo) {
  const std::string hull =
      std::string(kHeave) +
      R"(<Mass degree="roll" roll="1e7 kg.m2"/><Stiffness degree="roll" roll="4e7 N.m/rad"/>
                              <Mass degree="pitch" pitch="1e8 kg.m2"/><Stiffness degree="pitch" pitch="1e8 N.m/rad"/>
                              <Start heave_shift="0.5 m" roll_shift="5 deg" pitch_shift="1 deg"/>)";
  for (const std::string& source : {std::string(), std::string(kSeaAndVessel)}) {
    for (const double prediction : {0.0, 0.3}) {
      SystemHarness system(AfloatSystem(
          hull, source +
                    fmt::format(R"(<marine.MotionReferenceUnit name="unit" x="20 m" y="6 m" delay="0.3 s"
                                   prediction="{} s"/>)",
                                prediction) +
                    MotionRoutes()));
      double largest = 0;
      for (int i = 0; i < 10; ++i) {
        const double t = 5 + 1.35 * i;
        system.RunTo(t);
        EXPECT_NEAR(system.Read("unit.rise"),
                    system.Read("hull.heave") + 6 * system.Read("hull.roll") - 20 * system.Read("hull.pitch"),
                    1e-12);
        const double rise = system.Read("unit.rise"), rate = system.Read("unit.rise_rate"),
                     acceleration = system.Read("unit.rise_acceleration");
        system.RunTo(t + 0.3);
        largest = std::max(largest, std::abs(system.Read("unit.rise") - rise));
        // Roll has 2 rad/s: the phase of the all-pass is wrong by 0.6^7/100800 rad.
        EXPECT_NEAR(system.Read("unit.measured_rise"),
                    rise + prediction * (rate + prediction / 2 * acceleration), 2e-6)
            << t;
        EXPECT_NEAR(system.Read("unit.measured_rate"), rate + prediction * acceleration, 4e-6) << t;
      }
      EXPECT_GT(largest, 0.1);
    }
  }
}

TEST(FloatingBodyTest, AMotionReferenceUnitTakesTheStartForTheRestBefore) {
  SystemHarness system(
      AfloatSystem(std::string(kHeave) + R"(<Start heave_shift="0.5 m"/>)",
                   R"(<marine.MotionReferenceUnit name="unit" delay="0.3 s"/>)" + MotionRoutes()));
  for (const double t : {0.0, 0.1, 0.2, 0.3}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("unit.measured_rise"), 0.5, 1e-3) << t;
  }
}

TEST(FloatingBodyTest, AMotionReferenceUnitNeedsTheWholeMotion) {
  const auto faults = [](const std::string& rest) {
    return SystemHarness::FaultsOf(AfloatSystem(kHeave, rest));
  };
  const std::string unit = R"(<marine.MotionReferenceUnit name="unit" delay="0.1 s"/>)";
  EXPECT_THAT(faults(unit + MotionRoutes()), IsEmpty());
  EXPECT_THAT(faults(unit + MotionRoutes("roll_rate")),
              ElementsAre(HasSubstr("/unit: nothing is routed to roll_rate; route heave, roll and pitch")));
  const std::string recording = R"(<System name="s"><SimulatorManager TimeStep="50 ms" StopTime="1 s"/>
    <marine.RecordedMotion name="hull"><Sample time="0 s" heave="0 m"/><Sample time="1 s" heave="1 m"/>
    <Sample time="2 s" heave="0 m"/><Sample time="3 s" heave="0 m"/><Sample time="4 s" heave="0 m"/></marine.RecordedMotion>)";
  EXPECT_THAT(SystemHarness::FaultsOf(recording + unit + MotionRoutes() + "</System>"),
              ElementsAre(HasSubstr("/unit: there is no marine.FloatingBody whose motion it could delay")));
}

}  // namespace
}  // namespace davit
