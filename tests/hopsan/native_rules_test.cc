// Each rule of `hopsan convert --native`, alone: the circuit as components of Hopsan, and as those of davit.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/hopsan/hmf_text.h"
#include "tests/hopsan/native_run.h"

namespace davit {
namespace {

/// A circuit with one component of a type, and the signal by which it is judged.
struct Circuit {
  std::string type;
  std::string components;
  std::string connections;
  std::string direct;  ///< signal of Hopsan's component
  std::string native;  ///< the same of davit's
};
std::ostream& operator<<(std::ostream& out, const Circuit& circuit) { return out << circuit.type; }

using Values = std::initializer_list<std::pair<const char*, std::string>>;

/// A signal of 2 Hz that begins after 23 ms.
std::string Sine() {
  return HmfComponent(
      "SignalSineWave", "sine",
      {{"f#Value", "2"}, {"y_A#Value", "3"}, {"y_offset#Value", "0.05"}, {"t_start#Value", "0.023"}});
}

Circuit Source(const std::string& type, Values values, const std::string& output = "out") {
  return {type, HmfComponent(type, "one", values), "", "one." + output, "one.y"};
}

/// One input, driven by the sine.
Circuit Filter(const std::string& type, Values values = {}, const std::string& native = "one.y") {
  return {type, Sine() + HmfComponent(type, "one", values), HmfConnect("sine.out", "one.in"), "one.out",
          native};
}

/// Two inputs: the sine, and 4.
Circuit Arithmetic(const std::string& type) {
  return {type,
          Sine() + HmfComponent("SignalConstant", "four", {{"y#Value", "4"}}) + HmfComponent(type, "one"),
          HmfConnect("sine.out", "one.in1") + HmfConnect("four.y", "one.in2"), "one.out", "one.out"};
}

/// From a source of 50 bar through a restriction into a volume, and on to a tank of 2 bar: the pressure.
Circuit Restriction(const std::string& type, Values values = {}) {
  return {type,
          HmfComponent("HydraulicPressureSourceC", "source", {{"p#Value", "5e6"}}) +
              HmfComponent(type, "one", values) + HmfComponent("HydraulicVolume", "volume") +
              HmfComponent("HydraulicLaminarOrifice", "leak", {{"Kc#Value", "3e-11"}}) +
              HmfComponent("HydraulicTankC", "tank", {{"p#Value", "2e5"}}) +
              HmfComponent("HydraulicPressureSensor", "sensor"),
          HmfConnect("source.P1", "one.P1") + HmfConnect("one.P2", "volume.P1") +
              HmfConnect("volume.P2", "leak.P1") + HmfConnect("leak.P2", "tank.P1") +
              HmfConnect("sensor.P1", "volume.P2"),
          "sensor.out", "sensor.out"};
}

/// A flow into a volume, which leaves through a restriction of 3e-11 m3/(s Pa): the pressure.
Circuit Supply(const std::string& type, const std::string& port, const std::string& more = {},
               const std::string& joins = {}, Values values = {}) {
  return {type,
          HmfComponent(type, "one", values) + HmfComponent("HydraulicVolumeMultiPort", "volume") +
              HmfComponent("HydraulicLaminarOrifice", "leak", {{"Kc#Value", "3e-11"}}) +
              HmfComponent("HydraulicMultiTankC", "tank", {{"p#Value", "2e5"}}) +
              HmfComponent("HydraulicPressureSensor", "sensor") + more,
          HmfConnect("one." + port, "volume.P1") + HmfConnect("volume.P1", "leak.P1") +
              HmfConnect("leak.P2", "tank.MP") + HmfConnect("sensor.P1", "leak.P1") + joins,
          "sensor.out", "sensor.out"};
}

/// A sine of force on a mass, which a spring holds.
Circuit Swing(const std::string& type, Values values, const std::string& sensor, const std::string& native) {
  return {type + " " + sensor,
          Sine() + HmfComponent("SignalGain", "gain", {{"k#Value", "100"}}) +
              HmfComponent("MechanicForceTransformer", "force") + HmfComponent(type, "one", values) +
              HmfComponent("MechanicTranslationalSpring", "spring", {{"k#Value", "2000"}}) +
              HmfComponent("MechanicFixedPosition", "wall") + HmfComponent(sensor, "sensor"),
          HmfConnect("sine.out", "gain.in") + HmfConnect("gain.out", "force.F") +
              HmfConnect("force.P1", "one.P1") + HmfConnect("one.P2", "spring.P1") +
              HmfConnect("spring.P2", "wall.Pm1") + HmfConnect("sensor.P1", "one.P2"),
          "sensor.out", native};
}

std::vector<Circuit> Circuits() {
  const std::string tank = HmfComponent("HydraulicTankC", "suction");
  const std::string from_tank = HmfConnect("suction.P1", "one.P1");
  return {
      Source("SignalConstant", {{"y#Value", "2.5"}}, "y"),
      Source("SignalStep", {{"y_0#Value", "0.5"}, {"y_A#Value", "-2"}, {"t_step#Value", "0.333"}}),
      Source(
          "SignalRamp",
          {{"y_0#Value", "0.5"}, {"y_A#Value", "2"}, {"t_start#Value", "0.233"}, {"t_end#Value", "0.744"}}),
      Source("SignalSineWave",
             {{"f#Value", "2"}, {"y_A#Value", "3"}, {"y_offset#Value", "0.05"}, {"t_start#Value", "0.123"}}),
      Source("SignalSquareWave", {{"y_0#Value", "0.5"}, {"y_A#Value", "2"}, {"f#Value", "3.3"}}),
      Filter("SignalGain", {{"k#Value", "-1.5"}}),
      Filter("SignalSaturation", {{"y_upper#Value", "1.2"}, {"y_lower#Value", "-0.7"}}),
      Filter("SignalIntegrator2"),
      Filter("SignalLP1Filter", {{"omega", "20"}}),
      Arithmetic("SignalAdd"),
      Arithmetic("SignalSubtract"),
      Arithmetic("SignalMultiply"),
      Arithmetic("SignalDivide"),
      {"SignalSum",
       Sine() + HmfComponent("SignalConstant", "four", {{"y#Value", "4"}}) + HmfComponent("SignalSum", "one"),
       HmfConnect("sine.out", "one.in") + HmfConnect("four.y", "one.in"), "one.out", "one.y"},
      Restriction("HydraulicLaminarOrifice", {{"Kc#Value", "2e-11"}}),
      Restriction("HydraulicTurbulentOrifice", {{"A#Value", "2e-6"}, {"C_q#Value", "0.6"}}),
      Restriction("HydraulicCheckValve", {{"K_s#Value", "5e-8"}}),
      Supply("HydraulicFlowSourceQ", "P1", "", "", {{"q#Value", "1e-4"}}),
      Supply("HydraulicFixedDisplacementPump", "P2", tank, from_tank,
             {{"n_p#Value", "100"}, {"D_p#Value", "6e-6"}, {"C_lp#Value", "1e-11"}}),
      Supply("HydraulicVariableDisplacementPump", "P2", tank, from_tank,
             {{"omega_p#Value", "200"}, {"D_p#Value", "6e-6"}, {"eps#Value", "0.6"}}),
      Swing("MechanicTranslationalMass", {{"m#Value", "20"}, {"m", "20"}, {"B#Value", "200"}},
            "MechanicPositionSensor", "sensor.y"),
      Swing("MechanicTranslationalMass", {{"m", "20"}, {"B#Value", "200"}}, "MechanicSpeedSensor",
            "sensor.v"),
      Swing("MechanicTranslationalMassWithCoulombFriction",
            {{"m", "20"}, {"b#Value", "200"}, {"f_s#Value", "20"}, {"f_k#Value", "20"}},
            "MechanicPositionSensor", "sensor.y"),
  };
}

class NativeRule : public testing::TestWithParam<Circuit> {};

// What Hopsan computes a step or two late, or with steps of 0.1 ms, differs by 2 steps of the fastest change:
// 4 Hz and 20 rad/s, 2 * 1e-4 s * 25 /s = 5e-3.
TEST_P(NativeRule, GivesWhatHopsanGives) {
  const Circuit& circuit = GetParam();
  const std::string model = HmfModel(circuit.components, circuit.connections, "1");
  const hopsan::HmfImport direct = ImportModel("test.hmf", model, false);
  const hopsan::HmfImport native = ImportModel("test.hmf", model, true);
  EXPECT_EQ(native.description->ToXml().find("<hopsan."), std::string::npos) << native.report;
  std::vector<double> expected = RunOf(direct.description->ToXml(), circuit.direct, 1);
  std::vector<double> actual = RunOf(native.description->ToXml(), circuit.native, 1);
  expected.erase(expected.begin());  // the start, where outputs of Hopsan are not evaluated yet
  actual.erase(actual.begin());
  EXPECT_LT(Deviation(actual, expected), 5e-3) << native.description->ToXml();
  EXPECT_GT(std::abs(*std::ranges::max_element(expected, {}, [](double y) { return std::abs(y); })), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Types, NativeRule, testing::ValuesIn(Circuits()));

}  // namespace
}  // namespace davit
