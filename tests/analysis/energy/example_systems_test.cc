// The energy of the systems in systems/, as `davit energy` reports it.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/energy/energy_balance.h"

namespace davit {
namespace {

class EnergyOfExamples : public testing::TestWithParam<const char*> {};

TEST_P(EnergyOfExamples, IsAllAccountedFor) {
  const Registry registry = AllModels();
  const std::string path = std::string(DAVIT_SOURCE_DIR "/systems/") + GetParam() + ".xml";
  const auto simulation = Simulation::Load(path, registry).Take();
  EnergyAccounting accounting(simulation->system(), simulation->manager());
  simulation->Initialize();
  while (!simulation->is_finished()) simulation->Step();
  const EnergyBalance balance = accounting.Finish();
  EXPECT_GT(balance.turnover, 0);
  EXPECT_TRUE(balance.strangers.empty());
  EXPECT_NEAR(balance.in, balance.out + balance.stored + balance.lost, 1e-6 * balance.turnover);
  // Not only in all: component by component.
  EXPECT_LT(balance.balance_error(), 1e-6) << balance.errors.front().component;
}

INSTANTIATE_TEST_SUITE_P(
    Systems, EnergyOfExamples,
    testing::Values("a_frame", "accumulators", "clamp_and_feed", "closed_circuit_winch", "cylinder_test",
                    "data_sheets", "electric_winch", "engine_drive", "excavator", "forestry_crane",
                    "hydrostatic_transmission", "knuckle_boom_crane", "laboratory_crane", "level_switching",
                    "lifting_cylinder", "load_holding", "load_sensing", "marine/crane_subsea_lift",
                    "marine/heeling_crane", "marine/launch_and_recovery", "marine/platform_lift",
                    "oil_cooling", "paired_cylinders", "pick_and_place", "position_servo", "series_orifices",
                    "pump_characteristics", "slider_crank", "spool_types", "stewart_platform", "stick_slip",
                    "transistor_amplifier", "tutorial_pump_and_mass", "two_pumps", "wheel_loader"),
    [](const auto& info) {
      std::string name(info.param);
      std::ranges::replace(name, '/', '_');
      return name;
    });

}  // namespace
}  // namespace davit
