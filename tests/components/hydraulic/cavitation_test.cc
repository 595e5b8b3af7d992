// Random TLM networks whose pumps draw more oil than there is: absolute pressures and the balance of
// oil.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "components/hydraulic/laws/vapour_cavity.h"
#include "tests/components/hydraulic/closed_forms.h"
#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/latched_alarm_cycle.h"
#include "tests/support/system_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kStep = 1e-3;
constexpr double kStartPressure = 20e5;
constexpr double kDiameter = 0.02;

/// Lines, accumulators and volumes joined by orifices, valves and pumps; oil comes in from a flow source and
/// out through an orifice into a tank. All that takes flow stops at 2 s, and at 4 s all is shut.
class RandomCircuit {
 public:
  explicit RandomCircuit(unsigned seed) : random_(seed) {
    const int volumes = Whole(2, 5);
    for (int i = 0; i < volumes; ++i) {
      const std::string name = Add(
          "VolumeC", "volume=\"" + ToXml(Decades(-4, -2)) + "\" filter=\"" + ToXml(Whole(0, 5) * 0.1) + "\"",
          StartAt());
      volumes_.push_back(name);
      oil_.push_back(name + ".quantity");
      voids_.push_back(name + ".void_volume");
    }
    for (int i = Whole(1, 3); i > 0; --i) {
      const int steps = Whole(1, 12);
      const std::string length = ToXml(steps * kStep * std::sqrt(kBeta / kRho));
      const std::string friction = Whole(0, 1) == 0 ? "none" : "steady";
      const std::string name = Add("Line",
                                   "inner_diameter=\"" + ToXml(kDiameter) + "\" length=\"" + length +
                                       "\" friction=\"" + friction + "\"",
                                   StartAt());
      lines_.push_back({name, steps});
      voids_.push_back(name + ".void_volume");
      Join(name + ".a", AnyVolume());
      Join(AnyVolume(), name + ".b");
    }
    for (int i = Whole(0, 2); i > 0; --i) {
      const std::string name =
          Add("AccumulatorC", "gas_volume=\"1 l\" precharge_pressure=\"10 bar\"", StartAt());
      oil_.push_back(name + ".oil");
      voids_.push_back(name + ".void_volume");
      Join(AnyVolume(), name + ".port");
    }
    for (std::size_t i = 1; i < volumes_.size(); ++i) Join(volumes_[i - 1] + ".port", volumes_[i] + ".port");
    AddPump(volumes_[0] + ".port", volumes_[1] + ".port", Decades(-5.3, -5));
    AddValve();
    const std::string source = Add("FlowSource", "", "");
    const std::string mean = ToXml(Decades(-6, -4));
    text_ += "<signal.Sine name=\"inflow\" amplitude=\"" + mean + "\" offset=\"" + mean +
             "\" frequency=\"20 rad/s\"/>";
    text_ += "<signal.Step name=\"on\" start_time=\"2 s\" before=\"1\" after=\"0\"/>";
    text_ += "<signal.Product name=\"flow\"/><Route from=\"inflow.y\" to=\"flow.u\"/>";
    text_ += "<Route from=\"on.y\" to=\"flow.u\"/><Route from=\"flow.y\" to=\"" + source + ".flow\"/>";
    Connect(source + ".port", AnyVolume());
    const std::string tank = Add("Tank", "", "");
    const std::string outlet = Add("Orifice", "area=\"0.01 mm2\"", "");
    Connect(outlet + ".a", AnyVolume());
    Connect(outlet + ".b", tank + ".port");
    Set(2, outlet + ".area", "0");
    in_and_out_ = {{source + ".q", 1}, {outlet + ".q", -1}};
  }

  std::string Text() const {
    return SystemText("TimeStep=\"" + ToXml(kStep) + "\" StopTime=\"4.1 s\"", "", text_);
  }

  struct Line {
    std::string name;
    int steps;
  };
  struct Flow {
    std::string signal;
    double sign;
  };
  const std::vector<std::string>& oil() const { return oil_; }
  const std::vector<std::string>& voids() const { return voids_; }
  const std::vector<Line>& lines() const { return lines_; }
  const std::vector<Flow>& in_and_out() const { return in_and_out_; }
  const std::vector<std::string>& ports() const { return ports_; }

 private:
  int Whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double Decades(double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random_));
  }
  std::string AnyVolume() {
    return volumes_[static_cast<std::size_t>(Whole(0, static_cast<int>(volumes_.size()) - 1))] + ".port";
  }
  static std::string StartAt() { return "<Start p=\"" + ToXml(kStartPressure) + "\"/>"; }

  std::string Add(const std::string& model, const std::string& attributes, const std::string& children) {
    const std::string name = "c" + std::to_string(count_++);
    text_ += "<hydraulic." + model + " name=\"" + name + "\" " + attributes + ">" + children +
             "</hydraulic." + model + ">\n";
    return name;
  }
  void Connect(const std::string& q_port, const std::string& c_port) {
    text_ += "<Connect from=\"" + q_port + "\" to=\"" + c_port + "\"/>\n";
    ports_.push_back(q_port + ".p");
  }
  void Set(double time, const std::string& parameter, const std::string& value) {
    text_ += "<At time=\"" + ToXml(time) + "\" set=\"" + parameter + "\" value=\"" + value + "\"/>\n";
  }
  void Join(const std::string& from, const std::string& to) {
    const int kind = Whole(0, 3);
    if (kind == 0) {
      const std::string orifice = Add("Orifice", "area=\"" + ToXml(Decades(-6, -4)) + "\"", "");
      Connect(orifice + ".a", from);
      Connect(orifice + ".b", to);
      Set(4, orifice + ".area", "0");
    } else {
      AddPump(from, to, Decades(-7, -5));
    }
  }
  /// A pump to and fro, which leaks more when it stops.
  void AddPump(const std::string& from, const std::string& to, double displacement) {
    const std::string pump =
        Add("FixedDisplacementPump", "displacement=\"" + ToXml(displacement) + "\" leakage=\"1e-12\"", "");
    Connect(pump + ".in", from);
    Connect(pump + ".out", to);
    Set(2, pump + ".displacement", "0");
    Set(2, pump + ".leakage", "1e-10");
    Set(4, pump + ".leakage", "0");
    text_ += "<signal.Sine name=\"s" + pump + "\" amplitude=\"200\" frequency=\"" + ToXml(Decades(0.5, 2)) +
             "\"/><Route from=\"s" + pump + ".y\" to=\"" + pump + ".speed\"/>\n";
  }
  /// All four ports at volumes, in neutral, where edges meet at ports.
  void AddValve() {
    const std::string valve = Add("DirectionalControlValve",
                                  "spool_type=\"X\" neutral_opening=\"0.5\" nominal_flow=\"10 l/min\"", "");
    for (const char* port : {".p", ".a", ".b", ".t"}) Connect(valve + port, AnyVolume());
    Set(4, valve + ".neutral_opening", "0");
  }

  std::mt19937 random_;
  int count_ = 0;
  std::string text_;
  std::vector<std::string> volumes_, oil_, voids_, ports_;
  std::vector<Line> lines_;
  std::vector<Flow> in_and_out_;
};

class CavitationTest : public testing::TestWithParam<unsigned> {};

TEST_P(CavitationTest, NoPressureBelowVapourAndNoOilLost) {
  const RandomCircuit circuit(GetParam());
  TestSystem system(circuit.Text());
  const auto find = [&](const std::vector<std::string>& paths) {
    std::vector<Item> variables;
    for (const std::string& path : paths) variables.push_back(system.Find(path));
    return variables;
  };
  const std::vector<Item> oil = find(circuit.oil()), voids = find(circuit.voids()),
                          ports = find(circuit.ports());
  const auto sum = [](const std::vector<Item>& variables) {
    double total = 0;
    for (const Item& variable : variables) total += variable.Read();
    return total;
  };
  SimulatorManager& manager = system.manager();
  manager.Initialize();
  // Oil of a line counted at gauge pressure 0: the compliance T/Zc times p.
  const double Zc = std::sqrt(kRho * kBeta) / (std::numbers::pi / 4 * kDiameter * kDiameter);
  double before = sum(oil), balance = 0, most_void = 0, turnover = 0;
  for (const auto& line : circuit.lines()) before += line.steps * kStep / Zc * kStartPressure;
  double least = std::numeric_limits<double>::infinity();
  double in_lines = 0;
  int shut_steps = 0;
  while (!manager.is_finished()) {
    for (const auto& flow : circuit.in_and_out()) {
      const double q = system.Read(flow.signal);
      balance += flow.sign * kStep * q;
      turnover += kStep * std::abs(q);
    }
    const double missing = sum(voids);
    most_void = std::max(most_void, missing);
    turnover += missing;
    manager.Step();
    for (const Item& p : ports) least = std::min(least, p.Read());
    // Everything is shut: in two delays every wave of a line comes by at its end a.
    if (manager.time() < 4.0 + 1.5 * kStep) continue;
    ASSERT_EQ(sum(voids), 0);
    for (const auto& line : circuit.lines()) {
      if (shut_steps < 2 * line.steps) in_lines += kStep / (2 * Zc) * system.Read(line.name + ".a.c");
    }
    ++shut_steps;
  }
  EXPECT_GE(least, kVapourPressure - kAtmosphericPressure);
  EXPECT_GT(most_void, 1e-7);
  // Rounding: in each step one of all the oil there is, and of what is missing.
  const double rounding = std::numeric_limits<double>::epsilon() * (4100 * std::abs(before) + turnover);
  EXPECT_NEAR(sum(oil) + in_lines, before + balance, rounding);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CavitationTest, testing::Range(1U, 21U));

TEST(OilAlarms, EndWhenTheOilIsBackAndSomebodyHasSeenThem) {
  // A flow of A*sin(pi*t) moves 2 A/pi until 1 s and back until 2 s: 0.1 l out of one litre leave a void, 2
  // ml more raise the pressure by 32 bar.
  for (const std::string model : {"hydraulic.Volume", "hydraulic.VolumeC"}) {
    for (const bool is_void : {true, false}) {
      SystemHarness system(
          "<System name=\"s\" xmlns=\"urn:davit:system:1\"><SimulatorManager TimeStep=\"1 ms\" StopTime=\"4 "
          "s\"/><signal.Sine name=\"sine\" frequency=\"3.14159265358979 rad/s\" amplitude=\"" +
          ToXml(is_void ? -1.57e-4 : 3.14e-6) +
          " m3/s\"/><hydraulic.FlowSource name=\"source\"/><Route from=\"sine.y\" to=\"source.flow\"/><" +
          model +
          " name=\"oil\" volume=\"1 l\" bulk_modulus=\"1.6e9 Pa\" max_valid_pressure=\"25 bar\"><Start "
          "p=\"10 "
          "bar\"/></" +
          model + "><Connect from=\"oil.port\" to=\"source.port\"/></System>");
      ExpectLatched(system, "oil", is_void ? "cavitation" : "overpressure");
    }
  }
}

}  // namespace
}  // namespace davit
