#include "session/run_loop.h"

#include <algorithm>

namespace davit {

namespace {
/// Asking the clock costs as much as a small step: look around now and then.
constexpr std::uint64_t kStepsBetweenLooks = 16;
constexpr std::chrono::milliseconds kBetweenLooksForStart{5};
}  // namespace

RunLoop::RunLoop(Stepper& stepper, RunHost& host, std::optional<double> factor)
    : stepper_(stepper), manager_(stepper.manager()), host_(host) {
  if (factor) pacer_.emplace(*factor);
}

void RunLoop::WaitForStart() {
  while (manager_.is_waiting() && !stepper_.stop.is_requested()) {
    host_.BeforeStep();
    stepper_.TakeRequests();
    manager_.Wait();
    if (!manager_.is_waiting() || stepper_.stop.is_requested()) return;
    host_.LookAround();
    const auto next_look = RunHost::Clock::now() + kBetweenLooksForStart;
    if (!host_.SleepUntil(next_look)) stepper_.stop.SleepUntil(next_look);
  }
}

RunEnd RunLoop::Run() {
  WaitForStart();
  if (manager_.is_waiting()) return stepper_.End();
  manager_.Start();
  const double begin = manager_.time();
  if (pacer_) pacer_->Start(begin);
  const double period = 1 / manager_.fs();
  for (std::uint64_t n = 1; stepper_.IsGoingOn(); ++n) {
    if (pacer_) {
      RunPeriod(begin + static_cast<double>(n) * period);
      host_.LookAround();
    } else {
      Step();
      if (n % kStepsBetweenLooks == 0) host_.LookAround();
    }
  }
  return stepper_.End();
}

void RunLoop::Step() {
  host_.BeforeStep();
  if (stepper_.IsGoingOn()) stepper_.Step();
}

void RunLoop::TimedStep(double t) {
  const RunHost::Clock::duration paused = host_.BeforeStep();
  pacer_->AddPause(paused);
  if (!stepper_.IsGoingOn()) return;
  const RealTimePacer::Clock::time_point begin = RealTimePacer::Clock::now();
  stepper_.Step();
  const RealTimePacer::Clock::time_point end = RealTimePacer::Clock::now();
  stepper_.real_time.steps.Add(end - begin);
  const double budget = manager_.real_time_budget();
  if (is_over_budget_ || budget <= 0) return;
  const double share = pacer_->WorkShare(std::max(t, manager_.time()), end);
  is_over_budget_ = share > budget;
  if (is_over_budget_) manager_.ReportWork(share);
}

void RunLoop::RunPeriod(double t) {
  pacer_->BeginPeriod(manager_.time());
  is_over_budget_ = false;
  while (stepper_.IsGoingOn() && !manager_.HasReached(t)) TimedStep(t);
  const RealTimePacer::Period period = pacer_->EndPeriod(manager_.time(), t);
  manager_.ReportPeriod(period.seconds_late);
  if (!stepper_.IsGoingOn()) return;
  if (period.work_share > 0) manager_.ReportWork(period.work_share);
  stepper_.recordings.FlushBefore(period.due);
  if (!host_.SleepUntil(period.due)) stepper_.stop.SleepUntil(period.due);
  const RealTimePacer::Clock::time_point now = RealTimePacer::Clock::now();
  // One that was late already has not slept; one that is to stop wakes before its time.
  if (period.seconds_late < 0 && now >= period.due) stepper_.real_time.lateness.Add(now - period.due);
}

}  // namespace davit
