#include "components/hydraulic/accumulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "simulator/energy/energy_balance.h"
#include "tests/support/component_harness.h"
#include "tests/support/system_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

class AccumulatorTest : public testing::Test {
 protected:
  /// 10 l at 100 bar absolute, as hydraulics.md 15.6.
  void StartAt(const std::string& gas, const std::string& inlet, double p) {
    harness.Set(accumulator, "precharge_pressure", 99e5);
    harness.Set(accumulator, "gas", gas);
    harness.Set(accumulator, "inlet", inlet);
    harness.SetStart(accumulator, "p", p);
    harness.Start();
  }
  double Absolute() { return harness.Read(accumulator, "p") + 1e5; }

  ComponentHarness harness;
  Accumulator& accumulator = harness.Add<Accumulator>("accumulator");
  HydraulicBond& port = harness.AttachHydraulic(accumulator, "port");
};

TEST_F(AccumulatorTest, GasHasTheVolumesOfTheReference) {
  const struct {
    double P, polytropic, isothermal;
  } kPoints[] = {{120e5, 8.77893770, 8.33333333},
                 {150e5, 7.48549508, 6.66666667},
                 {200e5, 6.09506827, 5},
                 {250e5, 5.19705289, 4},
                 {300e5, 4.56246036, 3.33333333}};
  for (const auto& point : kPoints) {
    StartAt("Polytropic", "None", point.P - 1e5);
    EXPECT_NEAR(harness.Read(accumulator, "gas_volume_now") * 1e3, point.polytropic, 1e-8);
    EXPECT_NEAR(Absolute(), point.P, 1e-9 * point.P);
    for (const char* gas : {"Isothermal", "Thermal"}) {  // which rests at the temperature of the precharge
      StartAt(gas, "None", point.P - 1e5);
      EXPECT_NEAR(harness.Read(accumulator, "gas_volume_now") * 1e3, point.isothermal, 1e-8) << gas;
      EXPECT_NEAR(Absolute(), point.P, 1e-9 * point.P);
    }
  }
}

TEST_F(AccumulatorTest, DischargesAsTheReferenceTells) {
  StartAt("Polytropic", "None", 199e5);
  port.q = -1e-3;
  harness.Integrate(0, 1e-3, 1000);
  EXPECT_NEAR(Absolute() / 1e5, 161.68167, 1e-5);
  harness.Integrate(1, 1e-3, 1000);
  EXPECT_NEAR(Absolute() / 1e5, 134.42848, 1e-5);
}

TEST_F(AccumulatorTest, HeatLiesBetweenIsothermalAndAdiabatic) {
  const double n = 1 + 296.8 / 743;
  const auto pressed = [&](const std::string& gas, double tau) {
    harness.Set(accumulator, "polytropic_exponent", n);
    harness.Set(accumulator, "thermal_time", tau);
    StartAt(gas, "None", 149e5);
    port.q = 1e-3;
    harness.Integrate(0, 1e-4, 20000);
    return Absolute();
  };
  const double V = 100e5 * 0.01 / 150e5;
  const double adiabatic = 150e5 * std::pow(V / (V - 2e-3), n);
  EXPECT_NEAR(pressed("Thermal", 1e9), adiabatic, 1e-8 * adiabatic);  // 2 s of heat
  const double isothermal = pressed("Isothermal", 1);
  EXPECT_NEAR(pressed("Thermal", 1e-3), isothermal, 1e-3 * isothermal);  // lags by tau*T'/T = 2e-4
  const double between = pressed("Thermal", 2);
  EXPECT_LT(between, adiabatic);
  EXPECT_GT(between, isothermal);
}

TEST_F(AccumulatorTest, WhenEmptyItGivesNoOil) {
  for (const char* gas : {"Isothermal", "Polytropic", "Thermal"}) {
    StartAt(gas, "None", 50e5);
    EXPECT_EQ(harness.Read(accumulator, "gas_volume_now"), 0.01);
    EXPECT_NEAR(harness.Read(accumulator, "p"), 50e5, 1e-6);
    EXPECT_NEAR(harness.Read(accumulator, "p_gas"), 99e5, 1e-6);
    EXPECT_NEAR(harness.Read(accumulator, "temperature"), 293.15, 1e-9);
    // Only what is compressed in the port comes out: 50 bar V/beta = 0.3 ml.
    port.q = -50e5 * 1e-4 / 1.6e9;
    harness.Integrate(0, 1e-2, 100);
    EXPECT_NEAR(harness.Read(accumulator, "p"), 0, 1e-3) << gas;
    EXPECT_EQ(harness.Read(accumulator, "gas_volume_now"), 0.01);
  }
}

TEST_F(AccumulatorTest, PressureIsContinuousWhereTheGasBeginsToGiveWay) {
  for (const char* gas : {"Isothermal", "Polytropic", "Thermal"}) {
    StartAt(gas, "None", 99e5 - 1);
    const double below = harness.Read(accumulator, "p");
    StartAt(gas, "None", 99e5 + 1);
    EXPECT_NEAR(below, 99e5 - 1, 1e-3);
    EXPECT_NEAR(harness.Read(accumulator, "p"), 99e5 + 1, 1e-3);
  }
}

TEST_F(AccumulatorTest, TheInletTakesItsPressure) {
  StartAt("Polytropic", "Orifice", 149e5);
  port.q = 2e-3;
  harness.Integrate(0, 1e-6, 20000);
  // The port fills within a millisecond; then the drop is that of the flow.
  const double dp = harness.Read(accumulator, "p") - harness.Read(accumulator, "p_oil");
  const double K = 0.7 * 3.141592653589793 / 4 * 4e-4 * std::sqrt(2 / 861.8);
  EXPECT_NEAR(OrificeFlow(K, dp), harness.Read(accumulator, "q_in"), 1e-12);
  const double compressed = 1e-4 / 1.6e9 * harness.Read(accumulator, "port_pressure.ddt");
  EXPECT_NEAR(harness.Read(accumulator, "q_in") + compressed, 2e-3, 1e-15);
  EXPECT_LT(compressed, 1e-3 * 2e-3);
}

// A gas bottle of 10 l, filled to 300 bar from the precharge of 100 bar at 293 K: of real nitrogen more
// volume is left than of an ideal gas, by the ratio of the compressibility factors, 1.10/0.99.
TEST_F(AccumulatorTest, ARealGasIsStiffer) {
  harness.Set(accumulator, "equation", "redlich_kwong");
  for (const char* gas : {"Isothermal", "Thermal"}) {
    StartAt(gas, "None", 299e5);
    EXPECT_NEAR(harness.Read(accumulator, "gas_volume_now") / (0.01 / 3), 1.10 / 0.99, 0.01) << gas;
    EXPECT_NEAR(Absolute(), 300e5, 1e-6 * 300e5) << gas;
    EXPECT_NEAR(harness.Read(accumulator, "temperature"), 293.15, 1e-6);
    StartAt(gas, "None", 50e5);
    EXPECT_EQ(harness.Read(accumulator, "gas_volume_now"), 0.01) << gas;
    EXPECT_NEAR(harness.Read(accumulator, "p_gas"), 99e5, 1) << gas;
  }
}

TEST_F(AccumulatorTest, ARealGasFarBeyondItsFillingIsNoNan) {
  harness.Set(accumulator, "equation", "redlich_kwong");
  StartAt("Thermal", "None", 299e5);
  port.q = 1e-3;
  harness.Integrate(0, 1e-4, 28000);  // to a volume that the molecules alone do not leave
  EXPECT_TRUE(std::isfinite(Absolute()));
}

TEST_F(AccumulatorTest, StartsAreNotGivenTwice) {
  harness.SetStart(accumulator, "oil", 1e-3);
  harness.SetStart(accumulator, "p", 1e5);
  EXPECT_TRUE(harness.Start().has_errors());
}

class AccumulatorEquationTest : public testing::TestWithParam<const char*> {
 protected:
  /// An alternating flow between an accumulator and a source.
  static std::string System(const std::string& rest) {
    return SystemText(
        "TimeStep='1 ms' StopTime='8 s'", "method='rosenbrock4' rtol='1e-9'",
        "<signal.Sine name='flow' amplitude='5e-4' frequency='2 rad/s'/><hydraulic.FlowSource name='source'/>"
        "<Route from='flow.y' to='source.flow'/><hydraulic.Accumulator name='a' equation='" +
            std::string(GetParam()) +
            "'><Start p='150 bar'/></hydraulic.Accumulator><Connect from='source.port' to='a.port'/>" + rest);
  }
};

TEST_P(AccumulatorEquationTest, PressureAndGasStayWhenLevelsSwitch) {
  TestSystem system(
      System("<At time='1 s' set='a.level' value='Standard'/><At time='2 s' set='a.level' value='Advanced'/>"
             "<At time='3 s' set='a.level' value='Ideal'/><At time='4 s' set='a.level' value='Advanced'/>"
             "<At time='5 s' set='a.gas' value='Polytropic'/><At time='6 s' set='a.level' value='Ideal'/>"
             "<Record signals='a.p_oil a.gas_volume_now a.level a.gas' interval='1 ms'/>"));
  const std::vector<TestRow> rows = system.RunAndRecord();
  int switches = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].t != rows[i - 1].t) continue;
    ++switches;
    EXPECT_NEAR(rows[i].values[0], rows[i - 1].values[0], 1e-9 * rows[i].values[0]) << rows[i].t;
    EXPECT_NEAR(rows[i].values[1], rows[i - 1].values[1], 1e-9 * rows[i].values[1]) << rows[i].t;
  }
  EXPECT_EQ(switches, 6);
  // All that came in has gone out, but for what is compressed before the inlet: the gas has its volume again.
  EXPECT_NEAR(rows.back().values[1], rows.front().values[1] - 5e-4 / 2 * (1 - std::cos(16.0)), 2e-6);
}

TEST_P(AccumulatorEquationTest, TheEnergyBalanceCloses) {
  for (const char* level : {"Ideal", "Standard", "Advanced"}) {
    SystemHarness system(System(std::string("<At time='0 s' set='a.level' value='") + level + "'/>"));
    system.simulation().AccountEnergy();
    system.RunTo(8);
    const EnergyBalance balance = system.simulation().energy()->Balance();
    EXPECT_TRUE(balance.closes()) << level << ": " << balance.error / balance.turnover;
  }
}

INSTANTIATE_TEST_SUITE_P(All, AccumulatorEquationTest, testing::Values("ideal", "redlich_kwong"));

TEST(AccumulatorInputTest, NitrogenThatIsTooColdIsReported) {
  EXPECT_THAT(SystemHarness::FaultsOf(R"(<System name="cold" xmlns="urn:davit:system:1"><SimulatorManager/>
  <hydraulic.Accumulator name="a" equation="redlich_kwong" gas_temperature="120 K"/><hydraulic.FlowSource name="s"/>
  <Connect from="s.port" to="a.port"/></System>)"),
              testing::Contains(testing::HasSubstr("gas_temperature is 120 K; give at least 150 K")));
}

}  // namespace
}  // namespace davit
