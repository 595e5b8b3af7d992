// Faults of hydraulic components in closed form, and oil that no fault loses.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

constexpr double kRootOf100Bar = 3162.2776601683795;  // [sqrt(Pa)]
constexpr double kRtol = 1e-8;

class HydraulicFaults : public testing::Test {
 protected:
  /// A system with this content, at its start.
  Simulation& Load(const std::string& content) {
    const std::string text = fmt::format(
        R"(<System name="faults"><SimulatorManager TimeStep="1 ms" StopTime="100 s">
        <Integration solver="ODE" method="rodas5p" rtol="{}" atol="1e-10"/></SimulatorManager>{}</System>)",
        kRtol, content);
    simulation_ = Simulation::LoadText(text, "faults.xml", registry_).Take();
    simulation_->Initialize();
    return *simulation_;
  }

  const Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_;
};

/// Chamber A is locked, B is open to a tank, and a load rests on A: it sinks by what leaks past the piston,
///   Ap*v = G*p_A,  p_A*Ap = W - b*v  ->  v = G*W/(Ap^2 + G*b)
TEST_F(HydraulicFaults, ALockedCylinderSinksByTheLeakOfItsPiston) {
  const double Ap = std::numbers::pi / 4 * 0.1 * 0.1, W = 5e4, b = 2e4, G = 2e-11;
  Simulation& run = Load(R"(
    <hydraulic.Tank name="tank"/>
    <hydraulic.DirectionalValve22 name="lock"/>
    <hydraulic.Volume name="line_a" volume="0.2 l"><Start p="63.66197 bar"/></hydraulic.Volume>
    <hydraulic.Cylinder name="cylinder" level="Standard" gas_share="0" bore="100 mm" rod="50 mm" stroke="1 m"
        rod_mass="0 kg" port_a_diameter="50 mm" port_b_diameter="50 mm" viscous_friction="2e4 N.s/m">
      <Start x="0.5 m" p_a="63.66197 bar" p_b="0 bar"/></hydraulic.Cylinder>
    <mechanical.Mass name="load" mass="5 t" weight="50 kN"/>
    <Connect from="lock.a" to="line_a.port"/><Connect from="lock.b" to="tank.port"/>
    <Connect from="cylinder.a" to="line_a.port"/><Connect from="cylinder.b" to="tank.port"/>
    <Connect from="cylinder.rod" to="load.a"/>)");
  run.RunUntil(5);
  EXPECT_NEAR(run.Read("cylinder.v"), 0, 1e-8) << "without a leak it is locked";
  run.Write("cylinder.internal_leak", G);
  run.RunUntil(20);
  const double v = G * W / (Ap * Ap + G * b);
  // The port of B takes q*sqrt(d)/K = 0.1 kPa, a quarter of which is missing across the piston: 4e-6 of 63
  // bar.
  EXPECT_NEAR(run.Read("cylinder.v"), -v, 4e-6 * v);
  const double x = run.Read("cylinder.x");
  run.RunUntil(25);
  EXPECT_NEAR(run.Read("cylinder.x"), x - 5 * v, 4e-6 * 5 * v);
}

/// A hose bursts before a counterbalance valve that is shut. The hose runs empty, V/beta*p' = -G*sqrt(p),
///   sqrt(p) = sqrt(p_0) - G*beta/(2*V)*t,
/// and the load stays. A burst behind the valve, at the cylinder, lets it fall:
///   Ap*v = G*sqrt(p),  p*Ap = W - b*v
TEST_F(HydraulicFaults, ABurstHoseLetsTheLoadGoOnlyBehindTheCounterbalanceValve) {
  const std::string content = R"(
    <hydraulic.Tank name="tank"/>
    <hydraulic.Volume name="hose" volume="2 l" bulk_modulus="7e8 Pa"><Start p="60 bar"/></hydraulic.Volume>
    <hydraulic.CounterbalanceValve name="cbv" level="Standard" leakage_conductance="0 m3/s/Pa"/>
    <hydraulic.Volume name="line" volume="0.2 l"><Start p="63.66197 bar"/></hydraulic.Volume>
    <hydraulic.Cylinder name="cylinder" level="Standard" gas_share="0" bore="100 mm" rod="50 mm" stroke="1 m"
        rod_mass="0 kg" port_a_diameter="50 mm" port_b_diameter="50 mm" viscous_friction="2e4 N.s/m">
      <Start x="0.9 m" p_a="63.66197 bar" p_b="0 bar"/></hydraulic.Cylinder>
    <mechanical.Mass name="load" mass="5 t" weight="50 kN"/>
    <Connect from="cbv.a" to="hose.port"/><Connect from="cbv.c" to="line.port"/>
    <Connect from="cbv.pilot" to="tank.port"/><Connect from="cylinder.b" to="tank.port"/>
    <Connect from="cylinder.a" to="line.port"/><Connect from="cylinder.rod" to="load.a"/>)";
  const double leak = 5 / 6e4, G = leak / kRootOf100Bar;
  Simulation& held = Load(content);
  held.RunUntil(1);
  const double x = held.Read("cylinder.x");
  held.Write("hose.external_leak", leak);
  const double slope = G * 7e8 / (2 * 2e-3), p0 = 60e5;
  const double t = std::sqrt(p0) / slope / 2;  // half of the root is left
  held.RunUntil(1 + t);
  const double root = std::sqrt(p0) - slope * (held.time() - 1);
  EXPECT_NEAR(held.Read("hose.p"), root * root, 1e-5 * p0) << "d = 0.1 bar is 1 % of a pressure of 10 bar";
  held.RunUntil(10);
  EXPECT_LT(held.Read("hose.p"), 1e3);
  EXPECT_NEAR(held.Read("cylinder.x"), x, 1e-7) << "the load stays";

  Simulation& falling = Load(content);
  falling.RunUntil(1);
  falling.Write("line.external_leak", leak);
  falling.RunUntil(10);
  const double v = -falling.Read("cylinder.v"), Ap = std::numbers::pi / 4 * 0.1 * 0.1;
  const double p = (5e4 - 2e4 * v) / Ap;
  EXPECT_GT(v, 0.005);
  EXPECT_NEAR(Ap * v, G * std::sqrt(p), 1e-5 * Ap * v);
  EXPECT_NEAR(falling.Read("line.q_leak"), Ap * v, 1e-5 * Ap * v);
}

/// A spool that is stuck at r, whatever the lever says: two edges and the cylinder in series,
///   K*r*sqrt(p_s - p_a) = Ap*v,  K*r*sqrt(p_b) = Ar*v,  p_a*Ap - p_b*Ar = W
///   v = K*r*sqrt((p_s*Ap - W)/(Ap^3 + Ar^3))
TEST_F(HydraulicFaults, AStuckSpoolMovesTheCylinderAtTheSpeedOfItsOpening) {
  const double Ap = std::numbers::pi / 4 * 0.1 * 0.1, Ar = Ap - std::numbers::pi / 4 * 0.05 * 0.05;
  const double W = 3e4, ps = 150e5, r = 0.4, K = 100 / 6e4 / std::sqrt(5e5);
  Simulation& run = Load(R"(
    <hydraulic.Tank name="tank"/>
    <hydraulic.PressureSource name="supply" pressure="150 bar"/>
    <hydraulic.DirectionalControlValve name="valve" level="Ideal" opening_law="Linear" spool_type="O" deadband="0"
        nominal_flow="100 l/min" nominal_pressure_drop="5 bar"/>
    <hydraulic.Volume name="line_a" volume="0.5 l"><Start p="38.19719 bar"/></hydraulic.Volume>
    <hydraulic.Volume name="line_b" volume="0.5 l"><Start p="0 bar"/></hydraulic.Volume>
    <hydraulic.Cylinder name="cylinder" level="Ideal" bore="100 mm" rod="50 mm" stroke="5 m"><Start x="0.1 m"/></hydraulic.Cylinder>
    <mechanical.Mass name="load" mass="1 t" weight="30 kN"/>
    <Connect from="valve.p" to="supply.port"/><Connect from="valve.t" to="tank.port"/>
    <Connect from="valve.a" to="line_a.port"/><Connect from="valve.b" to="line_b.port"/>
    <Connect from="cylinder.a" to="line_a.port"/><Connect from="cylinder.b" to="line_b.port"/>
    <Connect from="cylinder.rod" to="load.a"/>)");
  run.RunUntil(2);
  EXPECT_NEAR(run.Read("cylinder.v"), 0, 1e-5) << "the spool is in neutral";
  run.Write("valve.stuck_at", r);
  run.RunUntil(6);
  const double v = K * r * std::sqrt((ps * Ap - W) / (Ap * Ap * Ap + Ar * Ar * Ar));
  EXPECT_NEAR(run.Read("cylinder.v"), v, 1e-5 * v);
  run.Write("valve.stuck_at", -r);
  run.RunUntil(6.5);
  EXPECT_LT(run.Read("cylinder.v"), 0) << "P is open to B";
}

/// What leaks is gone: the oil in the volumes and what has leaked are what there was.
TEST_F(HydraulicFaults, NoOilIsLostButByTheLeak) {
  for (const char* lumps : {R"(cells="One")", R"(cells="Several" lumps="3")"}) {
    Simulation& run = Load(fmt::format(R"(
      <hydraulic.Volume name="begin" volume="1 l" formulation="quantity"><Start p="100 bar"/></hydraulic.Volume>
      <hydraulic.Pipe name="hose" level="Standard" {} formulation="quantity" inner_diameter="20 mm" length="4 m"
          external_leak="3 l/min"><Start p="100 bar"/></hydraulic.Pipe>
      <hydraulic.Volume name="end" volume="1 l" formulation="quantity" external_leak="1 l/min"><Start p="100 bar"/></hydraulic.Volume>
      <hydraulic.Orifice name="orifice" area="3 mm2"/>
      <signal.Integrator name="lost"/><signal.Integrator name="lost_too"/>
      <Connect from="hose.inlet" to="begin.port"/><Connect from="orifice.a" to="hose.outlet"/>
      <Connect from="orifice.b" to="end.port"/>
      <Route from="hose.q_leak" to="lost.u"/><Route from="end.q_leak" to="lost_too.u"/>)",
                                       lumps));
    const bool is_one = std::string_view(lumps).find("One") != std::string_view::npos;
    const auto oil = [&] {
      double sum =
          run.Read("begin.quantity") + run.Read("end.quantity") + run.Read("lost.y") + run.Read("lost_too.y");
      if (is_one) return sum + run.Read("hose.quantity");
      for (int k = 0; k < 3; ++k) sum += run.Read(fmt::format("hose.quantities[{}]", k));
      return sum;
    };
    const double before = oil();
    run.RunUntil(0.5);
    EXPECT_GT(run.Read("lost.y"), 1e-6);
    EXPECT_GT(run.Read("lost_too.y"), 1e-7);
    EXPECT_NEAR(oil(), before, 10 * kRtol * before) << lumps;
  }
}

}  // namespace
}  // namespace davit
