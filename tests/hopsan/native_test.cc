#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "components/register.h"
#include "hopsan/import/hmf_import.h"
#include "hopsan/register.h"
#include "tests/hopsan/fault_text.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

const Registry& NativeModels() {
  static const Registry registry = [] {
    Registry models = AllModels();
    RegisterHopsan(models);
    return models;
  }();
  return registry;
}

/// A servo of the same parts as Hopsan's example: pump, valve, cylinder, mass, spring, and a controller.
/// `pb` is the share of the circumference of the edge from P to B, `length` the start position of the spring.
std::string Servo(const std::string& pb = "1", const std::string& length = "0") {
  const auto component = [](const std::string& type, const std::string& name,
                            std::initializer_list<std::pair<const char*, std::string>> values = {}) {
    std::string text = "<component typename='" + type + "' name='" + name + "'><parameters>";
    for (const auto& [key, value] : values)
      text += std::string("<parameter name='") + key + "' value='" + value + "' type='double'/>";
    return text + "</parameters></component>";
  };
  const auto connect = [](const char* a, const char* a_port, const char* b, const char* b_port) {
    return std::string("<connect startcomponent='") + a + "' startport='" + a_port + "' endcomponent='" + b +
           "' endport='" + b_port + "'/>";
  };
  return "<hopsanmodelfile hmfversion='0.4' hopsancoreversion='2.24.0'><system typename='Subsystem' "
         "name='servo'>"
         "<simulationtime start='0' timestep='0.0001' stop='1.5'/><simulationlogsettings numsamples='151'/>"
         "<objects>" +
         component("HydraulicTankC", "suction") +
         component("HydraulicFixedDisplacementPump", "pump",
                   {{"n_p#Value", "200"}, {"D_p#Value", "25e-5"}, {"C_lp#Value", "1e-12"}}) +
         component("HydraulicVolumeMultiPort", "line", {{"P1#Pressure", "1e5"}}) +
         component("HydraulicPressureReliefValve", "relief",
                   {{"p_max#Value", "2e7"}, {"tao#Value", "1e-3"}, {"p_h#Value", "0"}, {"q_nom", "0.01"}}) +
         component("HydraulicTankC", "back") + component("HydraulicTankC", "return") +
         component("Hydraulic43Valve", "valve",
                   {{"x_pa#Value", "1e-4"},
                    {"x_pb#Value", "1e-4"},
                    {"x_at#Value", "1e-4"},
                    {"x_bt#Value", "1e-4"},
                    {"omega_h", "200"},
                    {"f_pb#Value", pb}}) +
         component("HydraulicCylinderC", "cylinder", {{"B_p#Value", "0"}, {"c_leak#Value", "0"}}) +
         component("MechanicTranslationalMass", "load", {{"B#Value", "0"}}) +
         component("MechanicTranslationalSpring", "spring", {{"P1#Position", length}}) +
         component("MechanicFixedPosition", "wall") + component("MechanicPositionSensor", "sensor") +
         component("SignalStep", "step",
                   {{"y_0#Value", "0.2"}, {"y_A#Value", "0.3"}, {"t_step#Value", "0.7"}}) +
         component("SignalSubtract", "error") +
         component("SignalGain", "controller", {{"k#Value", "0.005"}}) + component("SignalSink", "scope") +
         "</objects><connections>" + connect("suction", "P1", "pump", "P1") +
         connect("pump", "P2", "line", "P1") + connect("line", "P1", "relief", "P1") +
         connect("relief", "P2", "back", "P1") + connect("line", "P1", "valve", "PP") +
         connect("valve", "PT", "return", "P1") + connect("valve", "PA", "cylinder", "P1") +
         connect("valve", "PB", "cylinder", "P2") + connect("cylinder", "P3", "load", "P1") +
         connect("load", "P2", "spring", "P1") + connect("spring", "P2", "wall", "Pm1") +
         connect("sensor", "P1", "load", "P2") + connect("step", "out", "error", "in1") +
         connect("sensor", "out", "error", "in2") + connect("error", "out", "controller", "in") +
         connect("controller", "out", "valve", "in") + connect("error", "out", "scope", "in") +
         "</connections></system></hopsanmodelfile>";
}

hopsan::HmfImport Import(const fs::path& file, const std::string* text, bool is_native) {
  Diagnostics diagnostics;
  const auto import = hopsan::ImportHmf(
      file, NativeModels(), {.keeps_lines = false, .is_native = is_native, .text = text}, diagnostics);
  if (!import) throw std::invalid_argument(TextOfFaults(diagnostics));
  return *import;
}

/// The values of `path` every 10 ms, after levels of `levels` are set.
std::vector<double> RunOf(const std::string& system, const std::string& path, double stop,
                          const std::vector<std::string>& levels = {}) {
  LoadOptions options;
  options.level = levels;
  const auto simulation = Simulation::LoadText(system, "servo.xml", NativeModels(), {.load = options}).Take();
  simulation->Initialize();
  std::vector<double> values;
  for (int i = 0; i <= std::lround(stop / 0.01); ++i) {
    simulation->RunUntil(0.01 * i);
    values.push_back(simulation->Read(path));
  }
  return values;
}

/// The largest difference over the largest value.
double Deviation(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, peak = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    peak = std::max(peak, std::abs(b[i]));
  }
  return difference / peak;
}

// Both are the same physics but for waves, filters and a delay of one step; 1 % is asked of a position. The
// controller is slow enough that no oil cavitates.
TEST(NativeModels, OfAServoMoveAsTheServoOfHopsan) {
  for (const char* length : {"0", "0.2"}) {
    const std::string servo = Servo("1", length);
    const hopsan::HmfImport direct = Import("servo.hmf", &servo, false),
                            native = Import("servo.hmf", &servo, true);
    EXPECT_EQ(native.text.find("<hopsan."), std::string::npos) << native.report;
    EXPECT_THAT(native.report, testing::HasSubstr("16 of 16 components became"));
    const std::vector<double> x = RunOf(direct.text, "sensor.out", 1.5);
    EXPECT_LT(Deviation(RunOf(native.text, "sensor.y", 1.5), x), 0.01) << length;
    EXPECT_GT(x.back() - x[60], 0.2);  // it moves
  }
}

TEST(NativeModels, OfAServoRunAtAdvanced) {
  const std::string servo = Servo();
  const hopsan::HmfImport native = Import("servo.hmf", &servo, true);
  const std::vector<double> x = RunOf(native.text, "sensor.y", 1.5, {"cylinder=Advanced", "valve=Plain"});
  EXPECT_NEAR(x.back(), 0.5, 0.05);  // leakage and friction leave an error of a proportional controller
  EXPECT_GT(Deviation(x, RunOf(native.text, "sensor.y", 1.5)), 0) << "the levels change nothing";
}

// A valve with edges of its own has no counterpart: it stays with the volumes that it is solved with, and the
// tanks join it over borders.
TEST(NativeModels, StandBesideComponentsOfHopsan) {
  const std::string servo = Servo("0.5");
  const hopsan::HmfImport direct = Import("servo.hmf", &servo, false),
                          native = Import("servo.hmf", &servo, true);
  EXPECT_THAT(native.report, testing::HasSubstr("valve (Hydraulic43Valve): stays hopsan.Hydraulic43Valve"));
  EXPECT_THAT(native.text, testing::HasSubstr("<hopsan.HydraulicBorderQ"));
  EXPECT_THAT(native.text, testing::HasSubstr("<hydraulic.ReliefValve"));
  const std::vector<double> x = RunOf(direct.text, "sensor.out", 1.5);
  EXPECT_LT(Deviation(RunOf(native.text, "sensor.out", 1.5), x), 0.01);
}

TEST(NativeModels, SayForEachComponentWhatItBecame) {
  const std::string servo = Servo("0.5");
  const std::string report = Import("servo.hmf", &servo, true).report;
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
  const hopsan::HmfImport native = Import(file, &text, true);
  EXPECT_EQ(native.text.find("<hopsan."), std::string::npos) << native.report;
  // The oil of this servo cavitates, and with its step of 0.1 ms Hopsan is 3.4 % from what it tends to: a run
  // with 5 us is what an exact one is compared with.
  const std::string step = "timestep=\"0.0001\"";
  ASSERT_NE(text.find(step), std::string::npos);
  text.replace(text.find(step), step.size(), "timestep=\"0.000005\"");
  const std::vector<double> x = RunOf(Import(file, &text, false).text, "Position_Sensor.out", 3);
  EXPECT_LT(Deviation(RunOf(native.text, "Position_Sensor.y", 3), x), 0.01);
}

}  // namespace
}  // namespace davit
