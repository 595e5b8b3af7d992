// Islands of differential equations between lines.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kBegin = 4;     // of the motion, when all is steady [s]
constexpr double kPoint = 2e-3;  // between the points that are compared [s]
constexpr int kPoints = 40;

/// A volume with a differential equation between two lines of four and six points, with steady flow from the
/// one pressure to the other until a pump begins to pulsate. The pulsation begins at a step point of all
/// runs.
std::string VolumeBetweenLines(double h) {
  const double speed = std::sqrt(1.6e9 / 861.8);
  return SystemText(
      fmt::format("TimeStep=\"{}\" StopTime=\"{}\"", h, kBegin + kPoints * kPoint),
      "method=\"runge_kutta_dopri5\" rtol=\"1e-11\" atol=\"1e-12\"",
      fmt::format(
          "<hydraulic.PressureSource name=\"high\" pressure=\"150 bar\"/>"
          "<hydraulic.Orifice name=\"o1\"/><hydraulic.Line name=\"line1\" friction=\"none\" length=\"{}\"/>"
          "<hydraulic.Orifice name=\"o2\"/><hydraulic.Volume name=\"volume\" volume=\"0.5 l\"/>"
          "<hydraulic.Orifice name=\"o3\"/><hydraulic.Line name=\"line2\" friction=\"none\" length=\"{}\"/>"
          "<hydraulic.Orifice name=\"o4\"/><hydraulic.Tank name=\"tank\"/>"
          "<hydraulic.FlowSource name=\"pump\"/><Route from=\"pulsation.y\" to=\"pump.flow\"/>"
          "<signal.Sine name=\"pulsation\" amplitude=\"1e-3\" frequency=\"200 rad/s\" phase=\"{} rad\" "
          "start_time=\"{}\"/>"
          "<Connect from=\"high.port\" to=\"o1.a\"/><Connect from=\"o1.b\" to=\"line1.a\"/>"
          "<Connect from=\"line1.b\" to=\"o2.a\"/><Connect from=\"o2.b\" to=\"volume.port\"/>"
          "<Connect from=\"pump.port\" to=\"volume.port\"/><Connect from=\"volume.port\" to=\"o3.a\"/>"
          "<Connect from=\"o3.b\" to=\"line2.a\"/><Connect from=\"line2.b\" to=\"o4.a\"/>"
          "<Connect from=\"o4.b\" to=\"tank.port\"/><Record signals=\"volume.p\" times=\"0\"/>",
          4 * kPoint * speed, 6 * kPoint * speed, -200 * kBegin, kBegin));
}

std::vector<double> PressuresIn(const std::string& text) {
  TestSystem system(text);
  SimulatorManager& manager = system.manager();
  manager.Initialize();
  EXPECT_EQ(manager.islands().size(), 1U);
  const Item p = system.Find("volume.p");
  std::vector<double> pressures;
  for (int i = 0; i <= kPoints; ++i) {
    manager.RunUntil(kBegin + i * kPoint);
    pressures.push_back(p.Read());
  }
  return pressures;
}

double LargestDifference(const std::vector<double>& one, const std::vector<double>& other) {
  double largest = 0;
  for (std::size_t i = 0; i < one.size(); ++i) largest = std::max(largest, std::abs(one[i] - other[i]));
  return largest;
}

TEST(LineCouplingTest, OfAnIslandIsOfSecondOrder) {
  std::vector<std::vector<double>> runs;
  for (const int steps : {4, 8, 16, 32}) runs.push_back(PressuresIn(VolumeBetweenLines(kPoint / steps)));
  const double swing = *std::max_element(runs[0].begin(), runs[0].end()) - runs[0][0];
  EXPECT_GT(swing, 5e5);
  for (std::size_t i = 2; i < runs.size(); ++i) {
    const double coarse = LargestDifference(runs[i - 2], runs[i - 1]);
    const double fine = LargestDifference(runs[i - 1], runs[i]);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15) << coarse / swing << ' ' << fine / swing;
  }
}

TEST(LineCouplingTest, BeginsWithTheWaveOfTheLine) {
  TestSystem system(SystemText("StartTime=\"-1\" TimeStep=\"1 ms\" StopTime=\"1\"", "",
                               R"(<hydraulic.Tank name="tank"/><hydraulic.Orifice name="o1"/>
         <hydraulic.Line name="line" friction="none"><Start p="100 bar"/></hydraulic.Line>
         <hydraulic.Orifice name="o2" law="laminar_turbulent"/>
         <hydraulic.Volume name="volume"><Start p="40 bar"/></hydraulic.Volume>
         <Connect from="tank.port" to="o1.a"/><Connect from="o1.b" to="line.a"/>
         <Connect from="line.b" to="o2.a"/><Connect from="o2.b" to="volume.port"/>
         <Record signals="o2.dp o2.q line.b.p line.b.c line.b.Zc volume.p"/>)"));
  const std::vector<TestRow> rows = system.RunAndRecord();
  const std::vector<double>& first = rows[0].values;
  EXPECT_EQ(first[3], 100e5);  // c, without flow in the line
  EXPECT_DOUBLE_EQ(first[2], 100e5 - first[4] * first[1]);
  EXPECT_NEAR(first[0], first[2] - 40e5, 1e-8);
  EXPECT_GT(first[1], 0);
  // And not with what the last run left behind.
  EXPECT_TRUE(system.RunAndRecord() == rows);
}

}  // namespace
}  // namespace davit
