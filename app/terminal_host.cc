#include "app/terminal_host.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace davit {
namespace {

/// For Start after the end of the commands: so often charts may pass on what the last one has told them.
constexpr int kMostWaits = 20;

}  // namespace

void TerminalHost::LookForInterrupt() {
  is_interrupted_ = is_interrupted_ || interrupt_.IsRequested();
  if (is_interrupted_) simulation_.RequestStop();
}

void TerminalHost::AnswerSignal(int signal) {
  simulation_.RequestStop();
  WriteInterruption(signal);
}

void WriteInterruption(int signal) {
  // In one call past the streams, which belong to the thread that runs.
  const std::string text = fmt::format(
      "{}{}: the run ends at the next communication point, or inside the TimeStep if that takes longer than "
      "{} s; a "
      "second signal ends the program immediately\n",
      isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "",
      signal == SIGINT    ? "interrupted"
      : signal == SIGTERM ? "terminated"
                          : "hung up",
      static_cast<double>(Interrupt::kPatience.count()) / 1000);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

RunHost::Clock::duration TerminalHost::BeforeStep() {
  if (exchange_) exchange_({});
  if (commands_ == nullptr) return {};
  if (simulation_.manager().is_waiting() && commands_->is_at_end() && ++waits_at_end_ > kMostWaits) {
    has_no_start_ = true;
    simulation_.RequestStop();
    return {};
  }
  commands_->Take();
  const Clock::duration paused = commands_->WaitWhilePaused(interrupt_);
  if (paused.count() > 0) LookForInterrupt();
  if (commands_->is_stopped() || commands_->has_request()) simulation_.RequestStop();
  return paused;
}

bool TerminalHost::WaitForRequest() {
  commands_->Pause(true);
  if (!commands_->is_at_end() && !commands_->is_stopped()) commands_->WaitWhilePaused(interrupt_);
  return !commands_->is_at_end() || commands_->has_request();
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
