#include "components/marine/vessel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

using std::numbers::pi;

constexpr const char* kResponses =
    "heading [deg],frequency [rad/s],heave [m/m],heave_phase [deg],roll [deg/m],roll_phase [deg]\n"
    "90,0.2,1,0,1,0\n90,3,0.5,-60,3,90\n180,0.2,1,0,0,0\n180,3,0.2,-90,0,0\n";

class VesselTest : public testing::Test {
 protected:
  VesselTest() { std::ofstream(file) << kResponses; }
  ~VesselTest() override { std::filesystem::remove(file); }

  std::string SystemWith(const std::string& sea, const std::string& vessel = "") const {
    return "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"10 ms\" "
           "StopTime=\"100 s\"/>" +
           sea + "<marine.Vessel name=\"vessel\" " + vessel + "><Responses src=\"" + file.string() +
           "\"/></marine.Vessel></System>";
  }
  std::filesystem::path file = std::filesystem::temp_directory_path() / "davit_vessel_test.csv";
};

TEST_F(VesselTest, InARegularWaveItMovesByItsResponse) {
  SystemHarness system(
      SystemWith("<marine.Sea name=\"sea\" spectrum=\"Waves\"><Wave height=\"3 m\" "
                 "period=\"8 s\" direction=\"90 deg\" phase=\"20 deg\"/></marine.Sea>"));
  const double w = 2 * pi / 8, share = (w - 0.2) / 2.8;
  const std::complex<double> H = (1 - share) * 1.0 + share * std::polar(0.5, -pi / 3);
  for (const double t : {0.0, 1.3, 40.0}) {
    system.RunTo(t);
    const std::complex<double> at = 1.5 * H * std::polar(1.0, w * t + pi / 9);
    EXPECT_NEAR(system.Read("vessel.heave"), at.real(), 1e-9);
    EXPECT_NEAR(system.Read("vessel.heave_rate"), -w * at.imag(), 1e-9);
    EXPECT_NEAR(system.Read("vessel.heave_acceleration"), -w * w * at.real(), 1e-9);
    EXPECT_EQ(system.Read("vessel.surge"), 0);
    EXPECT_NEAR(system.Read("sea.elevation"), 1.5 * std::cos(w * t + pi / 9), 1e-9);
  }
}

TEST_F(VesselTest, ForwardSpeedChangesTheFrequency) {
  SystemHarness system(
      SystemWith("<marine.Sea name=\"sea\" spectrum=\"Waves\" depth=\"5 km\"><Wave height=\"2 m\" "
                 "period=\"10 s\" direction=\"180 deg\"/></marine.Sea>",
                 "speed=\"4 m/s\""));
  const double w = 2 * pi / 10, encounter = w + w * w / 9.81 * 4;
  system.RunTo(0);
  const double first = system.Read("vessel.heave");
  EXPECT_NEAR(system.Read("vessel.heave_acceleration"), -encounter * encounter * first, 1e-9);
}

TEST_F(VesselTest, ThreeHoursHaveTheVarianceOfTheFrequencyDomain) {
  SystemHarness system(SystemWith(
      "<marine.Sea name=\"sea\" significant_height=\"2.5 m\" peak_period=\"10 s\" direction=\"120 deg\" "
      "components=\"200\"/>"));
  system.RunTo(0);
  const WaveSpectrum spectrum({.height = 2.5, .peak_period = 10, .peakedness = 3.3});
  const UnitSystem units;
  const ResponseTable table = ResponseTable::Read(kResponses, units).table;
  std::array<double, 2> expected{};  // of heave and roll
  constexpr int kParts = 20000;
  const double dw = (spectrum.highest() - spectrum.lowest()) / kParts;
  for (int i = 0; i < kParts; ++i) {
    const double w = spectrum.lowest() + dw * (i + 0.5);
    const auto H = table.At(w, 2 * pi / 3);
    expected[0] += spectrum.Density(w) * std::norm(H[2]) * dw;
    expected[1] += spectrum.Density(w) * std::norm(H[3]) * dw;
  }
  auto& vessel = dynamic_cast<DynamicSimComponent&>(*system.system().Find("vessel"));
  const Item heave = system.Find("vessel.heave"), roll = system.Find("vessel.roll");
  std::array<double, 2> found{};
  constexpr int kCount = 21600;
  for (int i = 0; i < kCount; ++i) {
    vessel.EvaluateDiffEquations(0.5 * i);
    found[0] += std::pow(heave.Read(), 2) / kCount;
    found[1] += std::pow(roll.Read(), 2) / kCount;
  }
  EXPECT_NEAR(found[0], expected[0], 0.01 * expected[0]);
  EXPECT_NEAR(found[1], expected[1], 0.01 * expected[1]);
}

TEST_F(VesselTest, ItsRateAndAccelerationAreDerivatives) {
  SystemHarness system(SystemWith("<marine.Sea name=\"sea\" direction=\"100 deg\" spreading=\"0\"/>"));
  system.RunTo(0);
  auto& vessel = dynamic_cast<DynamicSimComponent&>(*system.system().Find("vessel"));
  const auto at = [&](double t, const std::string& name) {
    vessel.EvaluateDiffEquations(t);
    return system.Read("vessel." + name);
  };
  const double h = 1e-4;
  for (const char* degree : {"heave", "roll"}) {
    const std::string name = degree;
    EXPECT_NEAR(at(30, name + "_rate"), (at(30 + h, name) - at(30 - h, name)) / (2 * h), 1e-7);
    EXPECT_NEAR(at(30, name + "_acceleration"),
                (at(30 + h, name + "_rate") - at(30 - h, name + "_rate")) / (2 * h), 1e-7);
  }
}

TEST_F(VesselTest, WhatTheResponsesDoNotCoverIsNamed) {
  const auto fault = [&](const std::string& sea) {
    const std::vector<std::string> all = SystemHarness::FaultsOf(SystemWith(sea));
    return all.empty() ? std::string() : all.front();
  };
  EXPECT_NE(fault("").find("there is no marine.Sea"), std::string::npos);
  EXPECT_NE(fault("<marine.Sea name=\"sea\" direction=\"45 deg\"/>").find("no headings around 45 deg"),
            std::string::npos);
  EXPECT_NE(fault("<marine.Sea name=\"sea\" significant_height=\"0.3 m\" peak_period=\"2.2 s\"/>")
                .find("% of the energy of the sea is above 3 rad/s"),
            std::string::npos);
  EXPECT_NE(fault("<marine.Sea name=\"sea\" significant_height=\"8 m\" peak_period=\"5 s\"/>")
                .find("steeper than 1/7"),
            std::string::npos);
  EXPECT_NE(fault("<marine.Sea name=\"sea\" spectrum=\"Table\"/>").find("needs at least two elements Point"),
            std::string::npos);
  EXPECT_NE(
      fault("<marine.Sea name=\"sea\"><Wave height=\"9 m\" period=\"4 s\"/></marine.Sea>").find("break"),
      std::string::npos);
  EXPECT_EQ(fault("<marine.Sea name=\"sea\"/>"), "");
}

}  // namespace
}  // namespace davit
