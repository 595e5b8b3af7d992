#include "components/hydraulic/line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "simulator/energy/energy_balance.h"
#include "simulator/simulation_failure.h"
#include "tests/components/hydraulic/lifting_data.h"
#include "tests/components/hydraulic/wave_harness.h"
#include "tests/support/system_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

const double kSpeed = std::sqrt(kBeta / kRho);                  // [m/s]
constexpr double kArea = std::numbers::pi / 4 * 0.049 * 0.049;  // [m2]

class LineHarness : public WaveHarness<Line> {
 public:
  explicit LineHarness(std::string_view friction = "none") { Set(component, "friction", friction); }

  /// Both ends joined to a resistance that equals the line, the one at a fed with the wave e.
  void AnswerMatched(double e) {
    const double Zc = component.characteristic_impedance();
    a.q = (e - a.c) / (a.Zc + Zc);
    b.q = -b.c / (b.Zc + Zc);
  }

  HydraulicBond& a = AttachHydraulic(component, "a");
  HydraulicBond& b = AttachHydraulic(component, "b");
};

/// The delay of the default line, 15 m [s].
double DefaultDelay() { return 15 / kSpeed; }

TEST(LineTest, HasTheWaveSpeedOfItsOil) {
  LineHarness line;
  line.Begin(1e-3);
  EXPECT_NEAR(line.component.delay(), 11.008661e-3, 1e-9);
  EXPECT_NEAR(line.component.characteristic_impedance(), 6.227033e8, 1e2);
}

TEST(LineTest, StartsInSteadyFlow) {
  for (const char* friction : {"none", "steady", "frequency_dependent"}) {
    LineHarness line(friction);
    line.SetStart(line.component, "p", 50e5);
    line.SetStart(line.component, "q", 2e-3);
    line.Begin(1e-3);
    for (int n = 0; n < 100; ++n, line.Step()) {
      line.a.q = 2e-3;
      line.b.q = -2e-3;
      EXPECT_NEAR((line.a.p() + line.b.p()) / 2, 50e5, 1e-5) << friction;
    }
  }
}

/// A reservoir at a and a valve at b that shuts at t = 0.
class WaterHammer : public LineHarness {
 public:
  static constexpr double kPressure = 100e5;
  static constexpr double kFlow = 479.52 / 6e4;

  void Close(double h) {
    SetStart(component, "p", kPressure);
    SetStart(component, "q", kFlow);
    Begin(h);
    Answer();
  }
  void Answer() {
    a.q = (kPressure - a.c) / a.Zc;
    b.q = 0;
  }
  void Advance() {
    Step();
    Answer();
  }
};

/// dp = rho a dv, when the flow stops at once [Pa].
double JoukowskyPressure() { return kRho * kSpeed * WaterHammer::kFlow / kArea; }

TEST(LineTest, RisesByJoukowskysPressure) {
  WaterHammer line;
  line.Close(1e-3);
  EXPECT_NEAR(line.b.p() - WaterHammer::kPressure, JoukowskyPressure(), 1e-6);
  EXPECT_NEAR(line.b.p() - WaterHammer::kPressure, 4976645, 1);
}

TEST(LineTest, SquareWaveIsExactOverAHundredPeriods) {
  const double rise = JoukowskyPressure();
  for (const int steps : {1, 2, 7, 110}) {
    WaterHammer line;
    line.Close(DefaultDelay() / steps);
    double worst = 0;
    for (int n = 0; n < 400 * steps; ++n, line.Advance()) {
      const double sign = n % (4 * steps) < 2 * steps ? 1 : -1;
      worst = std::max(worst, std::abs(line.b.p() - (WaterHammer::kPressure + sign * rise)));
    }
    EXPECT_LT(worst, 1e-12 * WaterHammer::kPressure) << steps << " steps";
  }
}

/// p_b/p_a at a closed end b, from the answer to a single wave sent out by a matched source at a.
std::complex<double> ClosedEndGain(LineHarness& line, double h, double duration, double frequency) {
  line.SetStart(line.component, "p", 0);
  line.Begin(h);
  const std::complex<double> per_step = std::polar(1.0, -2 * std::numbers::pi * frequency * h);
  std::complex<double> at_a, at_b, phase = 1;
  const auto steps = static_cast<long>(duration / h);
  for (long n = 0; n < steps; ++n, line.Step()) {
    line.a.q = ((n == 0 ? 1.0 : 0.0) - line.a.c) / (line.a.Zc + line.component.characteristic_impedance());
    line.b.q = 0;
    at_a += line.a.p() * phase;
    at_b += line.b.p() * phase;
    phase *= per_step;
  }
  return at_b / at_a;
}

TEST(LineTest, ClosedEndAnswersAsOneOverCosine) {
  struct Value {
    double frequency;
    double gain;
  };
  for (const Value& value : {Value{1, 1.00239699},
                             {5, 1.06293809},
                             {10, 1.29842098},
                             {20, 5.36733897},
                             {22, 20.38796927},
                             {30, -2.06960618},
                             {45, -1.00041969}}) {
    LineHarness line;
    const std::complex<double> gain = ClosedEndGain(line, DefaultDelay() / 1000, 0.1, value.frequency);
    const double exact = 1 / std::cos(2 * std::numbers::pi * value.frequency * DefaultDelay());
    EXPECT_NEAR(gain.real(), exact, 1e-9 * std::abs(exact)) << value.frequency;
    EXPECT_NEAR(gain.imag(), 0, 1e-9 * std::abs(exact)) << value.frequency;
    EXPECT_NEAR(gain.real(), value.gain, 1e-8 * std::abs(exact)) << value.frequency;
  }
}

TEST(LineTest, AnyOtherDelayIsOfSecondOrder) {
  const double frequency = 20;
  const std::complex<double> exact = std::polar(1.0, -2 * std::numbers::pi * frequency * DefaultDelay());
  const auto error = [&](double steps) {
    LineHarness line;
    const double h = DefaultDelay() / steps;
    line.SetStart(line.component, "p", 0);
    line.Begin(h);
    std::complex<double> at_b, phase = 1;
    for (int n = 0; n < 2 * steps + 10; ++n, line.Step()) {
      line.AnswerMatched(n == 0 ? 2 : 0);
      at_b += line.b.p() * phase;
      phase *= std::polar(1.0, -2 * std::numbers::pi * frequency * h);
    }
    return std::abs(at_b - exact);
  };
  for (const double steps : {10.5, 20.5, 40.5}) {
    const double finer = 2 * steps + 0.5 - 1;  // an odd number of half steps again
    const double order = std::log(error(steps) / error(finer)) / std::log(finer / steps);
    EXPECT_NEAR(order, 2, 0.05) << steps;
  }
}

// Law: the balance of a line is exact in each step, also while a cavity opens, grows and collapses at its
// end; a cavity that collapses loses energy.
TEST(LineTest, TheEnergyOfACavitatingLineCloses) {
  for (const char* step : {"1 ms", "0.1 ms"}) {
    SystemHarness system(fmt::format(R"(<System name="t" xmlns="urn:davit:system:1">
      <SimulatorManager TimeStep="{}" StopTime="0.45 s"/>
      <hydraulic.Line name="line" friction="none" length="13.625545 m" inner_diameter="15 mm"/>
      <hydraulic.FlowSource name="still"/><hydraulic.FlowSource name="flow"/>
      <signal.Step name="s" before="-10 l/min" after="10 l/min" start_time="0.2 s"/>
      <Route from="s.y" to="flow.flow"/><Connect from="flow.port" to="line.a"/><Connect from="still.port" to="line.b"/>
    </System>)",
                                     step));
    system.simulation().AccountEnergy();
    double most = 0;
    for (int n = 1; n <= 45; ++n) {
      system.RunTo(0.01 * n);
      most = std::max(most, system.Read("line.void_volume"));
      const EnergyBalance balance = system.simulation().energy()->Balance();
      // Rounding of the waves, a few hundred a step.
      EXPECT_LE(balance.error, 1e-12 * balance.turnover) << step << ' ' << n;
    }
    EXPECT_GT(most, 1e-6);
    const EnergyBalance balance = system.simulation().energy()->Balance();
    const auto collapse = std::ranges::find(balance.losses, "collapse of cavities", &EnergyOf::name);
    ASSERT_NE(collapse, balance.losses.end());
    EXPECT_GT(collapse->energy, 0.01);
  }
}

TEST(LineTest, RandomFlowsNeverGainEnergy) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> flow(-1e-3, 1e-3);
  for (const char* friction : {"none", "steady", "frequency_dependent"}) {
    for (const double steps : {1.0, 1.3, 2.5, 7.0, 7.9}) {
      LineHarness line(friction);
      line.Set(line.component, "vapour_pressure", -1e12);  // no cavity
      line.SetStart(line.component, "p", 0);
      line.Begin(DefaultDelay() / steps);
      double energy = 0, turnover = 0, least = 0;
      for (int n = 0; n < 20000; ++n, line.Step()) {
        if (n % 2000 < 1000) {
          line.a.q = flow(random);
          line.b.q = flow(random);
        } else {
          line.AnswerMatched(0);  // takes out all that is inside
        }
        energy += line.a.p() * line.a.q + line.b.p() * line.b.q;
        turnover += std::abs(line.a.p() * line.a.q) + std::abs(line.b.p() * line.b.q);
        least = std::min(least, energy);
      }
      EXPECT_GE(least, -1e-13 * turnover) << friction << ' ' << steps;
      if (std::string(friction) == "none" && steps == std::round(steps)) {
        EXPECT_NEAR(energy, 0, 1e-12 * turnover) << steps;  // all comes out again
      } else {
        EXPECT_GT(energy, 1e-6 * turnover) << friction << ' ' << steps;
      }
    }
  }
}

TEST(LineTest, SteadyFlowLosesThePressureOfPoiseuilleAndBlasius) {
  struct Value {
    double litres_per_minute;
    double drop;
    double tolerance;
  };
  for (const char* friction : {"steady", "frequency_dependent"}) {
    for (const Value& value : {Value{100, 4872.729, 1e-3}, Value{479.52, 83521.9, 0.5}}) {
      LineHarness line(friction);
      const double q = value.litres_per_minute / 6e4;
      line.SetStart(line.component, "q", q);
      line.Begin(1e-3);
      for (int n = 0; n < 1000; ++n, line.Step()) {
        line.a.q = q;
        line.b.q = -q;
        EXPECT_NEAR(line.a.p() - line.b.p(), value.drop, value.tolerance) << friction << ' ' << n;
      }
    }
  }
}

TEST(LineTest, TurbulentFlowSettlesOnItsLaw) {
  LineHarness line("steady");
  line.SetStart(line.component, "p", 0);
  line.Begin(DefaultDelay() / 10);
  for (int n = 0; n < 40000; ++n, line.Step()) {  // pressure sources at both ends
    line.a.q = (83521.9 - line.a.c) / line.a.Zc;
    line.b.q = -line.b.c / line.b.Zc;
  }
  EXPECT_NEAR(line.a.q, 479.52 / 6e4, 1e-5 * 479.52 / 6e4);
  EXPECT_NEAR(line.b.q, -line.a.q, 1e-12);
}

TEST(LineTest, UnsteadyFrictionHasZielkesGain) {
  struct Value {
    double frequency;
    double gain;
    double phase;  // [deg]
  };
  for (const double steps : {20.0, 100.0, 1000.0}) {
    for (const Value& value : {Value{1, 1.00270424, -.021666},
                               {5, 1.06678953, -.227375},
                               {10, 1.31379642, -.724954},
                               {20, 5.96035863, -7.002670},
                               {22.7, 32.97623727, -133.337658}}) {
      LineHarness line("frequency_dependent");
      const std::complex<double> gain = ClosedEndGain(line, DefaultDelay() / steps, 4, value.frequency);
      EXPECT_NEAR(std::abs(gain), value.gain, 0.01 * value.gain) << value.frequency << " Hz, " << steps;
      EXPECT_NEAR(std::arg(gain) * 180 / std::numbers::pi, value.phase, 0.6)
          << value.frequency << " Hz, " << steps;
    }
  }
}

TEST(LineTest, SlowLaminarFlowHasItsInertia) {
  // The profile of slow laminar flow carries 4/3 of the momentum of a plug: dp = R q + 4/3 rho L/A q'.
  LineHarness line("frequency_dependent");
  const double h = DefaultDelay();
  line.SetStart(line.component, "p", 0);
  line.Begin(h);
  const double rise = 1e-6;  // [m3/s2]
  const double R = 128 * 0.0275776 * 15 / (std::numbers::pi * std::pow(0.049, 4));
  double mean = 0;  // of two steps, which leaves out the wave of the sudden start
  for (int n = 0; n < 2000; ++n, line.Step()) {
    line.a.q = rise * n * h;
    line.b.q = -line.a.q;
    if (n >= 1998) mean += (line.a.p() - line.b.p() - R * line.a.q) / 2;
  }
  const double plug = kRho * 15 / kArea * rise;
  EXPECT_NEAR(mean, 4.0 / 3 * plug, 0.03 * plug);
}

/// A pressure source, an orifice, the line, an orifice and a tank.
std::string LineSystem(const std::string& time_step, const std::string& line) {
  return SystemText(
      "TimeStep=\"" + time_step + "\" StopTime=\"0.1 s\"", "",
      "<hydraulic.PressureSource name=\"supply\" pressure=\"100 bar\"/>"
      "<hydraulic.Orifice name=\"inlet\"/>" +
          line +
          "<hydraulic.Orifice name=\"outlet\"/><hydraulic.Tank name=\"tank\"/>"
          "<Connect from=\"supply.port\" to=\"inlet.a\"/><Connect from=\"inlet.b\" to=\"line.a\"/>"
          "<Connect from=\"line.b\" to=\"outlet.a\"/><Connect from=\"outlet.b\" to=\"tank.port\"/>"
          "<Record signals=\"line.a.c line.b.c inlet.q outlet.q\"/>");
}

TEST(LineTest, RefusesToBeShorterThanATimeStep) {
  const auto faults = FaultsOf(LineSystem("10 ms", "<hydraulic.Line name=\"line\" length=\"3 m\"/>"));
  ASSERT_EQ(faults.size(), 1U);
  for (const char* part : {"/line: the line is shorter than one TimeStep", "0.00220173 s", "0.01 s",
                           "a TimeStep of at most 0.00220173 s", "hydraulic.VolumeC"}) {
    EXPECT_NE(faults[0].find(part), std::string::npos) << part << " in " << faults[0];
  }
  EXPECT_TRUE(FaultsOf(LineSystem("2 ms", "<hydraulic.Line name=\"line\" length=\"3 m\"/>")).empty());
}

TEST(LineTest, RemembersAtMostTenMillionTimeSteps) {
  // The wave takes 2.2 ms.
  const std::string line = "<hydraulic.Line name=\"line\" length=\"3 m\"/>";
  const auto faults = FaultsOf(LineSystem("2e-10 s", line));
  ASSERT_EQ(faults.size(), 1U);
  for (const char* part :
       {"/line: a wave passes the line in 0.00220173 s, which is more than 1e+07 TimeSteps",
        "a TimeStep of at least 2.20173e-10 s"})
    EXPECT_NE(faults[0].find(part), std::string::npos) << part << " in " << faults[0];
  EXPECT_TRUE(FaultsOf(LineSystem("2.5e-10 s", line)).empty());
}

TEST(LineTest, StopsTheRunWhenATimeStepBecomesTooLong) {
  const std::string longer = "<At time=\"50 ms\" set=\"SimulatorManager.TimeStep\" value=\"5 ms\"/>";
  TestSystem system(LineSystem("1 ms", "<hydraulic.Line name=\"line\" length=\"3 m\"/>" + longer));
  for (int run = 0; run < 2; ++run) {
    try {
      system.Run();
      ADD_FAILURE() << "it ran to the end";
    } catch (const SimulationFailure& failure) {
      EXPECT_NEAR(failure.time(), 0.05, 1e-12);
      EXPECT_NE(std::string(failure.what()).find("/line: the line is shorter than one TimeStep"),
                std::string::npos)
          << failure.what();
    }
  }
}

TEST(LineTest, GoesOnWhenTheTimeStepIsStillShortEnough) {
  const std::string longer = "<At time=\"50 ms\" set=\"SimulatorManager.TimeStep\" value=\"2 ms\"/>";
  TestSystem system(LineSystem("1 ms", "<hydraulic.Line name=\"line\" length=\"3 m\"/>" + longer));
  const std::vector<TestRow> first = system.RunAndRecord();
  EXPECT_NEAR(first.back().t, 0.1, 1e-12);
  EXPECT_EQ(system.RunAndRecord(), first);
}

TEST(LineTest, RepeatsARunBitForBit) {
  for (const char* friction : {"none", "steady", "frequency_dependent"}) {
    TestSystem system(
        LineSystem("1 ms", std::string("<hydraulic.Line name=\"line\" friction=\"") + friction + "\"/>"));
    const std::vector<TestRow> first = system.RunAndRecord();
    EXPECT_GT(first.size(), 50U);
    EXPECT_EQ(system.RunAndRecord(), first);
  }
}

TEST(LineTest, AllocatesNothingInAStep) {
  LineHarness line("frequency_dependent");
  line.Begin(1e-3);
  const AllocationCounter allocations;
  for (int n = 0; n < 100; ++n, line.Step()) line.AnswerMatched(1e5);
  EXPECT_EQ(allocations.count(), 0U);
}

}  // namespace
}  // namespace davit
