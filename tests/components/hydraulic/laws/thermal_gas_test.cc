#include "components/hydraulic/laws/thermal_gas.h"

#include <gtest/gtest.h>

#include <cmath>

namespace davit {
namespace {

/// Heun steps of a discharge; returns the pressure at the end.
double Discharged(ThermalGas gas, double T_wall) {
  const double V_0 = 5e-3, dV = 1e-3, h = 1e-5;
  gas.m = gas.Mass(200e5, V_0, T_wall);
  double T = T_wall;
  for (int i = 0; i < 100'000; ++i) {
    const double V = V_0 + dV * i * h;
    const double rate = gas.TemperatureRate(T, V, dV, T_wall);
    T += h / 2 * (rate + gas.TemperatureRate(T + h * rate, V + dV * h, dV, T_wall));
  }
  return gas.Pressure(T, V_0 + dV);
}

TEST(ThermalGasTest, IsPolytropicWithoutAndIsothermalWithMuchHeat) {
  const double adiabatic = 1 + ThermalGas{}.R / ThermalGas{}.cv;
  EXPECT_NEAR(Discharged({}, 300), 200e5 * std::pow(5.0 / 6, adiabatic), 1e-8 * 200e5);
  EXPECT_NEAR(Discharged({.tau = 1e-4}, 300), 200e5 * 5 / 6, 1e-4 * 200e5);
}

TEST(ThermalGasTest, NeedsOneTimeConstantForTheHeat) {
  const ThermalGas gas{.m = 1, .tau = 10};
  EXPECT_DOUBLE_EQ(gas.TemperatureRate(250, 1e-2, 0, 300), 5);
}

ThermalGas RealNitrogen() {
  ThermalGas gas{.m = 2};
  gas.SetEquation(GasEquation::kRedlichKwong);
  return gas;
}

// Law: a and b follow from the critical point, where the isotherm has an inflection: P_c at R T_c/(3 P_c),
// with the rounding of 0.42748 and 0.08664.
TEST(ThermalGasTest, ARealGasHasTheCriticalPointOfNitrogen) {
  const ThermalGas gas = RealNitrogen();
  const double T_c = ThermalGas::kNitrogenCriticalTemperature, P_c = ThermalGas::kNitrogenCriticalPressure;
  const double V_c = gas.m * gas.R * T_c / (3 * P_c);
  EXPECT_NEAR(gas.Pressure(T_c, V_c), P_c, 1e-4 * P_c);
  EXPECT_NEAR(gas.Stiffness(T_c, V_c) * V_c, 0, 1e-4 * P_c);
}

TEST(ThermalGasTest, ADiluteRealGasIsIdeal) {
  const ThermalGas real = RealNitrogen(), ideal{.m = 2};
  const double V = 2000;  // 1 g/m3: the second virial coefficient changes the pressure by 4e-7
  EXPECT_NEAR(real.Pressure(300, V), ideal.Pressure(300, V), 1e-6 * ideal.Pressure(300, V));
  EXPECT_NEAR(real.HeatCapacity(300, V), ideal.HeatCapacity(300, V), 1e-6 * ideal.HeatCapacity(300, V));
}

// Laws: the first and the second law of thermodynamics join pressure, energy, heat capacity and work. h^2 of
// the central differences is 1e-8 of the values, their rounding 1e-11.
TEST(ThermalGasTest, ItsPropertiesBelongTogether) {
  const ThermalGas gas = RealNitrogen();
  constexpr double h = 1e-5;
  for (const double T : {200.0, 300.0, 400.0}) {
    for (const double V : {4e-3, 1e-2, 1e-1}) {
      const auto by_T = [&](const auto& of) { return (of(T * (1 + h)) - of(T * (1 - h))) / (2 * h * T); };
      const auto by_V = [&](const auto& of) { return (of(V * (1 + h)) - of(V * (1 - h))) / (2 * h * V); };
      const double P = gas.Pressure(T, V), dP = gas.PressureByTemperature(T, V), tolerance = 1e-7 * T * dP;
      EXPECT_NEAR(T * by_T([&](double t) { return gas.Pressure(t, V); }), T * dP, tolerance);
      EXPECT_NEAR(-V * by_V([&](double v) { return gas.Pressure(T, v); }), V * gas.Stiffness(T, V),
                  tolerance);
      EXPECT_NEAR(by_T([&](double t) { return gas.Energy(t, V); }), gas.HeatCapacity(T, V),
                  1e-7 * gas.HeatCapacity(T, V));
      EXPECT_NEAR(by_V([&](double v) { return gas.Energy(T, v); }), T * dP - P, tolerance);
      EXPECT_NEAR(by_V([&](double v) { return gas.IsothermalWork(T, 1, v); }), -P, tolerance);
      EXPECT_NEAR(gas.Volume(P, T), V, 1e-9 * V);
      EXPECT_NEAR(gas.Temperature(P, V), T, 1e-9 * T);
      EXPECT_NEAR(gas.Mass(P, V, T), gas.m, 1e-9 * gas.m);
    }
  }
}

}  // namespace
}  // namespace davit
