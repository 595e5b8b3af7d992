// The accounts of models that need more than a line.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "simulator/energy/energy_balance.h"
#include "tests/analysis/energy/energy_harness.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

std::string FixedSteps(std::string_view content, std::string_view step = "1 ms",
                       std::string_view stop_time = "1 s") {
  return fmt::format(R"(<System name="e" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="{}" StopTime="{}"/>
  {}
</System>)",
                     step, stop_time, content);
}

TEST(EnergyOfModels, ASpringOfWavesClosesToRounding) {
  // With bodies that move by the trapezoidal rule its energy rises by the mean of the powers at both ends of
  // a step. The bodies themselves have an error of second order.
  const EnergyBalance balance = BalanceOf(FixedSteps(R"(
  <mechanical.Mass name="left" mass="3 kg"><Start v="2 m/s"/></mechanical.Mass>
  <mechanical.SpringC name="spring" stiffness="4000 N/m" damping="5 N.s/m" filter="0.3" preload="20 N"/>
  <mechanical.Mass name="right" mass="10 kg"/>
  <mechanical.DamperC name="damper" coefficient="7 N.s/m"/>
  <mechanical.Fixed name="wall"/>
  <Connect from="left.b" to="spring.a"/>
  <Connect from="spring.b" to="right.a"/>
  <Connect from="right.b" to="damper.a"/>
  <Connect from="damper.b" to="wall.port"/>)"));
  EXPECT_GT(EnergyAt(balance.losses, "spring", "damping"), 0.01);
  EXPECT_GT(EnergyAt(balance.losses, "damper", "damping"), 0.01);
  EXPECT_GT(std::abs(EnergyAt(balance.stores, "spring", "spring")), 1e-3);
  EXPECT_NEAR(EnergyAt(balance.errors, "spring", ""), 0, 1e-11 * balance.turnover);
  EXPECT_LT(balance.balance_error(), 1e-4);
}

TEST(EnergyOfModels, AShaftOfWavesWithoutDampingIsLossless) {
  const EnergyBalance balance = BalanceOf(FixedSteps(R"(
  <mechanical.Inertia name="left" inertia="3 kg.m2"><Start w="2 rad/s"/></mechanical.Inertia>
  <mechanical.ShaftC name="shaft" stiffness="4000 N.m/rad" filter="0"/>
  <mechanical.Inertia name="right" inertia="10 kg.m2"/>
  <Connect from="left.b" to="shaft.a"/>
  <Connect from="shaft.b" to="right.a"/>)"));
  EXPECT_NEAR(balance.lost, 0, 1e-11 * 6);
  EXPECT_GT(EnergyAt(balance.stores, "right", "kinetic"), 0.01);
  EXPECT_NEAR(EnergyAt(balance.errors, "shaft", ""), 0, 1e-11 * 6);
}

TEST(EnergyOfModels, ALineClosesToRoundingWithAnyDelay) {
  // 3 m at 1363 m/s are 2.2 TimeSteps: what the interpolation of the delay takes is a loss, and the rest is
  // under way.
  using Case = std::pair<std::string_view, std::string_view>;
  for (const auto& [length, leak] :
       {Case{"3 m", "0 l/min"}, Case{"5 m", "0 l/min"}, Case{"5 m", "50 l/min"}}) {
    const EnergyBalance balance = BalanceOf(FixedSteps(fmt::format(R"(
  <hydraulic.PressureSource name="source" pressure="100 bar"/>
  <hydraulic.Orifice name="inlet" area="20 mm2"/>
  <hydraulic.Line name="line" length="{}" inner_diameter="20 mm" friction="none" external_leak="{}"><Start p="10 bar"/></hydraulic.Line>
  <hydraulic.Orifice name="outlet" area="10 mm2"/>
  <hydraulic.Tank name="tank"/>
  <Connect from="source.port" to="inlet.a"/>
  <Connect from="inlet.b" to="line.a"/>
  <Connect from="line.b" to="outlet.a"/>
  <Connect from="outlet.b" to="tank.port"/>)",
                                                                   length, leak),
                                                       "1 ms", "7 ms"));
    // It ends while waves are under way.
    EXPECT_GT(EnergyAt(balance.stores, "line", "waves"), 1);
    EXPECT_GT(EnergyAt(balance.losses, "line", "interpolation"), 0) << length;
    EXPECT_EQ(EnergyAt(balance.losses, "line", "leakage") > 1, leak != "0 l/min");
    EXPECT_NEAR(EnergyAt(balance.errors, "line", ""), 0, 1e-11 * balance.turnover) << length;
  }
}

TEST(EnergyOfModels, ACapacitorOfWavesStoresHalfOfWhatChargesItThroughAResistance) {
  // 10 V over 100 ohm onto 1 mF, ten time constants: C u^2/2 each, but for 2 exp(-10) of it.
  const EnergyBalance balance = BalanceOf(FixedSteps(R"(
  <electrical.VoltageSource name="source" voltage="10 V"/>
  <electrical.Resistor name="resistor" resistance="100 V/A"/>
  <electrical.CapacitorC name="capacitor" capacitance="1 mF"/>
  <Connect from="source.port" to="resistor.a"/>
  <Connect from="resistor.b" to="capacitor.port"/>)"));
  EXPECT_NEAR(EnergyAt(balance.stores, "capacitor", "charge"), 0.05, 3 * 0.05 * std::exp(-10));
  EXPECT_LT(balance.balance_error(), 1e-11);
  // Of the first order in the step is what the filter takes and the capacitor shows as an impedance.
  EXPECT_NEAR(balance.lost, 0.05, 0.05 * 0.02);
}

TEST(EnergyOfModels, ACylinderOfWavesClosesAlsoAtItsStop) {
  const auto balance = [](std::string_view stop, std::string_view step) {
    return BalanceOf(FixedSteps(fmt::format(R"(
  <hydraulic.PressureSource name="a" pressure="60 bar"/>
  <hydraulic.Orifice name="inlet" area="4 mm2"/>
  <hydraulic.Tank name="b"/>
  <hydraulic.Orifice name="outlet" area="8 mm2"/>
  <hydraulic.CylinderC name="cylinder" bore="50 mm" rod="28 mm" stroke="{}" dead_volume="0.5 l"
      leakage="1e-12 m3/s/Pa" viscous_friction="2000 N.s/m"><Start x="0.4 m" p_a="10 bar" p_b="5 bar"/></hydraulic.CylinderC>
  <mechanical.Mass name="load" mass="500 kg"/>
  <Connect from="a.port" to="inlet.a"/>
  <Connect from="inlet.b" to="cylinder.a"/>
  <Connect from="cylinder.b" to="outlet.a"/>
  <Connect from="outlet.b" to="b.port"/>
  <Connect from="cylinder.rod" to="load.a"/>)",
                                            stop),
                                step));
  };
  const EnergyBalance between = balance("1 m", "0.2 ms");
  EXPECT_EQ(EnergyAt(between.losses, "cylinder", "stops"), 0);
  EXPECT_GT(EnergyAt(between.losses, "cylinder", "leakage"), 0);
  EXPECT_NE(EnergyAt(between.ins, "cylinder", "compressed oil"), 0);
  EXPECT_LT(between.balance_error(), 1e-6);
  // The force of the stop begins with a jump, so there the trapezoidal rule is of first order.
  const EnergyBalance coarse = balance("0.5 m", "0.4 ms"), fine = balance("0.5 m", "0.05 ms");
  EXPECT_GT(EnergyAt(fine.losses, "cylinder", "stops"), 0);
  EXPECT_LT(coarse.balance_error(), 1e-3);
  EXPECT_LT(fine.balance_error(), coarse.balance_error() / 4);
}

TEST(EnergyOfModels, AMovedBaseGivesWhatItsBodiesTakeUp) {
  // All that can push between base and bodies: joints, a mount with a mass, a loop, the ground, and a deck.
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <signal.Jonswap name="heave" significant_height="1 m" peak_period="3 s" response="0.6" seed="3"/>
  <signal.Jonswap name="pitch" significant_height="1 m" peak_period="3 s" response="0.2 rad/m" seed="3"/>
  <mechanism.Mechanism name="m" ground="-0.5 m">
    <Body name="arm" joint="revolute" axis="0 1 0" mass="20 kg" centre="0.5 0 0 m" inertia="0.1 2 2 kg.m2"/>
    <Body name="hand" on="arm" at="1 0 0 m" joint="revolute" axis="0 1 0" mass="5 kg" centre="0.2 0 0 m"
        inertia="0.01 0.1 0.1 kg.m2"/>
    <Body name="slide" joint="prismatic" axis="1 0 0" mass="3 kg" centre="0 0 0 m" inertia="0.1 0.1 0.1 kg.m2"/>
    <Loop name="rod" a="slide" b="hand" b_at="0.4 0 0 m" distance="1.2 m"/>
    <Mount name="strut" a="base" a_at="0 0 1 m" b="arm" b_at="0.6 0 0 m"/>
    <Contact name="foot" on="hand" at="0.4 0 0 m" stiffness="2e4 N/m" damping="0.5 s/m" friction="0.3"/>
    <Contact name="heel" on="hand" at="0.2 0 -0.1 m" stiffness="1e4 N/m" damping="0.5 s/m" friction="0.3"
        deck_height="-0.45 m" deck_on="base"/>
    <Start arm_angle="20 deg"/>
  </mechanism.Mechanism>
  <mechanical.Spring name="spring" stiffness="2000 N/m"/>
  <mechanical.Fixed name="wall"/>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="spring.b" to="m.strut"/>
  <Route from="heave.y" to="m.heave"/>
  <Route from="heave.rate" to="m.heave_rate"/>
  <Route from="heave.acceleration" to="m.heave_acceleration"/>
  <Route from="pitch.y" to="m.pitch"/>
  <Route from="pitch.rate" to="m.pitch_rate"/>
  <Route from="pitch.acceleration" to="m.pitch_acceleration"/>)",
                                                       "1 s"));
  EXPECT_NE(EnergyAt(balance.ins, "m", "base"), 0);
  EXPECT_NE(EnergyAt(balance.outs, "m", "base"), 0);
  EXPECT_NE(EnergyAt(balance.losses, "m", "ground"), 0);
  EXPECT_TRUE(balance.strangers.empty());
  EXPECT_LT(balance.balance_error(), 1e-7);
}

TEST(EnergyOfModels, ALoadOnAWinchCloses) {
  // It swings in the wind, is paid out, and lands on a deck, also on one that moves with the base.
  for (const char* base : {"", R"(
  <signal.Sine name="roll" amplitude="5 deg" frequency="2 rad/s"/>
  <signal.Sine name="rate" amplitude="10 deg/s" frequency="2 rad/s" phase="90 deg"/>
  <signal.Sine name="acceleration" amplitude="-20 deg/s2" frequency="2 rad/s"/>
  <Route from="roll.y" to="crane.roll"/>
  <Route from="rate.y" to="crane.roll_rate"/>
  <Route from="acceleration.y" to="crane.roll_acceleration"/>)"}) {
    const EnergyBalance balance = BalanceOf(EnergySystem(std::string(R"(
  <signal.Constant name="winch" value="0.8"/>
  <signal.Constant name="wind" value="15"/>
  <mechanism.Crane name="crane" level="Advanced">
    <Body name="boom" joint="revolute" axis="0 -1 0" mass="500 kg" centre="2 0 0 m" inertia="10 700 700 kg.m2"
        start="30 deg" friction="2e5 N.m.s/rad"/>
    <Load name="load" on="boom" at="4 0 0 m" mass="300 kg" length="1 m" stiffness="1e6 N" damping_ratio="0.1"
        swing_damping_ratio="0.05" deck_height="-1.5 m" deck_on=")") +
                                                             (*base == '\0' ? "earth" : "base") + R"("/>
  </mechanism.Crane>
  <Route from="winch.y" to="crane.load_winch_speed"/>
  <Route from="wind.y" to="crane.load_wind_x"/>)" + base,
                                                         "4 s"));
    for (const std::string_view cause : {"wire damping", "swing damping", "deck", "air", "friction"})
      EXPECT_NE(EnergyAt(balance.losses, "crane", cause), 0) << cause;
    EXPECT_GT(EnergyAt(balance.outs, "crane", "winch"), 100);
    EXPECT_GT(EnergyAt(balance.ins, "crane", "wind"), 0);
    EXPECT_EQ(EnergyAt(balance.ins, "crane", "base") != 0, *base != '\0');
    // The quadrature is of lower order over the kinks of the landing, which lie inside steps.
    EXPECT_LT(balance.balance_error(), 1e-6);
  }
}

/// Paid out by a drum that accelerates, then reverses: what is free of load on the drum is stretched, lifted
/// and moved. `drive` is of the wire.
EnergyBalance BalanceOfWire(bool is_rope, std::string_view drive, int falls = 1) {
  const std::string wire = is_rope ? fmt::format(R"(
  <mechanical.WireRope name="wire" length="{} m" falls="{}" radius="0.4 m" axial_stiffness="1e6 N" axial_damping="2e4 N.s" {}/>
  <Connect from="load.b" to="wire.a"/>)",
                                                 20 * falls, falls, drive)
                                   : fmt::format(R"(
  <mechanical.Fixed name="tip"/>
  <marine.Wire name="wire" length="20 m" distance="20 m" radius="0.4 m" axial_stiffness="1e6 N"
      axial_damping="2e4 N.s" mass_per_length="10 kg/m" elements="3" falls="{}" {}><Start start_load="5 kN"/></marine.Wire>
  <Connect from="tip.port" to="wire.top"/>
  <Connect from="load.a" to="wire.load"/>)",
                                                 falls, drive);
  return BalanceOf(
      EnergySystem(fmt::format(R"(
  <mechanical.Mass name="load" mass="500 kg" weight="{}"><Start x="{}"/></mechanical.Mass>
  <mechanical.Inertia name="drum" inertia="200 kg.m2"><Start w="0.5 rad/s"/></mechanical.Inertia>
  {}
  <Connect from="drum.a" to="wire.drum"/>)",
                               is_rope ? "5000 N" : "-5000 N", is_rope ? "-20.1 m" : "0.1 m", wire),
                   "3 s"));
}

TEST(EnergyOfModels, AWireThatIsPaidOutBringsItsOwn) {
  for (const bool is_rope : {false, true}) {
    const EnergyBalance balance = BalanceOfWire(is_rope, "");
    EXPECT_GT(std::abs(EnergyAt(balance.ins, "wire", "") - EnergyAt(balance.outs, "wire", "")), 0.1);
    EXPECT_GT(EnergyAt(balance.losses, "wire", "damping"), 0);
    EXPECT_TRUE(balance.strangers.empty());
    EXPECT_LT(balance.balance_error(), 1e-7) << is_rope;
  }
}

TEST(EnergyOfModels, LayersFallsAndSheavesOfAWireAreAccountedFor) {
  for (const bool is_rope : {false, true}) {
    const std::string layers = R"(layer_height="5 cm" turns_per_layer="4")";
    const EnergyBalance layered = BalanceOfWire(is_rope, layers);
    EXPECT_LT(layered.balance_error(), 1e-7) << is_rope;
    EXPECT_EQ(EnergyAt(layered.losses, "wire", "sheaves"), 0);
    // A stick velocity that the quadrature of the losses resolves.
    const EnergyBalance rubbing = BalanceOfWire(
        is_rope, layers + R"( sheaves="2" sheave_efficiency="0.95" stick_velocity="0.2 m/s")", 3);
    EXPECT_GT(EnergyAt(rubbing.losses, "wire", "sheaves"), 10);
    EXPECT_TRUE(rubbing.strangers.empty());
    EXPECT_LT(rubbing.balance_error(), 1e-6) << is_rope;
  }
}

TEST(EnergyOfModels, AHullThatYieldsToItsCraneGivesWhatTheCraneTakes) {
  std::string routes;
  for (const char* degree : {"surge", "sway", "heave", "roll", "pitch", "yaw"}) {
    for (const char* what : {"", "_rate", "_acceleration"})
      routes += fmt::format(R"(<Route from="hull.{0}{1}" to="crane.{0}{1}" hold="none"/>)", degree, what);
  }
  for (const char* load : {"fx", "fy", "fz", "mx", "my", "mz"})
    routes += fmt::format(R"(<Route from="crane.foot_{0}" to="hull.{0}" hold="none"/>)", load);
  for (const bool has_waves : {false, true}) {
    const EnergyBalance balance = BalanceOf(fmt::format(R"(<System name="e" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="10 s"><Integration solver="DAE" method="ida" rtol="1e-9" atol="1e-11"/></SimulatorManager>
  {}
  <marine.FloatingBody name="hull">
    <Mass degree="heave" heave="300 t" pitch="4e5 kg.m"/><Mass degree="roll" roll="5e6 kg.m2"/>
    <Mass degree="pitch" pitch="2e7 kg.m2"/><AddedMass degree="heave" heave="200 t"/>
    <Damping degree="heave" heave="3e5 N.s/m"/><Damping degree="roll" roll="1e6 N.m.s/rad"/>
    <Stiffness degree="heave" heave="4e6 N/m" pitch="2e6 N/rad"/><Stiffness degree="roll" roll="2e7 N.m/rad"/>
    <Stiffness degree="pitch" pitch="3e8 N.m/rad"/>
    <Radiation force="heave" motion="heave" a="-0.5 1 -1 0" b="2e5 0" c="1 0"/>
  </marine.FloatingBody>
  <mechanism.Mechanism name="crane">
    <Body name="hook" at="4 1 12 m" joint="universal" axis="1 0 0" second_axis="0 1 0" mass="40 t" centre="0 0 -6 m"
        inertia="1e4 1e4 1e4 kg.m2"/>
    <Reaction name="foot" of="base"/><Start hook_angle_1="25 deg" hook_angle_2="-40 deg"/>
  </mechanism.Mechanism>{}</System>)",
                                                        has_waves ? R"(<marine.RecordedMotion name="waves">
    <Sample time="0 s" heave="0 m" roll="0 deg"/><Sample time="3 s" heave="1 m" roll="3 deg"/>
    <Sample time="6 s" heave="-1 m" roll="-2 deg"/><Sample time="9 s" heave="0 m" roll="4 deg"/>
    <Sample time="12 s" heave="0 m" roll="0 deg"/></marine.RecordedMotion>)"
                                                                  : "",
                                                        routes));
    EXPECT_GT(EnergyAt(balance.losses, "hull", "damping"), 1000);
    EXPECT_GT(EnergyAt(balance.losses, "hull", "radiated waves"), 1000);
    EXPECT_NEAR(EnergyAt(balance.errors, "hull", ""), 0, 1e-6 * balance.turnover);
    EXPECT_LT(balance.balance_error(), 1e-6);
    const auto brought = [&](std::string_view component, std::string_view name) {
      return EnergyAt(balance.ins, component, name) - EnergyAt(balance.outs, component, name);
    };
    const double waves = brought("crane", "base") + brought("hull", "load");
    if (has_waves) {
      EXPECT_GT(std::abs(waves), 1000);
    } else {
      EXPECT_NEAR(waves, 0, 1e-6 * balance.turnover);
    }
  }
}

TEST(EnergyOfModels, ALoadThatSinksSteadilyLosesItsWeightLessBuoyancy) {
  // At the speed w with drag = weight - buoyancy, all of (weight - buoyancy)*way is drag, and buoyancy*way
  // goes to the sea.
  const double weight = 9.81 * 3000, buoyancy = 1025 * 9.81 * 2, drag = weight - buoyancy;
  const double speed = std::sqrt(drag / (0.5 * 1025 * 4));
  const EnergyBalance balance = BalanceOf(EnergySystem(fmt::format(R"(
  <marine.Sea name="sea" significant_height="0 m" depth="100 m" density="1025 kg/m3"/>
  <marine.Load name="load" mass="3 t" volume="2 m3" height="2 m" added_mass="1 t" area="4 m2" drag_coefficient="1">
    <Start x="10 m" v="{}"/></marine.Load>
  <mechanical.Force name="none"/>
  <Connect from="none.port" to="load.port"/>)",
                                                                   speed),
                                                       "10 s"));
  const double way = 10 * speed;
  EXPECT_NEAR(EnergyAt(balance.losses, "load", "drag"), drag * way, 1e-8 * weight * way);
  EXPECT_NEAR(EnergyAt(balance.outs, "load", "sea"), buoyancy * way, 1e-8 * weight * way);
  EXPECT_LT(balance.balance_error(), 1e-9);
}

TEST(EnergyOfModels, AnEmptyAccumulatorWhoseGasIsWarmedCloses) {
  // Its oil follows the pressure of the gas although the gas has no way to move.
  const EnergyBalance balance = BalanceOf(EnergySystem(R"(
  <hydraulic.Accumulator name="bottle" gas="Thermal" thermal_time="0.5 s" gas_volume="1 l" port_volume="1 l"
      precharge_pressure="100 bar" gas_temperature="250 K" wall_temperature="330 K"><Start p="60 bar"/></hydraulic.Accumulator>
  <hydraulic.Orifice name="hole" area="0.1 mm2"/>
  <hydraulic.Tank name="tank"/>
  <Connect from="bottle.port" to="hole.a"/>
  <Connect from="hole.b" to="tank.port"/>)"));
  EXPECT_LT(balance.balance_error(), 1e-8);
}

}  // namespace
}  // namespace davit
