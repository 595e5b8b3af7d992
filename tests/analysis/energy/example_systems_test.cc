// The energy of the systems in systems/, as `davit energy` reports it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/energy/energy_balance.h"

namespace davit {
namespace {

const std::filesystem::path kExampleFolder = DAVIT_SOURCE_DIR "/systems";

/// Folders of files that are not run on their own: parts are tested in the systems that use them, and those
/// of benches and controllers need a partner.
constexpr std::array<std::string_view, 3> kNotRun{"benches/", "controllers/", "parts/"};
/// Signals and equations alone.
constexpr std::array<std::string_view, 3> kWithoutPower{"algebraic_loop", "mass_spring_blocks",
                                                        "mass_spring_equations"};

/// All others, so that a new one is tested too.
std::vector<std::string> ExampleNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kExampleFolder)) {
    if (entry.path().extension() != ".xml") continue;
    std::string name =
        std::filesystem::relative(entry.path(), kExampleFolder).replace_extension().generic_string();
    if (std::ranges::none_of(kNotRun, [&](std::string_view folder) { return name.starts_with(folder); }))
      names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

class EnergyOfExamples : public testing::TestWithParam<std::string> {};

TEST_P(EnergyOfExamples, IsAllAccountedFor) {
  const Registry registry = AllModels();
  const auto simulation =
      Simulation::Load((kExampleFolder / (GetParam() + ".xml")).string(), registry).Take();
  EnergyAccounting accounting(simulation->system(), simulation->manager());
  simulation->Initialize();
  while (!simulation->is_finished()) simulation->Step();
  const EnergyBalance balance = accounting.Balance();
  EXPECT_TRUE(balance.strangers.empty());
  if (std::ranges::find(kWithoutPower, GetParam()) != kWithoutPower.end()) {
    EXPECT_EQ(balance.turnover, 0);
    EXPECT_EQ(balance.error, 0);
    return;
  }
  EXPECT_GT(balance.turnover, 0);
  EXPECT_NEAR(balance.in, balance.out + balance.stored + balance.lost, 1e-6 * balance.turnover);
  // Not only in all: component by component.
  EXPECT_LT(balance.balance_error(), 1e-6) << balance.errors.front().component;
}

INSTANTIATE_TEST_SUITE_P(Systems, EnergyOfExamples, testing::ValuesIn(ExampleNames()), [](const auto& info) {
  std::string name(info.param);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace davit
