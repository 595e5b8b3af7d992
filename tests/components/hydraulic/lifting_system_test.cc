// One cylinder lifts and lowers 10 t: pump, relief valve, directional valve, counterbalance valve, cylinder,
// load, all at the level Ideal and joined by hand. u = 0 for t < 5 s, sin(t) after. Expected values: analytic
// steady state, and for x two unrelated integrators that agree to 4e-8 m.

#include <gtest/gtest.h>

#include <cmath>

#include "components/hydraulic/axial_piston_pump.h"
#include "components/hydraulic/counterbalance_valve.h"
#include "components/hydraulic/cylinder.h"
#include "components/hydraulic/directional_control_valve.h"
#include "components/hydraulic/pipe.h"
#include "components/hydraulic/relief_valve.h"
#include "components/hydraulic/tank.h"
#include "components/hydraulic/volume.h"
#include "components/mechanical/mass.h"
#include "components/signal/sine.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class LiftingSystem {
 public:
  LiftingSystem() {
    harness.Connect(pump, "in", tank, "port");
    harness.Connect(pump, "out", pump_volume, "port");
    harness.Connect(relief, "in", pump_volume, "port");
    harness.Connect(relief, "out", tank, "port");
    harness.Connect(pipe, "inlet", pump_volume, "port");
    harness.Connect(pipe, "outlet", dcv, "p");
    harness.Connect(dcv, "a", line_a, "port");
    harness.Connect(dcv, "b", line_b, "port");
    harness.Connect(dcv, "t", tank, "port");
    harness.Connect(cbv, "a", line_a, "port");
    harness.Connect(cbv, "c", line_c, "port");
    harness.Connect(cbv, "pilot", line_b, "port");
    harness.Connect(cylinder, "a", line_c, "port");
    harness.Connect(cylinder, "b", line_b, "port");
    harness.Connect(cylinder, "rod", load, "a");
    harness.Route(command, "y", dcv, "spool");
    harness.Set(command, "start_time", 5);
    harness.Set(relief, "discharge_coefficient", 1);
    harness.Set(load, "mass", 10000);
    harness.Set(load, "weight", 98100);
    for (Volume* volume : {&pump_volume, &line_a, &line_b, &line_c})
      harness.Set(*volume, "formulation", "quantity");
    harness.SetStart(line_a, "p", 0);
    harness.SetStart(line_b, "p", 0);
    harness.SetStart(line_c, "p", 1559574.9646);
    harness.SetStart(cylinder, "x", 1);
  }

  ComponentHarness harness;
  Tank& tank = harness.Add<Tank>("tank");
  Volume& pump_volume = harness.Add<Volume>("pump_volume");
  Volume& line_a = harness.Add<Volume>("line_a");
  Volume& line_b = harness.Add<Volume>("line_b");
  Volume& line_c = harness.Add<Volume>("line_c");
  Pipe& pipe = harness.Add<Pipe>("pipe");
  Mass& load = harness.Add<Mass>("load");
  Cylinder& cylinder = harness.Add<Cylinder>("cylinder");
  AxialPistonPump& pump = harness.Add<AxialPistonPump>("pump");
  ReliefValve& relief = harness.Add<ReliefValve>("relief");
  DirectionalControlValve& dcv = harness.Add<DirectionalControlValve>("dcv");
  CounterbalanceValve& cbv = harness.Add<CounterbalanceValve>("cbv");
  Sine& command = harness.Add<Sine>("operator");
};

TEST(LiftingSystemTest, HoldsTheLoadInNeutral) {
  LiftingSystem system;
  ASSERT_FALSE(system.harness.Start().has_errors());
  system.harness.Integrate(0, 5e-5, 20000);
  EXPECT_NEAR(system.harness.Read(system.load, "x"), 1, 1e-6);
  EXPECT_NEAR(system.harness.Read(system.load, "v"), 0, 1e-6);
}

TEST(LiftingSystemTest, HoistsAtTheAnalyticSteadyState) {
  LiftingSystem system;
  ComponentHarness& harness = system.harness;
  harness.Start();
  harness.Integrate(0, 5e-5, 160000);
  // v = Q/Ap; the valve edges and the weight give the pressures.
  EXPECT_NEAR(harness.Read(system.load, "x"), 1.00085691, 1e-5);
  EXPECT_NEAR(harness.Read(system.load, "v"), 0.1270553, 1e-7);
  EXPECT_NEAR(harness.Read(system.cylinder, "p_a"), 1755102.6, 1);
  EXPECT_NEAR(harness.Read(system.cylinder, "p_b"), 260091.9, 1);
  EXPECT_NEAR(harness.Read(system.pump, "p_out"), 8080900.5, 1);
  EXPECT_NEAR(harness.Read(system.pump, "q_out") * 6e4, 479.52, 1e-4);
  EXPECT_NEAR(harness.Read(system.cylinder, "q_a") * 6e4, 479.52, 1e-3);
  EXPECT_NEAR(harness.Read(system.cylinder, "q_b") * 6e4, 360.4857, 1e-3);
}

}  // namespace
}  // namespace davit
