#include "server/live_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "simulator/step_interrupted.h"

namespace davit {
namespace {

constexpr std::chrono::milliseconds kBetweenIdleLooks{5};
constexpr double kSecondsPerMeasure = 0.5;
constexpr std::string_view kStartCommand = "message SimulatorManager Start";

}  // namespace

std::string_view ToText(LiveStatus status) {
  switch (status) {
    case LiveStatus::kWaiting: return "waiting";
    case LiveStatus::kRunning: return "running";
    case LiveStatus::kPaused: return "paused";
    case LiveStatus::kFinished: return "finished";
    case LiveStatus::kFailed: return "failed";
  }
  return {};
}

RunState LiveRun::state() const {
  RunState state{.time = time(), .status = std::string(ToText(status()))};
  if (const double factor = factor_.load(std::memory_order_relaxed); factor > 0) state.speed = factor;
  state.real_time_factor = real_time_factor_.load(std::memory_order_relaxed);
  state.missed_periods = missed_periods_.load(std::memory_order_relaxed);
  const std::lock_guard lock(mutex_);
  if (durations_) std::tie(state.lateness, state.steps) = *durations_;
  state.failure = failure_;
  return state;
}

LiveRun::LiveRun(Simulation& simulation, HandOver<RunNote>& notes, LiveRunOptions options)
    : simulation_(simulation),
      notes_(notes),
      options_(std::move(options)),
      alarms_(simulation.system()),
      status_(options_.is_paused ? LiveStatus::kPaused : LiveStatus::kRunning),
      begin_time_(simulation.begin_time()),
      factor_(options_.factor.value_or(0)) {
  simulation_.manager().AddObserver(this);
  begins_ = false;
  FollowBranch();
}

LiveRun::~LiveRun() { simulation_.manager().RemoveObserver(this); }

bool LiveRun::Post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_ || tasks_.size() >= kMostTasks) return false;
    tasks_.push_back(std::move(task));
    has_tasks_.store(true, std::memory_order_release);
  }
  arrived_.notify_all();
  return true;
}

bool LiveRun::PostBetweenRuns(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_ || tasks_between_runs_.size() >= kMostTasks) return false;
    tasks_between_runs_.push_back(std::move(task));
    has_tasks_between_runs_.store(true, std::memory_order_release);
  }
  arrived_.notify_all();
  return true;
}

void LiveRun::Quit() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  simulation_.RequestStop();
  arrived_.notify_all();
}

void LiveRun::Shut() {
  std::deque<Task> dropped[2];
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  dropped[0].swap(tasks_);
  dropped[1].swap(tasks_between_runs_);
}

void LiveRun::DoTasks(std::deque<Task>& tasks) {
  std::deque<Task> now;
  {
    const std::lock_guard lock(mutex_);
    now.swap(tasks);
    (&tasks == &tasks_ ? has_tasks_ : has_tasks_between_runs_).store(false, std::memory_order_release);
  }
  for (const Task& task : now) {
    try {
      task();
    } catch (const std::exception& fault) {
      Log(fmt::format("a request failed: {}", fault.what()));
    }
  }
}

std::string LiveRun::RunToEnd() {
  if (status_ == LiveStatus::kRunning && simulation_.is_finished()) set_status(LiveStatus::kFinished);
  while (!is_over_) {
    if (status_ == LiveStatus::kRunning || status_ == LiveStatus::kWaiting) {
      Advance();
    } else {
      Idle();
    }
    if (options_.ends_at_stop_time && (status_ == LiveStatus::kFinished || status_ == LiveStatus::kFailed))
      break;
  }
  const bool is_done = simulation_.is_finished();
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  DoTasks(tasks_);  // somebody waits for their answers
  DoTasks(tasks_between_runs_);
  notes_.Flush();
  if (!simulation_.is_initialized()) return "diverged";
  return is_done ? "done" : "stopped";
}

void LiveRun::Advance() {
  try {
    measured_at_ = Clock::now();
    measured_time_ = simulation_.time();
    real_time_factor_ = 0;
    is_stop_requested_ = false;
    if (simulation_.manager().is_waiting()) set_status(LiveStatus::kWaiting);
    const double factor = factor_;
    const RunEnd end = simulation_.Run(*this, factor > 0 ? std::optional(factor) : std::nullopt);
    real_time_factor_ = 0;
    KeepDurations();  // those since the last look, too
    missed_periods_ = simulation_.statistics().missed_periods;
    DoTasks(tasks_between_runs_);
    if (status_ != LiveStatus::kRunning && status_ != LiveStatus::kWaiting) return;
    if (end == RunEnd::kMessage) {
      set_status(LiveStatus::kPaused);
      Log("the run pauses: message Stop");
    } else if (simulation_.is_finished()) {
      set_status(LiveStatus::kFinished);
      until_ = nullptr;
      Log("StopTime is reached");
      simulation_.FlushRecordings();
    }
  } catch (const StepInterrupted&) {
    is_over_ = true;
    throw;
  } catch (const SimulationFailure&) {
    KeepFailure();
  }
}

void LiveRun::KeepFailure() {
  {
    const std::lock_guard lock(mutex_);
    failure_ = simulation_.failure();
  }
  real_time_factor_ = 0;
  RunLog* const log = simulation_.system().root().run_log();
  for (const std::string& line : simulation_.failure()) {
    log->set_time(simulation_.time());
    log->Write(RunLog::Severity::kError, {}, line);
  }
  set_status(LiveStatus::kFailed);
  Publish(simulation_.time(), false);
}

void LiveRun::Idle() {
  try {
    if (options_.before_step && simulation_.is_initialized()) options_.before_step([] { return false; });
    DoTasks(tasks_);
    DoTasks(tasks_between_runs_);
    if (simulation_.is_initialized()) simulation_.TakeRequests();
    PublishRest();
    alarms_.Look(simulation_.time(), WallTime(), notes_);
    notes_.Flush();
  } catch (const SimulationFailure&) {
    KeepFailure();
  }
  std::unique_lock lock(mutex_);
  const auto rest = options_.before_step ? kBetweenIdleLooks : std::chrono::milliseconds(100);
  arrived_.wait_for(lock, rest, [this] {
    return is_over_ || !tasks_.empty() || !tasks_between_runs_.empty() || status_ == LiveStatus::kRunning ||
           status_ == LiveStatus::kWaiting;
  });
}

RunHost::Clock::duration LiveRun::BeforeStep() {
  if (options_.before_step) {
    // Partners may keep it waiting for a long time.
    options_.before_step([this] {
      DoTasks(tasks_);
      LookAround();
      return !is_stop_requested_ && !has_tasks_between_runs();
    });
  }
  if (has_tasks_.load(std::memory_order_acquire)) DoTasks(tasks_);
  if (until_ && until_()) Pause("until");
  if (has_tasks_between_runs() || is_over_) StopSimulation();
  if (status_ == LiveStatus::kWaiting && !simulation_.manager().is_waiting())
    set_status(LiveStatus::kRunning);
  return {};
}

void LiveRun::LookAround() {
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - measured_at_).count();
  if (seconds < kSecondsPerMeasure) return;
  real_time_factor_ = (simulation_.time() - measured_time_) / seconds;
  missed_periods_ = simulation_.statistics().missed_periods;
  KeepDurations();
  measured_at_ = now;
  measured_time_ = simulation_.time();
  notes_.Flush();
}

void LiveRun::KeepDurations() {
  const RealTimeRecord& record = simulation_.real_time();
  if (record.lateness.count() == 0) return;
  const auto durations = std::pair(ShowDurations(record.lateness), ShowDurations(record.steps));
  const std::lock_guard lock(mutex_);
  durations_ = durations;
}

void LiveRun::StopSimulation() {
  is_stop_requested_ = true;
  simulation_.RequestStop();
}

bool LiveRun::SleepUntil(Clock::time_point when) {
  while (!is_stop_requested_) {
    {
      std::unique_lock lock(mutex_);
      const bool is_woken = arrived_.wait_until(
          lock, when, [this] { return is_over_ || !tasks_.empty() || !tasks_between_runs_.empty(); });
      if (!is_woken) return true;
      if (is_over_ || !tasks_between_runs_.empty()) {
        lock.unlock();
        StopSimulation();
        return true;
      }
    }
    DoTasks(tasks_);  // one of them may end the run, or change its pace
  }
  return true;
}

void LiveRun::OnStart(double t) { BeginAgain(t); }

void LiveRun::OnContinue(double /*start*/, double /*t_before*/, double t) {
  if (begins_) return BeginAgain(t);
  next_publication_ = t;
}

void LiveRun::BeginAgain(double t) {
  history_.Clear();
  tape_ = nullptr;
  begin_time_.store(t, std::memory_order_relaxed);
  end_time_.store(t, std::memory_order_relaxed);
  notes_.Give({.kind = RunNote::Kind::kBegin, .time = t, .wall = WallTime()});
  history_.Look();
  next_publication_ = t + 1 / simulation_.manager().fs();
  Publish(t, false);
}

void LiveRun::FollowBranch() {
  const TimeTravel* const travel = simulation_.time_travel();
  const RunTape* const tape = travel == nullptr ? nullptr : travel->tape();
  if (tape == nullptr || tape == tape_) return;
  if (tape_ != nullptr) {
    history_.SetAside(tape_->name());
    if (!history_.BringBack(tape->name()))
      history_.Cut(tape->parent() == tape_->number() ? tape->fork_time() : begin_time());
  }
  end_time_.store(std::max(tape->end_time(), simulation_.time()), std::memory_order_relaxed);
  tape_ = tape;
  notes_.Give({.kind = RunNote::Kind::kBranch, .time = tape->fork_time(), .text = tape->name()});
}

void LiveRun::OnStep(double t) {
  FollowBranch();
  history_.Look();
  // Half of a TimeStep of rounding does not shift a period.
  if (t < next_publication_ - SimulatorManager::kSameStep) return;
  const double period = 1 / simulation_.manager().fs();
  next_publication_ += period;
  if (next_publication_ <= t) next_publication_ = t + period;  // TimeStep is longer
  Publish(t, tape_ != nullptr && !simulation_.time_travel()->is_at_end());
}

void LiveRun::Publish(double t, bool is_repeated) {
  time_.store(t, std::memory_order_relaxed);
  if (t > end_time()) end_time_.store(t, std::memory_order_relaxed);
  const std::uint64_t wall = WallTime();
  history_.Flush(t);
  fed_time_ = t;
  is_fed_ = feed_ == nullptr || feed_->Publish(wall, t);
  alarms_.Look(t, wall, notes_, is_repeated);
  notes_.Flush();
}

void LiveRun::PublishRest() {
  // The last step points may lie inside a period, and a full ring takes no row.
  const double t = simulation_.time();
  if (!is_fed_ || fed_time_ != t) Publish(t, false);
}

void LiveRun::set_feed(std::shared_ptr<ValueFeed> feed) {
  feed_ = std::move(feed);
  is_fed_ = feed_->Publish(WallTime(), simulation_.time());
}

std::string LiveRun::FaultOfRun() const {
  const LiveStatus now = status();
  if (now == LiveStatus::kFailed) {
    const std::vector<std::string> why = state().failure;
    return fmt::format("the run has failed{}; reset it, or load a snapshot",
                       why.empty() ? "" : " (" + why.front() + ")");
  }
  if (now == LiveStatus::kFinished) return "the run has reached its StopTime; reset it, or load a snapshot";
  return {};
}

RequestAnswer LiveRun::Submit(const Request& request) {
  if (const std::string fault = FaultOfRun(); !fault.empty())
    return {false, request.sender + ": error: " + fault};
  if (simulation_.manager().pending_commands() >= kMostPending)
    return {false,
            fmt::format("{}: error: {} requests wait for their time already; send more when the run has "
                        "gone on",
                        request.sender, kMostPending)};
  const RequestAnswer answer = simulation_.Submit(request);
  // A run that is paused has no step at which the message could act.
  if (answer.is_accepted && status_ == LiveStatus::kPaused && request.command == kStartCommand)
    set_status(LiveStatus::kRunning);
  return answer;
}

void LiveRun::Log(std::string_view text) {
  RunLog* const log = simulation_.system().root().run_log();
  log->set_time(simulation_.time());
  log->Write(RunLog::Severity::kInfo, {}, text);
}

void LiveRun::LogControl(std::string_view what, const std::string& sender) {
  Log(fmt::format("by {}: {}", sender, what));
}

std::string LiveRun::Start(const std::string& sender) {
  if (std::string fault = FaultOfRun(); !fault.empty()) return fault;
  if (status_ == LiveStatus::kRunning) return {};
  LogControl("start", sender);
  if (!simulation_.manager().is_waiting()) {
    set_status(LiveStatus::kRunning);
    return {};
  }
  // The run has not begun: it does with the message, as with one of a chart.
  set_status(LiveStatus::kWaiting);
  const RequestAnswer answer = simulation_.Submit({.sender = sender, .command = std::string(kStartCommand)});
  return answer.is_accepted ? std::string() : answer.text;
}

std::string LiveRun::Pause(const std::string& sender) {
  if (std::string fault = FaultOfRun(); !fault.empty()) return fault;
  if (status_ == LiveStatus::kPaused) return {};
  LogControl("pause", sender);
  until_ = nullptr;
  set_status(LiveStatus::kPaused);
  StopSimulation();
  simulation_.FlushRecordings();
  return {};
}

std::string LiveRun::StartUntil(double t, const std::string& sender) {
  if (std::string fault = FaultOfRun(); !fault.empty()) return fault;
  if (simulation_.manager().HasReached(t))
    return fmt::format("the run is at {:.9g} s already; give a later time", simulation_.time());
  if (t > simulation_.stop_time())
    return fmt::format("the run ends at {:.9g} s; give a time before it", simulation_.stop_time());
  return StartUntil([this, t] { return simulation_.manager().HasReached(t); }, sender);
}

std::string LiveRun::StartUntil(std::function<bool()> is_there, const std::string& sender) {
  if (std::string fault = FaultOfRun(); !fault.empty()) return fault;
  until_ = std::move(is_there);
  return Start(sender);
}

std::string LiveRun::SetFactor(std::optional<double> factor, const std::string& sender) {
  if (factor && !(*factor > 0 && *factor <= 1e6))
    return fmt::format(
        "a real-time factor of {}; it must be > 0 and at most 1e6, or null for as fast as possible", *factor);
  LogControl(factor ? fmt::format("speed {:.9g}", *factor) : "as fast as possible", sender);
  factor_ = factor.value_or(0);
  if (status_ == LiveStatus::kRunning || status_ == LiveStatus::kWaiting)
    StopSimulation();  // the next Run has the new pace
  return {};
}

std::string LiveRun::Try(const std::function<void()>& call) {
  try {
    call();
    return {};
  } catch (const SimulationFailure&) {
    KeepFailure();
    return FaultOfRun();
  } catch (const std::runtime_error& fault) {
    return fault.what();
  }
}

std::string LiveRun::Step(const std::string& sender) {
  if (std::string fault = FaultOfRun(); !fault.empty()) return fault;
  if (status_ != LiveStatus::kPaused) return "the run is not paused; pause it first";
  if (options_.before_step && !options_.before_step([] { return false; }))
    return "a partner in lock step has not answered yet; step again when it has";
  LogControl("step", sender);
  next_publication_ = simulation_.time();
  if (std::string fault = Try([&] { simulation_.Step(); }); !fault.empty()) return fault;
  if (simulation_.is_finished()) set_status(LiveStatus::kFinished);
  return {};
}

std::string LiveRun::Reset(const std::string& sender) {
  LogControl("reset", sender);
  const bool was_running = status_ == LiveStatus::kRunning;
  if (std::string fault = Try([&] { simulation_.Initialize(); }); !fault.empty()) return fault;
  FollowBranch();
  {
    const std::lock_guard lock(mutex_);
    failure_.clear();
    durations_.reset();
  }
  missed_periods_ = 0;
  set_status(was_running ? LiveStatus::kRunning : LiveStatus::kPaused);
  return {};
}

std::string LiveRun::LoadSnapshot(std::string_view snapshot, const std::string& sender) {
  const bool was_running = status_ == LiveStatus::kRunning;
  Diagnostics diagnostics;
  begins_ = true;
  std::string failed = Try([&] { diagnostics = simulation_.LoadSnapshot(snapshot); });
  begins_ = false;
  if (!failed.empty()) return failed;
  if (diagnostics.has_errors()) {
    const std::string text = ToText(diagnostics);
    if (!simulation_.is_initialized()) {
      {
        const std::lock_guard lock(mutex_);
        failure_ = {"a snapshot could not be loaded: " + text};
      }
      set_status(LiveStatus::kFailed);
    }
    return text;
  }
  {
    const std::lock_guard lock(mutex_);
    failure_.clear();
  }
  FollowBranch();
  LogControl(fmt::format("snapshot of t = {:.9g} s loaded", simulation_.time()), sender);
  set_status(simulation_.is_finished() ? LiveStatus::kFinished
             : was_running             ? LiveStatus::kRunning
                                       : LiveStatus::kPaused);
  return {};
}

std::string LiveRun::Travel(const std::function<void(TimeTravel&)>& move, const std::string& what,
                            const std::string& sender) {
  std::string fault;
  try {
    fault = Try([&] { simulation_.Travel(move); });
  } catch (const std::invalid_argument& wrong) {
    fault = wrong.what();
  }
  if (!fault.empty()) return fault;
  LogControl(fmt::format("{}: {:.9g} s", what, simulation_.time()), sender);
  TimeHasMoved();
  return {};
}

void LiveRun::TimeHasMoved() {
  {
    const std::lock_guard lock(mutex_);
    failure_.clear();
  }
  until_ = nullptr;
  FollowBranch();
  set_status(simulation_.is_finished() ? LiveStatus::kFinished : LiveStatus::kPaused);
  Publish(simulation_.time(), true);
}

std::string LiveRun::TakeSnapshot(const std::string& sender) {
  if (!simulation_.is_initialized()) throw std::runtime_error(FaultOfRun());
  std::string snapshot = simulation_.TakeSnapshot();
  LogControl("snapshot taken", sender);
  return snapshot;
}

}  // namespace davit
