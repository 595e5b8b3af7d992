#include "tests/support/loaded_system.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/passes/pure_components.h"
#include "simulator/simulator_manager.h"
#include "tests/support/dae_models.h"
#include "tests/support/solver_problems.h"
#include "tests/support/test_models.h"

namespace davit {

LoadedSystem::LoadedSystem(std::string_view content) : registry_(std::make_unique<Registry>()) {
  RegisterSimulator(*registry_);
  RegisterComponents(*registry_);
  RegisterTestModels(*registry_);
  RegisterSolverProblems(*registry_);
  RegisterDaeModels(*registry_);
  std::string text = "<System name=\"test\"><SimulatorManager TimeStep=\"1 ms\"/>\n";
  text.append(content).append("</System>");
  Diagnostics diagnostics;
  system_ = LoadSystemText(text, "test.xml", *registry_, {}, diagnostics);
  if (diagnostics.has_errors()) throw std::invalid_argument(TextOf(diagnostics) + "in\n" + text);
  index_ = std::make_unique<SystemIndex>(*system_);
}

std::uint32_t LoadedSystem::operator[](std::string_view path) const {
  for (std::uint32_t i = 0; i < index_->size(); ++i) {
    if (index_->component(i).path() == path) return i;
  }
  throw std::out_of_range("no component " + std::string(path));
}

SystemPasses::SystemPasses(const SystemIndex& index)
    : solvers(ChooseSolvers(index, diagnostics)),
      steps(PlanTimeSteps(index, LoadedSystem::kTimeStep, diagnostics)),
      is_pure(FindPureComponents(index, solvers)),
      partition(MakePartition(index, solvers, is_pure, steps, diagnostics)),
      contexts(MakeEvaluationContexts(index, partition, is_pure, steps)) {}

std::string WriteSubsystem(const std::string& name, std::string_view content) {
  const std::string path = testing::TempDir() + "davit_" + name + ".xml";
  std::ofstream(path) << "<System>" << content << "</System>";
  return path;
}

std::string TextOf(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) text += ToText(diagnostic) + '\n';
  return text;
}

}  // namespace davit
