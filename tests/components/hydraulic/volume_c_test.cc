#include "components/hydraulic/volume_c.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "tests/components/hydraulic/wave_harness.h"

namespace davit {
namespace {

constexpr double kStiffness = 1.6e9 / 0.01;  // of the default volume [Pa/m3]

class VolumeCHarness : public WaveHarness<VolumeC> {
 public:
  explicit VolumeCHarness(std::size_t ports) {
    for (std::size_t i = 0; i < ports; ++i) bonds.push_back(&AttachHydraulic(component, "port"));
  }
  double MeanWave() const {
    double sum = 0;
    for (const HydraulicBond* bond : bonds) sum += bond->c;
    return sum / static_cast<double>(bonds.size());
  }

  std::vector<HydraulicBond*> bonds;
};

TEST(VolumeCTest, StartsAtTheStartPressure) {
  VolumeCHarness volume(3);
  volume.SetStart(volume.component, "p", 15.6e5);
  volume.Begin(1e-3);
  EXPECT_DOUBLE_EQ(volume.Read("p"), 15.6e5);
  for (const HydraulicBond* bond : volume.bonds) {
    EXPECT_DOUBLE_EQ(bond->p(), 15.6e5);
    EXPECT_DOUBLE_EQ(bond->Zc, 3 * kStiffness * 1e-3 / (2 * 0.9));
  }
}

TEST(VolumeCTest, MeanWaveRisesByTheOil) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> flow(-1e-4, 1e-4);
  for (const double filter : {0.0, 0.1, 0.9}) {
    for (const std::size_t ports : {1U, 2U, 5U}) {
      VolumeCHarness volume(ports);
      volume.Set(volume.component, "filter", filter);
      volume.SetStart(volume.component, "p", 100e5);
      volume.Begin(1e-3);
      for (int n = 0; n < 1000; ++n) {
        double sum = 0;
        for (HydraulicBond* bond : volume.bonds) sum += bond->q = flow(random);
        const double before = volume.MeanWave();
        volume.Step();
        EXPECT_NEAR(volume.MeanWave() - before, kStiffness * 1e-3 * sum, 1e-7);
        EXPECT_NEAR(volume.MeanWave(), volume.Read("p"), 1e-7);
      }
    }
  }
}

TEST(VolumeCTest, WithTwoPortsIsTheShortLine) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> flow(-1e-4, 1e-4);
  const double al = 0.1, Zc = kStiffness * 1e-3 / (1 - al);
  VolumeCHarness volume(2);
  volume.SetStart(volume.component, "p", 100e5);
  volume.Begin(1e-3);
  double c_1 = 100e5, c_2 = 100e5;
  for (int n = 0; n < 1000; ++n) {
    const double q_1 = volume.bonds[0]->q = flow(random);
    const double q_2 = volume.bonds[1]->q = flow(random);
    volume.Step();
    const double next = al * c_1 + (1 - al) * (c_2 + 2 * Zc * q_2);
    c_2 = al * c_2 + (1 - al) * (c_1 + 2 * Zc * q_1);
    c_1 = next;
    ASSERT_NEAR(volume.bonds[0]->c, c_1, 1e-6);
    ASSERT_NEAR(volume.bonds[1]->c, c_2, 1e-6);
    ASSERT_DOUBLE_EQ(volume.bonds[0]->Zc, Zc);
  }
}

TEST(VolumeCTest, SteadyFlowHasOnePressure) {
  VolumeCHarness volume(3);
  volume.SetStart(volume.component, "p", 100e5);
  volume.Begin(1e-3);
  for (int n = 0; n < 200; ++n) {
    volume.bonds[0]->q = 2e-3;
    volume.bonds[1]->q = -1.5e-3;
    volume.bonds[2]->q = -0.5e-3;
    volume.Step();
  }
  for (const HydraulicBond* bond : volume.bonds) EXPECT_NEAR(bond->p(), 100e5, 1e-6);
}

TEST(VolumeCTest, HalfAPeriodOfASineFlow) {
  VolumeCHarness volume(1);
  volume.SetStart(volume.component, "p", 0);
  const double h = 1e-3;
  volume.Begin(h);
  for (int n = 0; n < 500; ++n) {
    constexpr double w = 2 * std::numbers::pi;
    volume.bonds[0]->q =
        1e-4 * (std::cos(w * n * h) - std::cos(w * (n + 1) * h)) / (w * h);  // mean of the step
    volume.Step();
  }
  EXPECT_NEAR(volume.Read("p"), 5092958.18, 0.01);
}

TEST(VolumeCTest, RandomFlowsNeverGainEnergy) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> flow(-1e-5, 1e-5);
  for (const double filter : {0.0, 0.1, 0.5, 0.9}) {
    VolumeCHarness volume(3);
    volume.Set(volume.component, "filter", filter);
    volume.Set(volume.component, "vapour_pressure", -1e9);  // no cavity
    volume.SetStart(volume.component, "p", 0);
    volume.Begin(1e-3);
    double energy = 0, turnover = 0, least = 0;
    for (int n = 0; n < 20000; ++n, volume.Step()) {
      for (HydraulicBond* bond : volume.bonds) {
        bond->q = n % 2000 < 1000 ? flow(random) : -bond->c / (2 * bond->Zc);
        energy += bond->p() * bond->q;
        turnover += std::abs(bond->p() * bond->q);
      }
      least = std::min(least, energy);
    }
    EXPECT_GE(least, -1e-13 * turnover) << filter;
  }
}

TEST(VolumeCTest, TheFilterTakesTheEnergyOfAResistanceAndHidesNone) {
  // h sum(p_i q_i) = E1 - E + al h/Zc sum((p_i - P)^2),  E = P^2/(2 s) + h/(4 (1 - al) Zc) sum((c_i - P)^2)
  constexpr double kStep = 1e-3;
  std::mt19937 random(9);
  std::uniform_real_distribution<double> flow(-1e-4, 1e-4);
  for (const double filter : {0.0, 0.1, 0.5, 0.9}) {
    for (const std::size_t ports : {1U, 2U, 5U}) {
      VolumeCHarness volume(ports);
      volume.Set(volume.component, "filter", filter);
      volume.Set(volume.component, "vapour_pressure", -1e12);  // no cavity
      volume.SetStart(volume.component, "p", 100e5);
      volume.Begin(kStep);
      const double Zc = volume.bonds[0]->Zc;
      const auto energy = [&] {
        const double P = volume.Read("p");
        double E = P * P / (2 * kStiffness);
        for (const HydraulicBond* bond : volume.bonds)
          E += kStep / (4 * (1 - filter) * Zc) * (bond->c - P) * (bond->c - P);
        return E;
      };
      double taken = 0;
      for (int n = 0; n < 1000; ++n) {
        const double before = energy();
        const double P = volume.Read("p");
        double work = 0, loss = 0;
        for (HydraulicBond* bond : volume.bonds) {
          bond->q = flow(random);
          work += kStep * bond->p() * bond->q;
          loss += filter * kStep / Zc * (bond->p() - P) * (bond->p() - P);
        }
        volume.Step();
        ASSERT_NEAR(work, energy() - before + loss, 1e-14 * before + 1e-13 * std::abs(work)) << filter;
        taken += loss;
      }
      if (filter > 0) {
        EXPECT_GT(taken, 0);
      } else {
        EXPECT_EQ(taken, 0);
      }
    }
  }
}

TEST(VolumeCTest, KeepsItsOil) {
  // Two volumes with what flows between them, with a cavity or not.
  std::mt19937 random(4);
  std::uniform_real_distribution<double> flow(-3e-3, 3e-3);
  VolumeCHarness left(2), right(1);
  right.Set(right.component, "volume", 0.03);
  left.Begin(1e-3);
  right.Begin(1e-3);
  const auto oil = [&] { return left.Read("quantity") + right.Read("quantity"); };
  const double before = oil();
  double void_seen = 0, inflow = 0;
  for (int n = 0; n < 1000000; ++n) {
    const double q = flow(random);
    left.bonds[0]->q = q;
    right.bonds[0]->q = -q;
    left.bonds[1]->q = n % 2 == 0 ? 1e-5 : -1e-5;
    left.Step();
    right.Step();
    void_seen = std::max({void_seen, left.Read("void_volume"), right.Read("void_volume")});
    inflow += std::abs(q) * 1e-3;
  }
  EXPECT_GT(void_seen, 0);
  EXPECT_NEAR(oil(), before, 1e-15 * inflow);
}

TEST(VolumeCTest, CavitatesAtVapourPressureAndKeepsTheCavityVolume) {
  VolumeCHarness volume(2);
  volume.Begin(1e-3);
  const double start = volume.Read("quantity");
  // A pump draws oil with a flow that rises and falls, then gives it back.
  double balance = 0, least_p = 0, most_void = 0;
  for (int n = 0; n <= 4000; ++n) {
    const double q = -1e-4 * std::sin(2 * std::numbers::pi * n / 4000);
    volume.bonds[0]->q = q;
    volume.bonds[1]->q = 0;
    for (const HydraulicBond* bond : volume.bonds) least_p = std::min(least_p, bond->p());
    volume.Step();
    balance += 1e-3 * q;
    most_void = std::max(most_void, volume.Read("void_volume"));
    if (volume.Read("void_volume") > 0) {
      EXPECT_EQ(volume.Read("p"), -99900);
    }
  }
  EXPECT_NEAR(most_void, 4e-4 / std::numbers::pi, 2e-6);
  EXPECT_NEAR(volume.Read("quantity"), start + balance, 1e-18);
  EXPECT_NEAR(volume.Read("p"), 1e5, 1);
  EXPECT_EQ(least_p, -99900) << "not even in the step in which the oil cavitates";
}

TEST(VolumeCTest, ACavityGivesOilAtVapourPressureOnly) {
  VolumeCHarness volume(2);
  volume.Begin(1e-3);
  for (int n = 0; n < 300; ++n) {
    volume.bonds[0]->q = -1e-3 * n / 100.0;  // ever faster
    volume.bonds[1]->q = 2e-4;
    if (n > 200) {
      EXPECT_EQ(volume.bonds[0]->p(), -99900);
    }
    if (n > 200) {
      EXPECT_NEAR(volume.bonds[1]->p(), -99900, 1e-6);
    }
    volume.Step();
  }
}

TEST(VolumeCTest, FillsThroughAnOrificeWithoutOvershoot) {
  // A cavity that fills from 100 bar through q = K sqrt(dp), also where one step brings more than the cavity
  // holds.
  const double K = 3e-6, p_supply = 100e5;
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    VolumeCHarness volume(1);
    volume.SetStart(volume.component, "quantity", -2.5e-4);
    volume.Begin(h);
    HydraulicBond& bond = *volume.bonds[0];
    double most = 0;
    for (int n = 0; n * h < 1; ++n, volume.Step()) {
      // q + K^2 Zc/... in closed form: q^2 + K^2 Zc q - K^2 (p_supply - c) = 0 for an inflow.
      const double dc = p_supply - bond.c;
      const double sign = dc > 0 ? 1 : -1;
      const double half = K * K * bond.Zc / 2;
      bond.q = sign * (std::sqrt(half * half + K * K * std::abs(dc)) - half);
      most = std::max(most, volume.Read("p"));
    }
    EXPECT_NEAR(volume.Read("p"), p_supply, 1e-3 * p_supply) << h;
    EXPECT_LT(most, p_supply + kStiffness * h * K * std::sqrt(p_supply)) << h;
  }
}

TEST(VolumeCTest, KeepsThePressureWhenItsStiffnessChanges) {
  VolumeCHarness volume(2);
  volume.SetStart(volume.component, "p", 80e5);
  volume.Begin(1e-3);
  const auto step = [&] {
    volume.bonds[0]->q = 1e-3;
    volume.bonds[1]->q = -1e-3;
    volume.Step();
  };
  for (int n = 0; n < 200; ++n) step();
  volume.Set(volume.component, "volume", 0.03);
  volume.Set(volume.component, "bulk_modulus", 1.2e9);
  volume.Apply(volume.component);
  step();
  EXPECT_NEAR(volume.Read("p"), 80e5, 1e-6);
  for (const HydraulicBond* bond : volume.bonds) EXPECT_NEAR(bond->p(), 80e5, 1e-5);
}

TEST(VolumeCTest, RefusesTwoStartValues) {
  VolumeCHarness volume(1);
  volume.SetStart(volume.component, "p", 1e5);
  volume.SetStart(volume.component, "quantity", 0);
  volume.component.set_simulator_time_step(1e-3);
  const Diagnostics diagnostics = volume.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_NE(diagnostics.all()[0].message().find("quantity"), std::string::npos);
}

TEST(VolumeCTest, RepeatsARunBitForBitAndAllocatesNothing) {
  VolumeCHarness volume(3);
  std::vector<double> seen(3000), first;
  for (int run = 0; run < 2; ++run) {
    volume.Begin(1e-3);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> flow(-1e-3, 1e-3);
    const AllocationCounter allocations;
    for (std::size_t n = 0; n < 1000; ++n, volume.Step()) {
      for (std::size_t i = 0; i < 3; ++i) {
        volume.bonds[i]->q = flow(random);
        seen[3 * n + i] = volume.bonds[i]->p();
      }
    }
    EXPECT_EQ(allocations.count(), 0U);
    if (run == 0) first = seen;
  }
  EXPECT_EQ(seen, first);
}

}  // namespace
}  // namespace davit
