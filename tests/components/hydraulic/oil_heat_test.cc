#include "components/hydraulic/oil_heat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "components/hydraulic/laws/oil_viscosity.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kCelsius = 273.15;

std::string Circuit(const std::string& manager, const std::string& content) {
  return SystemText(manager, "method='auto' rtol='1e-10'",
                    "<hydraulic.Fluid name='oil' oil='ISO VG 46' temperature='50 degC'/>" + content);
}

/// 12 l/min through an orifice from a source into a tank.
std::string Throttle(const std::string& manager, const std::string& heat, const std::string& more = "") {
  return Circuit(manager,
                 "<hydraulic.OilHeat name='heat' oil_mass='2 kg' specific_heat='2000 J/kg/K' " + heat +
                     "/><hydraulic.FlowSource name='pump'/><hydraulic.Volume name='line'/>"
                     "<hydraulic.Orifice name='throttle' law='laminar_turbulent' area='3 "
                     "mm2'/><hydraulic.Tank name='tank'/>"
                     "<signal.Constant name='flow' value='12 l/min'/>"
                     "<Route from='flow.y' to='pump.flow'/>"
                     "<Connect from='pump.port' to='line.port'/><Connect from='line.port' to='throttle.a'/>"
                     "<Connect from='throttle.b' to='tank.port'/>" +
                     more);
}

TEST(OilHeatTest, OilThatStandsCoolsToTheAir) {
  TestSystem system(Circuit("TimeStep='10 s' StopTime='10000 s'",
                            "<hydraulic.OilHeat name='heat' oil_mass='100 kg' specific_heat='2000 J/kg/K' "
                            "area='5 m2' heat_transfer='20 W/m2/K' ambient_temperature='10 degC'/>"
                            "<Record signals='heat.T' interval='1000 s'/>"));
  for (const TestRow& row : system.RunAndRecord()) {
    EXPECT_NEAR(row.values[0], kCelsius + 10 + 40 * std::exp(-row.t * 5 * 20 / (100 * 2000)), 1e-6) << row.t;
  }
}

TEST(OilHeatTest, WhatAThrottleTakesHeatsTheOil) {
  TestSystem system(Throttle("TimeStep='10 ms' StopTime='20 s'", "area='0 m2'",
                             "<Record signals='heat.T heat.losses line.p throttle.q' interval='1 s'/>"));
  const auto rows = system.RunAndRecord();
  const double q = 12 / 6e4;
  const auto& last = rows.back().values;
  EXPECT_NEAR(last[3], q, 1e-5 * q);  // as the oil thins, the line empties a little
  // Into the circuit comes p*q of the source, whatever its components do with it.
  EXPECT_NEAR(last[1], last[2] * q, 1e-6 * last[1]);  // of the step point before
  const double rise = (last[0] - rows[10].values[0]) / 10;
  EXPECT_NEAR(rise, last[1] / (2 * 2000), 1e-3 * rise);  // the pressure falls as the oil thins
  EXPECT_GT(last[0], kCelsius + 50.5);
}

TEST(OilHeatTest, ItSettlesWhereTheAirTakesTheLosses) {
  TestSystem system(Throttle("TimeStep='0.1 s' StopTime='3000 s'", "area='1 m2' heat_transfer='30 W/m2/K'",
                             "<Record signals='heat.T heat.losses heat.natural_cooling' times='3000 s'/>"));
  const auto rows = system.RunAndRecord();
  const auto& end = rows.back().values;
  EXPECT_NEAR(end[0], kCelsius + 20 + end[1] / 30, 0.01);  // steps of the Fluid are 0.1 K
  EXPECT_NEAR(end[1], end[2], 1e-3 * end[1]);
}

/// Rest with its losses: T is where the air takes them, and viscosity is that of T. A small area makes the
/// losses fall by more than they warm the oil, so that taking them over as they are would not settle.
TEST(OilHeatTest, TheSteadyStateHasItsLosses) {
  for (const double area : {0.4, 1.0}) {
    TestSystem system(Throttle("TimeStep='0.1 s' StopTime='2 s'",
                               "area='" + ToXml(area) + " m2' heat_transfer='30 W/m2/K'",
                               "<Record signals='heat.T heat.losses heat.natural_cooling line.p throttle.q "
                               "throttle.kinematic_viscosity oil.oil_temperature'/>"));
    system.manager().set_steady(true);
    const auto rows = system.RunAndRecord();
    const OilViscosity law = ViscosityOf(OilGrade::kIsoVg46);
    for (const TestRow& row : {rows.front(), rows.back()}) {
      const double power = row.values[3] * row.values[4];
      EXPECT_GT(power, 100);
      EXPECT_NEAR(row.values[0], kCelsius + 20 + power / (30 * area), 1e-5);
      EXPECT_NEAR(row.values[2], power, 1e-6 * power);
      EXPECT_NEAR(row.values[6], row.values[0], 0.1);  // temperature_step of the Fluid
      EXPECT_DOUBLE_EQ(row.values[5], law.Kinematic(row.values[6]));
    }
    EXPECT_NEAR(rows.back().values[0], rows.front().values[0], 1e-6);
  }
}

TEST(OilHeatTest, ShaftPowerBecomesHeatWhereNothingIsDriven) {
  TestSystem system(Circuit(
      "TimeStep='1 ms' StopTime='2 s'",
      "<hydraulic.OilHeat name='heat'/><hydraulic.FixedDisplacementPump name='pump' leakage='1e-12 m3/s/Pa'/>"
      "<hydraulic.Volume name='suction'/><hydraulic.Volume name='line'/><hydraulic.Tank name='tank'/>"
      "<hydraulic.Orifice name='strainer' area='700 mm2'/><hydraulic.Pipe name='pipe'/>"
      "<hydraulic.ReliefValve name='relief'/>"
      "<signal.Constant name='speed' value='100 rad/s'/><Route from='speed.y' to='pump.speed'/>"
      "<Connect from='tank.port' to='strainer.a'/><Connect from='strainer.b' to='suction.port'/>"
      "<Connect from='pump.in' to='suction.port'/><Connect from='pump.out' to='line.port'/>"
      "<Connect from='pipe.inlet' to='line.port'/><Connect from='pipe.outlet' to='relief.in'/>"
      "<Connect from='relief.out' to='tank.port'/>"
      "<Record signals='heat.losses pump.torque' times='2 s'/>"));
  const auto rows = system.RunAndRecord();
  const auto& end = rows.back().values;
  EXPECT_GT(end[0], 100);
  EXPECT_NEAR(end[0], end[1] * 100, 1e-4 * end[0]);  // at rest but for the last swings of the line
}

TEST(OilHeatTest, ALoadThatIsLiftedTakesItsShare) {
  TestSystem system(
      Circuit("TimeStep='1 ms' StopTime='4 s'",
              "<hydraulic.OilHeat name='heat' area='0 m2' oil_mass='1 kg' specific_heat='1000 J/kg/K'/>"
              "<hydraulic.FlowSource name='pump'/><hydraulic.Volume name='line'/>"
              "<hydraulic.Orifice name='throttle'/><hydraulic.Tank name='tank'/>"
              "<hydraulic.Orifice name='back'/><hydraulic.Volume name='at_a'/><hydraulic.Volume name='at_b'/>"
              "<hydraulic.Cylinder name='cylinder' level='Standard'><Start x='0.1 m'/></hydraulic.Cylinder>"
              "<mechanical.Mass name='load' mass='2000 kg' weight='20 kN'/>"
              "<signal.Constant name='flow' value='12 l/min'/><Route from='flow.y' to='pump.flow'/>"
              "<Connect from='pump.port' to='line.port'/><Connect from='line.port' to='throttle.a'/>"
              "<Connect from='throttle.b' to='at_a.port'/><Connect from='cylinder.a' to='at_a.port'/>"
              "<Connect from='cylinder.b' to='at_b.port'/><Connect from='back.a' to='at_b.port'/>"
              "<Connect from='back.b' to='tank.port'/><Connect from='cylinder.rod' to='load.a'/>"
              "<Record signals='heat.losses line.p cylinder.force cylinder.v' interval='1 ms'/>"));
  const auto rows = system.RunAndRecord();
  const auto& end = rows.back().values;
  EXPECT_GT(end[3], 0.003);
  const double driven = end[1] * 12 / 6e4, lifted = end[2] * end[3];
  EXPECT_GT(lifted, 0.2 * driven);
  EXPECT_NEAR(end[0], driven - lifted, 2e-3 * driven);  // of the step point before
}

TEST(OilHeatTest, AllThatTakesItsOilFromThereFollowsTheTemperature) {
  const std::string text =
      Throttle("TimeStep='10 ms' StopTime='20 s'", "area='0 m2'",
               "<Record signals='heat.T oil.oil_temperature oil.oil_viscosity throttle.kinematic_viscosity' "
               "interval='1 s'/>");
  TestSystem system(text);
  const auto rows = system.RunAndRecord();
  const OilViscosity law = ViscosityOf(OilGrade::kIsoVg46);
  EXPECT_NEAR(rows.front().values[3], law.Kinematic(kCelsius + 50), 1e-18);
  for (const TestRow& row : rows) {
    EXPECT_NEAR(row.values[1], row.values[0], 0.2);  // a step, and what comes in a TimeStep
    EXPECT_EQ(row.values[2], row.values[3]);
    EXPECT_DOUBLE_EQ(row.values[2], law.Kinematic(row.values[1]));
  }
  EXPECT_LT(rows.back().values[3], 0.99 * rows.front().values[3]);
  const auto again = system.RunAndRecord();
  ASSERT_EQ(again.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(again[i].values, rows[i].values);
}

TEST(OilHeatTest, ASnapshotTakesTheTemperatureAlong) {
  const std::string text = Throttle("TimeStep='10 ms' StopTime='4 s'", "area='0 m2'");
  TestSystem through(text);
  through.manager().Initialize();
  through.manager().RunUntil(2);
  std::stringstream snapshot;
  through.manager().SaveState(snapshot);
  through.manager().RunUntil(4);
  TestSystem other(text);
  Diagnostics diagnostics;
  other.manager().LoadState(snapshot, {}, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  EXPECT_GT(other.Read("oil.oil_temperature"), kCelsius + 50);
  other.manager().RunUntil(4);
  for (const char* item : {"heat.T", "oil.oil_temperature", "throttle.kinematic_viscosity", "line.p"})
    EXPECT_EQ(other.Read(item), through.Read(item)) << item;
}

TEST(OilHeatTest, ATemperatureSetInTheRunReachesAllAndThePressureStays) {
  TestSystem system(
      Circuit("TimeStep='10 ms' StopTime='1 s'",
              "<hydraulic.Volume name='line' free_air='0.01' formulation='quantity'>"
              "<Start p='50 bar'/></hydraulic.Volume><hydraulic.Orifice name='shut' area='0 m2'/>"
              "<hydraulic.Tank name='tank'/><Connect from='shut.a' to='line.port'/>"
              "<Connect from='shut.b' to='tank.port'/>"
              "<At time='0.5 s' set='oil.temperature' value='80 degC'/>"
              "<Record signals='line.p shut.kinematic_viscosity shut.density' interval='0.1 s'/>"));
  const auto rows = system.RunAndRecord();
  const OilViscosity law = ViscosityOf(OilGrade::kIsoVg46);
  EXPECT_NEAR(rows.front().values[1], law.Kinematic(kCelsius + 50), 1e-18);
  EXPECT_NEAR(rows.back().values[1], law.Kinematic(kCelsius + 80), 1e-18);
  EXPECT_EQ(rows.back().values[2], 866.5);
  const auto again = system.RunAndRecord();
  EXPECT_EQ(again.front().values, rows.front().values);
}

TEST(OilHeatTest, WhatACommandWroteStaysUntilTheFluidGivesAnotherValue) {
  TestSystem system(Circuit("TimeStep='10 ms' StopTime='1 s'",
                            "<hydraulic.Volume name='line'/><hydraulic.Orifice name='throttle'/>"
                            "<hydraulic.Tank name='tank'/><Connect from='throttle.a' to='line.port'/>"
                            "<Connect from='throttle.b' to='tank.port'/>"
                            "<At time='0.2 s' set='throttle.density' value='900 kg/m3'/>"
                            "<At time='0.5 s' message='Reset' to='SimulatorManager'/>"
                            "<Record signals='throttle.density' interval='0.1 s'/>"));
  const auto rows = system.RunAndRecord();
  EXPECT_EQ(rows.front().values[0], 866.5);
  EXPECT_EQ(rows.back().values[0], 900);
}

TEST(OilHeatTest, DensityAndGasFollowWhereTheyAreToldTo) {
  TestSystem system(SystemText(
      "TimeStep='10 ms' StopTime='1 s'", "method='auto'",
      "<hydraulic.Fluid name='oil' temperature='300 K' thermal_expansion='7e-4 1/K' free_air='0.01'/>"
      "<hydraulic.Volume name='line'/><hydraulic.Orifice name='throttle' law='laminar_turbulent' area='3 "
      "mm2'/><hydraulic.Tank name='tank'/>"
      "<Connect from='throttle.a' to='line.port'/><Connect from='throttle.b' to='tank.port'/>"
      "<At time='0.5 s' set='oil.temperature' value='360 K'/>"
      "<Record signals='throttle.density line.free_air' interval='0.1 s'/>"));
  const auto rows = system.RunAndRecord();
  EXPECT_NEAR(rows.front().values[0], 861.8 / (1 + 7e-4 * (300 - 288.75)), 1e-9);
  EXPECT_NEAR(rows.back().values[0], 861.8 / (1 + 7e-4 * (360 - 288.75)), 1e-9);
  EXPECT_EQ(rows.front().values[1], 0.01);
  EXPECT_NEAR(rows.back().values[1], 0.012, 1e-15);
}

TEST(OilHeatTest, ACoolerOfTheCircuitTakesWhatItsPowerSays) {
  TestSystem system(Throttle(
      "TimeStep='10 ms' StopTime='500 s'", "area='0 m2'",
      "<hydraulic.Cooler name='cooler' balance='Circuit' area='0.5 m2'/><hydraulic.FlowSource name='loop'/>"
      "<hydraulic.Volume name='before'/><signal.Constant name='flow_2' value='30 l/min'/>"
      "<Route from='flow_2.y' to='loop.flow'/><Connect from='loop.port' to='before.port'/>"
      "<Connect from='before.port' to='cooler.a'/><Connect from='cooler.b' to='tank.port'/>"
      "<Route from='heat.T' to='cooler.oil_temperature'/><Route from='cooler.power' to='heat.cooling'/>"
      "<Record signals='heat.T heat.losses cooler.power cooler.q' times='500 s'/>"));
  const auto rows = system.RunAndRecord();
  const auto& end = rows.back().values;
  EXPECT_NEAR(end[1], end[2], 1e-3 * end[1]);
  EXPECT_NEAR(end[3], 30 / 6e4, 1e-9);
  EXPECT_LT(end[0], kCelsius + 50);
}

TEST(OilHeatTest, WithoutAFluidOrBesideAnotherOneItIsAnError) {
  const std::string manager = "TimeStep='1 s' StopTime='1 s'";
  const auto without = FaultsOf(SystemText(manager, "method='auto'", "<hydraulic.OilHeat name='heat'/>"));
  ASSERT_EQ(without.size(), 1U);
  EXPECT_NE(without[0].find("there is no hydraulic.Fluid"), std::string::npos) << without[0];
  const auto two =
      FaultsOf(Circuit(manager, "<hydraulic.OilHeat name='heat'/><hydraulic.OilHeat name='more'/>"));
  ASSERT_EQ(two.size(), 1U);
  EXPECT_NE(two[0].find("a second hydraulic.OilHeat of /oil"), std::string::npos) << two[0];
}

}  // namespace
}  // namespace davit
