#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/alarm.h"
#include "framework/automatic_levels.h"
#include "framework/command.h"
#include "framework/component.h"
#include "framework/message.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "simulator/run/run_settings.h"
#include "simulator/run/system_run.h"

namespace davit {

class Registry;

/// The element `<SimulatorManager>` with TimeStep, fs, Autostart, StartTime, StopTime and the messages of a
/// run; it owns the SystemRun, which says what each call does.
class SimulatorManager final : public Component {
 public:
  static constexpr ModelInfo kInfo{.name = "SimulatorManager", .text = "Runs the components of the system"};

  SimulatorManager();

  /// Shares of a TimeStep below which times count as equal.
  static constexpr double kSameStep = SystemRun::kSameStep;
  /// By which factor a run may change TimeStep and fs. A step then lasts at most so many times longer, and
  /// what remembers a time (lines, delays) so many times more: a client can neither stop a run nor exhaust
  /// memory.
  static constexpr double kMostChange = 1000;

  /// The manager of a loaded system.
  static SimulatorManager& Of(System& system);

  bool AcceptsChild(std::string_view model) const override { return model == "Integration"; }
  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override { run_.SettingsChanged(); }
  void Reset() override { run_.Reset(); }

  double start_time() const { return start_time_; }
  double stop_time() const { return stop_time_; }
  /// How often a second values are published and `Process` is called.
  double fs() const { return fs_; }
  bool autostart() const { return autostart_; }
  /// The share of real time that computing may take; 0: no limit.
  double real_time_budget() const { return real_time_budget_; }
  const Alarm& not_real_time() const { return not_real_time_; }

  void Start() { run_.set_running(true); }
  void Stop() { run_.set_running(false); }
  /// Whether time advances: between Start and Stop.
  bool is_running() const { return run_.clock().is_running; }
  bool is_waiting() const { return run_.is_waiting(); }
  void Wait() { run_.Wait(); }

  void Build(System& system, Diagnostics& diagnostics) { run_.Build(system, diagnostics); }
  void CheckStart(Diagnostics& diagnostics) { run_.CheckStart(diagnostics); }
  void Initialize() { run_.Initialize(); }
  void Step() { run_.Step(); }
  void RunUntil(double t) { run_.RunUntil(t); }
  void AdvanceTo(double t) { run_.AdvanceTo(t); }
  std::string FaultOfTime(double t) const { return run_.FaultOfTime(t); }
  void SaveState(std::ostream& stream) { run_.SaveState(stream); }
  void LoadState(std::istream& stream, const SourceLocation& place, Diagnostics& diagnostics) {
    run_.LoadState(stream, place, diagnostics);
  }

  double time() const { return run_.clock().time; }
  bool HasReached(double t) const { return run_.HasReached(t); }
  /// When this run began: StartTime, or the time of the snapshot that was loaded.
  double begin_time() const { return run_.clock().begin_time; }
  /// Where the next Step ends [s].
  double next_step_point() const { return run_.clock().grid.next(); }
  /// In force.
  double time_step() const { return run_.clock().grid.time_step; }
  bool is_finished() const { return run_.is_finished(); }
  /// Whether Initialize or LoadState has begun a run.
  bool is_started() const { return run_.clock().is_started; }

  void Apply(const Assignment& assignment) { run_.Apply(assignment); }
  void Write(const Item& item, double number) { run_.Write(item, number); }
  bool is_stale() const { return run_.is_stale(); }
  void ShowWritten() { run_.ShowWritten(); }
  void KeepOriginals() { run_.KeepOriginals(); }
  void Submit(Command command) { run_.Submit(std::move(command)); }
  void ForgetBrought() { run_.ForgetBrought(); }
  std::size_t pending_commands() const { return run_.pending_commands(); }

  void set_watch(CallWatch* watch) { run_.set_watch(watch); }
  void set_interrupt(const std::atomic<bool>* interrupt) { run_.set_interrupt(interrupt); }
  bool is_interrupted() const { return run_.is_interrupted(); }
  void set_steady(bool is_steady) { run_.set_steady(is_steady); }
  void set_threads(unsigned threads, ThreadUse use = ThreadUse::kWhereItPays) {
    run_.set_threads(threads, use);
  }
  void AddObserver(StepObserver* observer) { run_.AddObserver(observer); }
  void ReturnObserver(StepObserver* observer) { run_.ReturnObserver(observer); }
  void RemoveObserver(const StepObserver* observer) { run_.RemoveObserver(observer); }
  void ReportPeriod(double seconds_late) { run_.ReportPeriod(seconds_late); }
  void ReportWork(double share) { run_.ReportWork(share); }

  RunStatistics statistics() const { return run_.statistics(); }
  std::vector<std::string> Hints() const { return run_.Hints(); }
  const std::vector<std::unique_ptr<Island>>& islands() const { return run_.islands(); }
  Network& network() const { return run_.network(); }
  /// The charts of the system; `charts().Find(component)->PostEvent("lift")` sends one an event.
  ChartSet& charts() const { return run_.charts(); }
  /// For solvers outside of davit.
  OutsideSolver& outside() { return run_.outside(); }
  /// See there.
  void Settle() { run_.Settle(); }

 private:
  Parameter time_step_{this, "TimeStep", "s", "Interval of exchange between islands", 0.01, kPositive};
  Parameter fs_{this, "fs", "1/s", "Rate of published values and of calls of Process", 100.0, kPositive};
  Parameter start_time_{this, "StartTime", "s", "Start of the run", 0.0, kAny, Tunability::kStructural};
  Parameter stop_time_{this, "StopTime", "s", "End of the run", 10.0, kAny, Tunability::kStructural};
  Parameter real_time_budget_{
      this,
      "RealTimeBudget",
      "",
      "Share of real time that computing may take with --realtime before charts get the event "
      "budget.overrun; 0: no limit",
      0.0,
      kNonNegative};
  enum class MethodChoice : std::uint8_t { kAsGiven };  ///< others: of OdeMethods, counted from 1
  static std::span<const std::string_view> MethodNames();
  /// What may be written into TimeStep and fs from now on: kMostChange times less or more than they are.
  void BoundChanges();
  /// Of Method; empty for AsGiven.
  std::string_view MethodName() const;
  Property<MethodChoice> method_{
      this, "Method", "ODE method of islands without a separate Integration; AsGiven: that of Integration",
      MethodNames(), Choice<MethodChoice>{MethodChoice::kAsGiven, Tunability::kLive, {}}};
  Property<LevelChoice> levels_{this, "levels",
                                "Who chooses the levels of components that do not say; automatic: their "
                                "charts, by their indicators; scheduled: <At> and commands only",
                                LevelChoice::kGiven, kLevelChoiceNames};
  Parameter level_tolerance_{this,
                             "level_tolerance",
                             "",
                             "Largest indicator that levels chosen by charts may neglect, for components "
                             "that do not say",
                             AutomaticLevels::kUsualTolerance,
                             kPositive,
                             Tunability::kStructural};
  Property<bool> autostart_{this, "Autostart", "Whether the run starts without a Start message", true,
                            Tunability::kStructural};
  Message start_{this, "Start", "Resumes the run", [this] { Start(); }};
  Message stop_{this, "Stop", "Pauses the run", [this] { Stop(); }};
  Message reset_{this, "Reset", "Sets all components back to their start values", [this] { Reset(); }};
  Message set_method_{this, "SetMethod", "Another ODE method from here on: its text is written into Method",
                      method_};
  Alarm not_real_time_{this, "NotRealTime", AlarmLevel::kWarning,
                       "the simulation cannot keep up with real time"};

  SystemRun run_;
};

/// Registers the manager and `<Integration>`: every program needs them.
void RegisterSimulator(Registry& registry);

}  // namespace davit
