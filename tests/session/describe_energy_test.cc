#include "session/describe_energy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "session/time_travel.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// A pump lifts a mass and heats oil; a spring that was tense helps.
constexpr std::string_view kLift = R"(<System name="lift" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="4 s">
    <Integration solver="ODE" method="rodas5p" rtol="1e-9" atol="1e-11"/>
  </SimulatorManager>
  <hydraulic.FlowSource name="pump" flow="6 l/min"/>
  <hydraulic.Volume name="line" volume="1 l"><Start p="20 bar"/></hydraulic.Volume>
  <hydraulic.Orifice name="leak" area="1 mm2"/>
  <hydraulic.Tank name="tank"/>
  <mechanical.Fixed name="wall"/>
  <mechanical.Spring name="spring" stiffness="400 N/m"/>
  <mechanical.Damper name="damper" coefficient="6 N.s/m"/>
  <mechanical.Mass name="load" mass="10 kg"><Start x="1 m"/></mechanical.Mass>
  <Connect from="pump.port" to="line.port"/>
  <Connect from="leak.a" to="line.port"/>
  <Connect from="leak.b" to="tank.port"/>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="wall.port" to="damper.a"/>
  <Connect from="spring.b" to="load.a"/>
  <Connect from="damper.b" to="load.a"/>
</System>)";

EnergyBalance BalanceAt(SystemHarness& system, double t) {
  system.RunTo(t);
  return system.simulation().energy()->Balance();
}

double SumOf(const std::vector<EnergyBand>& bands) {
  double sum = 0;
  for (const EnergyBand& band : bands) sum += band.of.energy;
  return sum;
}

TEST(DescribeEnergyTest, EachFieldIsHadOnceAndATableHasTheRowsOfItsList) {
  SystemHarness system{std::string(kLift)};
  system.simulation().AccountEnergy();
  const EnergyBalance balance = BalanceAt(system, 4);
  for (const DescribedField<EnergyBalance>& field : EnergyFields())
    EXPECT_TRUE(field.get(balance).has_value()) << field.name;
  const double tolerance = 1e-12 * balance.turnover;  // of adding up in another order
  const std::map<std::string_view, double> sums{{"sources", balance.in},
                                                {"work", balance.out},
                                                {"losses", balance.lost},
                                                {"causes", balance.lost},
                                                {"stores", balance.stored}};
  for (const EnergyTable& table : EnergyTables()) {
    double sum = 0;
    for (const EnergyOf& row : table.rows(balance)) sum += row.energy;
    if (const auto expected = sums.find(table.name); expected != sums.end()) {
      EXPECT_NEAR(sum, expected->second, tolerance) << table.name;
    }
  }
  const EnergyBalance nothing;
  for (const DescribedField<EnergyBalance>& field : EnergyFields())
    EXPECT_TRUE(field.is_optional || field.get(nothing).has_value()) << field.name;
}

TEST(DescribeEnergyTest, TheBandsOfBothSidesAreOfOneHeight) {
  SystemHarness system{std::string(kLift)};
  system.simulation().AccountEnergy();
  const EnergyBalance balance = BalanceAt(system, 4);
  ASSERT_TRUE(balance.closes());
  const EnergyFlow flow = FlowOf(balance);
  EXPECT_NEAR(SumOf(flow.from), SumOf(flow.to), EnergyBalance::kClosed * balance.turnover);
  EXPECT_GE(SumOf(flow.from), balance.supplied());
  ASSERT_FALSE(flow.from.empty());
  EXPECT_EQ(flow.from.front().kind, "source");
  EXPECT_EQ(EnergyLabel(flow.from.front().of), "pump: " + balance.ins.front().name);
}

TEST(DescribeEnergyTest, SmallBandsOfAKindAreOne) {
  EnergyBalance balance;
  balance.turnover = balance.in = 1000;
  balance.ins = {{"pump", "drive", 1000}};
  balance.losses = {{"valve", "throttling", 996}, {"hose", "friction", 3}, {"pipe", "friction", 1}};
  const EnergyFlow flow = FlowOf(balance);
  ASSERT_EQ(flow.to.size(), 2u);
  EXPECT_EQ(EnergyLabel(flow.to[1].of), "other losses");
  EXPECT_EQ(flow.to[1].of.energy, 4);
}

TEST(DescribeEnergyTest, PowersAreTheSlopesOfTheEnergiesAndBalance) {
  SystemHarness system{std::string(kLift)};
  system.simulation().AccountEnergy();
  EnergyBalance before = BalanceAt(system, 1);
  for (int n = 1; n <= 20; ++n) {
    const EnergyBalance now = BalanceAt(system, 1 + 0.01 * n);
    const double h = now.end - before.end;
    // Trapezoidal: h^3/12 of the curvature of the power, at most (2 w)^2 of twice the 200 J of the spring
    // times w = 6.3/s; its rounding is far below.
    const double tolerance = h * h * h / 12 * 160 * 400 * 6.4;
    EXPECT_NEAR(now.in - before.in, h / 2 * (now.power_in + before.power_in), tolerance);
    EXPECT_NEAR(now.lost - before.lost, h / 2 * (now.power_lost + before.power_lost), tolerance);
    EXPECT_NEAR(now.stored - before.stored, h / 2 * (now.power_stored + before.power_stored), tolerance);
    EXPECT_NEAR(now.power_in, now.power_out + now.power_stored + now.power_lost, 1e-9 * now.power_in);
    EXPECT_TRUE(now.closes()) << now.end;
    before = now;
  }
}

TEST(DescribeEnergyTest, ABalanceOnTheWayChangesNothing) {
  SystemHarness often{std::string(kLift)}, once{std::string(kLift)};
  often.simulation().AccountEnergy();
  once.simulation().AccountEnergy();
  for (int n = 1; n < 400; ++n) BalanceAt(often, 0.01 * n);
  const EnergyBalance a = BalanceAt(often, 4), b = BalanceAt(once, 4);
  EXPECT_EQ(a.in, b.in);
  EXPECT_EQ(a.stored, b.stored);
  EXPECT_EQ(a.lost, b.lost);
  EXPECT_EQ(a.error, b.error);
  EXPECT_EQ(often.Read("load.x"), once.Read("load.x"));
}

// Law: a spring of the stiffness k has k x^2/2 in it; what a change of k takes from it or gives is a jump,
// and counts once, however often the balance is asked for.
TEST(DescribeEnergyTest, AJumpOfTheStoredEnergyIsCountedOnce) {
  SystemHarness often{std::string(kLift)}, once{std::string(kLift)};
  double taken = 0;
  std::vector<EnergyBalance> balances;
  for (SystemHarness* system : {&often, &once}) {
    Simulation& simulation = system->simulation();
    simulation.AccountEnergy();
    taken = 0;
    double k = 400;
    for (const auto& [t, stiffness] : {std::pair(1.0, 150.0), std::pair(2.2, 900.0)}) {
      system->RunTo(t);
      const double x = system->Read("load.x");
      taken += (k - stiffness) * x * x / 2;
      simulation.Write("spring.stiffness", stiffness);
      k = stiffness;
      const int looks = system == &often ? 50 : 0;
      for (int n = 0; n < looks; ++n) BalanceAt(*system, t + 0.01 * n);
    }
    balances.push_back(BalanceAt(*system, 4));
  }
  for (const EnergyBalance& balance : balances) {
    const auto jump = std::ranges::find(balance.losses, "jump", &EnergyOf::name);
    ASSERT_NE(jump, balance.losses.end());
    EXPECT_NEAR(jump->energy, taken, EnergyBalance::kClosed * balance.turnover);
    EXPECT_GT(std::abs(taken), 1);  // [J]
    EXPECT_TRUE(balance.closes());
  }
  EXPECT_EQ(balances[0].lost, balances[1].lost);
  EXPECT_EQ(balances[0].error, balances[1].error);
}

// Law: so does what a point that is put elsewhere does to a spring.
TEST(DescribeEnergyTest, APointThatIsMovedMakesAJump) {
  SystemHarness system{std::string(kLift)};
  system.simulation().AccountEnergy();
  system.RunTo(1);
  const double x = system.Read("load.x");
  system.simulation().Write("wall.position", 0.1);
  const EnergyBalance balance = BalanceAt(system, 4);
  const auto jump = std::ranges::find(balance.losses, "jump", &EnergyOf::name);
  ASSERT_NE(jump, balance.losses.end());
  EXPECT_EQ(jump->component, "spring");
  EXPECT_NEAR(jump->energy, 400 * (x * x - (x - 0.1) * (x - 0.1)) / 2,
              EnergyBalance::kClosed * balance.turnover);
  EXPECT_TRUE(balance.closes());
}

TEST(DescribeEnergyTest, ARunThatBeginsAgainOrASnapshotBeginsANewBalance) {
  SystemHarness system{std::string(kLift)};
  Simulation& simulation = system.simulation();
  simulation.AccountEnergy();
  simulation.Initialize();
  simulation.RunUntil(1);
  const std::string snapshot = simulation.TakeSnapshot();
  const EnergyBalance first = simulation.energy()->Balance();
  simulation.RunUntil(2);
  const EnergyBalance both = simulation.energy()->Balance();
  simulation.Initialize();
  EXPECT_EQ(simulation.energy()->Balance().turnover, 0);
  simulation.RunUntil(1);
  const EnergyBalance again = simulation.energy()->Balance();
  EXPECT_EQ(again.begin, 0);
  EXPECT_EQ(again.in, first.in);
  EXPECT_EQ(again.lost, first.lost);
  EXPECT_EQ(again.stored, first.stored);
  ASSERT_FALSE(simulation.LoadSnapshot(snapshot).has_errors());
  simulation.RunUntil(2);
  const EnergyBalance second = simulation.energy()->Balance();
  EXPECT_EQ(second.begin, 1);
  EXPECT_NEAR(first.in + second.in, both.in, EnergyBalance::kClosed * both.turnover);
  EXPECT_NEAR(first.lost + second.lost, both.lost, EnergyBalance::kClosed * both.turnover);
  EXPECT_TRUE(second.closes());
}

TEST(DescribeEnergyTest, ARunThatIsRecordedHasNone) {
  SystemHarness system{std::string(kLift)};
  EXPECT_EQ(system.simulation().energy(), nullptr);
  system.simulation().RecordRun({});
  EXPECT_THROW(system.simulation().AccountEnergy(), std::invalid_argument);
}

}  // namespace
}  // namespace davit
