#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hopsan/types/cylinders.h"
#include "hopsan/types/hose.h"
#include "hopsan/types/hydraulic_orifices.h"
#include "hopsan/types/hydraulic_sources.h"
#include "hopsan/types/implicit_valves.h"
#include "hopsan/types/machine_c.h"
#include "hopsan/types/pistons.h"
#include "hopsan/types/pumps.h"
#include "hopsan/types/relief_valves.h"
#include "hopsan/types/spool_valves.h"
#include "hopsan/types/valve_plate.h"
#include "hopsan/types/volumes.h"
#include "tests/hopsan/types/type_bench.h"

namespace davit::hopsan {
namespace {

constexpr double kPi = std::numbers::pi;

/// A port at which a constant pressure is offered.
template <class Bench>
HydraulicNode& Source(Bench& bench, std::string_view port, double pressure) {
  HydraulicNode& node = bench.Oil(port);
  node.c = node.p = pressure;
  return node;
}

TEST(HopsanOrifices, FollowTheirLaws) {
  TypeBench<HydraulicLaminarOrifice> laminar;
  Source(laminar, "P1", 3e6);
  const HydraulicNode& out = Source(laminar, "P2", 1e6);
  laminar.Set("Kc", -1e-10);  // the sign does not count
  laminar.Initialize();
  laminar.Step();
  EXPECT_DOUBLE_EQ(out.q, 2e-4);
  TypeBench<HydraulicTurbulentOrifice> turbulent;
  const HydraulicNode& in = Source(turbulent, "P1", 3e6);
  Source(turbulent, "P2", 1e6);
  turbulent.Initialize();
  EXPECT_DOUBLE_EQ(in.q, -0.67 * 1e-5 * std::sqrt(2 * 2e6 / 870));
}

TEST(HopsanOrifices, CheckValvesOpenOneWay) {
  TypeBench<HydraulicCheckValve> valve;
  HydraulicNode& in = Source(valve, "P1", 2e6);
  HydraulicNode& out = Source(valve, "P2", 1e6);
  valve.Initialize();
  valve.Step();
  EXPECT_DOUBLE_EQ(out.q, 5e-7 * std::sqrt(1e6));
  EXPECT_EQ(valve.Read("x"), 1);
  std::swap(in.c, out.c);
  valve.Step();
  EXPECT_EQ(out.q, 0);
  EXPECT_EQ(valve.Read("x"), 0);

  TypeBench<HydraulicPilotControlledCheckValve> piloted;
  const HydraulicNode& from = Source(piloted, "P1", 1e6);
  Source(piloted, "P2", 2e6);
  HydraulicNode& pilot = Source(piloted, "P_PILOT", 0);
  piloted.Initialize();
  piloted.Step();
  EXPECT_EQ(from.q, 0);
  pilot.c = 4e5;  // 3.5 times that opens it against 1 MPa, and oil flows back
  piloted.Step();
  EXPECT_DOUBLE_EQ(from.q, 5e-7 * std::sqrt(1e6));
}

TEST(HopsanOrifices, ShuttleValveTakesTheHigherPressure) {
  TypeBench<HydraulicShuttleValve> valve;
  Source(valve, "P1", 1e6);
  HydraulicNode& high = Source(valve, "P2", 2e6);
  HydraulicNode& out = Source(valve, "P3", 1e6);
  out.Zc = 1e9;
  valve.Initialize();
  valve.Step();
  EXPECT_EQ(valve.Read("out"), 1);
  EXPECT_DOUBLE_EQ(out.p, 2e6);
  EXPECT_DOUBLE_EQ(high.q, -1e-3);
}

TEST(HopsanSourcesOfOil, HoldPressureOrFlow) {
  TypeBench<HydraulicFlowSourceQ> flow;
  HydraulicNode& node = Source(flow, "P1", 1e6);
  node.Zc = 1e9;
  flow.Initialize();
  EXPECT_EQ(node.q, 1e-3);
  EXPECT_DOUBLE_EQ(node.p, 2e6);
  TypeBench<HydraulicPressureSourceQ> pressure;
  HydraulicNode& at = Source(pressure, "P1", 1e6);
  at.Zc = 1e9;
  pressure.Set("p", 3e6);
  pressure.Initialize();
  pressure.Step();
  EXPECT_EQ(at.p, 3e6);
  EXPECT_DOUBLE_EQ(at.q, 2e-3);
  TypeBench<HydraulicMultiTankC> tank;
  tank.Set("p", 2e5);
  const HydraulicNode& a = tank.Oil("MP");
  const HydraulicNode& b = tank.Oil("MP");
  tank.Initialize();
  EXPECT_EQ(a.c, 2e5);
  EXPECT_EQ(b.c, 2e5);
}

// Oil that flows into a closed volume raises its pressure by Beta_e q t/V.
TEST(HopsanVolumes, PressureRisesWithTheOilThatFlowsIn) {
  const double q = 1e-5, rise = 1e9 * q * 0.1 / 1e-3;
  TypeBench<HydraulicVolume> volume;
  HydraulicNode& one = volume.Oil("P1");
  HydraulicNode& two = volume.Oil("P2");
  volume.Initialize();
  one.q = q;
  volume.Step(100);
  one.q = 0;
  volume.Step(100);
  EXPECT_NEAR((one.c + two.c) / 2, 1e5 + rise, 1e-6 * rise);
  TypeBench<HydraulicVolumeMultiPort> many;
  HydraulicNode& in = many.Oil("P1");
  const HydraulicNode& shut = many.Oil("P1");
  many.Oil("P1");
  many.Initialize();
  in.q = q;
  many.Step(100);
  in.q = 0;
  many.Step(100);
  EXPECT_NEAR(shut.c, 1e5 + rise, 1e-6 * rise);
}

// deltat = 5 T: what end 1 sends arrives at end 2 in the fifth step after.
TEST(HopsanVolumes, LosslessLineDelays) {
  TypeBench<HydraulicTLMlossless> line;
  HydraulicNode& near = line.Oil("P1");
  const HydraulicNode& far = line.Oil("P2");
  line.Set("Z_c", 1e9);
  const_cast<double&>(*line.type().declarations().parameters.front().value) = 0.005;
  line.Initialize();
  const double before = far.c;
  near.p = 3e6;
  near.q = 1e-3;
  line.Step(4);
  EXPECT_EQ(far.c, before);
  line.Step();
  EXPECT_EQ(far.c, 3e6 + 1e6);
}

TEST(HopsanVolumes, HoseDropsThePressureOfLaminarFlow) {
  // Steady flow from end 1 to end 2: c1 - c2 + Zc (q1 - q2) is the drop 128 eta l q/(pi d^4).
  TypeBench<HydraulicHose> hose(1e-4);
  HydraulicNode& one = hose.Oil("P1");
  HydraulicNode& two = hose.Oil("P2");
  hose.Initialize();
  const double q = 1e-4, R = 128 * 0.03 * 1 / (kPi * std::pow(0.03, 4));
  one.q = q;
  two.q = -q;
  hose.Step(400000);  // 20 time constants 2 Z0 l/(a R) of its wall filter
  const double p1 = one.c + one.Zc * one.q, p2 = two.c + two.Zc * two.q;
  EXPECT_NEAR(p1 - p2, R * q, 1e-5 * R * q);
}

TEST(HopsanReliefValve, LeavesTheOilAlonBelowAndHoldsThePressureAbove) {
  TypeBench<HydraulicPressureReliefValve> valve;
  HydraulicNode& in = Source(valve, "P1", 1.9e7);
  Source(valve, "P2", 1e5);
  valve.Initialize();
  valve.Step(1000);
  EXPECT_EQ(in.q, 0);
  // Steady: q = xv sqrt(dp), xv = (p - p_max - p_h/2)/(Cs + Cf dp), between waves of no impedance.
  in.c = in.p = 2.04e7;
  valve.Step(2000);
  const double dp = 2.04e7 - 1e5, Cs = std::sqrt(7e6) / 1e-8, Cf = 1 / (1e-8 * std::sqrt(7e6));
  EXPECT_NEAR(-in.q, (2.04e7 - 2e7 - 2.5e5) / (Cs + Cf * dp) * std::sqrt(dp), 1e-9 * std::abs(in.q));
}

TEST(HopsanReliefValve, SpoolValvesHoldTheBalanceOfTheirForces) {
  TypeBench<HydraulicPressureReliefValveG> valve;
  HydraulicNode& in = Source(valve, "P1", 1.02e7);
  Source(valve, "P2", 1e5);
  valve.Initialize();
  valve.Step(3000);
  const double dp = 1.02e7 - 1e5, w = kPi * 0.01 * 0.1 * std::sin(1.17);
  const double x = kPi * 1e-4 / 4 * (dp - 1e7) / (1e4 + 2 * 0.67 * w * std::cos(1.17) * dp);
  EXPECT_NEAR(valve.Read("xv"), x, 1e-6 * x);
  EXPECT_NEAR(-in.q, 0.67 * std::sqrt(2 / 870.0) * w * x * std::sqrt(dp), 1e-4 * std::abs(in.q));
}

TEST(HopsanSpoolValves, SpoolFollowsAndTheEdgesOpen) {
  TypeBench<Hydraulic43Valve> valve;
  const HydraulicNode& pump = Source(valve, "PP", 1e7);
  const HydraulicNode& tank = Source(valve, "PT", 1e5);
  const HydraulicNode& a = Source(valve, "PA", 5e6);
  const HydraulicNode& b = Source(valve, "PB", 3e6);
  valve.Set("in", 0.02);  // beyond the stroke of 0.01
  valve.Initialize();
  valve.Step(500);
  EXPECT_NEAR(valve.Read("xv"), 0.01, 1e-12);
  const auto flow = [](double x, double dp) { return 0.67 * kPi * 0.01 * x * std::sqrt(2 * dp / 870); };
  EXPECT_NEAR(a.q, flow(0.01 + 1e-6, 5e6), 1e-12);
  EXPECT_NEAR(tank.q, flow(0.01 + 1e-6, 2.9e6), 1e-12);
  EXPECT_NEAR(pump.q + a.q, 0, 1e-12);
  EXPECT_NEAR(tank.q + b.q, 0, 1e-12);
}

// Parameters that hardly ever change may change at any step: density of the oil, dynamics of the spool.
TEST(HopsanSpoolValves, FollowParametersThatChangeInTheRun) {
  TypeBench<Hydraulic43Valve> valve, slow;
  const HydraulicNode& a = Source(valve, "PA", 5e6);
  for (auto* one : {&valve, &slow}) {
    Source(*one, "PP", 1e7);
    for (const char* port : {"PT", "PB"}) Source(*one, port, 1e5);
    one->Set("in", 0.005);
  }
  Source(slow, "PA", 5e6);
  valve.Initialize();
  slow.Initialize();
  valve.Step(500);
  const double before = a.q;
  valve.Set("rho", 4 * 870).Step();
  EXPECT_NEAR(a.q, before / 2, 1e-12);
  slow.Set("omega_h", 1).Step();
  const double T = slow.T();  // from rest: y = u T^2/(T^2 + 4 T/omega + 4/omega^2)
  EXPECT_NEAR(slow.Read("xv"), 0.005 * T * T / (T * T + 4 * T + 4), 1e-18);
}

TEST(HopsanSpoolValves, LoadSensingPortShowsThePressureOfTheLoad) {
  TypeBench<Hydraulic43LoadSensingValve> valve;
  for (const char* port : {"PP", "PT"}) Source(valve, port, 1e6);
  Source(valve, "PA", 5e6);
  Source(valve, "PB", 3e6);
  HydraulicNode& load = Source(valve, "PL", 1e6);
  load.Zc = 1e10;
  valve.Set("in", 0.005);
  valve.Initialize();
  valve.Step(300);
  EXPECT_EQ(load.p, 5e6);
  EXPECT_DOUBLE_EQ(load.q, 4e-4);
  valve.Set("in", -0.005).Step(300);
  EXPECT_EQ(load.p, 3e6);
}

TEST(HopsanSpoolValves, OpenCenterClosesAsTheSpoolMoves) {
  TypeBench<HydraulicOpenCenterValve> valve;
  for (const char* port : {"PP", "PT", "PA", "PB"}) Source(valve, port, 1e6);
  Source(valve, "PC1", 2e6);
  const HydraulicNode& out = Source(valve, "PC2", 1e6);
  valve.Initialize();
  valve.Step();
  EXPECT_NEAR(out.q, 0.67 * kPi * 0.01 * (0.01 - 1e-6) * std::sqrt(2e6 / 870), 1e-12);
  valve.Set("in", 0.01).Step(500);
  EXPECT_EQ(out.q, 0);
}

TEST(HopsanSpoolValves, OnOffValvesSwitch) {
  TypeBench<Hydraulic32DirectionalValve> valve;
  const HydraulicNode& pump = Source(valve, "PP", 1e7);
  const HydraulicNode& tank = Source(valve, "PT", 1e5);
  Source(valve, "PA", 5e6);
  valve.Initialize();
  valve.Step(300);
  EXPECT_EQ(pump.q, 0);
  EXPECT_GT(tank.q, 0);
  valve.Set("in", 1).Step(500);
  EXPECT_LT(pump.q, 0);
  EXPECT_NEAR(tank.q, 0, 1e-15);
}

TEST(HopsanSpoolValves, CheckValvePassesOneWayWhileOff) {
  TypeBench<Hydraulic22DirectionalCheckValve> valve;
  Source(valve, "P1", 1e6);
  const HydraulicNode& out = Source(valve, "P2", 2e6);
  valve.Initialize();
  valve.Step(100);
  EXPECT_EQ(out.q, 0);
  valve.Set("in", 1).Step(300);
  EXPECT_DOUBLE_EQ(out.q, -5e-7 * std::sqrt(1e6));
}

TEST(HopsanPumps, DeliverTheirDisplacementLessTheLeakage) {
  TypeBench<HydraulicFixedDisplacementPump> fixed;
  Source(fixed, "P1", 1e5);
  const HydraulicNode& out = Source(fixed, "P2", 1e7);
  fixed.Initialize();
  fixed.Step(10);
  EXPECT_DOUBLE_EQ(out.q, 5e-5 * 250 / (2 * kPi) - 1e-12 * 9.9e6);
  EXPECT_NEAR(fixed.Read("a"), 2.5, 1e-12);
  TypeBench<HydraulicVariableDisplacementPump> variable;
  Source(variable, "P1", 1e5);
  const HydraulicNode& at = Source(variable, "P2", 1e5);
  variable.Set("eps", -2);  // not limited
  variable.Initialize();
  variable.Step();
  EXPECT_DOUBLE_EQ(at.q, -2 * 5e-5 * 50 / (2 * kPi));
}

TEST(HopsanPumps, TakeNoMoreThanTheSuctionSideGives) {
  TypeBench<HydraulicVariableDisplacementPump> pump;
  HydraulicNode& in = Source(pump, "P1", 1e5);
  in.Zc = 1e9;
  Source(pump, "P2", 1e6);
  pump.Initialize();
  pump.Step();
  EXPECT_DOUBLE_EQ(in.q, -1e-4);
  EXPECT_NEAR(in.p, 0, 1e-9);
}

// J w' = d dp - B w: the speed of a free motor tends to d dp/B with the time constant J/B.
TEST(HopsanPumps, MotorRunsUp) {
  TypeBench<HydraulicVariableDisplacementMotorQ> motor(1e-4);
  Source(motor, "P1", 2e6);
  Source(motor, "P2", 1e6);
  const RotationalNode& shaft = motor.Shaft("P3");
  motor.Set("B_m", 0.5).Set("C_im", 0).Set("eps", 0.5);
  motor.Initialize();
  motor.Step(2000);
  const double d = 5e-5 * 0.5 / (2 * kPi);
  EXPECT_NEAR(shaft.w, d * 1e6 / 0.5 * (1 - std::exp(-0.5 / 0.1 * 0.2)), 1e-3 * shaft.w);
  EXPECT_EQ(shaft.T, 0);
}

TEST(HopsanPumps, LoadSensingPumpHoldsItsMargin) {
  // A pump, a volume and an orifice: p2 settles p_dif above PREF, less what its resistance r_p takes.
  TypeBench<HydraulicPressureControlledPump> pump;
  Source(pump, "P1", 1e5);
  HydraulicNode& out = Source(pump, "P2", 5e6);
  HydraulicNode& reference = pump.Oil("PREF");
  reference.c = 4e6;
  pump.Set("C_lp", 0).SetStart("eps", 0.2);
  out.Zc = 0;
  pump.Initialize();
  double pressure = 5e6;
  for (int n = 0; n < 20000; ++n) {
    out.c = out.p = pressure;
    pump.Step();
    pressure += 1e-3 * 1e9 / 5e-3 * (out.q - 1e-7 * std::sqrt(pressure));
  }
  EXPECT_NEAR(pressure, 5e6 - 1e9 * 1e-7 * std::sqrt(pressure), 1);
  EXPECT_NEAR(pump.Read("eps"), 1e-7 * std::sqrt(pressure) / 1.25e-3, 1e-3);
}

// Chambers of a cylinder: with the rod held, oil raises the pressure of its chamber alone.
TEST(HopsanCylinders, ChamberStiffensWithItsVolume) {
  TypeBench<HydraulicCylinderC> cylinder(1e-4);
  HydraulicNode& one = cylinder.Oil("P1");
  const HydraulicNode& two = cylinder.Oil("P2");
  MechanicNode& rod = cylinder.Body("P3");
  rod.x = -0.25;
  rod.me = 1e9;
  cylinder.Set("c_leak", 0);
  cylinder.Initialize();
  one.q = 1e-5;
  cylinder.Step(1000);
  one.q = 0;
  cylinder.Step(1000);
  EXPECT_NEAR(one.c - 1e5, 1e9 * 1e-5 * 0.1 / (3e-4 + 0.25e-3), 1);
  EXPECT_NEAR(two.c, 1e5, 1);
  EXPECT_NEAR(rod.c, 1e-3 * (one.c - two.c), 1e-2);
  EXPECT_GT(rod.Zc, 1000);
}

TEST(HopsanCylinders, LeakageEvensThePressuresOut) {
  TypeBench<HydraulicCylinderC> cylinder;
  HydraulicNode& one = cylinder.Oil("P1");
  const HydraulicNode& two = cylinder.Oil("P2");
  MechanicNode& rod = cylinder.Body("P3");
  rod.x = -0.5;
  rod.me = 1e9;
  one.p = 2e6;
  cylinder.Set("c_leak", 1e-9);
  cylinder.Initialize();
  cylinder.Step(20000);
  EXPECT_NEAR(one.c, two.c, 10);
  EXPECT_NEAR(one.c, (2e6 + 1e5) / 2, 1e3);  // equal volumes in the middle
}

TEST(HopsanCylinders, StopsPushBack) {
  MechanicNode rod;
  rod.me = 100;
  rod.x = -0.5;
  EXPECT_EQ(StopWaveAt(rod, 1, 1e-3).Zc, 0);
  rod.x = 0.001;
  EXPECT_GT(StopWaveAt(rod, 1, 1e-3).c, 0);
  rod.x = -1.001;
  EXPECT_LT(StopWaveAt(rod, 1, 1e-3).c, 0);
}

TEST(HopsanCylinders, FourChambersBalance) {
  TypeBench<HydraulicFourChamberPiston> cylinder;
  for (const char* port : {"P1", "P2", "P3", "P4"}) cylinder.Oil(port).p = 1e6;
  MechanicNode& rod = cylinder.Body("P5");
  rod.x = -0.5;
  rod.me = 100;
  cylinder.Initialize();
  cylinder.Step(100);
  EXPECT_NEAR(rod.c, 0, 1e-6);
}

// A spring holds the piston where its force is that of the pressures.
TEST(HopsanPistons, PistonWithSpringSettles) {
  TypeBench<HydraulicCylinderQ> piston;
  Source(piston, "P1", 2e5);
  Source(piston, "P2", 1e5);
  MechanicNode& rod = piston.Body("P3");
  piston.Set("k_l", 2000).Set("B_l", 20);
  piston.Initialize();
  piston.Step(3000);
  EXPECT_NEAR(rod.x, 1e-4 * 1e5 / 2000, 1e-9);
  EXPECT_NEAR(rod.v, 0, 1e-9);
}

TEST(HopsanPistons, MassAcceleratesAndStopsAtItsLimit) {
  TypeBench<HydraulicPistonMload> piston;
  Source(piston, "P1", 2e6);
  Source(piston, "P2", 1e6);
  MechanicNode& load = piston.Body("Pmp");
  load.x = 0.1;
  load.F = 0;
  piston.Initialize();
  piston.Step(100);
  // F/m = 1 m/s2; the force of the start counts in full.
  EXPECT_NEAR(load.v, 0.1, 1e-12);
  EXPECT_NEAR(load.x, 0.1 + 0.1 * 0.1 / 2, 1e-4);
  piston.Step(2000);
  EXPECT_NEAR(load.x, 0.5, 1e-6);
  EXPECT_NEAR(load.v, 0, 1e-6);
}

TEST(HopsanPistons, AccumulatorFillsToThePressureOutside) {
  TypeBench<HydraulicAckumulator> accumulator(0.01);
  const HydraulicNode& port = Source(accumulator, "P1", 1.5e7);
  accumulator.Initialize();
  accumulator.Step(20000);
  const double full = 1 - std::pow(1.5, -1 / 1.2);
  EXPECT_NEAR(accumulator.Read("xmp"), full, 1e-6);
  EXPECT_NEAR(accumulator.Read("pa"), 1.5e7, 10);
  EXPECT_NEAR(accumulator.Read("Va"), 1e-3 * (1 - full), 1e-9);
  EXPECT_NEAR(port.q, 0, 1e-9);
}

TEST(HopsanValvePlate, OpeningIsSymmetricAndClosedOutside) {
  const KidneyOpening opening{
      .phi = 0.08, .g1 = 0.003, .g2 = 0.003, .r = 0.0025, .R = 0.015, .t = 0.1, .h = 1};
  EXPECT_EQ(opening.Area(-1e-6), 0);
  EXPECT_EQ(opening.Area(0.2), 0);
  const double whole = kPi * 0.0025 * 0.0025 + 2 * 0.0025 * (0.015 - 0.005);
  EXPECT_NEAR(opening.Area(0.05), whole, 1e-12);
  const double length = opening.g1 + opening.phi + opening.R + opening.g2;
  for (const double y : {0.001, 0.005, 0.01, 0.0148}) {
    EXPECT_NEAR(opening.Area(y), opening.Area(length - y), 1e-9) << y;
  }
}

// Both volumes at rest hold their pressures; the shaft takes d (p1 - p2).
TEST(HopsanMachine, ShaftTakesThePressureDifference) {
  TypeBench<HydraulicMachineC> machine;
  HydraulicNode& one = machine.Oil("P1");
  HydraulicNode& two = machine.Oil("P2");
  const RotationalNode& shaft = machine.Shaft("P3");
  one.p = 5e6;
  two.p = 1e6;
  machine.Set("C_lm", 0);
  machine.Initialize();
  one.p = one.c;
  two.p = two.c;
  machine.Step(50);
  EXPECT_NEAR(shaft.c, 5e-5 / (2 * kPi) * 4e6, 1e-9);
}

TEST(HopsanSources, PlugLetsNothingThrough) {
  TypeBench<HydraulicPlugQ> plug;
  HydraulicNode& port = plug.Oil("P1");
  port.c = 3e5;
  port.Zc = 1e9;
  plug.Initialize();
  EXPECT_EQ(port.p, 3e5);
  port.c = -1e5;
  port.q = 1;
  plug.Step();
  EXPECT_EQ(port.p, 0);
  EXPECT_EQ(port.q, 0);
}

// Between sources of pressure (Zc = 0) the Newton steps are exact: q = K S(dp) with the edge's opening.
TEST(HopsanImplicitValves, EdgesAreSmoothOrifices) {
  TypeBench<HydraulicValve33> valve;
  HydraulicNode &supply = valve.Oil("Pp"), &tank = valve.Oil("Pt"), &load = valve.Oil("Pa");
  supply.c = supply.p = 1e7;
  tank.c = tank.p = 1e5;
  load.c = load.p = 4e6;
  const double K = 3.14159 * 0.67 * std::sqrt(2 / 870.0) * 0.01 * 2e-3;
  const auto root = [](double dp) { return dp / std::pow(1e8 + dp * dp, 0.25); };
  valve.Set("xv", 2e-3);
  valve.Initialize();
  valve.Step(20);
  EXPECT_NEAR(load.q, K * root(6e6), 1e-9 * load.q);
  EXPECT_EQ(supply.q, -load.q);
  EXPECT_EQ(tank.q, 0);
  valve.Set("xv", -2e-3);
  valve.Step(20);
  EXPECT_NEAR(tank.q, K * root(4e6 - 1e5), 1e-9 * tank.q);
  EXPECT_NEAR(supply.q, 0, 1e-9 * tank.q);
}

// Mirrored pressures and spools give mirrored flows, and the oil of all four ports sums to nothing.
TEST(HopsanImplicitValves, FourEdgesKeepOilAndSymmetry) {
  const auto flows = [](double x, double a, double b) {
    TypeBench<HydraulicValve43> valve;
    HydraulicNode &p = valve.Oil("Pp"), &t = valve.Oil("Pt"), &left = valve.Oil("Pa"),
                  &right = valve.Oil("Pb");
    p.c = p.p = 2e7;
    left.c = left.p = a;
    right.c = right.p = b;
    for (HydraulicNode* port : {&p, &t, &left, &right}) port->Zc = 1e9;
    valve.Set("xv", x);
    valve.Initialize();
    valve.Step(30);
    EXPECT_NEAR(p.q + t.q + left.q + right.q, 0, 1e-15);
    EXPECT_LT(p.q, 0);
    return std::array{left.q, right.q};
  };
  const auto one = flows(1e-3, 5e6, 8e6), other = flows(-1e-3, 8e6, 5e6);
  EXPECT_GT(one[0], 0);
  EXPECT_NEAR(one[0], other[1], 1e-12);
  EXPECT_NEAR(one[1], other[0], 1e-12);
}

// A spool at rest with its flow: Bv plays no part, ke xv = Av (p1 - p2) - F0.
TEST(HopsanReliefValves, SpoolRestsWhereItsForcesAreInBalance) {
  TypeBench<HydraulicPressureReliefValveG> valve;
  HydraulicNode &in = valve.Oil("P1"), &out = valve.Oil("P2");
  in.c = in.p = 1.005e7;
  out.c = out.p = 1e4;
  valve.Initialize();
  valve.Step(5000);
  const double dp = 1.005e7 - 1e4, width = 3.14159 * 0.01 * 0.1 * std::sin(1.17);
  const double ke = 1e4 + 2 * 0.67 * width * std::cos(1.17) * dp;
  EXPECT_NEAR(valve.Read("xv"), 0.785398e-4 * (dp - 1e7) / ke, 1e-9);
  EXPECT_GT(valve.Read("xv"), 1e-5);
}

}  // namespace
}  // namespace davit::hopsan
