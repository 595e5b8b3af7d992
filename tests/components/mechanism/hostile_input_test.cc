// Broken and hostile files of mechanisms: each ends with errors, or with a machine that can be simulated.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::Not;

constexpr int kCuts = 40;
constexpr std::array<std::string_view, 12> kWrongNumbers{
    "nan", "inf", "-inf", "1e999", "-1e308", "1e-320", "", "-", "1 2", "0x10", "1,5", "9999999999999999999"};

/// All joints, a loop, a mount, a wire, a contact, reactions and another name.
constexpr std::string_view kMachine = R"(<System name="s"><SimulatorManager TimeStep="1 ms" StopTime="2 ms"/>
  <mechanism.Crane name="m">
    <Body name="king" joint="revolute" axis="0 0 1" mass="50 kg" inertia="5 5 5 kg.m2" friction="1 N.m.s/rad"/>
    <Body name="boom" on="king" at="0 0 2 m" joint="revolute" axis="0 -1 0" mass="5 kg" centre="1 0 0 m" inertia="1 2 2 kg.m2" start="20 deg" lower="-10 deg" upper="80 deg"/>
    <Body name="jib" on="boom" at="3 0 0 m" joint="prismatic" axis="1 0 0" mass="3 kg" inertia="1 2 2 kg.m2" lower="0 m" upper="2 m"/>
    <Body name="grab" on="jib" at="1 0 0 m" joint="spherical" mass="2 kg" centre="0 0 -0.5 m" inertia="1 1 1 kg.m2"/>
    <Body name="tray" on="king" at="0 2 0 m" joint="planar" axis="0 0 1" second_axis="1 0 0" mass="2 kg" inertia="1 1 1 kg.m2"/>
    <Body name="knob" on="king" at="0 -2 0 m" joint="universal" axis="0 0 1" second_axis="1 0 0" mass="2 kg" inertia="1 1 1 kg.m2"/>
    <Body name="bolt" on="king" at="2 -2 0 m" joint="cylindrical" axis="0 0 1" mass="2 kg" inertia="1 1 1 kg.m2"/>
    <Body name="buoy" at="9 0 0 m" joint="free" mass="2 kg" inertia="1 1 1 kg.m2"/>
    <Frame name="head" on="jib" at="0.5 0 0.2 m" turned="0 0 90 deg"/>
    <Mount name="lift" a="king" a_at="0.5 0 0 m" b="boom" b_at="1 0 0 m" shortest="1 m"/>
    <Mount name="hoist" a="king" via="head" b="grab"/>
    <Loop name="rod" a="king" a_at="0 1 3 m" b="boom" b_at="1 1 0 m" distance="1.2 m"/>
    <Contact name="foot" on="tray" at="0 0 -0.1 m" stiffness="1e5 N/m" damping="1 s/m" friction="0.3"/>
    <Reaction name="pin" of="boom"/>
    <Holding name="torque" of="boom"/>
    <Load name="load" on="jib" at="1 0 0 m" mass="10 kg" length="2 m"/>
    <Rename name="q" of="boom_angle"/>
    <Start king_rate="0.1 rad/s"/>
  </mechanism.Crane></System>)";

constexpr std::string_view kRobot = R"(<?xml version="1.0"?>
<robot name="arm">
  <link name="root"/>
  <link name="upper"><inertial><origin xyz="0.5 0 0" rpy="0.3 -0.2 0.1"/><mass value="2"/>
    <inertia ixx="0.01" ixy="0.001" ixz="0" iyy="0.2" iyz="0.002" izz="0.2"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0.3 0 0"/><mass value="1"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>
  <joint name="elbow" type="prismatic"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/>
    <axis xyz="1 0 0"/><limit lower="-1" upper="2"/><dynamics damping="3"/></joint>
  <joint name="shoulder" type="continuous"><parent link="root"/><child link="upper"/>
    <origin xyz="0 0.1 0.2" rpy="0.4 0 0.5"/><axis xyz="0 1 0"/></joint>
</robot>)";

class HostileMechanism : public testing::Test {
 protected:
  HostileMechanism()
      : file_(fs::path(testing::TempDir()) /
              fmt::format("{}.urdf", testing::UnitTest::GetInstance()->current_test_info()->name())) {}
  ~HostileMechanism() override { fs::remove(file_); }

  std::string WithRobot(std::string_view robot) const {
    std::ofstream(file_) << robot;
    return fmt::format(R"(<System name="s"><SimulatorManager TimeStep="1 ms" StopTime="2 ms"/>
      <mechanism.Mechanism name="m"><Urdf src="{}" at="0 0 1 m"/></mechanism.Mechanism></System>)",
                       file_.string());
  }
  /// Where the text in quotes of the attribute `number`, counted through the file, begins and ends.
  static std::vector<std::pair<std::size_t, std::size_t>> Values(std::string_view text) {
    std::vector<std::pair<std::size_t, std::size_t>> values;
    for (std::size_t at = text.find("=\""); at != std::string_view::npos; at = text.find("=\"", at)) {
      const std::size_t begin = at + 2, end = text.find('"', begin);
      values.emplace_back(begin, end);
      at = end;
    }
    return values;
  }
  /// Loads it and, if it has no faults, runs it. A run may fail, but with a message.
  static std::vector<std::string> Try(const std::string& text) {
    std::vector<std::string> faults = SystemHarness::FaultsOf(text);
    if (!faults.empty()) return faults;
    try {
      SystemHarness(text).Run();
    } catch (const std::runtime_error& failure) {
      EXPECT_THAT(failure.what(), Not(testing::StrEq("")));
    }
    return faults;
  }
  std::size_t Below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  std::mt19937 random_{1};
  fs::path file_;
};

TEST_F(HostileMechanism, TheMachinesOfThisTestRun) {
  EXPECT_THAT(Try(std::string(kMachine)), IsEmpty());
  EXPECT_THAT(Try(WithRobot(kRobot)), IsEmpty());
}

TEST_F(HostileMechanism, ASystemFileThatIsCutOffIsRefused) {
  for (int i = 0; i < kCuts; ++i) {
    const std::string_view cut = kMachine.substr(0, Below(kMachine.size() - 1));
    EXPECT_THAT(Try(std::string(cut)), Not(IsEmpty())) << cut;
  }
}

TEST_F(HostileMechanism, ARobotThatIsCutOffIsRefused) {
  for (int i = 0; i < kCuts; ++i) {
    const std::string_view cut = kRobot.substr(0, Below(kRobot.size() - 1));
    EXPECT_THAT(Try(WithRobot(cut)), Not(IsEmpty())) << cut;
  }
}

/// Whatever is in an attribute, there are errors or a run. A word in place of a number is an error.
TEST_F(HostileMechanism, WrongNumbersInAttributesAreRefusedOrRun) {
  for (const bool is_robot : {false, true}) {
    const std::string_view whole = is_robot ? kRobot : kMachine;
    for (const auto& [begin, end] : Values(whole)) {
      const std::string_view number = kWrongNumbers[Below(kWrongNumbers.size())];
      const std::string unit =
          !is_robot && whole.substr(begin, end - begin).find(' ') != std::string_view::npos ? " m" : "";
      std::string text(whole);
      text.replace(begin, end - begin, std::string(number) + unit);
      Try(is_robot ? WithRobot(text) : text);
    }
  }
  for (const std::string_view number : {"nan", "inf", "1e999", "-", "1 2"}) {
    std::string text(kMachine);
    const std::string_view mass = "mass=\"50 kg\"";
    text.replace(text.find(mass), mass.size(), fmt::format("mass=\"{} kg\"", number));
    EXPECT_THAT(Try(text), Not(IsEmpty())) << number;
    std::string robot(kRobot);
    const std::string_view value = "<mass value=\"2\"";
    robot.replace(robot.find(value), value.size(), fmt::format("<mass value=\"{}\"", number));
    EXPECT_THAT(Try(WithRobot(robot)), Not(IsEmpty())) << number;
  }
}

/// A chain of links, which a recursion could not follow, and bodies next to each other.
TEST_F(HostileMechanism, TenThousandBodiesAreRead) {
  constexpr int kBodies = 10'000;
  std::string chain = "<robot name=\"chain\"><link name=\"l0\"/>", bush;
  for (int i = 1; i <= kBodies; ++i) {
    chain += fmt::format(
        "<link name=\"l{0}\"><inertial><mass value=\"1\"/></inertial></link><joint name=\"j{0}\" "
        "type=\"fixed\"><parent link=\"l{1}\"/><child "
        "link=\"l{0}\"/></joint>",
        i, i - 1);
    bush += fmt::format("<Body name=\"b{}\" at=\"{} 0 0 m\" mass=\"1 kg\"/>", i, i);
  }
  EXPECT_THAT(SystemHarness::FaultsOf(WithRobot(chain + "</robot>")), IsEmpty());
  EXPECT_THAT(SystemHarness::FaultsOf("<System name='s'><mechanism.Mechanism name='m'>" + bush +
                                      "</mechanism.Mechanism></System>"),
              IsEmpty());
}

}  // namespace
}  // namespace davit
