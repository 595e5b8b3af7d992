#include "app/terminal_host.h"

namespace davit {

void TerminalHost::LookForInterrupt() {
  is_interrupted_ = is_interrupted_ || interrupt_.IsRequested();
  if (is_interrupted_) simulation_.RequestStop();
}

RunHost::Clock::duration TerminalHost::BeforeStep() {
  if (commands_ == nullptr) return {};
  commands_->Take();
  const Clock::duration paused = commands_->WaitWhilePaused(interrupt_);
  if (paused.count() > 0) LookForInterrupt();
  if (commands_->is_stopped()) simulation_.RequestStop();
  return paused;
}

void TerminalHost::LookAround() {
  const Clock::time_point now = Clock::now();
  if (now < next_look_) return;
  next_look_ = now + std::chrono::milliseconds(20);
  LookForInterrupt();
  const double begin = simulation_.begin_time();
  progress_.Show((simulation_.time() - begin) / (simulation_.stop_time() - begin), simulation_.time());
}

bool TerminalHost::SleepUntil(Clock::time_point when) {
  interrupt_.SleepUntil(when);
  return true;
}

}  // namespace davit
