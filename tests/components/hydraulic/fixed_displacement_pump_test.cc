#include "components/hydraulic/fixed_displacement_pump.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class FixedDisplacementPumpTest : public testing::Test {
 protected:
  double Read(std::string_view name) { return harness.Read(pump, name); }

  ComponentHarness harness;
  FixedDisplacementPump& pump = harness.Add<FixedDisplacementPump>("pump");
  HydraulicBond& in = harness.AttachHydraulic(pump, "in");
  HydraulicBond& out = harness.AttachHydraulic(pump, "out");
};

TEST_F(FixedDisplacementPumpTest, DeliversItsDisplacement) {
  harness.Start();
  in.c = 1e5;
  out.c = 200e5;
  harness.Evaluate();
  const double D = 5e-5 / (2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(Read("q_out"), 250 * D);
  EXPECT_DOUBLE_EQ(Read("torque"), D * 199e5);
  harness.Set(pump, "displacement_setting", -0.5);
  harness.Set(pump, "speed", 100);
  harness.Evaluate();
  EXPECT_DOUBLE_EQ(Read("q_out"), -50 * D);
  EXPECT_EQ(in.q, -Read("q_out"));
  EXPECT_EQ(out.q, Read("q_out"));
}

TEST_F(FixedDisplacementPumpTest, LeaksToTheLowerPressure) {
  harness.Set(pump, "leakage", 1e-11);
  harness.Set(pump, "speed", 0);
  harness.Start();
  in.c = 1e5;
  out.c = 201e5;
  harness.Evaluate();
  EXPECT_DOUBLE_EQ(Read("q_out"), -2e-4);
}

/// The program of the tutorial: flow at the outlet, then pressures, with its rule for p < 0.
struct Tutorial {
  double c1, Zc1, c2, Zc2, q2, p1, p2;

  Tutorial(double dp, double eps, double w, double Cleak, const HydraulicBond& in, const HydraulicBond& out,
           bool has_cavitation)
      : c1(in.c), Zc1(in.Zc), c2(out.c), Zc2(out.Zc) {
    Solve(dp, eps, w, Cleak);
    if (!has_cavitation || (p1 >= 0 && p2 >= 0)) return;
    if (p1 < 0) c1 = Zc1 = 0;
    if (p2 < 0) c2 = Zc2 = 0;
    Solve(dp, eps, w, Cleak);
  }
  void Solve(double dp, double eps, double w, double Cleak) {
    q2 = (dp * eps * w + Cleak * (c1 - c2)) / ((Zc1 + Zc2) * Cleak + 1);
    p1 = c1 - Zc1 * q2;
    p2 = c2 + Zc2 * q2;
  }
};

RC_GTEST_FIXTURE_PROP(FixedDisplacementPumpTest, IsThatOfTheTutorial, ()) {
  const double D = RandomDecades(-6, -4);
  const double eps = *rc::gen::inRange(-10, 11) / 10.0;
  const double w = *rc::gen::inRange(-300, 301);
  const double leakage = *rc::gen::inRange(0, 2) * RandomDecades(-14, -9);
  const bool has_cavitation = *rc::gen::arbitrary<bool>();
  harness.Set(pump, "displacement", D);
  harness.Set(pump, "displacement_setting", eps);
  harness.Set(pump, "speed", w);
  harness.Set(pump, "leakage", leakage);
  harness.Set(pump, "cavitation", has_cavitation ? "gauge_zero" : "none");
  harness.Start();
  in = RandomNeighbour();
  out = RandomNeighbour();
  harness.Evaluate();
  const Tutorial tutorial(D, eps, w, leakage, in, out, has_cavitation);
  const double rounding = 1e-13 * (std::abs(D * eps * w) + leakage * (std::abs(in.c) + std::abs(out.c)));
  RC_ASSERT(std::abs(Read("q_out") - tutorial.q2) <= rounding);
  RC_ASSERT(std::abs(Read("p_in") - tutorial.p1) <= rounding * in.Zc);
  RC_ASSERT(std::abs(Read("p_out") - tutorial.p2) <= rounding * out.Zc);
  // The law itself.
  const double law = D * eps * w + leakage * (Read("p_in") - Read("p_out"));
  RC_ASSERT(std::abs(Read("q_out") - law) <=
            rounding + 1e-15 * leakage * (in.Zc + out.Zc) * std::abs(tutorial.q2));
}

TEST_F(FixedDisplacementPumpTest, CavitationCountsPressuresFromZero) {
  harness.Set(pump, "leakage", 1e-11);
  harness.Set(pump, "cavitation", "gauge_zero");
  harness.Start();
  in = {{.c = 1e5, .Zc = 1e9}};
  out = {{.c = 100e5, .Zc = 1e9}};
  harness.Evaluate();
  EXPECT_EQ(Read("p_in"), 0);
  const double q_ideal = 250 * 5e-5 / (2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(Read("q_out"), (q_ideal - 1e-11 * 100e5) / (1 + 1e-11 * 1e9));
  EXPECT_EQ(Read("p_out"), out.p());
}

}  // namespace
}  // namespace davit
