#include "tests/support/test_system.h"

#include <fmt/format.h>

#include "tests/support/dae_models.h"
#include "tests/support/solver_problems.h"
#include "tests/support/test_models.h"

namespace davit {
namespace {

void AddTestModels(Registry& registry) {
  RegisterTestModels(registry);
  RegisterSolverProblems(registry);
  RegisterDaeModels(registry);
}

}  // namespace

std::string ToXml(double value) { return fmt::format("{}", value); }

std::string SystemText(std::string_view manager, std::string_view integration, std::string_view content) {
  return fmt::format(
      "<System name=\"test\">\n<SimulatorManager {}><Integration solver=\"ODE\" "
      "{}/></SimulatorManager>\n{}\n</System>\n",
      manager, integration, content);
}

TestSystem::TestSystem(const std::string& text) : SystemHarness(text, AddTestModels) {}

std::vector<std::string> FaultsOf(const std::string& text) {
  return SystemHarness::FaultsOf(text, AddTestModels);
}

}  // namespace davit
