#include "tests/support/test_system.h"

#include <fmt/format.h>

#include <span>
#include <stdexcept>

#include "components/register.h"
#include "framework/system_loader.h"
#include "tests/support/dae_models.h"
#include "tests/support/solver_problems.h"
#include "tests/support/test_models.h"

namespace davit {
namespace {

std::unique_ptr<Registry> MakeRegistry() {
  auto registry = std::make_unique<Registry>();
  RegisterSimulator(*registry);
  RegisterComponents(*registry);
  RegisterTestModels(*registry);
  RegisterSolverProblems(*registry);
  RegisterDaeModels(*registry);
  return registry;
}

/// Loads and builds; the system is null when nothing could be read.
std::unique_ptr<System> Load(const std::string& text, const Registry& registry, Diagnostics& diagnostics) {
  std::unique_ptr<System> system = LoadSystemText(text, "test.xml", registry, {}, diagnostics);
  if (system != nullptr && !diagnostics.has_errors())
    SimulatorManager::Of(*system).Build(*system, diagnostics);
  return system;
}

}  // namespace

std::string ToXml(double value) { return fmt::format("{}", value); }

std::string SystemText(std::string_view manager, std::string_view integration, std::string_view content) {
  return fmt::format(
      "<System name=\"test\">\n<SimulatorManager {}><Integration solver=\"ODE\" "
      "{}/></SimulatorManager>\n{}\n</System>\n",
      manager, integration, content);
}

TestSystem::TestSystem(const std::string& text) : registry_(MakeRegistry()) {
  Diagnostics diagnostics;
  system_ = Load(text, *registry_, diagnostics);
  if (!diagnostics.has_errors()) return;
  std::string faults;
  for (const Diagnostic& diagnostic : diagnostics.all()) faults += ToText(diagnostic) + '\n';
  throw std::invalid_argument(faults + "in\n" + text);
}

Variable TestSystem::Find(std::string_view path) const {
  std::string fault;
  const std::optional<Variable> variable = system_->FindVariable(system_->root(), path, &fault);
  if (!variable) throw std::out_of_range(fault);
  return *variable;
}

void TestSystem::Run() {
  manager().Initialize();
  while (!manager().is_finished()) manager().Step();
}

void TestSystem::StartRecording() {
  if (recorder_ != nullptr) return;
  recorder_ = std::make_unique<Recorder>(system_->record_plan());
  recorder_->AddSink([this](double t, std::span<const double> values) {
    rows_.push_back({t, std::vector<double>(values.begin(), values.end())});
  });
  manager().AddObserver(recorder_.get());
}

std::vector<TestRow> TestSystem::RunAndRecord() {
  StartRecording();
  rows_.clear();
  Run();
  return TakeRows();
}

std::vector<std::string> FaultsOf(const std::string& text) {
  const std::unique_ptr<Registry> registry = MakeRegistry();
  Diagnostics diagnostics;
  const std::unique_ptr<System> system = Load(text, *registry, diagnostics);
  std::vector<std::string> faults;
  for (const Diagnostic& diagnostic : diagnostics.all()) faults.push_back(ToText(diagnostic));
  return faults;
}

}  // namespace davit
