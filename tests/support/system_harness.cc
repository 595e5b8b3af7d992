#include "tests/support/system_harness.h"

#include <span>
#include <stdexcept>

#include "components/register.h"
#include "framework/xml/system_loader.h"

namespace davit {
namespace {

std::unique_ptr<Registry> MakeRegistry(const SystemHarness::AddModels& add_models) {
  auto registry = std::make_unique<Registry>();
  RegisterSimulator(*registry);
  RegisterComponents(*registry);
  if (add_models) add_models(*registry);
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

SystemHarness::SystemHarness(const std::string& text, const AddModels& add_models)
    : registry_(MakeRegistry(add_models)) {
  Diagnostics diagnostics;
  system_ = Load(text, *registry_, diagnostics);
  if (!diagnostics.has_errors()) return;
  std::string faults;
  for (const Diagnostic& diagnostic : diagnostics.all()) faults += ToText(diagnostic) + '\n';
  throw std::invalid_argument(faults + "in\n" + text);
}

Item SystemHarness::Find(std::string_view path) const {
  std::string fault;
  const std::optional<Item> variable = system_->FindVariable(system_->root(), path, &fault);
  if (!variable) throw std::out_of_range(fault);
  return *variable;
}

void SystemHarness::Run() {
  is_started_ = true;
  manager().Initialize();
  while (!manager().is_finished()) manager().Step();
}

void SystemHarness::RunTo(double t) {
  if (!std::exchange(is_started_, true)) manager().Initialize();
  if (t > manager().stop_time() || t < manager().time() - manager().time_step())
    throw std::out_of_range("RunTo: not between the time reached and the StopTime");
  while (!manager().HasReached(t)) manager().Step();
}

void SystemHarness::StartRecording() {
  if (recorder_ != nullptr) return;
  recorder_ = std::make_unique<Recorder>(system_->record_plan());
  recorder_->AddSink([this](double t, std::span<const double> values) {
    rows_.push_back({t, std::vector<double>(values.begin(), values.end())});
  });
  manager().AddObserver(recorder_.get());
}

std::vector<RecordedRow> SystemHarness::RunAndRecord() {
  StartRecording();
  rows_.clear();
  Run();
  return TakeRows();
}

std::vector<std::string> SystemHarness::FaultsOf(const std::string& text, const AddModels& add_models) {
  const std::unique_ptr<Registry> registry = MakeRegistry(add_models);
  Diagnostics diagnostics;
  const std::unique_ptr<System> system = Load(text, *registry, diagnostics);
  std::vector<std::string> faults;
  for (const Diagnostic& diagnostic : diagnostics.all()) faults.push_back(ToText(diagnostic));
  return faults;
}

}  // namespace davit
