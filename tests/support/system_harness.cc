#include "tests/support/system_harness.h"

#include <span>
#include <stdexcept>

#include "components/register.h"

namespace davit {
namespace {

std::unique_ptr<Registry> MakeRegistry(const SystemHarness::AddModels& add_models) {
  auto registry = std::make_unique<Registry>(AllModels());
  if (add_models) add_models(*registry);
  return registry;
}

}  // namespace

SystemHarness::SystemHarness(const std::string& text, const AddModels& add_models)
    : registry_(MakeRegistry(add_models)) {
  LoadedSimulation loaded = Simulation::LoadText(text, "test.xml", *registry_);
  if (loaded.simulation == nullptr) throw std::invalid_argument(loaded.ToText() + "\nin\n" + text);
  simulation_ = std::move(loaded.simulation);
}

Item SystemHarness::Find(std::string_view path) const {
  const System& system = simulation_->system();
  Fault fault;
  const std::optional<Item> variable = system.FindVariable(system.root(), path, &fault);
  if (!variable) throw std::out_of_range(fault.ToText());
  return *variable;
}

void SystemHarness::Run() {
  is_started_ = true;
  simulation_->Initialize();
  while (!simulation_->is_finished()) simulation_->Step();
}

void SystemHarness::RunTo(double t) {
  if (!std::exchange(is_started_, true)) simulation_->Initialize();
  if (t > simulation_->stop_time() || t < simulation_->time() - simulation_->time_step())
    throw std::out_of_range("RunTo: not between the time reached and the StopTime");
  while (!manager().HasReached(t)) simulation_->Step();
}

void SystemHarness::StartRecording() {
  if (std::exchange(is_recording_, true)) return;
  RecordingOptions options{.has_row_now = false};
  options.on_row = [this](double t, std::span<const double> values) {
    rows_.push_back({t, std::vector<double>(values.begin(), values.end())});
  };
  simulation_->StartRecording(options);
}

std::vector<RecordedRow> SystemHarness::RunAndRecord() {
  StartRecording();
  rows_.clear();
  Run();
  return TakeRows();
}

std::vector<std::string> SystemHarness::FaultsOf(const std::string& text, const AddModels& add_models) {
  const std::unique_ptr<Registry> registry = MakeRegistry(add_models);
  const LoadedSimulation loaded = Simulation::LoadText(text, "test.xml", *registry);
  std::vector<std::string> faults;
  for (const Diagnostic& diagnostic : loaded.diagnostics.all()) faults.push_back(ToText(diagnostic));
  return faults;
}

}  // namespace davit
