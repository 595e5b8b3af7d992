// The jets of valves cavitate: the flow does not depend on the pressure behind them, and ends at vapour.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "components/hydraulic/counterbalance_valve.h"
#include "components/hydraulic/directional_valve_2_2.h"
#include "components/hydraulic/relief_valve.h"
#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

/// A valve that is open from its port `from` to its port `to`, with K = Cd A sqrt(2/rho).
struct CavitatingValve {
  std::string_view name;
  std::string_view from, to;
  double Cd, K;
  std::function<DynamicSimComponent&(ComponentHarness&)> open;
};

const double kNominalK = 1e-3 / std::sqrt(5e5);  // nominally 60 l/min at 5 bar

/// The opening of each is the same at any pressure that follows.
std::vector<CavitatingValve> CavitatingValves() {
  const auto size = [](ComponentHarness& harness, DynamicSimComponent& valve) {
    harness.Set(valve, "nominal_flow", 1e-3);
    harness.Set(valve, "nominal_pressure_drop", 5e5);
    harness.Set(valve, "discharge_coefficient", 0.7);
  };
  const auto relief = [](ComponentHarness& harness) -> ReliefValve& {
    auto& valve = harness.Add<ReliefValve>("valve");
    harness.Set(valve, "set_pressure", 0);
    harness.Set(valve, "opening_range", 1e3);
    harness.Set(valve, "seat_diameter", 0.004);
    harness.Set(valve, "discharge_coefficient", 0.8);
    return valve;
  };
  const double K_relief = 0.8 * std::numbers::pi / 4 * 16e-6 * std::sqrt(2 / 861.8);
  const auto counterbalance = [=](ComponentHarness& harness) -> CounterbalanceValve& {
    auto& valve = harness.Add<CounterbalanceValve>("valve");
    size(harness, valve);
    harness.AttachHydraulic(valve, "pilot").c = 300e5;
    return valve;
  };
  return {{"2/2", "a", "b", 0.7, kNominalK * 0.5,
           [=](ComponentHarness& harness) -> DynamicSimComponent& {
             auto& valve = harness.Add<DirectionalValve22>("valve");
             size(harness, valve);
             harness.Set(valve, "opening", 0.5);
             return valve;
           }},
          {"2/2 backwards", "b", "a", 0.7, kNominalK,
           [=](ComponentHarness& harness) -> DynamicSimComponent& {
             auto& valve = harness.Add<DirectionalValve22>("valve");
             size(harness, valve);
             harness.Set(valve, "opening", 1);
             return valve;
           }},
          {"relief", "in", "out", 0.8, K_relief,
           [=](ComponentHarness& harness) -> DynamicSimComponent& { return relief(harness); }},
          {"relief with a pilot", "in", "out", 0.8, K_relief,
           [=](ComponentHarness& harness) -> DynamicSimComponent& {
             auto& valve = relief(harness);
             harness.AttachHydraulic(valve, "pilot").c = 1e5;
             return valve;
           }},
          {"relief with a spool", "in", "out", 0.8, K_relief * 0.25,
           [=](ComponentHarness& harness) -> DynamicSimComponent& {
             auto& valve = relief(harness);
             harness.Set(valve, "dynamics", "first_order");
             harness.SetStart(valve, "spool", 0.25);
             return valve;
           }},
          {"check valve of the counterbalance valve", "a", "c", 0.7, kNominalK, counterbalance},
          {"its return", "c", "a", 0.7, kNominalK, counterbalance},
          {"its return that the load opens", "c", "a", 0.7, kNominalK * 0.5,
           [=](ComponentHarness& harness) -> DynamicSimComponent& {
             auto& valve = counterbalance(harness);
             harness.Set(valve, "opening_law", "ForceBalance");
             harness.Set(valve, "stuck_at", 0.5);
             return valve;
           }}};
}

/// With it connected between two neighbours.
class CavitatingValveHarness {
 public:
  CavitatingValveHarness(const CavitatingValve& of, std::string_view cavitation)
      : valve_(of.open(harness_)),
        from_(harness_.AttachHydraulic(valve_, std::string(of.from))),
        to_(harness_.AttachHydraulic(valve_, std::string(of.to))) {
    harness_.Set(valve_, "cavitation", std::string(cavitation));
    harness_.Start();
  }
  /// From `from` to `to`.
  double Flow(double p_from, double p_to) { return FlowBetweenWaves(p_from, 0, p_to, 0); }
  double FlowBetweenWaves(double c_from, double Zc_from, double c_to, double Zc_to) {
    from_.c = c_from;
    from_.Zc = Zc_from;
    to_.c = c_to;
    to_.Zc = Zc_to;
    harness_.Evaluate();
    EXPECT_EQ(from_.q, -to_.q);
    return to_.q;
  }
  double p_from() const { return from_.c + from_.Zc * from_.q; }
  double p_to() const { return to_.c + to_.Zc * to_.q; }

 private:
  ComponentHarness harness_;
  DynamicSimComponent& valve_;
  HydraulicBond &from_, &to_;
};

TEST(CavitatingValves, FlowDoesNotDependOnThePressureBehindThem) {
  for (const CavitatingValve& of : CavitatingValves()) {
    CavitatingValveHarness valve(of, "Nurick"), other(of, "None");
    // 0.61 A sqrt(2 (P1 - Pv)/rho); the vapour pressure is 100 Pa absolute, 99,900 Pa below the atmosphere.
    const double cavitating = 0.61 / of.Cd * of.K * std::sqrt(50e5 + 99900);
    EXPECT_NEAR(valve.Flow(50e5, 0), cavitating, 1e-5 * cavitating) << of.name;
    EXPECT_NEAR(valve.Flow(50e5, -0.9e5), cavitating, 1e-5 * cavitating) << of.name;
    EXPECT_GT(other.Flow(50e5, 0), 1.05 * cavitating) << of.name;
    // From where the limit meets the law on, Cd^2 (P1 - P2) = 0.61^2 (P1 - Pv), the law holds.
    const double drop = std::pow(0.61 / of.Cd, 2) * (50e5 + 99900);
    EXPECT_NEAR(valve.Flow(50e5, 50e5 - 1.05 * drop), cavitating, 1e-5 * cavitating) << of.name;
    EXPECT_EQ(valve.Flow(50e5, 50e5 - 0.95 * drop), other.Flow(50e5, 50e5 - 0.95 * drop)) << of.name;
  }
}

// Partly open, by the pressure at its inlet above the set one, whatever the vapour pressure is.
TEST(CavitatingValves, TheOpeningOfAReliefValveIsThatOfItsLaw) {
  ComponentHarness harness;
  auto& valve = harness.Add<ReliefValve>("valve");
  harness.Set(valve, "set_pressure", 100e5);
  harness.Set(valve, "opening_range", 20e5);
  harness.Set(valve, "seat_diameter", 0.004);
  harness.Set(valve, "discharge_coefficient", 0.8);
  harness.Set(valve, "cavitation", "Nurick");
  HydraulicBond& in = harness.AttachHydraulic(valve, "in");
  HydraulicBond& out = harness.AttachHydraulic(valve, "out");
  harness.Start();
  const double area = std::numbers::pi / 4 * 16e-6;
  for (const double p : {101e5, 110e5, 119e5}) {
    in.c = p;
    out.c = 0;
    harness.Evaluate();
    const double cavitating = 0.61 * area * (p - 100e5) / 20e5 * std::sqrt(2 / 861.8 * (p + 99900));
    EXPECT_NEAR(out.q, cavitating, 1e-5 * cavitating) << p;
  }
}

TEST(CavitatingValves, DrawNothingFromVapour) {
  for (const CavitatingValve& of : CavitatingValves()) {
    CavitatingValveHarness valve(of, "Nurick");
    EXPECT_EQ(valve.Flow(-99900, -5e5), 0) << of.name;
    EXPECT_EQ(valve.Flow(-2e5, -5e5), 0) << of.name;
    // A side with an impedance is not drawn below vapour either, however low the other one is.
    for (const double Zc : {1e8, 1e11}) {
      valve.FlowBetweenWaves(20e5, Zc, -1e9, 0);
      EXPECT_GT(valve.p_from(), -99900) << of.name << ' ' << Zc;
    }
  }
}

RC_GTEST_PROP(CavitatingValves, LimitAndWavesHoldTogether, ()) {
  const auto valves = CavitatingValves();
  const CavitatingValve& of = valves[*rc::gen::inRange<std::size_t>(0, valves.size())];
  CavitatingValveHarness valve(of, "Nurick");
  const double c_from = RandomDecades(5, 8), Zc_from = RandomDecades(6, 11);
  const double c_to = c_from - RandomDecades(5, 9), Zc_to = RandomDecades(6, 11);
  const double q = valve.FlowBetweenWaves(c_from, Zc_from, c_to, Zc_to);
  const double p_from = valve.p_from(), p_to = valve.p_to();
  // The same pressures without impedances must give the same flow, up to what rounding makes of them.
  const double rounding = 1e-9 * (std::abs(c_from) + std::abs(c_to) + (Zc_from + Zc_to) * std::abs(q));
  const double least = valve.Flow(p_from - rounding, p_to + rounding);
  const double most = valve.Flow(p_from + rounding, p_to - rounding);
  RC_ASSERT(q >= least - 1e-7 * std::abs(q));
  RC_ASSERT(q <= most + 1e-7 * std::abs(q));
}

}  // namespace
}  // namespace davit
