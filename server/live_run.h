#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/alarm_watch.h"
#include "server/history.h"
#include "server/run_note.h"
#include "server/value_feed.h"
#include "session/describe_run.h"
#include "session/simulation.h"
#include "session/time_travel.h"
#include "simulator/step_observer.h"

namespace davit {

enum class LiveStatus : std::uint8_t {
  kWaiting,   ///< for the message Start (Autostart is false)
  kRunning,   ///< time advances
  kPaused,    ///< at a step point
  kFinished,  ///< StopTime is reached
  kFailed,    ///< the run cannot continue; see Simulation::failure
};

std::string_view ToText(LiveStatus status);

struct LiveRunOptions {
  bool is_paused = false;            ///< begins with a pause
  std::optional<double> factor = 1;  ///< simulated seconds per second; nothing: as fast as possible
  bool ends_at_stop_time = false;    ///< else the run stays to be looked at
  PartnerExchange before_step = {};  ///< also called now and then while no step is made
};

/// Drives a simulation that is watched and steered from other threads: what they want is done between two
/// steps, in the order in which they ask. A step never waits for them.
///
/// Values are published where a period of 1/fs ends, and where time stops: into the feed, and into the
/// history; the lines of the event log and alarms go to the notes. RunToEnd is called by the thread that
/// drives, and so are tasks, which may call what stands under that heading. A run that nobody steers gives
/// the same bits as Simulation::Run.
class LiveRun final : private RunHost, private StepObserver {
 public:
  /// So many tasks may wait.
  static constexpr std::size_t kMostTasks = 10'000;
  /// So many requests may wait for their time; while the run rests all do.
  static constexpr std::size_t kMostPending = 10'000;

  /// `notes` takes what happens, also before the run is made. All must outlive it. Pre: no run is under way.
  LiveRun(Simulation& simulation, HandOver<RunNote>& notes, LiveRunOptions options);
  ~LiveRun() override;
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  // Any thread.

  using Task = std::function<void()>;
  /// To be called by the thread that drives, between two steps. False where kMostTasks wait, or the run is
  /// over.
  bool Post(Task task);
  /// The same for what ends Simulation::Run: snapshots, another start. The run goes on afterwards.
  bool PostBetweenRuns(Task task);
  /// Ends RunToEnd.
  void Quit();
  /// After RunToEnd: takes no more tasks, and drops those that wait.
  void Shut();
  LiveStatus status() const { return status_.load(std::memory_order_relaxed); }
  double time() const { return time_.load(std::memory_order_relaxed); }
  /// When this run began: StartTime, or the time of the snapshot that was loaded [s].
  double begin_time() const { return begin_time_.load(std::memory_order_relaxed); }
  /// The last time that the branch of this run has reached: time(), or behind it in a recorded run that has
  /// gone back [s].
  double end_time() const { return end_time_.load(std::memory_order_relaxed); }
  RunState state() const;
  const History& history() const { return history_; }

  // The thread that drives.

  /// Runs, pauses and waits until Quit, or StopTime where that ends it. Returns `done`, `stopped` (by Quit)
  /// or `diverged`. Throws what Simulation::Run throws, but SimulationFailure. Pre: initialised.
  std::string RunToEnd();
  Simulation& simulation() { return simulation_; }
  void set_feed(std::shared_ptr<ValueFeed> feed);
  History& writable_history() { return history_; }

  /// What a request becomes; also where none can be taken now.
  RequestAnswer Submit(const Request& request);
  /// Empty, or why it cannot be done. `sender` goes to the log.
  std::string Start(const std::string& sender);
  std::string Pause(const std::string& sender);
  /// Starts, and pauses at the first step point at or after `t` [s].
  std::string StartUntil(double t, const std::string& sender);
  /// Starts, and pauses at the first step point from the present one on at which `is_there`.
  std::string StartUntil(std::function<bool()> is_there, const std::string& sender);
  std::string SetFactor(std::optional<double> factor, const std::string& sender);
  // Between two runs.
  std::string Step(const std::string& sender);
  /// From the start values again.
  std::string Reset(const std::string& sender);
  std::string LoadSnapshot(std::string_view snapshot, const std::string& sender);
  /// Moves the run in its time, where it pauses; `what` goes to the log.
  std::string Travel(const std::function<void(TimeTravel&)>& move, const std::string& what,
                     const std::string& sender);
  /// Somebody else has moved it.
  void TimeHasMoved();
  /// Throws std::runtime_error where there is none to take.
  std::string TakeSnapshot(const std::string& sender);
  /// A line of the run log.
  void Log(std::string_view text);

 private:
  // RunHost
  Clock::duration BeforeStep() override;
  void LookAround() override;
  bool SleepUntil(Clock::time_point when) override;
  // StepObserver
  void OnStart(double t) override;
  void OnContinue(double start, double t_before, double t) override;
  void OnStep(double t) override;
  bool TakesInputs() const override { return simulation_.time_travel() != nullptr; }
  /// In the past of a recorded run a branch has begun: TimeTravel was told before.
  void OnInput(const Command& /*command*/, bool /*is_now*/) override { FollowBranch(); }

  void Idle();
  void Advance();
  /// What happens first where the run begins again.
  void BeginAgain(double t);
  /// The history becomes that of the branch on which the run is, and the notes name it.
  void FollowBranch();
  /// `is_repeated`: the recorded run was here before.
  void Publish(double t, bool is_repeated);
  /// While time stands still: the values that hold, unless the feed has them already.
  void PublishRest();
  void DoTasks(std::deque<Task>& tasks);
  bool has_tasks_between_runs() const { return has_tasks_between_runs_.load(std::memory_order_acquire); }
  void KeepDurations();
  void KeepFailure();
  /// Ends Simulation::Run at this step point.
  void StopSimulation();
  /// What goes wrong in a call of the simulation, which may end the run; empty if nothing does.
  std::string Try(const std::function<void()>& call);
  void set_status(LiveStatus status) { status_.store(status, std::memory_order_relaxed); }
  /// Why nothing can be done with the run; empty if it is under way.
  std::string FaultOfRun() const;
  /// By whom, for the log.
  void LogControl(std::string_view what, const std::string& sender);

  Simulation& simulation_;
  HandOver<RunNote>& notes_;
  const LiveRunOptions options_;
  std::shared_ptr<ValueFeed> feed_;
  History history_;
  AlarmWatch alarms_;
  bool is_stop_requested_ = false;
  std::function<bool()> until_;  ///< where it pauses
  bool begins_ = true;           ///< what OnContinue tells is no move within a recording
  const RunTape* tape_ = nullptr;
  double next_publication_ = 0;  ///< [s]
  double fed_time_ = 0;          ///< of the last row that the feed has taken [s]
  bool is_fed_ = false;          ///< the feed has a row of fed_time_
  Clock::time_point measured_at_;
  double measured_time_ = 0;

  std::atomic<LiveStatus> status_;
  std::atomic<double> time_ = 0;
  std::atomic<double> begin_time_;
  std::atomic<double> end_time_ = 0;
  std::atomic<double> real_time_factor_ = 0;
  std::atomic<double> factor_ = 0;
  std::atomic<std::uint64_t> missed_periods_ = 0;
  std::optional<std::pair<ShownDurations, ShownDurations>> durations_;  ///< lateness and steps, behind mutex_
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> has_tasks_ = false;
  std::atomic<bool> has_tasks_between_runs_ = false;

  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Task> tasks_;
  std::deque<Task> tasks_between_runs_;
  std::vector<std::string> failure_;
};

}  // namespace davit
