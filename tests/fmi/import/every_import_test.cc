// All systems of systems/ as FMUs for co-simulation that davit imports again.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "fmi/import/fmu_component.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"

namespace davit {
namespace {

/// Exports a system for co-simulation and loads it as the component `fmu`, with the same TimeStep.
std::unique_ptr<Simulation> Import(const std::filesystem::path& system, const Simulation& native,
                                   FmiVersion version) {
  ExportToFile({.system = system, .version = version});
  const std::string text = "<System><SimulatorManager TimeStep=\"" + std::to_string(native.time_step()) +
                           "\" StartTime=\"" + std::to_string(native.start_time()) + "\" StopTime=\"" +
                           std::to_string(native.stop_time()) +
                           "\"/><fmi.Fmu name=\"fmu\" file=\"x.fmu\"/></System>";
  auto loaded = Simulation::LoadText(text, FreshFolder() / "twin.xml", ModelsWithFmus());
  EXPECT_NE(loaded.simulation, nullptr) << system << loaded.ToText();
  return std::move(loaded.simulation);
}

/// Law: each recorded signal that is an output has the bits of the native run at each TimeStep, also where
/// charts write inputs.
void ExpectTheBitsOfTheNativeRun(const std::filesystem::path& system, FmiVersion version, double length) {
  const auto native = Simulation::Load(system, ModelsWithFmus()).Take();
  const auto imported = Import(system, *native, version);
  ASSERT_NE(imported, nullptr);
  ASSERT_EQ(imported->time_step(), native->time_step()) << system;
  std::vector<std::pair<Item, Item>> pairs;
  for (const Item& column : native->system().record_plan().columns) {
    Fault fault;
    const auto twin =
        imported->system().FindVariable(imported->system().root(), "fmu." + column.path(), &fault);
    if (twin) pairs.emplace_back(column, *twin);
  }
  ASSERT_FALSE(pairs.empty()) << system;
  native->Initialize();
  imported->Initialize();
  const double end = std::min(native->stop_time(), native->start_time() + length);
  std::size_t differences = 0;
  while (native->time() < end - native->time_step() / 2 && differences == 0) {
    native->Step();
    imported->Step();
    for (const auto& [one, other] : pairs) {
      const double a = one.Read(), b = other.Read();
      if (std::memcmp(&a, &b, sizeof a) == 0) continue;
      ++differences;
      ADD_FAILURE() << system << " " << one.path() << " at " << native->time() << ": " << a << ", imported "
                    << b;
    }
  }
}

TEST(EveryImportTest, HasTheBitsOfTheNativeRun) {
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ExampleSystem("mass_spring").parent_path())) {
    if (entry.path().extension() == ".xml") files.insert(entry.path());
  }
  ASSERT_GE(files.size(), 25U);
  for (const auto& file : files) ExpectTheBitsOfTheNativeRun(file, FmiVersion::k3, 5);
}

}  // namespace
}  // namespace davit
