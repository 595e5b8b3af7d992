#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class UrdfTest : public testing::Test {
 protected:
  UrdfTest() : file_(std::filesystem::path(testing::TempDir()) / Name()) {}
  ~UrdfTest() override { std::filesystem::remove(file_); }

  /// A system with the robot, and with what else the mechanism has.
  std::string SystemOf(const std::string& robot, const std::string& rest = {}) {
    std::ofstream(file_) << robot;
    return fmt::format(R"(<System name="s"><SimulatorManager TimeStep="10 ms" StopTime="1 s">
      <Integration solver="ODE" method="runge_kutta_dopri5" rtol="1e-10" atol="1e-10"/></SimulatorManager>
      <mechanism.Mechanism name="m"><Urdf src="{}" at="0 0 1 m"/>{}</mechanism.Mechanism></System>)",
                       file_.string(), rest);
  }
  std::vector<std::string> FaultsOf(const std::string& robot, const std::string& rest = {}) {
    return SystemHarness::FaultsOf(SystemOf(robot, rest));
  }

 private:
  static std::string Name() {
    return std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".urdf";
  }
  std::filesystem::path file_;
};

constexpr std::string_view kArm = R"(<?xml version="1.0"?>
<robot name="arm">
  <link name="base-link"/>
  <link name="upper"><inertial><origin xyz="0.5 0 0" rpy="0.3 -0.2 0.1"/><mass value="2"/>
    <inertia ixx="0.01" ixy="0.001" ixz="0" iyy="0.2" iyz="0.002" izz="0.2"/></inertial>
    <visual><geometry><box size="1 .1 .1"/></geometry></visual></link>
  <link name="lower"><inertial><origin xyz="0.3 0 0"/><mass value="1"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>
  <joint name="elbow" type="prismatic"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/>
    <axis xyz="1 0 0"/><dynamics damping="3"/></joint>
  <joint name="shoulder" type="continuous"><parent link="base-link"/><child link="upper"/>
    <origin xyz="0 0.1 0.2" rpy="0.4 0 0.5"/><axis xyz="0 1 0"/></joint>
</robot>)";

// The same arm by hand: two frames turned as the origins say, and the inertia turned on a body of its own.
constexpr std::string_view kByHand = R"(<System name="s"><SimulatorManager TimeStep="10 ms" StopTime="1 s">
      <Integration solver="ODE" method="runge_kutta_dopri5" rtol="1e-10" atol="1e-10"/></SimulatorManager>
  <mechanism.Mechanism name="m">
    <Body name="upper" at="0 0.1 1.2 m" turned="0.4 0 0.5 rad" joint="revolute" axis="0 1 0"/>
    <Body name="weight" on="upper" at="0.5 0 0 m" turned="0.3 -0.2 0.1 rad" mass="2 kg"
          inertia="0.01 0.2 0.2 0.001 0 0.002 kg.m2"/>
    <Body name="lower" on="upper" at="1 0 0 m" joint="prismatic" axis="1 0 0" friction="3 N.s/m"
          mass="1 kg" centre="0.3 0 0 m" inertia="0.01 0.03 0.03 kg.m2"/>
  </mechanism.Mechanism></System>)";

TEST_F(UrdfTest, ItsBodiesMoveAsThoseWrittenByHand) {
  SystemHarness urdf(SystemOf(std::string(kArm))), by_hand{std::string(kByHand)};
  for (double t = 0.1; t <= 1; t += 0.1) {
    urdf.RunTo(t);
    by_hand.RunTo(t);
    for (const char* item : {"m.upper_angle", "m.upper_rate", "m.lower_x", "m.lower_v", "m.kinetic_energy"})
      EXPECT_NEAR(urdf.Read(item), by_hand.Read(item), 1e-8 * (1 + std::abs(by_hand.Read(item)))) << item;
  }
  EXPECT_GT(urdf.Read("m.kinetic_energy"), 0.1);
}

TEST_F(UrdfTest, OtherElementsNameItsBodies) {
  SystemHarness system(SystemOf(std::string(kArm),
                                R"(<Frame name="tip" on="lower" at="0.6 0 0 m"/>
                                   <Mount name="rod" a="base_link" a_at="0 0 -1 m" b="upper"/>)"));
  system.RunTo(0);
  EXPECT_NEAR(system.Read("m.at_base_link_z"), 1, 1e-15);
}

TEST_F(UrdfTest, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_THAT(FaultsOf(R"(<robot name="r">
<link name="a"/>
<link name="b"><inertial><mass value="heavy"/></inertial></link>
<link name="c"><inertial><mass value="1"/></inertial></link>
<link name="a"/>
<joint name="j" type="hinge"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="fixed"><parent link="a"/><child link="c"/></joint>
<joint name="l" type="fixed"><parent link="b"/><child link="c"/></joint>
<joint name="m" type="fixed"><parent link="b"/><child link="d"/></joint>
<joint name="n" type="fixed"><child link="d"/></joint>
</robot>)"),
              ElementsAre(AllOf(HasSubstr(".urdf:5: error: /m: the links 'a' and 'a' make bodies")),
                          AllOf(HasSubstr(":8: error:"), HasSubstr("link 'c' has two parents")),
                          AllOf(HasSubstr(":9: error:"), HasSubstr("no link 'd' in the robot")),
                          AllOf(HasSubstr(":10: error:"), HasSubstr("joint needs <parent")),
                          AllOf(HasSubstr(":6: error:"), HasSubstr("type: 'hinge' is not a joint of URDF")),
                          AllOf(HasSubstr(":3: error:"), HasSubstr("value: 'heavy' is not a number"))));
}

TEST_F(UrdfTest, LinksThatCarryEachOtherAreACircle) {
  EXPECT_THAT(FaultsOf(R"(<robot name="r"><link name="a"/><link name="b"/>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="fixed"><parent link="b"/><child link="a"/></joint></robot>)"),
              Contains(HasSubstr("is carried by this body itself")));
}

TEST_F(UrdfTest, ItsLimitsAreThoseOfTheJoint) {
  SystemHarness system(SystemOf(R"(<robot name="r"><link name="a"/>
<link name="b"><inertial><mass value="1"/></inertial></link>
<joint name="k" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-0.02" upper="1" effort="5" velocity="1"/><dynamics damping="300"/></joint></robot>)"));
  system.RunTo(1);
  EXPECT_NEAR(system.Read("m.b_x"), -0.02 - 9.81 / 1e8, 1e-9);
}

TEST_F(UrdfTest, WhatIsLeftOutIsAWarning) {
  EXPECT_THAT(FaultsOf(R"(<robot name="r"><link name="a"/><link name="b"/>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="revolute"><parent link="b"/><child link="c"/>
<limit lower="-1" upper="1" effort="5" velocity="1"/>
<mimic joint="j"/>
<dynamics friction="2"/></joint></robot>)"),
              ElementsAre(AllOf(HasSubstr(":1: warning:"), HasSubstr("link 'b' has no <inertial>")),
                          AllOf(HasSubstr(":7: warning:"), HasSubstr("friction: the joint has none")),
                          AllOf(HasSubstr(":6: warning:"), HasSubstr("mimic: the joint moves freely"))));
}

TEST_F(UrdfTest, MeshesAreReportedOnce) {
  const std::string mesh = R"(<geometry>
<mesh filename="package://r/link.stl"/></geometry>)";
  EXPECT_THAT(FaultsOf("<robot name=\"r\"><link name=\"a\"><visual>" + mesh + "</visual><collision>" + mesh +
                       "</collision></link></robot>"),
              ElementsAre(AllOf(HasSubstr(":2: warning:"), HasSubstr("mesh: 2 meshes are not shown"))));
}

TEST_F(UrdfTest, EntitiesOtherRootsAndMissingFilesAreRefused) {
  EXPECT_THAT(FaultsOf("<!DOCTYPE robot [<!ENTITY a \"b\">]><robot name=\"r\">&a;</robot>"),
              ElementsAre(HasSubstr("error")));
  EXPECT_THAT(FaultsOf("<sdf/>"), ElementsAre(HasSubstr("the root element is 'sdf'")));
  EXPECT_THAT(FaultsOf(""), ElementsAre(HasSubstr("error")));
  EXPECT_THAT(FaultsOf("<robot name=\"r\"/>"), ElementsAre(HasSubstr("the robot has no link")));
  EXPECT_THAT(SystemHarness::FaultsOf(R"(<System name="s"><SimulatorManager TimeStep="1 ms" StopTime="1 s"/>
                <mechanism.Mechanism name="m"><Urdf src="nowhere.urdf" colour="red"/><Urdf/></mechanism.Mechanism></System>)"),
              ElementsAre(HasSubstr("nowhere.urdf"), HasSubstr("no attribute 'colour' in Urdf"),
                          HasSubstr("Urdf needs the attribute 'src'")));
}

/// Nobody knows what bodies it would have had.
TEST_F(UrdfTest, WhatNeedsAFaultyRobotIsNoErrorOfItsOwn) {
  EXPECT_THAT(FaultsOf("<robot name=\"arm\"><link name=\"upper\"><inertial><mass value=\"2 "
                       "kg\"/></inertial></link></robot>",
                       R"(<Mount name="lift" a="base" a_at="1 0 0 m" b="upper"/><Frame name="tip" on="lower"/>
                          <Rename name="q" of="lower_angle"/><Start lower_angle="1 rad" q="2 rad"/>)"),
              ElementsAre(HasSubstr("value: '2 kg' is not a number")));
}

}  // namespace
}  // namespace davit
