// Several TimeSteps in one run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/test_system.h"

namespace davit {
namespace {

/// A line between two restrictions, driven by a swinging pressure; each end with a TimeStep of its own. The
/// delay is 64/3 of 0.125 ms, so that halving steps leaves the share between them at a third.
std::string LineText(double time_step, double left, double right, const std::string& more = {}) {
  const std::string l = " TimeStep='" + ToXml(left) + "'";
  const std::string r = " TimeStep='" + ToXml(right) + "'";
  return SystemText(
      "TimeStep='" + ToXml(time_step) + "' StopTime='40 ms'", "method='runge_kutta4'",
      "<signal.Sine name='swing' amplitude='20e5' frequency='300 rad/s' offset='60e5' phase='90 deg'" + l +
          "/>" + "<hydraulic.PressureSource name='supply'" + l +
          "/><Route from='swing.y' to='supply.pressure'/>" +
          "<hydraulic.Orifice name='inlet' area='20 mm2' law='laminar_turbulent'" + l + "/>" +
          "<hydraulic.Line name='line' length='3.6335026286937335 m' friction='none' bulk_modulus='1.6e9 Pa' "
          "density='861.8 kg/m3'><Start p='30 bar'/></hydraulic.Line>" +
          "<hydraulic.Orifice name='outlet' area='15 mm2' law='laminar_turbulent'" + r + "/>" +
          "<hydraulic.Tank name='tank'/>"
          "<Connect from='supply.port' to='inlet.a'/><Connect from='inlet.b' to='line.a'/>"
          "<Connect from='line.b' to='outlet.a'/><Connect from='outlet.b' to='tank.port'/>" +
          more + "<Record signals='line.a.p line.b.p inlet.q outlet.q' interval='1 ms'/>");
}

std::vector<double> LastRow(const std::string& text) {
  TestSystem system(text);
  return system.RunAndRecord().back().values;
}

TEST(RatesTest, AFractionEverywhereIsTheSameAsASmallerTimeStep) {
  // Steps that are powers of two are exact, so the times are the same to the last bit.
  const double h = 1.0 / 1024;
  const auto text = [](double manager, double own) {
    const std::string step = " TimeStep='" + ToXml(own) + "'";
    return SystemText("TimeStep='" + ToXml(manager) + "' StopTime='0.25'", "method='runge_kutta4'",
                      "<signal.Sine name='swing' amplitude='1e3' frequency='40 rad/s'" + step + "/>" +
                          "<mechanical.Force name='push'" + step +
                          "/><Route from='swing.y' to='push.force'/>"
                          "<mechanical.Mass name='m1' mass='10 kg'" +
                          step + "/><mechanical.SpringC name='spring' stiffness='1e5 N/m'" + step +
                          "/><mechanical.Mass name='m2' mass='7 kg'" + step +
                          "/><mechanical.SpringC name='last' stiffness='2e5 N/m' damping='50'" + step +
                          "/><mechanical.Fixed name='wall'" + step +
                          "/>"
                          "<Connect from='push.port' to='m1.a'/><Connect from='m1.b' to='spring.a'/>"
                          "<Connect from='spring.b' to='m2.a'/><Connect from='m2.b' to='last.a'/>"
                          "<Connect from='last.b' to='wall.port'/>"
                          "<Record signals='m1.x m2.x m2.v last.force' times='0.25'/>");
  };
  EXPECT_EQ(LastRow(text(4 * h, h)), LastRow(text(h, h)));
}

TEST(RatesTest, RestIsKept) {
  const auto text = [](double left, double right) {
    return SystemText("TimeStep='1 ms' StopTime='50 ms'", "method='runge_kutta4'",
                      "<hydraulic.VolumeC name='v1' volume='1 l' TimeStep='" + ToXml(left) +
                          "'><Start p='70 bar'/></hydraulic.VolumeC>"
                          "<hydraulic.Orifice name='o1' area='1 cm2' TimeStep='" +
                          ToXml(left) +
                          "'/><hydraulic.Line name='line' length='10 m'><Start p='70 bar'/></hydraulic.Line>"
                          "<hydraulic.Orifice name='o2' area='1 cm2' TimeStep='" +
                          ToXml(right) + "'/><hydraulic.VolumeC name='v2' volume='1 l' TimeStep='" +
                          ToXml(right) +
                          "'><Start p='70 bar'/></hydraulic.VolumeC>"
                          "<Connect from='v1.port' to='o1.a'/><Connect from='o1.b' to='line.a'/>"
                          "<Connect from='line.b' to='o2.a'/><Connect from='o2.b' to='v2.port'/>"
                          "<Record signals='v1.p v2.p o1.q o2.q' times='50 ms'/>");
  };
  const std::vector<double> row = LastRow(text(0.25e-3, 5e-3));
  EXPECT_NEAR(row[0], 70e5, 1e-6);  // some 50 steps that round to 1e-9
  EXPECT_NEAR(row[1], 70e5, 1e-6);
  EXPECT_NEAR(row[2], 0, 1e-15);
  EXPECT_NEAR(row[3], 0, 1e-15);
}

TEST(RatesTest, CouplingOverALineIsOfSecondOrder) {
  // Against a run with steps so small that its error is 1/1024 of the largest measured.
  const auto run = [](double h, double left, double right) {
    TestSystem system(LineText(h, left, right));
    system.manager().set_steady(true);  // a smooth start: kinks are of first order
    return system.RunAndRecord();
  };
  const std::vector<TestRow> exact = run(0.25e-3 / 32, 0.25e-3 / 32, 0.25e-3 / 32);
  const auto error = [&](double h) {
    const std::vector<TestRow> rows = run(h, h / 2, 2 * h);
    double most = 0;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      for (std::size_t i = 0; i < 2; ++i)
        most = std::max(most, std::abs(rows[n].values[i] - exact[n].values[i]));
    }
    return most;
  };
  const double coarse = error(0.25e-3);
  const double middle = error(0.125e-3);
  const double fine = error(0.0625e-3);
  EXPECT_GT(coarse, 1e2);  // Pa: there is an error to measure
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.3);
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.3);
}

TEST(RatesTest, SlowSignalsAreHeld) {
  // A ramp sampled every 4 ms by a gain of its own TimeStep and shown by another of 1 ms.
  TestSystem system(
      SystemText("TimeStep='1 ms' StopTime='12 ms'", "method='runge_kutta4'",
                 "<signal.Ramp name='ramp' start_time='0 s' duration='1 s' from='0' to='1000'/>"
                 "<signal.Integrator name='slow' TimeStep='4 ms'/><signal.Gain name='fast' gain='1'/>"
                 "<Route from='ramp.y' to='slow.u'/><Route from='slow.y' to='fast.u'/>"
                 "<Record signals='fast.y' interval='1 ms'/>"));
  const std::vector<TestRow> rows = system.RunAndRecord();
  ASSERT_EQ(rows.size(), 13U);
  for (std::size_t n = 1; n < rows.size(); ++n) {
    if (n % 4 == 1) continue;  // one step after the integrator
    EXPECT_EQ(rows[n].values, rows[n - 1].values) << n;
  }
  EXPECT_NE(rows[9].values, rows[8].values);
}

TEST(RatesTest, AreTheSameBitsOnTwoThreads) {
  const auto run = [](unsigned threads) {
    // More steps than the executor measures on one thread, at every rate.
    TestSystem system(LineText(0.05e-3, 0.025e-3, 0.1e-3));
    system.manager().set_threads(threads, ThreadUse::kAlways);
    std::vector<TestRow> rows = system.RunAndRecord();
    EXPECT_EQ(system.manager().statistics().threads, threads);
    return rows;
  };
  EXPECT_EQ(run(1), run(2));
}

}  // namespace
}  // namespace davit
