#include "components/hydraulic/cylinder_c.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "tests/components/hydraulic/closed_forms.h"
#include "tests/components/hydraulic/wave_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kAp = 0.0629017535;
constexpr double kAr = 0.0472872526;
constexpr double kWeight = 98100;

/// A cylinder that pushes a mass against a force. x, v and the force count in extension.
class CylinderCHarness : public WaveHarness<CylinderC> {
 public:
  void Begin(double step, double x_begin, double v_begin = 0) {
    h = step;
    x = x_begin;
    v = v_begin;
    rod.mass = mass;
    WriteMotion();
    WaveHarness::Begin(step);
    acceleration = Force() / TotalMass();
  }
  /// One step of the mass by the trapezoidal rule; the flows are already in the bonds.
  void Advance() {
    Step();
    // m (v - v') = h/2 (F' + F),  F = push - load,  push = c - Zc v
    const double v_before = v;
    v = (TotalMass() * (v + h / 2 * acceleration) + h / 2 * (rod.c - load)) / (TotalMass() + h / 2 * rod.Zc);
    x += h / 2 * (v_before + v);
    WriteMotion();
    acceleration = Force() / TotalMass();
  }
  void CloseValves() { a.q = b.q = 0; }
  void JoinTank() {
    a.q = a.Zc > 0 ? -a.c / a.Zc : kAp * v;
    b.q = b.Zc > 0 ? -b.c / b.Zc : -kAr * v;
  }
  double TotalMass() const { return mass + rod.added_mass; }
  double Force() const { return rod.F() - load; }

  HydraulicBond& a = AttachHydraulic(component, "a");
  HydraulicBond& b = AttachHydraulic(component, "b");
  TranslationalBond& rod = AttachTranslational(component, "rod");
  double mass = 10000, load = 0;
  double h = 0, x = 0, v = 0, acceleration = 0;

 private:
  void WriteMotion() {
    rod.x = -x;
    rod.v = -v;
  }
};

TEST(CylinderCTest, HandsItsMassAndStartToTheComponentAtTheRod) {
  CylinderCHarness cylinder;
  cylinder.Begin(1e-3, 1);
  EXPECT_EQ(cylinder.rod.added_mass, 500);
  EXPECT_TRUE(std::isnan(cylinder.rod.x_start));
  cylinder.SetStart(cylinder.component, "x", 0.7);
  cylinder.Begin(1e-3, 1);
  EXPECT_EQ(cylinder.rod.x_start, -0.7);
  EXPECT_EQ(cylinder.rod.x_start_owner, &cylinder.component);
}

TEST(CylinderCTest, OffersTheImpedanceOfItsChambers) {
  CylinderCHarness cylinder;
  cylinder.Begin(1e-4, 0.5);
  EXPECT_NEAR(cylinder.a.Zc, 1.6e9 * 1e-4 / (1e-3 + kAp * 0.5) / 0.9, 1);
  EXPECT_NEAR(cylinder.b.Zc, 1.6e9 * 1e-4 / (1e-3 + kAr * 1.5) / 0.9, 1);
  EXPECT_NEAR(cylinder.rod.Zc, kAp * kAp * cylinder.a.Zc + kAr * kAr * cylinder.b.Zc + 49050, 1);
  EXPECT_NEAR(cylinder.rod.c, 5e5 * kAp - 1e5 * kAr, 1e-3);
}

TEST(CylinderCTest, HoldsALoadAtItsStaticPressure) {
  CylinderCHarness cylinder;
  cylinder.load = kWeight;
  cylinder.SetStart(cylinder.component, "p_a", 1559574.9646);
  cylinder.SetStart(cylinder.component, "p_b", 0);
  cylinder.Begin(1e-3, 1);
  for (int n = 0; n < 10000; ++n) {
    cylinder.CloseValves();
    cylinder.Advance();
  }
  EXPECT_NEAR(cylinder.x, 1, 1e-9);
  EXPECT_NEAR(cylinder.Read("p_a"), 1559574.9646, 0.1);
}

TEST(CylinderCTest, ComesToRestAtTheStaticPressure) {
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    CylinderCHarness cylinder;
    cylinder.load = kWeight;
    cylinder.Set(cylinder.component, "viscous_friction", 5e5);
    cylinder.SetStart(cylinder.component, "p_a", 30e5);
    cylinder.SetStart(cylinder.component, "p_b", 30e5);
    cylinder.Begin(h, 1);
    for (double t = 0; t < 3; t += h) {
      cylinder.CloseValves();
      cylinder.Advance();
    }
    EXPECT_NEAR(cylinder.v, 0, 1e-9) << h;
    EXPECT_NEAR(cylinder.Read("p_a") * kAp - cylinder.Read("p_b") * kAr, kWeight, 1e-3 * kWeight) << h;
    // Both chambers keep their oil: oil = V (1 + p/beta), where the step resolves the stiffness of the oil.
    if (h > 1e-3) continue;
    const double V_a = 1e-3 + kAp * cylinder.x, V_b = 1e-3 + kAr * (2 - cylinder.x);
    EXPECT_NEAR(V_a * (1 + cylinder.Read("p_a") / 1.6e9), (1e-3 + kAp) * (1 + 30e5 / 1.6e9), 1e-9) << h;
    EXPECT_NEAR(V_b * (1 + cylinder.Read("p_b") / 1.6e9), (1e-3 + kAr) * (1 + 30e5 / 1.6e9), 1e-9) << h;
  }
}

TEST(CylinderCTest, SwingsAtItsNaturalFrequency) {
  struct Value {
    double x;
    double frequency;
  };
  for (const Value& value : {Value{0.1, 46.796191}, {1, 20.438546}, {1.9, 40.414548}}) {
    CylinderCHarness cylinder;
    cylinder.Set(cylinder.component, "viscous_friction", 0);
    cylinder.SetStart(cylinder.component, "p_a", 50e5);
    cylinder.SetStart(cylinder.component, "p_b", 50e5 * kAp / kAr);
    cylinder.Begin(1e-5, value.x, 1e-3);
    double first = 0, last = 0, t = 0;
    int periods = -1;
    while (periods < 20) {
      const double before = cylinder.v;
      cylinder.CloseValves();
      cylinder.Advance();
      t += cylinder.h;
      if (before < 0 && cylinder.v >= 0) {
        last = t - cylinder.h * cylinder.v / (cylinder.v - before);
        if (++periods == 0) first = last;
      }
    }
    // 1 + p/beta of the linear law makes it stiffer by up to 0.4 % at these pressures.
    EXPECT_NEAR(periods / (last - first), value.frequency, 0.005 * value.frequency) << value.x;
  }
}

TEST(CylinderCTest, KeepsItsOil) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> flow(-1e-3, 1e-3);
  CylinderCHarness cylinder;
  cylinder.Set(cylinder.component, "leakage", 1e-10);
  cylinder.Begin(1e-3, 1);
  const auto oil = [&] { return cylinder.Read("oil_a") + cylinder.Read("oil_b"); };
  const double before = oil();
  double balance = 0;
  for (int n = 0; n < 100000; ++n) {
    cylinder.a.q = flow(random);
    cylinder.b.q = flow(random);
    balance += cylinder.h * (cylinder.a.q + cylinder.b.q);
    cylinder.Advance();
  }
  EXPECT_NEAR(oil(), before + balance, 1e-13 * before);
}

TEST(CylinderCTest, LeakageBringsPressuresTogetherAndNeverPast) {
  for (const double leakage : {1e-12, 1e-9, 1e-3}) {
    CylinderCHarness cylinder;
    cylinder.Set(cylinder.component, "leakage", leakage);
    cylinder.SetStart(cylinder.component, "p_a", 100e5);
    cylinder.SetStart(cylinder.component, "p_b", 0);
    cylinder.Begin(1e-3, 1);
    double before = 100e5;
    for (int n = 0; n < 5000; ++n) {
      cylinder.CloseValves();  // and the rod is held
      cylinder.Step();
      const double difference = cylinder.Read("p_a") - cylinder.Read("p_b");
      EXPECT_LE(difference, before) << leakage;
      EXPECT_GE(difference, -1e-3) << leakage;
      before = difference;
    }
    if (leakage >= 1e-9) {
      EXPECT_LT(before, 1) << leakage;
    }
  }
}

TEST(CylinderCTest, StopsWithoutRinging) {
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    for (const bool is_extending : {true, false}) {
      CylinderCHarness cylinder;
      const double x_begin = is_extending ? 1.9 : 0.1;
      cylinder.load = is_extending ? -1e5 : 1e5;
      cylinder.SetStart(cylinder.component, "p_a", 0);
      cylinder.SetStart(cylinder.component, "p_b", 0);
      cylinder.Begin(h, x_begin);
      const auto depth = [&] { return is_extending ? cylinder.x - 2 : -cylinder.x; };
      const auto speed = [&] { return is_extending ? cylinder.v : -cylinder.v; };
      double impact = 0, rebound = 0, deepest = 0;
      int turns = 0;
      for (double t = 0; t < 3; t += h) {
        const double before = speed();
        cylinder.JoinTank();
        cylinder.Advance();
        if (impact == 0 && depth() > 0) impact = speed();
        if (impact == 0) continue;
        EXPECT_LE(std::abs(speed()), impact * (1 + 1e-9)) << h;  // no energy but that of the impact
        rebound = std::max(rebound, -speed());
        deepest = std::max(deepest, depth());
        if ((before > 0) != (speed() > 0) && std::abs(speed()) > 1e-3 * impact) ++turns;
      }
      const std::string which = std::to_string(h) + (is_extending ? " out" : " in");
      EXPECT_GT(impact, 0.2) << which;
      EXPECT_LE(rebound, 0.25 * impact) << which;
      EXPECT_LE(turns, 4) << which;
      EXPECT_LT(std::abs(speed()), 1e-4 * impact) << which;
      // It rests where the stop bears the load.
      const double k = std::min(350e5 * kAp / 1e-3, 0.1 * 10500 / (h * h));
      EXPECT_NEAR(depth(), 1e5 / k, 0.05 * 1e5 / k) << which;
      if (h <= 1e-3) {
        EXPECT_LT(deepest, 0.01) << which;
      }
    }
  }
}

TEST(CylinderCTest, ALockedPistonNeverGainsEnergy) {
  // Whatever the step, the piston swings in its oil, the swing decays and no step is seen in the velocity.
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5}) {
    for (const double x_begin : {0.0, 1.0, 2.0}) {
      CylinderCHarness cylinder;
      cylinder.mass = 100;
      cylinder.Set(cylinder.component, "viscous_friction", 0);
      cylinder.Set(cylinder.component, "vapour_pressure", -1e12);  // no cavity
      cylinder.SetStart(cylinder.component, "p_a", 0);
      cylinder.SetStart(cylinder.component, "p_b", 0);
      cylinder.Begin(h, x_begin, x_begin > 1 ? -0.1 : 0.1);
      double most = 0, least_share = 1;
      for (int n = 0; n < 20000; ++n) {
        const double before = cylinder.v;
        cylinder.CloseValves();
        cylinder.Advance();
        most = std::max(most, std::abs(cylinder.v));
        least_share = std::min(least_share, 1 - std::abs(cylinder.v - before) / 0.1);
      }
      EXPECT_LE(most, 0.1 * 1.01) << h << ' ' << x_begin;
      EXPECT_GT(least_share, 0.3) << h << ' ' << x_begin;  // more than eight steps a period
    }
  }
}

TEST(CylinderCTest, APistonWithCavitationNeverGainsEnergy) {
  for (const double h : {1e-3, 1e-4, 1e-5}) {
    CylinderCHarness cylinder;
    cylinder.mass = 1000;
    cylinder.Set(cylinder.component, "viscous_friction", 0);
    cylinder.SetStart(cylinder.component, "p_a", 0);
    cylinder.SetStart(cylinder.component, "p_b", 0);
    cylinder.Begin(h, 1, 0.5);  // it swings between both ends of a cavity that it makes itself
    double void_seen = 0, most = 0, last = 0;
    for (int n = 0; n < 20000; ++n) {
      cylinder.CloseValves();
      cylinder.Advance();
      EXPECT_GE(cylinder.a.p(), kVapourPressure - kAtmosphericPressure);
      EXPECT_GE(cylinder.b.p(), kVapourPressure - kAtmosphericPressure);
      void_seen = std::max({void_seen, cylinder.Read("void_a"), cylinder.Read("void_b")});
      most = std::max(most, std::abs(cylinder.v));
      last = n >= 19000 ? std::max(last, std::abs(cylinder.v)) : 0;
    }
    EXPECT_GT(void_seen, 1e-6) << h;
    EXPECT_LE(most, 0.5 * (1 + 1e-3)) << h;
    EXPECT_LT(last, 0.5) << h;
  }
}

/// The largest difference between p_a and the pressure at the port while the piston is driven to and fro.
double LagOfPressure(double h) {
  CylinderCHarness cylinder;
  cylinder.Set(cylinder.component, "filter", 0);
  cylinder.SetStart(cylinder.component, "p_a", 100e5);
  cylinder.SetStart(cylinder.component, "p_b", 100e5);
  constexpr double w = 2 * std::numbers::pi * 2;
  const auto move = [&](double t) {
    cylinder.rod.x = -(1 + 1e-3 * (1 - std::cos(w * t)));
    cylinder.rod.v = -1e-3 * w * std::sin(w * t);
    cylinder.a.q = 2e-4 * std::sin(3 * w * t);
  };
  cylinder.mass = 1e6;  // resolved by the largest step
  cylinder.Begin(h, 1);
  double worst = 0;
  for (int n = 1; n * h < 1; ++n) {
    cylinder.Step();
    const double p = cylinder.Read("p_a");
    move(n * h);
    if (n * h > 0.2) worst = std::max(worst, std::abs(p - cylinder.a.p()));
  }
  return worst;
}

TEST(CylinderCTest, ShowsPressuresAtTheTimeOfItsPorts) {
  // Half a step late would be an error of first order.
  const double coarse = LagOfPressure(2e-3), fine = LagOfPressure(1e-3);
  EXPECT_GT(std::log2(coarse / fine), 1.9);
}

TEST(CylinderCTest, CavitatesAndKeepsTheCavityVolume) {
  // The rod is pulled out and pushed back by something stronger, with closed valves.
  CylinderCHarness cylinder;
  cylinder.SetStart(cylinder.component, "p_a", 1e5);
  cylinder.SetStart(cylinder.component, "p_b", 1e5);
  const double h = 1e-3;
  cylinder.Begin(h, 1);
  double before = 1;
  double void_seen = 0;
  for (int n = 1; n <= 2000; ++n) {
    cylinder.CloseValves();
    const double x = 1 + 0.05 * (1 - std::cos(std::numbers::pi * n / 1000.0));
    cylinder.Step();
    cylinder.rod.v = -(x - before) / h;
    cylinder.rod.x = -x;
    before = x;
    EXPECT_GE(cylinder.Read("p_a"), -99900);
    if (cylinder.Read("p_a") == -99900) {
      void_seen += 1;
      if (n > 20 && n < 1000) {
        EXPECT_EQ(cylinder.a.p(), -99900) << n;
      }
    }
  }
  EXPECT_GT(void_seen, 1500);
  cylinder.rod.v = 0;
  for (int n = 0; n < 200; ++n) cylinder.Step();
  EXPECT_NEAR(cylinder.Read("p_a"), 1e5, 1);
}

TEST(CylinderCTest, RefusesARodThickerThanTheBore) {
  CylinderCHarness cylinder;
  cylinder.Set(cylinder.component, "rod", 0.3);
  cylinder.component.ParametersChanged();
  Diagnostics diagnostics;
  cylinder.component.CheckConnections(diagnostics);
  ASSERT_EQ(diagnostics.error_count(), 1U);
}

TEST(CylinderCTest, RepeatsARunBitForBitAndAllocatesNothing) {
  CylinderCHarness cylinder;
  cylinder.Set(cylinder.component, "leakage", 1e-10);
  std::vector<double> seen(3000), first;
  for (int run = 0; run < 2; ++run) {
    cylinder.Begin(1e-3, 1.9);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> flow(-1e-2, 1e-2);
    const AllocationCounter allocations;
    for (std::size_t n = 0; n < 1000; ++n) {
      cylinder.a.q = flow(random) + 5e-3;
      cylinder.b.q = flow(random) - 4e-3;
      cylinder.Advance();
      seen[3 * n] = cylinder.a.p();
      seen[3 * n + 1] = cylinder.b.p();
      seen[3 * n + 2] = cylinder.x;
    }
    EXPECT_EQ(allocations.count(), 0U);
    if (run == 0) first = seen;
  }
  EXPECT_EQ(seen, first);
}

TEST(CylinderCTest, CarriesAMassOfASystem) {
  // The mass is an island of its own; the closed chambers hold the load at the static pressure.
  TestSystem system(
      SystemText("TimeStep=\"0.1 ms\" StopTime=\"1 s\"", "",
                 "<hydraulic.CylinderC name=\"cylinder\"><Start x=\"1 m\" p_a=\"1559574.9646 Pa\" "
                 "p_b=\"0 Pa\"/></hydraulic.CylinderC>"
                 "<mechanical.Mass name=\"load\" mass=\"10 t\" weight=\"98.1 kN\"/>"
                 "<hydraulic.Orifice name=\"shut\" area=\"0 m2\"/><hydraulic.Tank name=\"tank\"/>"
                 "<hydraulic.Orifice name=\"shut_b\" area=\"0 m2\"/>"
                 "<Connect from=\"cylinder.rod\" to=\"load.a\"/>"
                 "<Connect from=\"cylinder.a\" to=\"shut.a\"/><Connect from=\"shut.b\" to=\"tank.port\"/>"
                 "<Connect from=\"cylinder.b\" to=\"shut_b.a\"/>"
                 "<Connect from=\"shut_b.b\" to=\"tank.port\"/>"
                 "<Record signals=\"load.x cylinder.p_a cylinder.p_b\"/>"));
  const std::vector<TestRow> rows = system.RunAndRecord();
  EXPECT_NEAR(rows.back().values[0], 1, 1e-6);
  EXPECT_NEAR(rows.back().values[1], 1559574.9646, 100);
  EXPECT_EQ(system.RunAndRecord(), rows);
}

}  // namespace
}  // namespace davit
