// The level Advanced of the hydraulic models selects all effects that [Li 2016] names for it.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "components/hydraulic/counterbalance_valve.h"
#include "components/register.h"
#include "framework/aspect.h"
#include "framework/tree/component_pool.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

TEST(AdvancedTest, SelectsAllEffects) {
  Registry registry;
  RegisterComponents(registry);
  const struct {
    const char *model, *aspect, *option;
  } kEffects[] = {
      {"hydraulic.Cylinder", "compressibility", "EffectiveDilation"},
      {"hydraulic.Cylinder", "ports", "LaminarTurbulent"},
      {"hydraulic.Cylinder", "friction", "LuGre"},
      {"hydraulic.Cylinder", "leakage", "Gap"},
      {"hydraulic.CounterbalanceValve", "opening_law", "SeatByLoad"},
      {"hydraulic.CounterbalanceValve", "flow_law", "LaminarTurbulent"},
      {"hydraulic.CounterbalanceValve", "leakage", "Gap"},
      {"hydraulic.AxialPistonPump", "control", "Compensated"},
      {"hydraulic.AxialPistonPump", "losses", "LeakageAndTorque"},
      {"hydraulic.AxialPistonPump", "inlet", "SuctionLoss"},
      {"hydraulic.Pipe", "cells", "Several"},
      {"hydraulic.Pipe", "friction", "Rough"},
      {"hydraulic.Pipe", "compressibility", "EffectiveDilation"},
  };
  for (const auto& [model, aspect, option] : kEffects) {
    ComponentPool pool;
    Component& component = pool.Create(*registry.Find(model));
    component.SetLevel(Level::kAdvanced);
    std::string chosen;
    for (const AspectBase* one : component.declarations().aspects) {
      if (one->label().name == aspect) chosen = one->option_name();
    }
    EXPECT_EQ(chosen, option) << model << '.' << aspect;
  }
}

/// Fig. 3.27: the pressure before the return opens it, y = D/4 min(1, p/200 bar), once the pilot is above 25
/// bar.
TEST(AdvancedTest, TheLoadOpensTheReturnOfACounterbalanceValve) {
  ComponentHarness harness;
  auto& valve = harness.Add<CounterbalanceValve>("valve");
  harness.AttachHydraulic(valve, "a");
  HydraulicBond& c = harness.AttachHydraulic(valve, "c");
  harness.AttachHydraulic(valve, "pilot");
  valve.SetLevel(Level::kAdvanced);
  harness.SetStart(valve, "xf", 40e5);
  ASSERT_FALSE(harness.Start().has_errors());
  for (const double bar : {50, 100, 200, 300}) {
    c.c = bar * 1e5;
    harness.Evaluate();
    EXPECT_NEAR(harness.Read(valve, "opening"), std::min(bar / 200, 1.0), 1e-12) << bar;
  }
}

}  // namespace
}  // namespace davit
