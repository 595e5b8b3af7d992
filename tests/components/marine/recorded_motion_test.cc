#include "components/marine/recorded_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

class RecordedMotionTest : public testing::Test {
 protected:
  ~RecordedMotionTest() override { std::filesystem::remove(file); }
  std::string SystemWith(const std::string& text) {
    std::ofstream(file) << text;
    return "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"10 ms\" "
           "StopTime=\"50 s\"/>"
           "<marine.RecordedMotion name=\"vessel\"><Motion src=\"" +
           file.string() + "\"/></marine.RecordedMotion></System>";
  }
  std::string FaultOf(const std::string& text) {
    const std::vector<std::string> all = SystemHarness::FaultsOf(SystemWith(text));
    return all.empty() ? std::string() : all.front();
  }
  std::filesystem::path file = std::filesystem::temp_directory_path() / "davit_recorded_motion_test.csv";
};

TEST_F(RecordedMotionTest, ASampledSineHasItsDerivatives) {
  std::string text = "time [s],heave [m],roll [deg]\n";
  for (int i = 0; i <= 400; ++i) {
    const double t = 0.1 * i;
    text += std::to_string(t) + "," + std::to_string(std::sin(0.6 * t)) + "," +
            std::to_string(3 * std::cos(0.6 * t)) + "\n";
  }
  SystemHarness system(SystemWith(text));
  const double degree = 3.14159265358979312 / 180;
  for (const double t : {3.33, 17.0, 35.67}) {
    system.RunTo(t);
    // Samples have six digits: 5e-7, and 12/step^2 of it in the acceleration; splines have h^4, h^3,
    // h^2/12*y''''.
    EXPECT_NEAR(system.Read("vessel.heave"), std::sin(0.6 * t), 2e-6);
    EXPECT_NEAR(system.Read("vessel.heave_rate"), 0.6 * std::cos(0.6 * t), 2e-5);
    EXPECT_NEAR(system.Read("vessel.heave_acceleration"), -0.36 * std::sin(0.6 * t), 8e-4);
    EXPECT_NEAR(system.Read("vessel.roll"), 3 * degree * std::cos(0.6 * t), 1e-6);
    EXPECT_EQ(system.Read("vessel.sway"), 0);
  }
  system.RunTo(45);
  EXPECT_NEAR(system.Read("vessel.heave"), std::sin(24.0), 2e-6);
  EXPECT_EQ(system.Read("vessel.heave_rate"), 0);
}

TEST_F(RecordedMotionTest, WrongRecordingsAreNamed) {
  EXPECT_NE(FaultOf("time [s],heave [m]\n0,0\n0.1,0\n0.2,0\n0.5,0\n0.6,0\n0.7,0\n").find("line 5 of"),
            std::string::npos);
  EXPECT_NE(FaultOf("time [s],heave [m]\n0,0\n0.1,0\n").find("2 samples; give at least 5"),
            std::string::npos);
  EXPECT_NE(FaultOf("heave [m]\n0\n").find("no column time"), std::string::npos);
  EXPECT_NE(FaultOf("time [s],heave [deg]\n0,0\n").find("line 2 of"), std::string::npos);
  EXPECT_NE(FaultOf("time [s],heaf [m]\n0,0\n").find("did you mean 'heave'"), std::string::npos);
}

}  // namespace
}  // namespace davit
