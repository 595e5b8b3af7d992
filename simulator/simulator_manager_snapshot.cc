#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <iterator>
#include <ostream>
#include <unordered_set>
#include <utility>

#include "framework/run_log.h"
#include "framework/structure.h"
#include "framework/tree/component_archive.h"
#include "simulator/charts/behaviour_mirror.h"
#include "simulator/charts/chart_set.h"
#include "simulator/request_runner.h"
#include "simulator/requests/behaviour_switcher.h"
#include "simulator/requests/handed_down_values.h"
#include "simulator/requests/value_keeper.h"
#include "simulator/requests/value_writer.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

/// A run may continue beyond the end of the one that was saved.
const std::vector<std::string>& MayDiffer() {
  static const std::vector<std::string> paths{"SimulatorManager.StopTime", "SimulatorManager.Autostart"};
  return paths;
}

}  // namespace

void SimulatorManager::SaveState(std::ostream& stream) {
  HideWritten();
  runner_->Asked(time_);  // the next step would begin with it
  for (auto& island : network_->islands) island->MakeRestartPoint();
  if (network_->exchange != nullptr) network_->exchange->Gather();
  Archive archive;
  Structure structure = StructureOf(*system_, MayDiffer());
  archive.List(structure);
  ArchiveState(archive);
  const std::string file = SealArchive(archive.Take());
  stream.write(file.data(), static_cast<std::streamsize>(file.size()));
}

void SimulatorManager::LoadState(std::istream& stream, const SourceLocation& place,
                                 Diagnostics& diagnostics) {
  const std::string file{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::string fault;
  std::optional<std::string> content = OpenArchive(file, &fault);
  if (!content) return diagnostics.Error(place, {}, fault);
  Archive archive(std::move(*content));
  Structure structure;
  archive.List(structure);
  const std::size_t errors_before = diagnostics.error_count();
  if (archive.is_good()) CompareStructures(StructureOf(*system_, MayDiffer()), structure, place, diagnostics);
  if (diagnostics.error_count() > errors_before) return;
  BeginRun();
  keeper_->KeepAll();
  ArchiveState(archive);
  if (archive.is_good() && !archive.is_at_end())
    archive.Refuse("it contains more data than this version reads");
  if (!archive.is_good()) {
    is_started_ = false;
    return diagnostics.Error(
        place, {},
        fmt::format("does not fit: {}; save a new one with this version of davit", archive.fault()));
  }
  begin_time_ = time_;
  handed_down_->Resume();
  queue_.Resume(grid_, is_inside_step_);
  reporter_.WatchEvents(*network_);
  reporter_.Log("", "restarts from a snapshot");
  for (StepObserver* observer : reporter_.observers()) Join(*observer);
}

void SimulatorManager::ValuesChanged() {
  for (Component* component : system_->components()) component->ParametersChanged();
  for (const Component* component : system_->components()) writer_->UpdateCopies(*component);
}

void SimulatorManager::ArchiveState(Archive& archive) {
  archive.Block("the run", [&] {
    archive(time_, grid_.origin, grid_.n, is_inside_step_, is_running_, is_reset_due_, processed_periods_,
            budget_, *writer_);
    const bool makes_sense =
        std::isfinite(time_) && std::isfinite(grid_.origin) && grid_.n < 1'000'000'000'000'000;
    if (!makes_sense) archive.Refuse("its time is not a number");
  });
  ArchiveAllValues(archive, *system_);
  if (archive.is_loading()) {
    if (!archive.is_good()) return;
    reporter_.set_time(time_);
    ValuesChanged();  // of the manager, too: the TimeStep
    if (grid_.time_step != built_time_step_) Rebuild();
    ResetComponents();
    network_->InitializeWaves();  // sizes what components remember
    network_->operators.BeginInputs(time_);
    network_->operators.BeginOutputs(time_);
    is_started_ = true;
  }
  archive.Block("the steps", [&] { archive(grid_.time_step, fs_in_force_); });
  if (archive.is_loading() &&
      time_ < grid_.origin + (static_cast<double>(grid_.n) - kSameStep) * grid_.time_step) {
    --grid_.n;  // the last step was cut at StopTime: the next one takes what is left of it
  }
  std::unordered_set<const void*> bonds;
  for (Component* component : system_->components()) {
    archive.Block(component->path(), [&] { ArchiveRun(archive, *component, bonds); });
  }
  for (const auto& [copy, original] : network_->shadows) {
    archive.Block("copy of " + original->path(), [&] { ArchiveRun(archive, *copy, bonds); });
  }
  for (auto& rate : network_->rates) {
    archive.Block(fmt::format("TimeStep of {:.17g} s", rate->h),
                  [&] { archive(rate->step_begin, rate->tlm); });
  }
  for (auto& island : network_->islands) {
    archive.Block("island of " + island->members().front()->path(), [&] { archive(*island); });
  }
  archive.Block("levels", [&] { archive(*switcher_); });
  archive.Block("charts", [&] { archive(*charts_); });
  if (archive.is_loading()) mirror_->Resume();
  archive.Block("pending commands", [&] { queue_.ArchiveMemory(archive, *system_); });
}

}  // namespace davit
