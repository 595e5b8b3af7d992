#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "simulator/charts/behaviour_mirror.h"
#include "simulator/requests/value_writer.h"
#include "simulator/simulator_manager.h"

namespace davit {

std::string SimulatorManager::FaultOfTime(double t) const {
  const double same = kSameStep * grid_.time_step;
  if (!std::isfinite(t)) return fmt::format("{} is not a time; give a number of seconds", t);
  if (t < time_ - same) {
    return fmt::format(
        "{:.9g} s is before the time reached, {:.9g} s; give a later time, or begin again with Initialize", t,
        time_);
  }
  if (t > stop_time_ + same) {
    return fmt::format(
        "{:.9g} s is after the end of the run; give a time up to {:.9g} s, or load the system with a later "
        "StopTime",
        t, static_cast<double>(stop_time_));
  }
  const double n = std::floor((t - grid_.origin) / grid_.time_step + kSameStep);
  const double before = grid_.origin + n * grid_.time_step;
  if (loop_->is_divisible() || t <= before + same || t >= stop_time_ - same) return {};
  return fmt::format(
      "{:.9g} s is not a step point, and {} advance with the fixed TimeStep of {:.6g} s; take {:.9g} s or "
      "{:.9g} s, or a TimeStep that divides the time",
      t, network_->has_fixed_steps() ? "fixed-step (TLM) components" : "multirate components",
      grid_.time_step, before, before + grid_.time_step);
}

void SimulatorManager::AdvanceTo(double t) {
  assert(FaultOfTime(t).empty());
  const double last = t + kSameStep * grid_.time_step;
  while (is_running_ && !is_finished() && next_step_point() <= last) Step();
  if (!is_running_ || HasReached(t)) return;
  HideWritten();
  if (!is_inside_step_) {
    BeginStep();
    if (next_step_point() <= last) return AdvanceTo(t);  // a command has made the TimeStep shorter
  }
  const double t0 = time_;
  if (is_inside_step_) {
    loop_->RunPart(t0, t, stop_time_);
  } else {
    loop_->RunFirstPart(t0, t, stop_time_);
  }
  is_inside_step_ = true;
  writer_->ForgetWrites();
  time_ = t;
  reporter_.ReportEvents(*network_, t0, t);
  reporter_.set_time(t);
  reporter_.ReportModes(*mirror_);
  for (StepObserver* observer : reporter_.observers()) observer->OnPartialStep(t);
}

}  // namespace davit
