// No law of these components gives NaN for a finite input.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "components/hydraulic/accumulator.h"
#include "components/hydraulic/cooler.h"
#include "components/hydraulic/counterbalance_valve.h"
#include "components/hydraulic/directional_control_valve.h"
#include "components/hydraulic/filter.h"
#include "components/hydraulic/relief_valve.h"
#include "components/hydraulic/restriction.h"
#include "components/hydraulic/volume.h"
#include "tests/support/component_harness.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

/// Up to 1e100 Pa: the squares of larger pressures are no numbers.
double AnyPressure() { return std::clamp(AnyFinite(), -1e100, 1e100); }

void SetAny(HydraulicBond& bond) {
  bond.c = AnyPressure();
  bond.Zc = *rc::gen::element(0.0, 1.0, 1e9, 1e100);
  if (*rc::gen::inRange(0, 3) == 0) bond.p_min = -99900;
}

RC_GTEST_PROP(FiniteFlowsTest, Restriction, ()) {
  ComponentHarness harness;
  auto& model = harness.Add<Restriction>("model");
  HydraulicBond& a = harness.AttachHydraulic(model, "a");
  HydraulicBond& b = harness.AttachHydraulic(model, "b");
  harness.Set(model, "law", *rc::gen::element("Turbulent", "LaminarTurbulent", "ShortTube", "AnnularGap"));
  harness.Set(model, "cavitation", *rc::gen::element("None", "Nurick"));
  harness.Start();
  SetAny(a);
  SetAny(b);
  harness.Evaluate();
  RC_ASSERT(!std::isnan(harness.Read(model, "q")));
}

RC_GTEST_PROP(FiniteFlowsTest, Filter, ()) {
  ComponentHarness harness;
  auto& model = harness.Add<Filter>("model");
  HydraulicBond& a = harness.AttachHydraulic(model, "a");
  HydraulicBond& b = harness.AttachHydraulic(model, "b");
  harness.Set(model, "clogging", *rc::gen::element(0.0, 0.5, 1.0, AnyFinite()));
  harness.Start();
  SetAny(a);
  SetAny(b);
  harness.Evaluate();
  RC_ASSERT(!std::isnan(harness.Read(model, "q")));
}

RC_GTEST_PROP(FiniteFlowsTest, Cooler, ()) {
  ComponentHarness harness;
  auto& model = harness.Add<Cooler>("model");
  HydraulicBond& a = harness.AttachHydraulic(model, "a");
  HydraulicBond& b = harness.AttachHydraulic(model, "b");
  harness.Start();
  SetAny(a);
  SetAny(b);
  harness.Evaluate();
  RC_ASSERT(!std::isnan(harness.Read(model, "q")));
  RC_ASSERT(!std::isnan(model.Power(AnyFinite(), *rc::gen::element(1.0, 300.0, 1e6))));
}

RC_GTEST_PROP(FiniteFlowsTest, ReliefValveWithASpool, ()) {
  ComponentHarness harness;
  auto& model = harness.Add<ReliefValve>("model");
  HydraulicBond& in = harness.AttachHydraulic(model, "in");
  HydraulicBond& out = harness.AttachHydraulic(model, "out");
  harness.Set(model, "dynamics", "first_order");
  harness.SetStart(model, "spool", AnyFinite());
  harness.Start();
  SetAny(in);
  SetAny(out);
  harness.Evaluate();
  RC_ASSERT(!std::isnan(harness.Read(model, "q")));
}

RC_GTEST_PROP(FiniteFlowsTest, CounterbalanceValveWithAPiston, ()) {
  ComponentHarness harness;
  auto& model = harness.Add<CounterbalanceValve>("model");
  HydraulicBond& a = harness.AttachHydraulic(model, "a");
  HydraulicBond& c = harness.AttachHydraulic(model, "c");
  HydraulicBond& pilot = harness.AttachHydraulic(model, "pilot");
  harness.Set(model, "opening_law",
              *rc::gen::element("Ramp", "PilotLinear", "Seat", "ForceBalance", "SeatByLoad"));
  harness.Set(model, "piston", "SecondOrder");
  harness.SetStart(model, "x", AnyFinite());
  harness.Start();
  SetAny(a);
  SetAny(c);
  pilot.c = AnyPressure();
  harness.Evaluate();
  RC_ASSERT(!std::isnan(harness.Read(model, "q")));
}

RC_GTEST_PROP(FiniteFlowsTest, DirectionalControlValveWithForces, ()) {
  ComponentHarness harness;
  auto& model = harness.Add<DirectionalControlValve>("model");
  harness.Set(model, "opening_law", *rc::gen::element("Switching", "Linear", "Nonlinear", "Round", "Seat"));
  harness.Set(model, "positions", *rc::gen::element("2", "3"));
  harness.Set(model, "flow_law", *rc::gen::element("Turbulent", "LaminarTurbulent"));
  harness.Set(model, "leakage", *rc::gen::element("None", "Gap"));
  harness.Set(model, "edge_cavitation", *rc::gen::element("None", "Nurick"));
  harness.Set(model, "edge_width", *rc::gen::element(0.0, 0.02));
  harness.Set(model, "spool_dynamics", "Forces");
  harness.Set(model, "flow_forces", "Dynamic");
  harness.Set(model, "spool_friction", *rc::gen::element("Viscous", "Coulomb"));
  harness.Set(model, "spool_control", *rc::gen::element("Direct", "PositionLoop"));
  harness.SetStart(model, "spool_x", AnyPressure());
  harness.SetStart(model, "spool_v", AnyPressure());
  for (const char* port : {"p", "a", "b", "t"}) harness.AttachHydraulic(model, port).c = AnyPressure();
  harness.Start();
  for (const char* q : {"q_pa", "q_pb", "q_at", "q_bt", "q_pt", "q_ab", "spool_v.ddt"})
    RC_ASSERT(!std::isnan(harness.Read(model, q)));
}

RC_GTEST_PROP(FiniteFlowsTest, VolumeWithAir, ()) {
  ComponentHarness harness;
  auto& model = harness.Add<Volume>("model");
  HydraulicBond& port = harness.AttachHydraulic(model, "port");
  harness.Set(model, "free_air", 0.01);
  harness.SetStart(model, "p", AnyPressure());
  harness.Start();
  port.q = *rc::gen::element(0.0, 1e-3, -1e-3);
  harness.Evaluate();
  RC_ASSERT(!std::isnan(harness.Read(model, "pressure.ddt")));
}

RC_GTEST_PROP(FiniteFlowsTest, Accumulator, ()) {
  ComponentHarness harness;
  auto& model = harness.Add<Accumulator>("model");
  HydraulicBond& port = harness.AttachHydraulic(model, "port");
  harness.Set(model, "gas", *rc::gen::element("Isothermal", "Polytropic", "Thermal"));
  harness.Set(model, "inlet", *rc::gen::element("None", "Orifice"));
  harness.SetStart(model, "oil", *rc::gen::element(0.0, -1.0, 0.005, 0.01, 0.02, 1e6, -1e6));
  harness.Start();
  port.q = *rc::gen::element(0.0, 1e-3, -1e-3, 1e6);
  harness.Evaluate();
  RC_ASSERT(std::isfinite(harness.Read(model, "p")));
  RC_ASSERT(std::isfinite(harness.Read(model, "oil.ddt")));
}

}  // namespace
}  // namespace davit
