#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/hopsan/hmf_text.h"
#include "tests/hopsan/native_run.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// A servo of the same parts as Hopsan's example: pump, valve, cylinder, mass, spring, and a controller.
/// `pb` is the share of the circumference of the edge from P to B, `length` the start position of the spring.
std::string Servo(const std::string& pb = "1", const std::string& length = "0") {
  return HmfModel(
      HmfComponent("HydraulicTankC", "suction") +
          HmfComponent("HydraulicFixedDisplacementPump", "pump",
                       {{"n_p#Value", "200"}, {"D_p#Value", "25e-5"}, {"C_lp#Value", "1e-12"}}) +
          HmfComponent("HydraulicVolumeMultiPort", "line", {{"P1#Pressure", "1e5"}}) +
          HmfComponent(
              "HydraulicPressureReliefValve", "relief",
              {{"p_max#Value", "2e7"}, {"tao#Value", "1e-3"}, {"p_h#Value", "0"}, {"q_nom", "0.01"}}) +
          HmfComponent("HydraulicTankC", "back") + HmfComponent("HydraulicTankC", "return") +
          HmfComponent("Hydraulic43Valve", "valve",
                       {{"x_pa#Value", "1e-4"},
                        {"x_pb#Value", "1e-4"},
                        {"x_at#Value", "1e-4"},
                        {"x_bt#Value", "1e-4"},
                        {"omega_h", "200"},
                        {"f_pb#Value", pb}}) +
          HmfComponent("HydraulicCylinderC", "cylinder", {{"B_p#Value", "0"}, {"c_leak#Value", "0"}}) +
          HmfComponent("MechanicTranslationalMass", "load", {{"B#Value", "0"}}) +
          HmfComponent("MechanicTranslationalSpring", "spring", {{"P1#Position", length}}) +
          HmfComponent("MechanicFixedPosition", "wall") + HmfComponent("MechanicPositionSensor", "sensor") +
          HmfComponent("SignalStep", "step",
                       {{"y_0#Value", "0.2"}, {"y_A#Value", "0.3"}, {"t_step#Value", "0.7"}}) +
          HmfComponent("SignalSubtract", "error") +
          HmfComponent("SignalGain", "controller", {{"k#Value", "0.005"}}) +
          HmfComponent("SignalSink", "scope"),
      HmfConnect("suction.P1", "pump.P1") + HmfConnect("pump.P2", "line.P1") +
          HmfConnect("line.P1", "relief.P1") + HmfConnect("relief.P2", "back.P1") +
          HmfConnect("line.P1", "valve.PP") + HmfConnect("valve.PT", "return.P1") +
          HmfConnect("valve.PA", "cylinder.P1") + HmfConnect("valve.PB", "cylinder.P2") +
          HmfConnect("cylinder.P3", "load.P1") + HmfConnect("load.P2", "spring.P1") +
          HmfConnect("spring.P2", "wall.Pm1") + HmfConnect("sensor.P1", "load.P2") +
          HmfConnect("step.out", "error.in1") + HmfConnect("sensor.out", "error.in2") +
          HmfConnect("error.out", "controller.in") + HmfConnect("controller.out", "valve.in") +
          HmfConnect("error.out", "scope.in"),
      "1.5");
}

// Both are the same physics but for waves, filters and a delay of one step; 1 % is asked of a position. The
// controller is slow enough that no oil cavitates.
TEST(NativeModels, OfAServoMoveAsTheServoOfHopsan) {
  for (const char* length : {"0", "0.2"}) {
    const std::string servo = Servo("1", length);
    const hopsan::HmfImport direct = ImportModel("servo.hmf", servo, false),
                            native = ImportModel("servo.hmf", servo, true);
    EXPECT_EQ(native.description->ToXml().find("<hopsan."), std::string::npos) << native.report;
    EXPECT_THAT(native.report, testing::HasSubstr("16 of 16 components became"));
    const std::vector<double> x = RunOf(direct.description->ToXml(), "sensor.out", 1.5);
    EXPECT_LT(Deviation(RunOf(native.description->ToXml(), "sensor.y", 1.5), x), 0.01) << length;
    EXPECT_GT(x.back() - x[60], 0.2);  // it moves
  }
}

TEST(NativeModels, OfAServoRunAtAdvanced) {
  const std::string servo = Servo();
  const hopsan::HmfImport native = ImportModel("servo.hmf", servo, true);
  const std::vector<double> x =
      RunOf(native.description->ToXml(), "sensor.y", 1.5, {"cylinder=Advanced", "valve=Plain"});
  EXPECT_NEAR(x.back(), 0.5, 0.05);  // leakage and friction leave an error of a proportional controller
  EXPECT_GT(Deviation(x, RunOf(native.description->ToXml(), "sensor.y", 1.5)), 0)
      << "the levels change nothing";
}

// A valve with edges of its own has no counterpart: it stays with the volumes that it is solved with, and the
// tanks join it over borders.
TEST(NativeModels, StandBesideComponentsOfHopsan) {
  const std::string servo = Servo("0.5");
  const hopsan::HmfImport direct = ImportModel("servo.hmf", servo, false),
                          native = ImportModel("servo.hmf", servo, true);
  EXPECT_THAT(native.report, testing::HasSubstr("valve (Hydraulic43Valve): stays hopsan.Hydraulic43Valve"));
  EXPECT_THAT(native.description->ToXml(), testing::HasSubstr("<hopsan.HydraulicBorderQ"));
  EXPECT_THAT(native.description->ToXml(), testing::HasSubstr("<hydraulic.ReliefValve"));
  const std::vector<double> x = RunOf(direct.description->ToXml(), "sensor.out", 1.5);
  EXPECT_LT(Deviation(RunOf(native.description->ToXml(), "sensor.out", 1.5), x), 0.01);
}

TEST(NativeModels, SayForEachComponentWhatItBecame) {
  const std::string servo = Servo("0.5");
  const std::string report = ImportModel("servo.hmf", servo, true).report;
  for (const char* name : {"suction", "pump", "line", "relief", "valve", "cylinder", "load", "spring", "wall",
                           "sensor", "step", "error", "controller", "scope"})
    EXPECT_THAT(report, testing::HasSubstr(std::string(name) + " (")) << report;
  EXPECT_THAT(report, testing::HasSubstr("scope (SignalSink): left out"));
  EXPECT_THAT(report, testing::HasSubstr("cylinder (HydraulicCylinderC): stays"));
}

TEST(NativeModels, OfHopsansPositionServoMoveAlike) {
  const char* const place = std::getenv("DAVIT_HOPSAN");
  const fs::path file = fs::path(place == nullptr ? "" : place) / "Models/Example Models/Position Servo.hmf";
  if (!fs::exists(file)) GTEST_SKIP() << "no Position Servo below DAVIT_HOPSAN";
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const hopsan::HmfImport native = ImportModel(file, text, true);
  EXPECT_EQ(native.description->ToXml().find("<hopsan."), std::string::npos) << native.report;
  // The oil of this servo cavitates, and with its step of 0.1 ms Hopsan is 3.4 % from what it tends to: a run
  // with 5 us is what an exact one is compared with.
  const std::string step = "timestep=\"0.0001\"";
  ASSERT_NE(text.find(step), std::string::npos);
  text.replace(text.find(step), step.size(), "timestep=\"0.000005\"");
  const std::vector<double> x =
      RunOf(ImportModel(file, text, false).description->ToXml(), "Position_Sensor.out", 3);
  EXPECT_LT(Deviation(RunOf(native.description->ToXml(), "Position_Sensor.y", 3), x), 0.01);
}

}  // namespace
}  // namespace davit
