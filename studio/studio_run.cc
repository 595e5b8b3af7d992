#include "studio/studio_run.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "drawing/draw_system.h"
#include "drawing/scene.h"
#include "framework/exception_text.h"
#include "results/result_writer.h"
#include "server/wall_time.h"
#include "simulator/step_interrupted.h"
#include "studio/check_system.h"

namespace davit {

StudioRun::StudioRun(std::shared_ptr<const StudioContext> context, StudioRunOptions options, int number)
    : context_(std::move(context)), options_(std::move(options)), number_(number), started_(WallTime()) {}

Json StudioRun::FaultOfRun(const std::string& text) const {
  return Json::array({{{"file", options_.path},
                       {"line", 0},
                       {"path", ""},
                       {"severity", "error"},
                       {"text", text},
                       {"remedy", ""}}});
}

std::optional<Json> StudioRun::Prepare(const LiveServerOptions& server, LiveValues::PostToServer post,
                                       std::shared_ptr<Authentication> login) {
  const Folder& folder = *context_->folder;
  Diagnostics diagnostics;
  edited_ = std::make_unique<EditedSystem>(context_->folder, context_->models, options_.path,
                                           options_.unsaved, diagnostics);
  if (!edited_->is_readable() || diagnostics.has_errors()) return FaultsToJson(diagnostics, folder);
  SimulationOptions options = options_.simulation;
  edited_->SetLoadOptions(options.load);
  options.log_level = RunLog::Severity::kDetail;
  if (options_.stop) options.load.set.push_back("SimulatorManager.StopTime=" + *options_.stop);
  options.log_entries = [this](const RunLog::Entry& entry) { notes_.Give(ToNote(entry)); };
  LoadedSimulation loaded =
      Simulation::LoadText(edited_->text(), edited_->file(), edited_->registry(), options);
  if (loaded.simulation == nullptr) return FaultsToJson(loaded.diagnostics, folder);
  simulation_ = std::move(loaded.simulation);

  SystemTexts texts;
  try {
    texts.drawing = DrawSystem(simulation_->system());
  } catch (const std::runtime_error& fault) {
    texts.drawing_fault = fault.what();
  }
  texts.scene = DescribeScene(simulation_->system());
  texts.energy_remedy = "Start it with the option energy";
  texts.scene_signals = SignalsOf(CollectScene(simulation_->system()));
  const RecordingId recording = simulation_->StartRecording(
      {.on_row = [this](double t, std::span<const double> values) { rows_.AddRow(t, values); },
       .has_row_now = false});
  std::vector<std::string> columns;
  for (const ResultColumn& column : simulation_->ColumnsOf(recording)) columns.push_back(column.path);
  rows_.SetColumns(std::move(columns));
  if (options_.accounts_energy) simulation_->AccountEnergy();
  try {
    simulation_->Initialize();
  } catch (const SimulationFailure& failure) {
    return FaultOfRun(failure.what());
  }
  stop_time_ = simulation_->stop_time();
  auto run = std::make_unique<LiveRun>(
      *simulation_, notes_, LiveRunOptions{.is_paused = options_.is_paused, .factor = options_.factor});
  LiveServerOptions own = server;
  own.prefix += fmt::format("/run/{}", number_);
  own.system_file = edited_->file();
  own.snapshots.reset();
  own.is_read_only = false;  // a run changes no file
  service_ =
      std::make_shared<LiveService>(own, *run, notes_, std::move(texts), std::move(post), std::move(login));
  const std::lock_guard lock(quit_mutex_);
  run_ = std::move(run);
  if (is_quitting_) run_->Quit();
  return std::nullopt;
}

void StudioRun::Drive(const LiveServerOptions& server, LiveValues::PostToServer post,
                      std::shared_ptr<Authentication> login, const Begun& begun) {
  struct Ender {
    std::atomic<bool>& has_ended;
    ~Ender() { has_ended = true; }
  };
  const Ender ender{has_ended_};
  std::optional<Json> faults;
  try {
    faults = Prepare(server, std::move(post), std::move(login));
  } catch (const std::exception& fault) {  // no memory, no Graphviz
    faults = FaultOfRun(Explain(fault));
  }
  if (!faults) is_ready_ = true;
  begun(faults);
  if (faults) return;
  try {
    run_->RunToEnd();
  } catch (const StepInterrupted&) {  // by Quit
  } catch (const std::exception& fault) {
    run_->Log(fmt::format("the run has ended: {}", Explain(fault)));
  }
}

void StudioRun::Quit() {
  const std::lock_guard lock(quit_mutex_);
  is_quitting_ = true;
  if (run_ == nullptr) return;
  run_->Quit();
  simulation_->RequestStopInside();
}

void StudioRun::Shut() {
  if (run_ != nullptr) run_->Shut();
}

RunState StudioRun::state() const {
  RunState state = is_ready_ ? run_->state() : RunState{.status = "loading"};
  state.stop_time = stop_time_;
  return state;
}

std::optional<std::string> StudioRun::ResultCsv() const {
  if (!is_ready_) return std::nullopt;
  return rows_.ToCsv();
}

}  // namespace davit
