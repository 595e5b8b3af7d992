#include "components/marine/motion_reference_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

using std::numbers::pi;

constexpr double kPeriod = 8,
                 kRise = 1.2;  // [s], [m]: 2 m wave, heave 0.9 m/m and 5 m to port with 0.06 rad/m

std::string SystemWith(const std::string& unit, const std::string& source = "") {
  return "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"10 ms\" "
         "StopTime=\"100 "
         "s\"/>" +
         (source.empty()
              ? "<marine.Sea name=\"sea\" spectrum=\"Waves\"><Wave height=\"2 m\" period=\"8 "
                "s\"/></marine.Sea>"
                "<marine.Vessel name=\"vessel\">"
                "<Response heading=\"180 deg\" frequency=\"0.2 rad/s\" heave=\"0.9 m/m\" roll=\"0.06 "
                "rad/m\"/>"
                "<Response heading=\"180 deg\" frequency=\"2 rad/s\" heave=\"0.9 m/m\" roll=\"0.06 rad/m\"/>"
                "</marine.Vessel>"
              : source) +
         "<marine.MotionReferenceUnit name=\"unit\" y=\"5 m\" " + unit + "/></System>";
}

class MotionReferenceUnitTest : public testing::Test {
 protected:
  /// Largest difference of the true and the measured rise over one period, in parts of the amplitude.
  static double Residual(const std::string& unit) {
    SystemHarness system(SystemWith(unit));
    system.RunTo(0);
    auto& model = dynamic_cast<DynamicSimComponent&>(*system.system().Find("unit"));
    const Item rise = system.Find("unit.rise"), measured = system.Find("unit.measured_rise");
    double largest = 0;
    for (int i = 0; i < 4000; ++i) {
      model.EvaluateDiffEquations(20 + kPeriod * i / 4000);
      largest = std::max(largest, std::abs(rise.Read() - measured.Read()));
    }
    return largest / kRise;
  }
};

TEST_F(MotionReferenceUnitTest, APointRisesByHeaveAndRoll) {
  SystemHarness system(SystemWith(""));
  const double w = 2 * pi / kPeriod;
  for (const double t : {0.0, 1.3, 40.0}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("unit.rise"), kRise * std::cos(w * t), 1e-12);
    EXPECT_NEAR(system.Read("unit.rise_rate"), -w * kRise * std::sin(w * t), 1e-12);
    EXPECT_NEAR(system.Read("unit.rise_acceleration"), -w * w * kRise * std::cos(w * t), 1e-12);
    EXPECT_EQ(system.Read("unit.down_rate"), -system.Read("unit.rise_rate"));
    EXPECT_EQ(system.Read("unit.measured_rise"), system.Read("unit.rise"));
    EXPECT_EQ(system.Read("unit.measured_rate"), system.Read("unit.rise_rate"));
  }
}

TEST_F(MotionReferenceUnitTest, APureDelayLeavesTwiceTheSine) {
  for (const double delay : {0.05, 0.3, 2.0, 4.0})
    EXPECT_NEAR(Residual("delay=\"" + std::to_string(delay) + " s\""), 2 * std::sin(pi * delay / kPeriod),
                1e-6);
}

TEST_F(MotionReferenceUnitTest, PredictionLeavesTheRestOfTheSeries) {
  for (const double delay : {0.1, 0.5}) {
    const std::string text = std::to_string(delay) + " s";
    const double angle = 2 * pi * delay / kPeriod;
    const std::complex<double> i(0, 1);
    const double expected = std::abs(1.0 - std::exp(-i * angle) * (1.0 + i * angle - angle * angle / 2));
    EXPECT_NEAR(Residual("delay=\"" + text + "\" prediction=\"" + text + "\""), expected, 1e-6);
    EXPECT_NEAR(expected, std::pow(angle, 3) / 6, 0.1 * expected);
  }
}

TEST_F(MotionReferenceUnitTest, TheNoiseHasItsDeviationAndBandwidth) {
  SystemHarness system(SystemWith("noise=\"30 mm\" noise_bandwidth=\"0.5 Hz\" seed=\"4\""));
  system.RunTo(0);
  auto& model = dynamic_cast<DynamicSimComponent&>(*system.system().Find("unit"));
  const Item rise = system.Find("unit.rise"), measured = system.Find("unit.measured_rise"),
             rate = system.Find("unit.rise_rate"), measured_rate = system.Find("unit.measured_rate");
  constexpr int kCount = 40000;
  double square = 0, rate_square = 0;
  for (int i = 0; i < kCount; ++i) {
    model.EvaluateDiffEquations(0.37 * i);
    square += std::pow(measured.Read() - rise.Read(), 2) / kCount;
    rate_square += std::pow(measured_rate.Read() - rate.Read(), 2) / kCount;
  }
  EXPECT_NEAR(std::sqrt(square), 0.03, 0.01 * 0.03);
  // Of a level density up to the bandwidth: 2*pi*f/sqrt(3).
  const double expected = 0.03 * 2 * pi * 0.5 / std::sqrt(3);
  EXPECT_NEAR(std::sqrt(rate_square), expected, 0.03 * expected);
}

TEST_F(MotionReferenceUnitTest, ARecordingIsMeasuredToo) {
  SystemHarness system(SystemWith(
      "delay=\"0.5 s\"",
      "<marine.RecordedMotion name=\"vessel\"><Sample time=\"0 s\" heave=\"0 m\"/><Sample time=\"1 s\" "
      "heave=\"0.3 "
      "m\"/><Sample time=\"2 s\" heave=\"0.5 m\"/><Sample time=\"3 s\" heave=\"0.3 m\"/><Sample time=\"4 s\" "
      "heave=\"0 m\"/></marine.RecordedMotion>"));
  system.RunTo(1.5);
  EXPECT_NEAR(system.Read("unit.measured_rise"), 0.3, 1e-12);
  EXPECT_NEAR(system.Read("unit.rise"), system.Read("vessel.heave"), 1e-15);
  system.RunTo(2.5);
  EXPECT_NEAR(system.Read("unit.measured_rise"), 0.5, 1e-12);
}

TEST_F(MotionReferenceUnitTest, WithoutAVesselItIsAnError) {
  const std::vector<std::string> faults =
      SystemHarness::FaultsOf(SystemWith("", "<marine.Sea name=\"sea\"/>"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_NE(faults.front().find("there is no marine.Vessel and no marine.RecordedMotion"), std::string::npos)
      << faults.front();
}

}  // namespace
}  // namespace davit
