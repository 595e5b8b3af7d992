// Snapshots of whole runs: what restarts from one is the run that wrote it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "components/register.h"
#include "framework/run_log.h"
#include "session/simulation.h"
#include "simulator/islands/island.h"
#include "simulator/solvers/integrator.h"
#include "tests/support/test_models.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const Registry& TestedModels() {
  static const Registry registry = [] {
    Registry all = AllModels();
    RegisterTestModels(all);
    return all;
  }();
  return registry;
}

/// Times and values, bit by bit.
using Row = std::vector<std::uint64_t>;
using Rows = std::vector<Row>;

/// A system that is loaded and built, with all that its components show recorded at every step.
class Loaded {
 public:
  explicit Loaded(const std::string& text) {
    const SimulationOptions options{.load = {.signals = {"*"}}};
    simulation_ =
        Simulation::LoadText(text, DAVIT_SOURCE_DIR "/systems/test.xml", TestedModels(), options).Take();
    RecordingOptions every_step{.interval = 0};
    every_step.on_row = [this](double t, std::span<const double> values) {
      Row row{std::bit_cast<std::uint64_t>(t)};
      for (const double value : values) row.push_back(std::bit_cast<std::uint64_t>(value));
      rows_.push_back(std::move(row));
    };
    simulation_->StartRecording(every_step);
  }
  System& system() { return simulation_->system(); }
  SimulatorManager& manager() { return simulation_->manager(); }
  Rows TakeRows() { return std::exchange(rows_, {}); }

  std::string Save() {
    std::ostringstream stream;
    manager().SaveState(stream);
    return stream.str();
  }
  /// What was wrong.
  std::string Load(const std::string& snapshot) {
    std::istringstream stream(snapshot);
    Diagnostics diagnostics;
    manager().LoadState(stream, {std::make_shared<const std::string>("snapshot"), 0}, diagnostics);
    std::string faults;
    for (const Diagnostic& fault : diagnostics.all()) faults += ToText(fault) + '\n';
    return faults;
  }
  Rows Finish() {
    while (!manager().is_finished()) manager().Step();
    return TakeRows();
  }
  bool can_archive_all_solvers() {
    const auto& islands = manager().islands();
    return std::all_of(islands.begin(), islands.end(), [](const auto& island) {
      const std::string& method = island->options().method;
      return !island->is_implicit() && method != "ida" && method != "bulirsch_stoer" &&
             method != "adams_bashforth_moulton";
    });
  }

 private:
  std::unique_ptr<Simulation> simulation_;
  Rows rows_;
};

std::string ReadText(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A system of this test: models that no file in systems/ has, and what is hard for a snapshot.
struct Example {
  std::string name;
  std::string text;
};

std::vector<Example> Examples() {
  std::vector<Example> examples;
  for (const auto& entry : fs::directory_iterator(DAVIT_SOURCE_DIR "/systems")) {
    if (entry.path().extension() != ".xml") continue;
    examples.push_back({entry.path().stem().string(), ReadText(entry.path())});
  }
  examples.push_back(
      {"waves",
       SystemText("TimeStep='0.5 ms' StopTime='0.4 s'", "method='runge_kutta4'",
                  R"(<signal.Pulse name='pulse' period='41 ms' width='13 ms' low='-2e-4' high='3e-4'/>
          <hydraulic.FlowSource name='source'/>
          <hydraulic.VolumeC name='volume' volume='1 l'><Start p='20 bar'/></hydraulic.VolumeC>
          <hydraulic.Hose name='hose' length='5 m' friction='frequency_dependent' external_leak='2 l/min'><Start p='20 bar'/></hydraulic.Hose>
          <hydraulic.Orifice name='orifice' area='5 mm2' law='laminar_turbulent'/>
          <hydraulic.AccumulatorC name='accumulator' precharge_pressure='15 bar' gas_volume='0.1 l'><Start p='20 bar'/></hydraulic.AccumulatorC>
          <hydraulic.Orifice name='between' area='5 mm2' law='laminar_turbulent'/>
          <Route from='pulse.y' to='source.flow'/>
          <Connect from='source.port' to='volume.port'/>
          <Connect from='between.a' to='volume.port'/><Connect from='between.b' to='hose.a'/>
          <Connect from='hose.b' to='orifice.a'/><Connect from='orifice.b' to='accumulator.port'/>
          <signal.Ramp name='ramp' duration='0.3 s' to='50'/>
          <mechanical.Torque name='torque'/><Route from='ramp.y' to='torque.torque'/>
          <mechanical.Inertia name='i1' inertia='0.1 kg.m2'/><mechanical.ShaftC name='shaft' stiffness='1e4 N.m/rad'/>
          <mechanical.Inertia name='i2' inertia='0.1 kg.m2'/>
          <Connect from='torque.port' to='i1.a'/><Connect from='i1.b' to='shaft.a'/><Connect from='shaft.b' to='i2.a'/>
          <mechanical.Mass name='m1' mass='1 kg'><Start v='2 m/s'/></mechanical.Mass>
          <mechanical.DamperC name='damper' coefficient='10 N.s/m'/>
          <mechanical.Mass name='m2' mass='1 kg'/><mechanical.SpringC name='spring' stiffness='1e3 N/m'/>
          <mechanical.Fixed name='wall'/>
          <Connect from='m1.b' to='damper.a'/><Connect from='damper.b' to='m2.a'/>
          <Connect from='m2.b' to='spring.a'/><Connect from='spring.b' to='wall.port'/>)")});
  examples.push_back(
      {"written_models",
       SystemText(
           "TimeStep='10 ms' StopTime='3 s'", "method='runge_kutta_dopri5'",
           R"(<user.Equation name='saw'><State name='x' der='s'/><Variable name='n'/><Variable name='s' start='1'/>
            <Output name='y' expr='x*x + n'/>
            <Guard name='top' value='x - 0.37' direction='rising'><Set name='x' expr='0'/>
              <Set name='n' expr='n + 1'/><Set name='s' expr='1/(1 + n)'/></Guard></user.Equation>
          <signal.Expression name='e'><Input name='u'/><Output name='y' expr='sin(3*u)'/></signal.Expression>
          <signal.LowPass name='lag' time_constant='0.2 s'/>
          <Route from='saw.y' to='e.u'/><Route from='e.y' to='lag.u'/>)")});
  const std::string controlled = R"(<signal.Pulse name='set' period='0.7' width='0.3'/>
          <signal.Sine name='sine' frequency='3 rad/s'/><signal.Product name='product'/>
          <signal.PID name='pid' kp='20' ki='5' kd='1' low='-30' high='30'/>
          <mechanical.MassSpringDamper name='body' damping='1 N.s/m'/>
          <signal.Integrator name='sum' low='-1' high='1'/>
          <Route from='set.y' to='product.u'/><Route from='sine.y' to='product.u'/>
          <Route from='product.y' to='pid.setpoint'/><Route from='body.x' to='pid.measurement'/>
          <Route from='pid.y' to='body.force'/><Route from='body.v' to='sum.u' hold='step'/>
          <At time='1.3' set='body.mass' value='2'/><At time='2.1' set='pid.ki' value='1'/>
          <At time='2.5' set='body.x' value='0.5'/><At time='2.5' set='sum.gain' value='3'/>)";
  for (const OdeMethod& method : OdeMethods()) {
    examples.push_back({"controlled_" + std::string(method.name),
                        SystemText("TimeStep='20 ms' StopTime='4 s'",
                                   "method='" + std::string(method.name) + "'", controlled)});
  }
  const std::string switching = R"(<signal.Sine name='sine' frequency='7 rad/s'/>
          <test.Follower name='a' level='Advanced' time='0.3'/><test.Follower name='b' time='0.2'/>
          <signal.LowPass name='c' time_constant='0.1 s'/>
          <Route from='sine.y' to='a.u'/><Route from='a.y' to='b.u'/><Route from='b.y' to='c.u'/>
          <At time='0.5' set='a.level' value='Ideal'/><At time='0.7' set='b.lag' value='Second'/>
          <At time='1.1' set='a.level' value='Standard'/><At time='1.6' set='b.level' value='Ideal'/>
          <At time='1.6' set='a.level' value='Advanced'/><At time='2.2' set='b.lag' value='First'/>)";
  for (const OdeMethod& method : OdeMethods()) {
    examples.push_back({"switching_" + std::string(method.name),
                        SystemText("TimeStep='20 ms' StopTime='3 s'",
                                   "method='" + std::string(method.name) + "'", switching)});
  }
  examples.push_back(
      {"oil_treatment",
       SystemText("TimeStep='1 ms' StopTime='0.5 s'", "method='auto'",
                  R"(<signal.Sine name='sine' amplitude='1e-3' offset='1e-3' frequency='20 rad/s'/>
          <signal.Ramp name='dirt' duration='0.4 s' to='0.9'/><signal.Quotient name='quotient'/><Route from='dirt.y' to='quotient.numerator'/>
          <hydraulic.Fluid name='oil' grade='iso_vg_46'/><hydraulic.OilHeat name='heat' oil_mass='0.01 kg'/><hydraulic.FlowSource name='source'/><Route from='sine.y' to='source.flow'/>
          <hydraulic.Volume name='v1' volume='1 l'/><hydraulic.Filter name='filter'/>
          <hydraulic.Volume name='v2' volume='1 l'/><hydraulic.Cooler name='cooler'/>
          <hydraulic.Volume name='v3' volume='1 l'/><hydraulic.FlowSensor name='flow'/>
          <hydraulic.Restriction name='hole' law='ShortTube' cavitation='Nurick' diameter='8 mm'/>
          <hydraulic.PressureSensor name='pressure'/><hydraulic.Tank name='tank'/>
          <hydraulic.Accumulator name='accumulator' level='Standard' equation='redlich_kwong' precharge_pressure='2 bar' gas_volume='0.1 l'/>
          <hydraulic.Orifice name='neck'/><Connect from='neck.a' to='v1.port'/><Connect from='neck.b' to='accumulator.port'/>
          <At time='0.15' set='accumulator.level' value='Advanced'/><At time='0.25' set='accumulator.gas' value='Isothermal'/>
          <Route from='dirt.y' to='filter.clogging'/>
          <Connect from='source.port' to='v1.port'/><Connect from='filter.a' to='v1.port'/>
          <Connect from='filter.b' to='v2.port'/><Connect from='cooler.a' to='v2.port'/>
          <Connect from='cooler.b' to='v3.port'/><Connect from='flow.inlet' to='v3.port'/>
          <Connect from='flow.outlet' to='hole.a'/><Connect from='hole.b' to='tank.port'/>
          <Connect from='pressure.port' to='v2.port'/>
          <mechanical.Mass name='mass' mass='1 kg'/><mechanical.Spring name='spring' stiffness='1e3 N/m'/>
          <mechanical.PositionSensor name='position'/>
          <Connect from='spring.a' to='mass.a'/><mechanical.Fixed name='wall'/><Connect from='spring.b' to='wall.port'/>
          <Connect from='position.port' to='mass.b'/>
          <mechanical.Torque name='torque' torque='2 N.m'/><mechanical.Inertia name='wheel'/><mechanical.SpeedSensor name='speed'/>
          <Connect from='torque.port' to='wheel.a'/><Connect from='speed.port' to='wheel.b'/>
          <At time='0.2' set='hole.law' value='LaminarTurbulent'/><At time='0.3' set='mass.v' value='1'/>)")});
  examples.push_back(
      {"pressure_valves",
       SystemText("TimeStep='1 ms' StopTime='0.5 s'", "method='rosenbrock4'",
                  R"(<signal.Sine name='sine' amplitude='5e-4' offset='6e-4' frequency='20 rad/s'/>
          <hydraulic.FlowSource name='source'/><Route from='sine.y' to='source.flow'/>
          <hydraulic.Volume name='v1' volume='1 l'/><hydraulic.Volume name='v2' volume='1 l'/>
          <hydraulic.Volume name='v3' volume='1 l'/><hydraulic.Tank name='tank'/>
          <hydraulic.FlowControlValve name='flow' flow='20 l/min'/>
          <hydraulic.PressureReducingValve name='reducing' set_pressure='3 bar' opening_range='2 bar'/>
          <hydraulic.LogicElement name='logic' spring_pressure='1 bar'/><hydraulic.FlowDivider name='divider' share='0.4'/>
          <hydraulic.Shuttle name='shuttle'/><hydraulic.Orifice name='drain' area='10 mm2'/>
          <hydraulic.ReliefValve name='unloading' set_pressure='2 bar'/>
          <hydraulic.CheckValve name='check'/>
          <Connect from='source.port' to='v1.port'/><Connect from='flow.in' to='v1.port'/>
          <Connect from='flow.out' to='v2.port'/><Connect from='flow.bypass' to='tank.port'/>
          <Connect from='reducing.in' to='v1.port'/><Connect from='reducing.out' to='v3.port'/>
          <Connect from='reducing.tank' to='tank.port'/>
          <Connect from='divider.in' to='v1.port'/><Connect from='divider.a' to='v2.port'/><Connect from='divider.b' to='v3.port'/>
          <Connect from='logic.a' to='v2.port'/><Connect from='logic.b' to='tank.port'/>
          <Connect from='logic.x' to='v3.port'/>
          <Connect from='shuttle.a' to='v1.port'/><Connect from='shuttle.b' to='v2.port'/>
          <Connect from='shuttle.out' to='v3.port'/>
          <Connect from='drain.a' to='v3.port'/><Connect from='drain.b' to='tank.port'/>
          <Connect from='unloading.in' to='v1.port'/><Connect from='unloading.out' to='tank.port'/>
          <Connect from='unloading.pilot' to='v2.port'/>
          <Connect from='check.a' to='v3.port'/><Connect from='check.b' to='v2.port'/>
          <Connect from='check.pilot' to='v1.port'/>)")});
  examples.push_back(
      {"wire",
       SystemText("TimeStep='10 ms' StopTime='2 s'", "method='runge_kutta_dopri5'",
                  "<mechanism.Mechanism name='m'>"
                  "<Body name='load' joint='free' mass='10 kg' inertia='1 1 1 kg.m2'/>"
                  "<Frame name='sheave' at='1 0 5 m'/>"
                  "<Mount name='line' a='base' a_at='0 0 4 m' via='sheave' b='load'/>"
                  "<Contact name='foot' on='load' stiffness='1e5 N/m' damping='1 s/m' friction='0.3'/>"
                  "<Reaction name='joint' of='load'/></mechanism.Mechanism>"
                  "<mechanical.WireRope name='rope' length='6.4 m' axial_stiffness='1e6 N' "
                  "axial_damping='1e4 N.s' layer_height='1 cm' sheave_efficiency='0.97'/><mechanical.Inertia "
                  "name='drum' inertia='0.5 kg.m2'/>"
                  "<Connect from='rope.a' to='m.line'/><Connect from='rope.drum' to='drum.a'/>")});
  examples.push_back(
      {"drives",
       SystemText(
           "TimeStep='5 ms' StopTime='2 s'", "method='rodas5p'",
           R"(<mechanical.DieselEngine name='engine'/><mechanical.Inertia name='flywheel'><Start w='180'/></mechanical.Inertia>
          <signal.Pulse name='pulse' period='0.8 s' width='0.4 s'/><mechanical.Clutch name='clutch'/>
          <Route from='pulse.y' to='clutch.engage'/><mechanical.PlanetaryGear name='gear' backlash='1e-3 rad'/>
          <mechanical.Inertia name='sun' inertia='0.2 kg.m2'/><mechanical.Inertia name='carrier' viscous_friction='3'/>
          <mechanical.Belt name='belt'/><mechanical.Inertia name='fan' viscous_friction='0.3'/>
          <mechanical.Shaft name='coupling' backlash='1e-3 rad' damping='5'/><mechanical.Inertia name='end'/>
          <electrical.InductionMotor name='motor' level='Advanced'/>
          <Connect from='engine.shaft' to='flywheel.a'/><Connect from='clutch.a' to='flywheel.b'/>
          <Connect from='clutch.b' to='sun.a'/><Connect from='gear.sun' to='sun.b'/>
          <Connect from='gear.carrier' to='carrier.a'/><Connect from='belt.a' to='carrier.b'/>
          <Connect from='belt.b' to='fan.a'/><Connect from='coupling.a' to='fan.b'/>
          <Connect from='coupling.b' to='end.a'/><Connect from='motor.shaft' to='end.a'/>
          <At time='0.7' set='motor.level' value='Standard'/><At time='1.2' set='motor.level' value='Advanced'/>)")});
  examples.push_back({"linked", SystemText("TimeStep='10 ms' StopTime='2 s'", "method='runge_kutta4'",
                                           R"(<mechanical.Mass name='m1' mass='1 kg'/>
          <mechanical.RigidLink name='link'/><mechanical.Mass name='m2' mass='2 kg'/>
          <mechanical.Spring name='spring' stiffness='40 N/m'/><mechanical.Fixed name='wall'/>
          <signal.Sine name='sine' frequency='5 rad/s'/><mechanical.Force name='force'/>
          <Route from='sine.y' to='force.force'/><Connect from='force.port' to='m1.a'/>
          <Connect from='m1.b' to='link.a'/><Connect from='link.b' to='m2.a'/>
          <Connect from='m2.b' to='spring.a'/><Connect from='spring.b' to='wall.port'/>)")});
  examples.push_back(
      {"rates",
       SystemText(
           "TimeStep='1 ms' StopTime='0.3 s'", "method='runge_kutta_dopri5'",
           R"(<mechanical.Mass name='m1' mass='1 kg' TimeStep='3 ms'><Start x='1 mm'/></mechanical.Mass>
          <mechanical.Spring name='s1' stiffness='2e3 N/m' TimeStep='3 ms'/><mechanical.Fixed name='w1' TimeStep='3 ms'/>
          <signal.Sine name='sine' frequency='50 rad/s' TimeStep='0.25 ms'/>
          <signal.LowPass name='lag' time_constant='5 ms' TimeStep='0.25 ms'/>
          <mechanical.Force name='force' TimeStep='3 ms'/>
          <Route from='sine.y' to='lag.u'/><Route from='lag.y' to='force.force'/>
          <Connect from='w1.port' to='s1.a'/><Connect from='s1.b' to='m1.a'/><Connect from='force.port' to='m1.a'/>)")});
  examples.push_back({"afloat", SystemText("TimeStep='20 ms' StopTime='4 s'", "",
                                           R"(<marine.FloatingBody name='hull' fz='1e4 N' y='2 m'>
            <Mass degree='heave' heave='100 t'/><Mass degree='roll' roll='1e6 kg.m2'/>
            <Stiffness degree='heave' heave='1e6 N/m'/><Stiffness degree='roll' roll='1e7 N.m/rad'/>
            <Radiation force='heave' motion='heave' a='-1' b='1e5' c='1'/></marine.FloatingBody>)")});
  examples.push_back({"sea", SystemText("TimeStep='10 ms' StopTime='2 s'", "method='runge_kutta4'",
                                        R"(<marine.Sea name='sea' components='10'/>
          <marine.Vessel name='vessel'><Response heading='180 deg' frequency='0.2 rad/s' heave='1 m/m'/>
            <Response heading='180 deg' frequency='6 rad/s' heave='0.5 m/m'/></marine.Vessel>
          <marine.RecordedMotion name='recorded'><Sample time='0 s' heave='0 m'/><Sample time='1 s' heave='1 m'/>
            <Sample time='2 s' heave='0 m'/><Sample time='3 s' heave='1 m'/><Sample time='4 s' heave='0 m'/></marine.RecordedMotion>
          <marine.MotionReferenceUnit name='unit' delay='30 ms' noise='5 mm'/>
          <mechanical.VelocitySource name='tip'/><Route from='unit.measured_rate' to='tip.velocity'/>
          <marine.Wire name='wire' length='20 m' distance='19 m' elements='3'
            axial_stiffness='1e5 N' axial_damping='1e3 N.s' layer_height='1 cm' falls='2' sheave_efficiency='0.97'/>
          <marine.Load name='load'><Start x='1 m'/></marine.Load>
          <Connect from='tip.port' to='wire.top'/><Connect from='load.port' to='wire.load'/>)")});
  examples.push_back(
      {"circuits", SystemText("TimeStep='1 ms' StopTime='0.6 s'", "method='rosenbrock4'",
                              R"(<signal.Sine name='sine' amplitude='5' offset='24' frequency='40 rad/s'/>
          <electrical.VoltageSource name='source'/><Route from='sine.y' to='source.voltage'/>
          <electrical.Ground name='ground'/><electrical.Inductor name='coil' resistance='0.05 ohm'/>
          <electrical.Capacitor name='filter' capacitance='5 mF'/><electrical.Resistor name='bleeder' resistance='50 ohm'/>
          <electrical.DcMotor name='motor'/><electrical.CurrentSource name='charger' current='2 A'/>
          <Connect from='coil.a' to='source.port'/><Connect from='coil.b' to='filter.port'/>
          <Connect from='bleeder.a' to='filter.port'/><Connect from='bleeder.b' to='ground.port'/>
          <Connect from='charger.port' to='filter.port'/>
          <Connect from='motor.a' to='filter.port'/><Connect from='motor.b' to='ground.port'/>
          <mechanical.Inertia name='wheel' inertia='0.05 kg.m2'/><Connect from='motor.shaft' to='wheel.a'/>
          <thermal.Capacity name='case'/><thermal.Conductance name='wall'/><thermal.Capacity name='box'/>
          <thermal.Convection name='cooling'/><thermal.Temperature name='air'/><thermal.HeatSource name='sun' heat='30 W'/>
          <Connect from='motor.heat' to='case.port'/><Connect from='bleeder.heat' to='case.port'/>
          <Connect from='wall.a' to='case.port'/><Connect from='wall.b' to='box.port'/>
          <Connect from='sun.port' to='box.port'/><Connect from='cooling.a' to='box.port'/>
          <Connect from='cooling.b' to='air.port'/>
          <At time='0.2' set='motor.level' value='Advanced'/><At time='0.4' set='motor.armature' value='Resistive'/>)")});
  examples.push_back(
      {"delayed_circuits", SystemText("TimeStep='0.2 ms' StopTime='0.3 s'", "method='runge_kutta4'",
                                      R"(<signal.Sine name='sine' amplitude='3' frequency='90 rad/s'/>
          <electrical.CurrentSource name='source'/><Route from='sine.y' to='source.current'/>
          <electrical.CapacitorC name='a' capacitance='2 mF'/><electrical.CapacitorC name='b'/>
          <electrical.Resistor name='wire' resistance='2 ohm'/><electrical.Resistor name='load' resistance='9 ohm'/>
          <electrical.Ground name='ground'/><thermal.CapacityC name='body' heat_capacity='5 J/K'/>
          <thermal.Conductance name='wall'/><thermal.Temperature name='air'/>
          <Connect from='source.port' to='a.port'/><Connect from='wire.a' to='a.port'/><Connect from='wire.b' to='b.port'/>
          <Connect from='load.a' to='b.port'/><Connect from='load.b' to='ground.port'/>
          <Connect from='load.heat' to='body.port'/><Connect from='wire.heat' to='body.port'/>
          <Connect from='wall.a' to='body.port'/><Connect from='wall.b' to='air.port'/>
          <At time='0.1' set='a.capacitance' value='4e-3'/>)")});
  examples.push_back({"junction", SystemText("TimeStep='1 ms' StopTime='0.1 s'", "method='runge_kutta4'",
                                             R"(<signal.Sine name='sine' amplitude='3' frequency='90 rad/s'/>
          <electrical.VoltageSource name='source'/><Route from='sine.y' to='source.voltage'/>
          <electrical.Ground name='ground'/><electrical.Junction name='node'/><electrical.Capacitor name='c'/>
          <electrical.Resistor name='r1'/><electrical.Resistor name='r2'/><electrical.Resistor name='r3'/>
          <Connect from='r1.a' to='source.port'/><Connect from='r1.b' to='node.port'/>
          <Connect from='r2.a' to='node.port'/><Connect from='r2.b' to='ground.port'/>
          <Connect from='r3.a' to='node.port'/><Connect from='r3.b' to='c.port'/>)")});
  examples.push_back(
      {"vessel", SystemText("TimeStep='20 ms' StopTime='6 s'", "method='runge_kutta_dopri5'",
                            R"(<mechanism.Crane name='crane' level='Advanced' solver='Differential'>
          <Body name='king' joint='revolute' axis='0 0 1' inertia='1e4 1e4 2e4 kg.m2'/>
          <Body name='boom' on='king' at='0.6 0 4 m' joint='revolute' axis='0 -1 0' mass='5 t' centre='4.5 0 0 m'
              inertia='0 4e4 4e4 kg.m2'/>
          <Body name='outer' on='boom' at='10 0 0 m' joint='revolute' axis='0 -1 0' mass='2.5 t' centre='3 0 0 m'
              inertia='0 1e4 1e4 kg.m2'/>
          <Load name='load' on='outer' at='7 0 0 m' about='king' mass='10 t' length='5 m'/>
          <Start boom_angle='0.9 rad' outer_angle='-1 rad'/></mechanism.Crane>
          <signal.Jonswap name='heave'/><signal.Jonswap name='roll' response='0.02 rad/m' spectrum='Regular'/>
          <Route from='heave.y' to='crane.heave'/><Route from='heave.rate' to='crane.heave_rate'/>
          <Route from='heave.acceleration' to='crane.heave_acceleration'/>
          <Route from='roll.y' to='crane.roll'/><Route from='roll.rate' to='crane.roll_rate'/>
          <Route from='roll.acceleration' to='crane.roll_acceleration'/>)")});
  examples.push_back(
      {"load_on_wire",
       SystemText(
           "TimeStep='20 ms' StopTime='4 s'", "method='rodas5p'",
           "<mechanism.Crane name='crane' level='Advanced'><Body name='boom' joint='revolute' axis='0 -1 0' "
           "mass='500 kg' centre='2 0 0 m' inertia='10 700 700 kg.m2' friction='2e5 N.m.s/rad'/>"
           "<Load name='load' on='boom' at='4 0 0 m' mass='300 kg' length='2 m'/>"
           "<Holding name='torque' of='boom'/><Rename name='q' of='boom_angle'/></mechanism.Crane>"
           "<At time='1 s' set='crane.level' value='Ideal'/>"
           "<At time='2 s' set='crane.level' value='Standard'/>")});
  examples.push_back(
      {"rotary",
       SystemText(
           "TimeStep='5 ms' StopTime='2 s'", "method='rodas5p'",
           R"(<signal.Sine name='sine' amplitude='2e-4' frequency='8 rad/s'/><hydraulic.FlowSource name='pump'/>
          <Route from='sine.y' to='pump.flow'/><hydraulic.Volume name='line' volume='0.2 l'><Start p='60 bar'/></hydraulic.Volume>
          <hydraulic.SingleActingCylinder name='lift' diameters='60 40 mm' strokes='0.1 0.2 m'><Start x='0.1 m' p='60 bar'/></hydraulic.SingleActingCylinder>
          <mechanical.Mass name='rack' mass='20 kg'/><mechanical.RackAndPinion name='gear' backlash='1 mm'/>
          <mechanical.Inertia name='arm' inertia='0.1 kg.m2'/><mechanical.Torque name='load' torque='-500 N.m'/>
          <Connect from='pump.port' to='line.port'/><Connect from='lift.a' to='line.port'/>
          <Connect from='lift.rod' to='rack.a'/><Connect from='gear.rack' to='rack.b'/>
          <Connect from='gear.shaft' to='arm.a'/><Connect from='load.port' to='arm.a'/>
          <At time='0.5' set='lift.level' value='Standard'/><At time='1' set='lift.level' value='Advanced'/>
          <At time='1.5' set='lift.level' value='Ideal'/>)")});
  return examples;
}

const std::vector<Example>& AllExamples() {
  static const std::vector<Example> examples = Examples();
  return examples;
}

class Snapshot : public testing::TestWithParam<std::size_t> {
 protected:
  const Example& example() const { return AllExamples()[GetParam()]; }
};

double TimeOf(const Row& row) { return std::bit_cast<double>(row.front()); }

Rows RowsAfter(const Rows& rows, double t) {
  Rows after;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(after),
               [&](const Row& row) { return TimeOf(row) > t; });
  return after;
}

/// Where two lists of rows differ first; empty where nowhere.
std::string Difference(const Rows& a, const Rows& b, const RecordPlan& plan) {
  if (a.size() != b.size()) return std::to_string(a.size()) + " rows, not " + std::to_string(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      if (a[i][k] == b[i][k]) continue;
      return "row " + std::to_string(i) + " at t = " + std::to_string(TimeOf(a[i])) + ": " +
             (k == 0 ? "time" : plan.columns[k - 1].path()) + " " +
             std::to_string(std::bit_cast<double>(a[i][k])) + ", not " +
             std::to_string(std::bit_cast<double>(b[i][k]));
    }
  }
  return {};
}

TEST_P(Snapshot, TheContinuedRunIsTheOneThatSaved) {
  Loaded saving(example().text);
  SimulatorManager& manager = saving.manager();
  manager.Initialize();
  const Rows whole = saving.Finish();
  const RecordPlan& plan = saving.system().record_plan();
  const double span = manager.stop_time() - manager.start_time();
  std::mt19937 random(7);
  const bool is_long = example().name == "knuckle_boom_crane";  // 120 s of 50 states
  const int count = example().name == "position_servo" ? 20 : is_long ? 3 : 6;
  for (int i = 0; i < count; ++i) {
    // The first time is the start, the second the end of the first step.
    const double t = manager.start_time() + (i == 0   ? 0
                                             : i == 1 ? manager.time_step()
                                                      : span * std::uniform_real_distribution<>()(random));
    manager.Initialize();
    manager.RunUntil(t);
    const double reached = manager.time();
    const std::string snapshot = saving.Save();
    const auto seen = static_cast<std::ptrdiff_t>(saving.TakeRows().size());
    const Rows whole_rest(whole.begin() + seen, whole.end());
    const Rows rest = saving.Finish();

    Loaded continued(example().text);
    ASSERT_EQ(continued.Load(snapshot), "");
    EXPECT_EQ(continued.manager().time(), reached);
    EXPECT_EQ(Difference(continued.Finish(), rest, plan), "") << "saved at " << reached;
    EXPECT_EQ(rest.size(), whole_rest.size());
    if (saving.can_archive_all_solvers()) {
      EXPECT_EQ(Difference(rest, whole_rest, plan), "") << "saved at " << reached;
    }
  }
}

TEST_P(Snapshot, LoadsIntoARunThatIsElsewhere) {
  Loaded run(example().text);
  SimulatorManager& manager = run.manager();
  manager.Initialize();
  const Rows whole = run.Finish();
  manager.Initialize();
  const double middle = manager.start_time() + 0.6 * (manager.stop_time() - manager.start_time());
  manager.RunUntil(middle);
  const std::string snapshot = run.Save();
  run.TakeRows();
  const Rows rest = run.Finish();
  ASSERT_EQ(run.Load(snapshot), "");
  EXPECT_EQ(Difference(run.Finish(), rest, run.system().record_plan()), "");
  // And back to the start, with the values of the file.
  manager.Initialize();
  EXPECT_EQ(Difference(run.Finish(), whole, run.system().record_plan()), "");
}

/// Whether two words differ only in the unused bytes behind an enumeration or a bool: part of an address that
/// the stack had there.
bool IsPadding(std::uint64_t a, std::uint64_t b) {
  const auto is_address = [](std::uint64_t word) { return word >> 32U >= 0x5500 && word >> 32U <= 0x7FFF; };
  return static_cast<std::uint8_t>(a) == static_cast<std::uint8_t>(b) && (is_address(a) || is_address(b));
}

// What a component remembers and does not list in ArchiveMemory is found here: the bytes of the objects of
// the run that saved and of the one that loaded must be the same, but for those that differ between any two
// systems at the start, or between any two that loaded (pointers).
TEST_P(Snapshot, NoComponentForgetsMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer fills unused bytes with others than 0";
#endif
  Loaded saving(example().text);
  Loaded loaded(example().text);
  const auto bytes_of = [](Component& component) {
    std::vector<std::uint64_t> words(component.entry().size / sizeof(std::uint64_t));
    std::memcpy(words.data(), dynamic_cast<const void*>(&component), words.size() * sizeof(std::uint64_t));
    return words;
  };
  saving.manager().Initialize();
  loaded.manager().Initialize();
  const auto& ours = saving.system().components();
  const auto& theirs = loaded.system().components();
  std::vector<std::vector<bool>> is_pointer;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto a = bytes_of(*ours[i]);
    const auto b = bytes_of(*theirs[i]);
    auto& mask = is_pointer.emplace_back();
    for (std::size_t k = 0; k < a.size(); ++k) mask.push_back(a[k] != b[k]);
  }
  const double start = saving.manager().start_time();
  saving.manager().RunUntil(start + 0.37 * (saving.manager().stop_time() - start));
  const std::string snapshot = saving.Save();
  ASSERT_EQ(loaded.Load(snapshot), "");
  Loaded again(example().text);
  again.manager().Initialize();
  ASSERT_EQ(again.Load(snapshot), "");
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (dynamic_cast<DynamicSimComponent*>(ours[i]) == nullptr) continue;
    const auto a = bytes_of(*ours[i]);
    const auto b = bytes_of(*theirs[i]);
    const auto c = bytes_of(*again.system().components()[i]);
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (is_pointer[i][k] || b[k] != c[k] || a[k] == b[k] || IsPadding(a[k], b[k])) continue;
      ADD_FAILURE() << ours[i]->DisplayPath() << " (" << ours[i]->model().name << "), byte " << 8 * k
                    << ": a member that ArchiveMemory does not list: " << std::bit_cast<double>(a[k])
                    << ", after loading " << std::bit_cast<double>(b[k]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Snapshot, testing::Range<std::size_t>(0, AllExamples().size()),
                         [](const auto& parameter) { return AllExamples()[parameter.param].name; });

TEST(SnapshotModelsTest, EveryModelStandsInOneOfTheExamples) {
  for (const ModelEntry* entry : TestedModels().entries()) {
    const std::string_view name = entry->info->name;
    if (name.find('.') == std::string_view::npos || name.starts_with("test.")) continue;
    const std::string element = '<' + std::string(entry->info->name);
    const bool is_there = std::any_of(
        AllExamples().begin(), AllExamples().end(),
        [&](const Example& example) { return example.text.find(element + ' ') != std::string::npos; });
    EXPECT_TRUE(is_there) << entry->info->name << ": add it to an example of this test";
  }
}

std::string Spring(const std::string& attributes, const std::string& more = {}) {
  return SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta_dopri5'",
                    "<mechanical.MassSpringDamper name='body' " + attributes + "/>" + more);
}

std::string SnapshotOf(const std::string& text, double t) {
  Loaded run(text);
  run.manager().Initialize();
  run.manager().RunUntil(t);
  return run.Save();
}

TEST(SnapshotFaultsTest, AnotherSystemIsRefusedWithWhatDiffers) {
  const std::string snapshot = SnapshotOf(Spring("mass='2'"), 0.5);
  Loaded other(Spring("", "<signal.Sine name='sine'/><Route from='sine.y' to='body.force'/>"));
  EXPECT_EQ(
      other.Load(snapshot),
      "snapshot: error: route to body.force, number 1 (sine.y, hold automatic) is not in the snapshot; load "
      "it "
      "with the system that it was saved from\n"
      "snapshot: error: /sine: is not in the snapshot (it is a signal.Sine here); load it with the system "
      "that it was saved from\n");
  Loaded model(SystemText("TimeStep='10 ms' StopTime='1 s'", "method='runge_kutta_dopri5'",
                          "<signal.Sine name='body'/>"));
  EXPECT_THAT(model.Load(snapshot),
              HasSubstr("/body: model is signal.Sine here, mechanical.MassSpringDamper in the snapshot; "));
  Loaded method(SystemText("TimeStep='10 ms' StopTime='1 s'", "method='rosenbrock4'",
                           "<mechanical.MassSpringDamper name='body'/>"));
  EXPECT_THAT(method.Load(snapshot),
              HasSubstr("method is rosenbrock4 here, runge_kutta_dopri5 in the snapshot"));
  // After a refusal a run may start as if nothing had been.
  Loaded fresh(Spring(""));
  fresh.manager().Initialize();
  Loaded refused(Spring(""));
  EXPECT_NE(refused.Load(SnapshotOf(Spring("", "<signal.Sine name='sine'/>"), 0.5)), "");
  refused.manager().Initialize();
  EXPECT_EQ(Difference(refused.Finish(), fresh.Finish(), fresh.system().record_plan()), "");
}

TEST(SnapshotFaultsTest, TruncatedAndChangedFilesAreRefused) {
  const std::string snapshot = SnapshotOf(Spring("mass='2'"), 0.5);
  Loaded run(Spring("mass='2'"));
  for (std::size_t size = 0; size < snapshot.size(); ++size) {
    ASSERT_NE(run.Load(snapshot.substr(0, size)), "") << size;
  }
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string changed = snapshot;
    changed[random() % changed.size()] ^= static_cast<char>(1U + random() % 255U);
    ASSERT_NE(run.Load(changed), "");
  }
  ASSERT_EQ(run.Load(snapshot), "");
}

// With a good checksum, as a hand could make it: what is read may be nonsense, but nothing breaks.
TEST(SnapshotFaultsTest, ForgedContentsAreReadWithoutHarm) {
  const std::string text = ReadText(DAVIT_SOURCE_DIR "/systems/water_hammer.xml");
  std::string fault;
  const std::string content = *OpenArchive(SnapshotOf(text, 0.1), &fault);
  Loaded run(text);
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    std::string changed = content;
    for (int k = 0; k < 3; ++k) changed[random() % changed.size()] ^= static_cast<char>(1U << random() % 8);
    try {
      if (!run.Load(SealArchive(changed)).empty()) continue;
      for (int k = 0; k < 3 && !run.manager().is_finished(); ++k) run.manager().Step();
    } catch (const std::exception&) {  // it diverges, or its TimeStep does not suit
    }
  }
}

TEST(SnapshotTest, CommandsBeforeItAreNotRepeatedAndValuesAreThoseOfTheRun) {
  const std::string commands =
      "<At time='0.2' set='body.mass' value='3'/><At time='0.5' set='body.damping' value='4'/>"
      "<At time='0.5' set='body.x' value='0.3'/>";
  Loaded saving(Spring("", commands));
  saving.manager().Initialize();
  saving.manager().RunUntil(0.5);
  const std::string snapshot = saving.Save();
  saving.TakeRows();
  const Rows rest = saving.Finish();
  // The file may start from other values: those of the snapshot count.
  Loaded continued(Spring("mass='7'", commands));
  ASSERT_EQ(continued.Load(snapshot), "");
  const auto read = [&](const char* path) {
    Fault fault;
    return continued.system().FindVariable(continued.system().root(), path, &fault)->Read();
  };
  EXPECT_EQ(read("body.mass"), 3);
  EXPECT_EQ(Difference(continued.Finish(), rest, saving.system().record_plan()), "");
  EXPECT_EQ(continued.manager().statistics().commands, 2U);
  EXPECT_EQ(read("body.damping"), 4);
  continued.manager().Initialize();
  EXPECT_EQ(read("body.mass"), 7);
  EXPECT_EQ(read("body.damping"), 0);
}

TEST(SnapshotTest, MayGoOnBeyondTheEndOfTheRunThatSaved) {
  const auto until = [](const char* stop) {
    return SystemText(
        "TimeStep='10 ms' StopTime='" + std::string(stop) + "'", "method='euler'",
        "<mechanical.MassSpringDamper name='body'><Start x='1 m'/></mechanical.MassSpringDamper>");
  };
  Loaded saving(until("1 s"));
  saving.manager().Initialize();
  saving.Finish();
  Loaded whole(until("2 s"));
  whole.manager().Initialize();
  const Rows rows = whole.Finish();
  Loaded continued(until("2 s"));
  ASSERT_EQ(continued.Load(saving.Save()), "");
  EXPECT_EQ(Difference(continued.Finish(), RowsAfter(rows, 1), whole.system().record_plan()), "");
  // From a step that StopTime has cut the step points of the longer run are met again.
  Loaded cut(until("0.995 s"));
  cut.manager().Initialize();
  cut.Finish();
  Loaded longer(until("2 s"));
  ASSERT_EQ(longer.Load(cut.Save()), "");
  const Rows after = longer.Finish();
  ASSERT_EQ(after.size(), 101U);
  EXPECT_EQ(after.front().front(), RowsAfter(rows, 0.995).front().front());
}

TEST(SnapshotTest, ATimeStepChangedDuringTheRunIsKept) {
  const std::string text = Spring("", "<At time='0.3' set='SimulatorManager.TimeStep' value='4 ms'/>");
  Loaded saving(text);
  saving.manager().Initialize();
  saving.manager().RunUntil(0.5);
  const std::string snapshot = saving.Save();
  saving.TakeRows();
  const Rows rest = saving.Finish();
  Loaded continued(text);
  ASSERT_EQ(continued.Load(snapshot), "");
  EXPECT_EQ(continued.manager().time_step(), 4e-3);
  EXPECT_EQ(Difference(continued.Finish(), rest, saving.system().record_plan()), "");
}

/// The events of a run, as its log has them.
class Ear {
 public:
  explicit Ear(System& system) { system.root().set_run_log(&log_); }

  const std::vector<std::string>& heard() const { return heard_; }
  /// The elements that repeat them.
  const std::string& at_lines() const { return at_lines_; }

 private:
  void Hear(std::string_view line) {
    const std::size_t begin = line.find("<At");
    const std::size_t event = line.find("event=\"");
    if (begin == std::string_view::npos || event == std::string_view::npos) return;
    const std::string_view name = line.substr(event + 7);
    heard_.emplace_back(name.substr(0, name.find('"')));
    at_lines_ += line.substr(begin, line.find("/>") + 2 - begin);
  }

  std::vector<std::string> heard_;
  std::string at_lines_;
  RunLog log_{RunLog::Severity::kInfo, [this](RunLog::Severity, std::string_view line) { Hear(line); }};
};

TEST(SnapshotTest, PendingCommandsBelongToIt) {
  Loaded saving(Spring(""));
  Ear ear(saving.system());
  saving.manager().Initialize();
  System& system = saving.system();
  const auto submit = [](SimulatorManager& manager, System& of, double t) {
    Fault wrong;
    manager.Submit({.time = t, .action = EventPost{nullptr, "late"}});
    manager.Submit({.time = t, .action = *of.FindLiveAssignment(of.root(), "body.mass", "5 kg", &wrong)});
    manager.Submit({.time = t, .action = *of.FindMessage(of.root(), "SimulatorManager", "Reset", &wrong)});
  };
  saving.manager().Submit({.time = 0.1, .action = EventPost{nullptr, "early"}});
  submit(saving.manager(), system, 0.7);
  saving.manager().RunUntil(0.4);
  const std::string snapshot = saving.Save();
  saving.TakeRows();
  const Rows rest = saving.Finish();
  EXPECT_THAT(ear.heard(), testing::ElementsAre("early", "late"));

  for (const bool is_given_again : {false, true}) {
    Loaded continued(Spring(""));
    Ear other(continued.system());
    ASSERT_EQ(continued.Load(snapshot), "");
    if (is_given_again) submit(continued.manager(), continued.system(), 0.7);
    EXPECT_EQ(continued.manager().pending_commands(), 3U);
    EXPECT_EQ(Difference(continued.Finish(), rest, system.record_plan()), "");
    EXPECT_THAT(other.heard(), testing::ElementsAre("late"));
  }
}

TEST(BudgetTest, OverrunAndRecoveryAreToldOnceAndCanBeRepeated) {
  const auto text = [](const std::string& more) {
    return SystemText("TimeStep='10 ms' StopTime='4 s' fs='20 Hz' RealTimeBudget='0.5'", "method='euler'",
                      "<mechanical.MassSpringDamper name='body'/>" + more);
  };
  Loaded run(text(""));
  Ear ear(run.system());
  run.manager().Initialize();
  std::vector<std::size_t> told_at;  // periods
  for (std::size_t period = 1; period <= 80; ++period) {
    run.manager().RunUntil(static_cast<double>(period) * 0.05);
    const bool is_long = period == 7 || period == 8 || period == 20 || period == 60;
    run.manager().ReportWork(is_long ? 0.51 : 0.5);
    if (run.manager().pending_commands() > 0) told_at.push_back(period);
  }
  // 20 periods are a second. What is reported at the end of the last period has no step point left.
  EXPECT_THAT(told_at, testing::ElementsAre(7U, 40U, 60U, 80U));
  EXPECT_THAT(ear.heard(), testing::ElementsAre("budget.overrun", "budget.recovered", "budget.overrun"));

  Loaded again(text(ear.at_lines()));
  Ear other(again.system());
  again.manager().Initialize();
  for (std::size_t period = 1; period < 80; ++period) {
    again.manager().RunUntil(static_cast<double>(period) * 0.05);
    // The event comes with the step that begins at the end of its period, for that is what charts see.
    const auto due = static_cast<std::size_t>(
        std::count_if(told_at.begin(), told_at.end(), [&](std::size_t p) { return p < period; }));
    EXPECT_EQ(other.heard().size(), due) << period;
  }
}

TEST(BudgetTest, NothingIsToldWithoutABudget) {
  Loaded run(Spring(""));
  run.manager().Initialize();
  run.manager().ReportWork(1e9);
  EXPECT_EQ(run.manager().pending_commands(), 0U);
}

}  // namespace
}  // namespace davit
