#include "session/real_time_pacer.h"

#include <algorithm>

namespace davit {
namespace {

double Seconds(RealTimePacer::Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

RealTimePacer::Clock::duration RealTimePacer::RealTime(double simulated) const {
  constexpr double kForever = 1e9;  // [s]; what a clock can count
  const double seconds = std::clamp(simulated / factor_, -kForever, kForever);
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void RealTimePacer::Start(double t) {
  t_start_ = t;
  start_ = Clock::now();
}

void RealTimePacer::AddPause(Clock::duration pause) {
  start_ += pause;
  paused_ += pause;
}

void RealTimePacer::BeginPeriod(double t) {
  t_begin_ = t;
  begin_ = Clock::now();
  paused_ = {};
}

double RealTimePacer::WorkShare(double t, Clock::time_point now) const {
  return Seconds(now - begin_ - paused_) / Seconds(RealTime(t - t_begin_));
}

RealTimePacer::Period RealTimePacer::EndPeriod(double t, double t_due) const {
  const Clock::time_point now = Clock::now();
  Period period;
  period.due = start_ + RealTime(t_due - t_start_);
  period.seconds_late = Seconds(now - period.due);
  if (t > t_begin_) period.work_share = WorkShare(t, now);
  return period;
}

}  // namespace davit
