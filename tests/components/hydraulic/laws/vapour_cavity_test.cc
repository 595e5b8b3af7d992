#include "components/hydraulic/laws/vapour_cavity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "components/hydraulic/accumulator_c.h"
#include "components/hydraulic/line.h"
#include "components/hydraulic/volume_c.h"
#include "tests/components/hydraulic/closed_forms.h"
#include "tests/components/hydraulic/wave_harness.h"

namespace davit {
namespace {

/// Gauge vapour pressure of components with the default parameters.
constexpr double kVapour = kVapourPressure - kAtmosphericPressure;

constexpr double kZc = 1e9;
constexpr double kStep = 1e-3;

TEST(VapourCavityTest, WithoutCavityItPassesTheWaveOn) {
  const VapourCavity cavity;
  HydraulicBond port;
  cavity.Offer({50e5, kZc}, kVapour, kStep, port);
  EXPECT_EQ(port.c, 50e5);
  EXPECT_EQ(port.Zc, kZc);
  EXPECT_EQ(port.p_min, kVapour);
  port.q = 1.7e-3;
  VapourCavity after = cavity;
  EXPECT_EQ(after.Take(port, kStep), 1.7e-3);
  EXPECT_EQ(after.volume(), 0);
}

TEST(VapourCavityTest, OpensWhereTheWaveCannotBringWhatIsDrawn) {
  VapourCavity cavity;
  HydraulicBond port;
  cavity.Offer({1e5, kZc}, -1e5, kStep, port);
  port.q = -5e-4;  // the wave alone would fall to -4 bar; at -1 bar it brings 2e-4
  EXPECT_EQ(port.p(), -1e5);
  EXPECT_NEAR(cavity.Take(port, kStep), -2e-4, 1e-19);
  EXPECT_NEAR(cavity.volume(), 3e-7, 1e-22);
  // It is filled before the pressure rises: 3e-7 m3 in a step are 3e-4 m3/s.
  cavity.Offer({-1e5, kZc}, -1e5, kStep, port);
  port.q = 2.9e-4;
  EXPECT_EQ(port.p(), -1e5);
  port.q = 3.1e-4;
  EXPECT_NEAR(port.p(), -1e5 + kZc * 1e-5, 1e-6);
  EXPECT_NEAR(cavity.Take(port, kStep), 1e-5, 1e-19);
  EXPECT_EQ(cavity.volume(), 0);
}

TEST(VapourCavityTest, NeverFallsBelowVapourPressureKeepsOilAndGivesNoEnergy) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> wave(-20e5, 20e5), flow(-2e-3, 2e-3);
  VapourCavity cavity;
  HydraulicBond port;
  double inside = 0, outside = 0, work = 0, turnover = 0, most = 0;
  for (int n = 0; n < 100000; ++n) {
    cavity.Offer({wave(random), kZc}, kVapour, kStep, port);
    port.q = flow(random);
    ASSERT_GE(port.p(), kVapour);
    const double q = cavity.Take(port, kStep);
    ASSERT_GE(cavity.volume(), 0);
    outside += kStep * port.q;
    inside += kStep * q;
    most = std::max(most, cavity.volume());
    // What the cavity has got, counted from vapour pressure: nothing that it could give back.
    const double got = kStep * (port.p() - kVapour) * (port.q - q);
    work += got;
    turnover += kStep * (port.p() - kVapour) * (std::abs(port.q) + std::abs(q));
    ASSERT_GE(got, -1e-12 * kStep * (port.p() - kVapour) * (std::abs(port.q) + std::abs(q)));
  }
  EXPECT_GT(most, 1e-5);
  EXPECT_GT(work, 0);
  EXPECT_NEAR(inside - cavity.volume(), outside, 1e-15 * 100000 * kStep * 2e-3);
}

/// What a component has taken up at its ports, counted from vapour pressure, where it has nothing to give.
/// The flows come and go at random, with more drawn than there is and with hits on the cavities.
template <class Model>
class LeastEnergy : public WaveHarness<Model> {
 public:
  double Run(std::vector<HydraulicBond*> bonds, double h, unsigned seed, double most_flow) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> flow(-most_flow, most_flow);
    std::uniform_int_distribution<int> length(1, 30), kind(0, 3);
    this->Begin(h);
    double energy = 0, least = 0, turnover = 0;
    for (int n = 0, next = 0, how = 0; n < 50000; ++n, this->Step()) {
      if (n == next) {
        next += length(random);
        how = kind(random);
      }
      for (HydraulicBond* bond : bonds) {
        if (how == 0) bond->q = flow(random);
        if (how == 1) bond->q = 0;
        if (how == 2) bond->q = -std::abs(flow(random));
        if (how == 3) bond->q = (kVapour - bond->c) / (2 * bond->Zc);  // takes what the waves can give
        EXPECT_GE(bond->p(), kVapour);
        const double power = (bond->p() - kVapour) * bond->q;
        energy += h * power;
        turnover += h * std::abs(power);
      }
      least = std::min(least, energy);
      if (this->Read("void_volume") > 0) ++steps_with_void;
    }
    return least / turnover;
  }
  int steps_with_void = 0;
};

constexpr double kRounding = 1e-12;

TEST(VapourCavityTest, ALineWithCavitiesNeverGainsEnergy) {
  for (const char* friction : {"none", "steady", "frequency_dependent"}) {
    for (const double h : {1e-3, 1.3e-3, 11.0086e-3 / 2}) {
      LeastEnergy<Line> line;
      line.Set(line.component, "friction", friction);
      line.SetStart(line.component, "p", kVapour);
      auto& a = line.AttachHydraulic(line.component, "a");
      auto& b = line.AttachHydraulic(line.component, "b");
      EXPECT_GE(line.Run({&a, &b}, h, 7, 2e-2), -kRounding) << friction << ' ' << h;
      EXPECT_GT(line.steps_with_void, 1000);
    }
  }
}

TEST(VapourCavityTest, AVolumeWithCavityNeverGainsEnergy) {
  for (const double filter : {0.0, 0.1, 0.5, 0.9}) {
    for (const std::size_t ports : {1U, 2U, 5U}) {
      LeastEnergy<VolumeC> volume;
      volume.Set(volume.component, "filter", filter);
      volume.SetStart(volume.component, "p", kVapour);
      std::vector<HydraulicBond*> bonds;
      for (std::size_t i = 0; i < ports; ++i)
        bonds.push_back(&volume.AttachHydraulic(volume.component, "port"));
      EXPECT_GE(volume.Run(bonds, 1e-3, 8, 1e-4), -kRounding) << filter << ' ' << ports;
      EXPECT_GT(volume.steps_with_void, 1000);
    }
  }
}

TEST(VapourCavityTest, AnEmptyAccumulatorNeverGainsEnergy) {
  // Below the precharge, where only the oil in the port is left, the law is linear.
  LeastEnergy<AccumulatorC> accumulator;
  accumulator.Set(accumulator.component, "precharge_pressure", 1e12);
  accumulator.SetStart(accumulator.component, "p", kVapour);
  auto& port = accumulator.AttachHydraulic(accumulator.component, "port");
  EXPECT_GE(accumulator.Run({&port}, 1e-3, 9, 1e-6), -kRounding);
  EXPECT_GT(accumulator.steps_with_void, 1000);
}

/// A reservoir feeds a line whose far end is shut at once while oil flows towards the reservoir: the column
/// separates there.
class ColumnSeparation : public WaveHarness<Line> {
 public:
  static constexpr double kReservoir = 5e5;
  static constexpr double kFlow = -2e-3;  // from a to b

  explicit ColumnSeparation(int steps) {
    Set(component, "friction", "none");
    SetStart(component, "p", kReservoir);
    SetStart(component, "q", kFlow);
    Begin(15 / std::sqrt(1.6e9 / 861.8) / steps);
  }
  void Answer() {
    a.q = (kReservoir - a.c) / a.Zc;
    b.q = 0;
  }
  HydraulicBond& a = AttachHydraulic(component, "a");
  HydraulicBond& b = AttachHydraulic(component, "b");
};

TEST(VapourCavityTest, ASeparatedColumnReturnsWhenTheReservoirHasTurnedIt) {
  // While the cavity is open the oil moves off at u, and each wave that has been to the reservoir and back
  // takes 2 (p_0 - p_v)/Zc from it; the first one, (p_0 - p_v)/Zc, when the cavity opens. All steps are
  // exact.
  for (const int steps : {4, 11, 110}) {
    ColumnSeparation line(steps);
    const double Zc = line.component.characteristic_impedance();
    const double T = line.component.delay();
    const double slack = (ColumnSeparation::kReservoir - kVapour) / Zc;
    double u = -ColumnSeparation::kFlow - slack;  // at which the cavity grows
    ASSERT_GT(u, 0);
    double V = 0, most = 0;
    for (int n = 0; n < 6 * steps; ++n, line.Step()) {
      line.Answer();
      EXPECT_NEAR(line.Read("void_volume"), V, 1e-12 * 2e-3 * T * 6) << n << " of " << steps;
      most = std::max(most, V);
      if (n > 0 && n % (2 * steps) == 0) u -= 2 * slack;
      V += u * T / steps;
      if (V <= 0) break;
      EXPECT_EQ(line.b.p(), kVapour) << n;
    }
    EXPECT_GT(most, 0);
  }
}

}  // namespace
}  // namespace davit
