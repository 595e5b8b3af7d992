#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <iterator>
#include <ostream>
#include <unordered_set>
#include <utility>

#include "framework/run_log.h"
#include "framework/tree/component_archive.h"
#include "framework/tree/structure.h"
#include "simulator/charts/behaviour_mirror.h"
#include "simulator/charts/chart_set.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

/// A run may go on beyond the end of the one that was saved.
const std::vector<std::string>& MayDiffer() {
  static const std::vector<std::string> paths{"SimulatorManager.StopTime", "SimulatorManager.Autostart"};
  return paths;
}

}  // namespace

void SimulatorManager::SaveState(std::ostream& stream) {
  RunChartRequests();  // the next step would begin with it
  for (auto& island : network_->islands) island->MakeRestartPoint();
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
  Archive kept;
  ArchiveAllValues(kept);
  file_values_ = kept.Take();
  ArchiveState(archive);
  if (archive.is_good() && !archive.is_at_end()) archive.Refuse("there is more in it than is known here");
  if (!archive.is_good()) {
    is_started_ = false;
    return diagnostics.Error(
        place, {}, fmt::format("does not fit: {}; save it anew with this version of davit", archive.fault()));
  }
  begin_time_ = time_;
  const std::vector<Command>& commands = system_->commands();
  const auto is_pending = [&](const Command& c) {
    return ActingStep(DueTime(c)) >= std::max<std::uint64_t>(is_inside_step_ ? n_ + 1 : n_, 1);
  };
  next_command_ =
      static_cast<std::size_t>(std::find_if(commands.begin(), commands.end(), is_pending) - commands.begin());
  const std::vector<ScheduledEvent>& events = system_->events();
  const auto is_to_come = [&](const ScheduledEvent& event) { return ActingStep(event.time) > n_; };
  next_event_ =
      static_cast<std::size_t>(std::find_if(events.begin(), events.end(), is_to_come) - events.begin());
  WatchEvents();
  Log("", "goes on from a snapshot");
  for (StepObserver* observer : observers_) Join(*observer);
}

void SimulatorManager::ArchiveAllValues(Archive& archive) {
  for (Component* component : system_->components()) {
    archive.Block(component->path(), [&] { ArchiveValues(archive, *component, system_->units()); });
  }
}

void SimulatorManager::ValuesChanged() {
  for (Component* component : system_->components()) component->ParametersChanged();
  for (const auto& [copy, original] : network_->shadows) {
    system_->CopyValues(*original, *copy);
    copy->ParametersChanged();
  }
}

void SimulatorManager::ArchiveState(Archive& archive) {
  archive.Block("the run", [&] {
    archive(time_, origin_, n_, is_inside_step_, is_running_, is_reset_due_, processed_periods_,
            is_over_budget_, calm_periods_, calm_time_);
    const bool makes_sense = std::isfinite(time_) && std::isfinite(origin_) && n_ < 1'000'000'000'000'000;
    if (!makes_sense) archive.Refuse("its time is no number");
  });
  ArchiveAllValues(archive);
  if (archive.is_loading()) {
    if (!archive.is_good()) return;
    if (RunLog* log = run_log()) log->set_time(time_);
    ValuesChanged();  // of the manager, too: the TimeStep
    if (time_step_ != built_time_step_) Rebuild();
    ResetComponents();
    network_->InitializeWaves();  // sizes what components remember
    is_started_ = true;
  }
  archive.Block("the steps", [&] { archive(time_step_, fs_in_force_); });
  if (archive.is_loading() && time_ < origin_ + (static_cast<double>(n_) - kSameStep) * time_step_) {
    --n_;  // the last step was cut at StopTime: the next one takes what is left of it
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
  archive.Block("pending commands", [&] { ArchivePending(archive); });
  for (RunPart* part : parts_) archive.Block(part->name(), [&] { part->ArchiveMemory(archive); });
}

SimulatorManager::PendingCommand SimulatorManager::Describe(const Command& command) {
  using Kind = PendingCommand::Kind;
  if (const auto* write = std::get_if<ScheduledAssignment>(&command)) {
    return {Kind::kAssignment, write->time, write->assignment.path, write->assignment.text};
  }
  if (const auto* message = std::get_if<ScheduledMessage>(&command)) {
    return {Kind::kMessage, message->time, message->owner->path(),
            std::string(message->message->label().name)};
  }
  const auto& event = std::get<ScheduledEvent>(command);
  return {Kind::kEvent, event.time, {}, event.name};
}

std::optional<Command> SimulatorManager::FindCommand(const PendingCommand& pending,
                                                     std::string* fault) const {
  switch (pending.kind) {
    case PendingCommand::Kind::kAssignment: {
      const auto write = system_->FindLiveAssignment(system_->root(), pending.path, pending.text, fault);
      if (!write) return std::nullopt;
      return ScheduledAssignment{pending.time, *write};
    }
    case PendingCommand::Kind::kMessage: {
      auto message = system_->FindMessage(system_->root(), pending.path, pending.text, fault);
      if (!message) return std::nullopt;
      message->time = pending.time;
      return *message;
    }
    case PendingCommand::Kind::kEvent: return ScheduledEvent{pending.time, nullptr, pending.text};
  }
  *fault = "unknown kind of command";
  return std::nullopt;
}

void SimulatorManager::ArchivePending(Archive& archive) {
  std::vector<PendingCommand> pending;
  pending.reserve(submitted_.size());
  for (const Command& command : submitted_) pending.push_back(Describe(command));
  archive.List(pending);
  if (!archive.is_loading()) return;
  for (const PendingCommand& one : pending) {
    std::string fault;
    std::optional<Command> command = FindCommand(one, &fault);
    if (!command) return archive.Refuse(fault);
    Submit(std::move(*command));
  }
  brought_ = std::move(pending);
}

}  // namespace davit
