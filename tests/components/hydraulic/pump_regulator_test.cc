// The regulator of docs/hydraulics.md, built from blocks: pressure cut-off, load sensing, torque limit.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

std::string RegulatedPump() {
  std::ifstream page(DAVIT_SOURCE_DIR "/docs/hydraulics.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const std::string name = "<System name=\"regulated\"";
  const std::size_t begin = text.find(name), end = text.find("```", begin);
  return begin == std::string::npos ? "" : text.substr(begin, end - begin);
}

TEST(PumpRegulator, TheSmallestOfThreeSettingsWins) {
  SystemHarness system(RegulatedPump());
  const double margin = 20e5, range = 5e5;
  // The valve is open: 71 cm3/rev at 120 bar would take 136 N.m, the torque limit allows 90.
  system.RunTo(0.9);
  EXPECT_NEAR(system.Read("machine.torque"), -90, 0.01);
  EXPECT_LT(system.Read("servo.y"), 0.9);
  EXPECT_LT(system.Read("line.p") - system.Read("load_line.p"), margin - range);
  // It shuts: the margin above the load, less the share of the range that the setting needs. The servo piston
  // follows the ramp of the valve 50 ms late, on which the setting falls by 0.45/s.
  system.RunTo(4.2);
  const double setting = system.Read("servo.y");
  EXPECT_GT(setting, 0.2);
  EXPECT_NEAR(system.Read("line.p") - system.Read("load_line.p"), margin - setting * range,
              2 * 0.05 * 0.45 * range);
  EXPECT_GT(system.Read("machine.torque"), -80);
  // It is shut: what was in the line stays, and the machine is back at no displacement.
  system.RunTo(6);
  EXPECT_NEAR(system.Read("servo.y"), 0, 1e-3);
}

TEST(PumpRegulator, ThePressureIsCutOff) {
  std::string text = RegulatedPump();
  const std::string cut_off = "value=\"250 bar\"";
  ASSERT_NE(text.find(cut_off), std::string::npos);
  text.replace(text.find(cut_off), cut_off.size(), "value=\"103 bar\"");
  SystemHarness system(text);
  // In the place of the torque limit, which would allow 0.76. All is at rest after 18 times the servo
  // piston's.
  system.RunTo(0.9);
  const double setting = system.Read("servo.y");
  EXPECT_GT(setting, 0.2);
  EXPECT_LT(setting, 0.7);
  EXPECT_NEAR(system.Read("line.p"), 103e5 - setting * 5e5, 100);
}

}  // namespace
}  // namespace davit
