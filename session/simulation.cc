#include "session/simulation.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "framework/counted.h"
#include "framework/xml/command_line.h"
#include "session/record_plan.h"
#include "session/run_loop.h"
#include "session/stepper.h"
#include "simulator/step_interrupted.h"

namespace davit {
namespace {

RunLog MakeLog(const SimulationOptions& options) {
  if (options.log_entries) return RunLog(options.log_level, options.log_entries);
  return options.log ? RunLog(options.log_level, options.log) : RunLog(options.log_level);
}

/// In the present run a time counts as reached within this.
bool IsAfter(const SimulatorManager& manager, double t, double end) {
  return !(t <= end + SimulatorManager::kSameStep * manager.time_step());
}

SourceLocation PlaceIn(const std::string& name) { return {std::make_shared<const std::string>(name), 0}; }

}  // namespace

std::string LoadedSimulation::ToText() const { return davit::ToText(diagnostics); }

std::unique_ptr<Simulation> LoadedSimulation::Take() && {
  if (simulation == nullptr) throw std::invalid_argument(ToText());
  return std::move(simulation);
}

LoadedSimulation Simulation::Load(const std::filesystem::path& file, const Registry& registry,
                                  const SimulationOptions& options) {
  return Load(SystemSource{file}, registry, options);
}

LoadedSimulation Simulation::LoadText(std::string_view text, const std::filesystem::path& name,
                                      const Registry& registry, const SimulationOptions& options) {
  return Load(SystemSource{name, std::string(text)}, registry, options);
}

LoadedSimulation Simulation::Load(const SystemBuilder& builder, const Registry& registry,
                                  const SimulationOptions& options) {
  return Load(SystemSource{.file = {}, .description = builder.Describe()}, registry, options);
}

LoadedSimulation Simulation::Load(SystemSource source, const Registry& registry,
                                  const SimulationOptions& options) {
  LoadedSimulation loaded;
  std::unique_ptr<System> system = LoadSystem(source, registry, options.load, loaded.diagnostics);
  if (system != nullptr) SimulatorManager::Of(*system).Build(*system, loaded.diagnostics);
  if (loaded.diagnostics.has_errors()) return loaded;
  loaded.simulation.reset(new Simulation(std::move(system), std::move(source), options));
  return loaded;
}

Simulation::Simulation(std::unique_ptr<System> system, SystemSource source, const SimulationOptions& options)
    : system_(std::move(system)),
      manager_(SimulatorManager::Of(*system_)),
      source_(std::move(source)),
      options_(options),
      log_(MakeLog(options)),
      stepper_(std::make_unique<Stepper>(*system_)) {
  system_->root().set_run_log(&log_);
  manager_.set_threads(options.threads, options.thread_use);
  manager_.set_steady(options.is_steady);
}

Simulation::~Simulation() {
  stepper_->RefuseRequests("the simulation ended before it read the request; send it to another one");
}

void Simulation::RequireRun(std::string_view call) const {
  if (is_initialized()) return;
  throw std::logic_error(
      fmt::format("Simulation::{}: {}; call Initialize or LoadState first", call,
                  failure_.empty() ? "no run has begun" : "the run has failed (" + failure_.front() + ")"));
}

void Simulation::RequireNoStep(std::string_view call) const {
  if (!stepper_->is_stepping()) return;
  throw std::logic_error(fmt::format(
      "Simulation::{}: it was called by a callback of a step; let the step return first, or use Post", call));
}

void Simulation::RequireStep(std::string_view call) const {
  RequireRun(call);
  if (!manager_.is_finished()) return;
  throw std::logic_error(fmt::format(
      "Simulation::{}: the run has reached its StopTime, {:.9g} s; call Initialize or LoadState first", call,
      manager_.stop_time()));
}

void Simulation::KeepFailure(const SimulationFailure& failure) {
  failure_ = {failure.what()};
  // A state that diverges may only read what the output of another component gives.
  const std::optional<OutputWatch::Fault> fault = stepper_->FindFaultyOutput();
  if (fault && !failure_.front().starts_with(fault->path + ":"))
    failure_.push_back(fault->path + ": " + fault->text);
}

template <class Call>
auto Simulation::Watched(Call call) {
  try {
    return call();
  } catch (const StepInterrupted& interrupted) {
    failure_ = {interrupted.what()};
    stepper_->End();  // the request is taken
    throw;
  } catch (const SimulationFailure& failure) {
    KeepFailure(failure);
    throw;
  }
}

void Simulation::Initialize() {
  const auto inside = guard_.Enter("Simulation::Initialize");
  stepper_->recordings.CloseFilesWithRows();
  stepper_->RefuseRequests("the run was started again before it read the request; send it again");
  Watched([&] {
    manager_.Initialize();
    failure_.clear();
    stepper_->Begin();
  });
}

void Simulation::Step() {
  const auto inside = guard_.Enter("Simulation::Step");
  RequireStep("Step");
  Watched([&] {
    manager_.Start();
    stepper_->Step();
  });
}

RunEnd Simulation::Run() {
  RunHost nobody;
  return Run(nobody);
}

RunEnd Simulation::Run(RunHost& host, std::optional<double> real_time_factor) {
  const auto inside = guard_.Enter("Simulation::Run");
  RequireRun("Run");
  if (real_time_factor && !(*real_time_factor > 0 && std::isfinite(*real_time_factor))) {
    throw std::invalid_argument(fmt::format(
        "Simulation::Run: a real-time factor of {}; it must be > 0 and finite", *real_time_factor));
  }
  return Watched([&] { return RunLoop(*stepper_, host, real_time_factor).Run(); });
}

RunEnd Simulation::RunUntil(double t) {
  const auto inside = guard_.Enter("Simulation::RunUntil");
  RequireRun("RunUntil");
  if (IsAfter(manager_, t, manager_.stop_time())) {
    throw std::invalid_argument(
        fmt::format("Simulation::RunUntil: {:.9g} s is after StopTime; give a time up to {:.9g} s", t,
                    manager_.stop_time()));
  }
  return Watched([&] {
    manager_.Start();
    while (!manager_.HasReached(t) && stepper_->IsGoingOn()) stepper_->Step();
    return stepper_->End();
  });
}

RunEnd Simulation::AdvanceTo(double t) {
  const auto inside = guard_.Enter("Simulation::AdvanceTo");
  RequireRun("AdvanceTo");
  if (const std::string fault = manager_.FaultOfTime(t); !fault.empty())
    throw std::invalid_argument("Simulation::AdvanceTo: " + fault);
  if (stepper_->travel != nullptr)
    throw std::invalid_argument("Simulation::AdvanceTo: the run is recorded; use RunUntil");
  return Watched([&] {
    manager_.Start();
    while (stepper_->IsGoingOn() && !IsAfter(manager_, manager_.next_step_point(), t)) stepper_->Step();
    if (stepper_->IsGoingOn() && !manager_.HasReached(t)) stepper_->AdvanceInside(t);
    return stepper_->End();
  });
}

void Simulation::RequestStop() { stepper_->stop.Request(); }

bool Simulation::is_stop_requested() const { return stepper_->stop.is_requested(); }

void Simulation::RequestStopInside() { stepper_->stop.RequestInside(); }

const std::vector<DueSnapshot>& Simulation::due_snapshots() const { return stepper_->saver.due(); }

TreeItem Simulation::FindItem(std::string_view path) const {
  Fault fault;
  std::optional<TreeItem> item = TreeItem::Find(*system_, path, &fault);
  if (!item)
    throw std::invalid_argument(system_->OwnerOf(system_->root(), path).DisplayPath() + ": " +
                                fault.ToText());
  return *std::move(item);
}

ItemList Simulation::Items(const std::vector<std::string>& paths) const {
  const auto inside = guard_.EnterToRead("Simulation::Items");
  std::vector<TreeItem> items;
  std::string faults;
  for (const std::string& path : paths) {
    try {
      items.push_back(FindItem(path));
    } catch (const std::invalid_argument& fault) {
      faults += (faults.empty() ? "" : "\n") + std::string(fault.what());
    }
  }
  if (!faults.empty()) throw std::invalid_argument(faults);
  return ItemList(system_.get(), std::move(items));
}

void Simulation::CheckList(const ItemList& items, std::size_t values) const {
  if (items.size() > 0 && items.owner() != system_.get())
    throw std::invalid_argument("the items belong to another simulation; find them with Items of this one");
  if (items.size() == values) return;
  throw std::invalid_argument(
      fmt::format("{} for {}; give one for each", Counted(values, "value"), Counted(items.size(), "item")));
}

void Simulation::Read(const ItemList& items, std::span<double> values) const {
  const auto inside = guard_.EnterToRead("Simulation::Read");
  CheckList(items, values.size());
  for (std::size_t i = 0; i < values.size() && manager_.is_stale(); ++i) ShowWrittenFor(items.at(i));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = items.at(i).Read();
}

double Simulation::Read(std::string_view path) const {
  const auto inside = guard_.EnterToRead("Simulation::Read");
  const TreeItem item = FindItem(path);
  ShowWrittenFor(item);
  return item.Read();
}

std::string Simulation::ReadText(std::string_view path) const {
  const auto inside = guard_.EnterToRead("Simulation::ReadText");
  const TreeItem item = FindItem(path);
  ShowWrittenFor(item);
  return item.ToText();
}

void Simulation::ShowWritten() const {
  const auto inside = guard_.EnterToRead("Simulation::ShowWritten");
  if (manager_.is_stale() && is_initialized() && !stepper_->is_stepping()) manager_.ShowWritten();
}

void Simulation::ShowWrittenFor(const TreeItem& item) const {
  if (item.is_computed()) ShowWritten();
}

void Simulation::Write(const ItemList& items, std::span<const double> values) {
  const auto inside = guard_.Enter("Simulation::Write");
  CheckList(items, values.size());
  std::string faults;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Fault fault = items.at(i).FaultOfWrite(values[i]);
    if (fault) faults += (faults.empty() ? "" : "\n") + fault.ToText();
  }
  if (!faults.empty()) throw std::invalid_argument(faults);
  for (std::size_t i = 0; i < values.size(); ++i) WriteNow(*system_, items.at(i).WriteOf(values[i]));
}

void Simulation::Write(std::string_view path, double value) {
  const ItemList item = Items({std::string(path)});
  Write(item, std::span(&value, 1));
}

void Simulation::WriteText(std::string_view path, std::string_view text) {
  const auto inside = guard_.Enter("Simulation::WriteText");
  Fault fault;
  const std::optional<Assignment> write = system_->FindLiveAssignment(system_->root(), path, text, &fault);
  if (!write)
    throw std::invalid_argument(system_->OwnerOf(system_->root(), path).DisplayPath() + ": " +
                                fault.ToText());
  WriteNow(*system_, *write);
}

bool Simulation::Post(Request request, AnswerTaker answer) {
  return stepper_->inbox.Post(std::move(request), std::move(answer));
}

RequestAnswer Simulation::Submit(const Request& request) {
  const auto inside = guard_.EnterToRead("Simulation::Submit");
  RequireRun("Submit");
  RequireNoStep("Submit");
  return stepper_->requests.Take(request);
}

RequestAnswer Simulation::Submit(CommandLine line, const SourceLocation& place) {
  const auto inside = guard_.EnterToRead("Simulation::Submit");
  RequireRun("Submit");
  RequireNoStep("Submit");
  return stepper_->requests.Submit(std::move(line), place);
}

void Simulation::TakeRequests() {
  const auto inside = guard_.Enter("Simulation::TakeRequests");
  RequireRun("TakeRequests");
  stepper_->TakeRequests();
}

RecordingId Simulation::StartRecording(const RecordingOptions& options) {
  const auto inside = guard_.Enter("Simulation::StartRecording");
  Diagnostics diagnostics;
  RecordPlan plan = MakeRecordPlan(*system_, options.signals, options.interval, diagnostics);
  if (diagnostics.has_errors()) throw std::invalid_argument(ToText(diagnostics));
  auto recording = std::make_unique<ResultRecording>(std::move(plan), options.files, options.on_row);
  return stepper_->recordings.Add(std::move(recording), options.has_row_now);
}

const std::vector<ResultColumn>& Simulation::ColumnsOf(RecordingId id) const {
  const auto inside = guard_.EnterToRead("Simulation::ColumnsOf");
  if (const ResultRecording* recording = stepper_->recordings.Find(id)) return recording->columns();
  throw std::invalid_argument(
      "Simulation::ColumnsOf: there is no such recording; it was stopped, or is of another simulation");
}

void Simulation::StopRecording(RecordingId id) {
  const auto inside = guard_.Enter("Simulation::StopRecording");
  if (stepper_->recordings.Find(id) == nullptr) {
    throw std::invalid_argument(
        "Simulation::StopRecording: there is no such recording; it was stopped, or is of another simulation");
  }
  stepper_->recordings.Remove(id);
}

void Simulation::FlushRecordings() {
  const auto inside = guard_.EnterToRead("Simulation::FlushRecordings");
  RequireNoStep("FlushRecordings");
  stepper_->recordings.Flush();
}

void Simulation::StopRecordings() {
  const auto inside = guard_.Enter("Simulation::StopRecordings");
  stepper_->recordings.RemoveAll();
}

void Simulation::SaveState(const std::filesystem::path& file) {
  const auto inside = guard_.Enter("Simulation::SaveState");
  RequireRun("SaveState");
  stepper_->saver.Save(file);
}

void Simulation::SaveState(std::ostream& stream) {
  const auto inside = guard_.Enter("Simulation::SaveState");
  RequireRun("SaveState");
  manager_.SaveState(stream);
}

std::string Simulation::TakeSnapshot() {
  std::ostringstream stream;
  SaveState(stream);
  return std::move(stream).str();
}

void Simulation::SaveStateAt(double t, const std::filesystem::path& file) {
  const auto inside = guard_.Enter("Simulation::SaveStateAt");
  if (const std::string fault = stepper_->saver.FaultOf(t); !fault.empty())
    throw std::invalid_argument(fault);
  stepper_->saver.Add({t, file});
  if (is_initialized()) stepper_->saver.SaveDue();
}

Diagnostics Simulation::LoadState(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (stream) return LoadState(stream, file.string());
  Diagnostics diagnostics;
  diagnostics.Error(PlaceIn(file.string()), {},
                    "cannot be read; name a file that --save-state or SaveState has written");
  return diagnostics;
}

Diagnostics Simulation::LoadState(std::istream& stream, const std::string& name) {
  const auto inside = guard_.Enter("Simulation::LoadState");
  return LoadFrom(stream, PlaceIn(name));
}

Diagnostics Simulation::LoadSnapshot(std::string_view snapshot) {
  const auto inside = guard_.Enter("Simulation::LoadSnapshot");
  std::istringstream stream{std::string(snapshot)};
  return LoadFrom(stream, {});
}

Diagnostics Simulation::LoadFrom(std::istream& stream, const SourceLocation& place) {
  Diagnostics diagnostics;
  Watched([&] {
    manager_.LoadState(stream, place, diagnostics);
    if (diagnostics.has_errors()) return;
    failure_.clear();
    stepper_->RefuseRequests("a snapshot was loaded before the run read the request; send it again");
    stepper_->recordings.CloseFilesWithRows();
    stepper_->Begin();
  });
  return diagnostics;
}

std::unique_ptr<Simulation> Simulation::Clone() {
  const std::string snapshot = TakeSnapshot();
  LoadedSimulation loaded = Load(source_, system_->registry(), options_);
  if (loaded.simulation == nullptr)
    throw std::runtime_error("Simulation::Clone: the system cannot be loaded again:\n" + loaded.ToText());
  const Diagnostics diagnostics = loaded.simulation->LoadSnapshot(snapshot);
  if (!diagnostics.has_errors()) return std::move(loaded.simulation);
  throw std::runtime_error("Simulation::Clone: the system is not what it was:\n" + ToText(diagnostics));
}

void Simulation::RecordRun(const TravelOptions& options) {
  const auto inside = guard_.Enter("Simulation::RecordRun");
  stepper_->travel.reset();
  Watched([&] {
    stepper_->travel =
        std::make_unique<TimeTravel>(*system_, stepper_->recordings, stepper_->causes.get(), options);
  });
}

const TimeTravel* Simulation::time_travel() const { return stepper_->travel.get(); }

void Simulation::Travel(const std::function<void(TimeTravel&)>& move) {
  const auto inside = guard_.Enter("Simulation::Travel");
  if (stepper_->travel == nullptr)
    throw std::invalid_argument("this run is not recorded; begin it with --record DIR");
  Watched([&] {
    move(*stepper_->travel);
    failure_.clear();
  });
}

void Simulation::KeepCauses() {
  const auto inside = guard_.Enter("Simulation::KeepCauses");
  if (stepper_->causes != nullptr) return;
  stepper_->causes = std::make_unique<CauseLog>();
  log_.set_watcher([causes = stepper_->causes.get()](const RunLog::Entry& entry) { causes->Add(entry); });
}

const CauseLog* Simulation::causes() const { return stepper_->causes.get(); }

std::vector<Reason> Simulation::Why(std::string_view path, std::optional<double> time) {
  const auto inside = guard_.Enter("Simulation::Why");
  if (stepper_->causes == nullptr) return {};
  const auto explain = [&] { return ReasonsOf(*system_, *stepper_->causes, path, time); };
  std::vector<Reason> reasons = explain();
  if (!reasons.empty() || stepper_->travel == nullptr) return reasons;
  Watched([&] { stepper_->travel->Recollect([&] { return !(reasons = explain()).empty(); }); });
  return reasons;
}

void Simulation::AccountEnergy() {
  const auto inside = guard_.Enter("Simulation::AccountEnergy");
  if (stepper_->travel != nullptr) {
    throw std::invalid_argument(
        "Simulation::AccountEnergy: the run is recorded, and a balance cannot go back; leave one of them "
        "out");
  }
  stepper_->energy.reset();  // an island has one watch
  stepper_->energy = std::make_unique<EnergyAccounting>(*system_, manager_);
}

EnergyAccounting* Simulation::energy() const { return stepper_->energy.get(); }

const RealTimeRecord& Simulation::real_time() const { return stepper_->real_time; }

RunStatistics Simulation::statistics() const {
  const auto inside = guard_.EnterToRead("Simulation::statistics");
  return manager_.statistics();
}

std::vector<std::string> Simulation::hints() const {
  const auto inside = guard_.EnterToRead("Simulation::hints");
  return manager_.Hints();
}

}  // namespace davit
