// Faults of hydraulic components in closed form, and oil that no fault loses.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <string_view>

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

/// A line of 10 m that nothing dampens: its waves take 10 TimeSteps and are of the oil of 861.8 kg/m3
/// and 1.6e9 Pa.
struct LeakingLine {
  static constexpr double kDiameter = 0.02, kDensity = 861.8, kBeta = 1.6e9;
  static constexpr double kArea = std::numbers::pi / 4 * kDiameter * kDiameter;
  double speed = std::sqrt(kBeta / kDensity);
  double Zc = kDensity * speed / kArea;    // [Pa s/m3]
  double compliance = kArea * 10 / kBeta;  // [m3/Pa]
  double h = 10 / speed / 10;

  /// What becomes of c when it is behind Zc and a leak G*sqrt(p) is before it: p + Zc*G*sqrt(p) = c.
  double PressureAtHole(double c, double G) const {
    const double Z = Zc * G;
    const double root = 2 * c / (Z + std::sqrt(Z * Z + 4 * c));
    return root * root;
  }
  std::string System(const std::string& content, const std::string& attributes,
                     std::string_view model = "Line") const {
    return fmt::format(R"(<System name="faults"><SimulatorManager TimeStep="{:.17g} s" StopTime="{:.17g} s"/>
        <hydraulic.{} name="line" length="10 m" inner_diameter="20 mm" bulk_modulus="1.6e9 Pa"
            density="861.8 kg/m3" {}<Start p="100 bar"/></hydraulic.{}>{}</System>)",
                       h, 20'000 * h, model, attributes, model, content);
  }
};

constexpr const char* kClosedEnds = R"(
    <hydraulic.FlowSource name="end_a"/><hydraulic.FlowSource name="end_b"/>
    <Connect from="end_a.port" to="line.a"/><Connect from="end_b.port" to="line.b"/>)";

/// Between an orifice from a supply and one to a tank the leak settles where what comes in goes out:
///   K*sqrt(p_s - p) = G*sqrt(p) + K2*sqrt(p)  ->  p = p_s*K^2/(K^2 + (G + K2)^2)
/// and nothing else is lost on the way.
TEST_F(HydraulicFaults, ALeakOfALineTakesItsFlowAtThePressureOfTheLine) {
  const LeakingLine line;
  for (const char* friction : {"none", "steady"}) {
    simulation_ = Simulation::LoadText(line.System(R"(
      <hydraulic.PressureSource name="supply" pressure="200 bar"/><hydraulic.Tank name="tank"/>
      <hydraulic.Orifice name="in" area="6 mm2"/><hydraulic.Orifice name="out" area="2 mm2"/>
      <Connect from="in.a" to="supply.port"/><Connect from="in.b" to="line.a"/>
      <Connect from="out.a" to="line.b"/><Connect from="out.b" to="tank.port"/>)",
                                                   fmt::format(R"(friction="{}">)", friction)),
                                       "faults.xml", registry_)
                      .Take();
    simulation_->Initialize();
    const auto read = [&](const char* name) { return simulation_->Read(name); };
    simulation_->RunUntil(0.5);
    EXPECT_EQ(read("line.q_leak"), 0) << "without a fault";
    simulation_->Write("line.external_leak", 20 / 6e4);
    simulation_->RunUntil(3);
    const double per_area = 0.611 * std::sqrt(2 / LeakingLine::kDensity);
    const double K = 6e-6 * per_area, K2 = 2e-6 * per_area, G = 20 / 6e4 / kRootOf100Bar;
    const double p = read("line.b.p");
    // d = 0.1 bar is (d/p)^2/4 of a flow, 3e-7.
    EXPECT_NEAR(read("line.q_leak"), G * std::sqrt(p), 1e-6 * G * std::sqrt(p)) << friction;
    EXPECT_NEAR(read("in.q"), read("out.q") + read("line.q_leak"), 1e-9 * read("in.q")) << friction;
    if (std::string_view(friction) == "none") {
      const double wanted = 200e5 * K * K / (K * K + (G + K2) * (G + K2));
      EXPECT_NEAR(p, wanted, 1e-6 * wanted);
    }
    simulation_->Write("line.external_leak", 0.0);
    simulation_->RunUntil(6);
    EXPECT_EQ(read("line.q_leak"), 0) << "mended";
    EXPECT_NEAR(read("in.q"), read("out.q"), 1e-9 * read("in.q"));
  }
}

/// A burst at a closed end sends a wave off: p + Zc*G*sqrt(p) = p_0 there, and twice the fall at the other
/// closed end when it has arrived.
TEST_F(HydraulicFaults, ABurstOfALineSendsAWave) {
  const LeakingLine line;
  simulation_ =
      Simulation::LoadText(line.System(kClosedEnds, R"(friction="none">)"), "faults.xml", registry_).Take();
  simulation_->Initialize();
  simulation_->Write("line.external_leak", 20 / 6e4);
  const double G = 20 / 6e4 / kRootOf100Bar, p = line.PressureAtHole(100e5, G);
  ASSERT_LT(p, 95e5);
  ASSERT_GT(p, 55e5) << "twice the fall is less than p_0";
  for (int step = 1; step <= 11; ++step) {
    simulation_->Step();
    if (step >= 2) {
      EXPECT_NEAR(simulation_->Read("line.b.p"), p, 1e-6 * p) << step;
    }
    if (step <= 10) {
      EXPECT_NEAR(simulation_->Read("line.a.p"), 100e5, 1e-3) << step;
    }
  }
  simulation_->Step();
  EXPECT_NEAR(simulation_->Read("line.a.p"), 2 * p - 100e5, 2e-6 * p);
}

/// What a closed line has above the pressure outside, p_0*V/beta, leaks to the last drop, whatever friction
/// and delay are. The hole is so small that no wave is reflected with the other sign: Zc*G/sqrt(d) < 1.
TEST_F(HydraulicFaults, ALeakingLineLosesTheOilAboveThePressureOutsideAndNoMore) {
  LeakingLine line;
  const double whole = line.h, wanted = 100e5 * line.compliance;
  ASSERT_LT(line.Zc * 4 / 6e4 / kRootOf100Bar / 100, 1);
  for (const double h : {whole, 0.37 * whole}) {
    for (const char* friction : {"none", "steady"}) {
      line.h = h;
      const std::string attributes = fmt::format(R"(friction="{}" external_leak="4 l/min">)", friction);
      simulation_ =
          Simulation::LoadText(line.System(kClosedEnds, attributes), "faults.xml", registry_).Take();
      simulation_->Initialize();
      double lost = 0, least = 100e5;
      while (simulation_->time() < 2) {
        simulation_->Step();
        lost += h * simulation_->Read("line.q_leak");
        least = std::min(least, simulation_->Read("line.a.p"));
      }
      EXPECT_GT(least, -1e-3) << friction;
      EXPECT_LT(simulation_->Read("line.a.p"), 1) << friction;
      EXPECT_NEAR(lost, wanted, 1e-6 * wanted) << friction << " " << h;
    }
  }
}

}  // namespace
}  // namespace davit
