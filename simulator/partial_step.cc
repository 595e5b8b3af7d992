#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "framework/run_log.h"
#include "simulator/component_fault.h"
#include "simulator/evaluation_failure.h"
#include "simulator/simulator_manager.h"
#include "simulator/solvers/integration_error.h"

namespace davit {

bool SimulatorManager::is_divisible() const {
  return network_->rates.size() == 1 && network_->ticks == 1 && !network_->has_whole_steps();
}

std::string SimulatorManager::FaultOfTime(double t) const {
  const double same = kSameStep * time_step_;
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
  const double n = std::floor((t - origin_) / time_step_ + kSameStep);
  const double before = origin_ + n * time_step_;
  if (is_divisible() || t <= before + same || t >= stop_time_ - same) return {};
  return fmt::format(
      "{:.9g} s is no step point, and {} advance by whole TimeSteps of {:.6g} s; take {:.9g} s or "
      "{:.9g} s, or a TimeStep that divides the time",
      t, network_->has_whole_steps() ? "fixed-step (TLM) components" : "components with several TimeSteps",
      time_step_, before, before + time_step_);
}

void SimulatorManager::AdvanceTo(double t) {
  assert(FaultOfTime(t).empty());
  const double last = t + kSameStep * time_step_;
  while (is_running_ && !is_finished() && next_step_point() <= last) Step();
  if (!is_running_ || HasReached(t)) return;
  if (!is_inside_step_) {
    BeginStep();
    if (next_step_point() <= last) return AdvanceTo(t);  // a command has made the TimeStep shorter
  }
  const double t0 = time_;
  try {
    AdvanceIslands(t0, t);
  } catch (const IntegrationError& error) {
    Fail(error);
  } catch (const EvaluationFailure& failure) {
    Fail(failure);
  }
  is_inside_step_ = true;
  time_ = t;
  if (has_events_) ReportEvents(t0, t);
  if (RunLog* log = run_log()) log->set_time(t);
  if (!mode_watches_.empty()) ReportModes();
  for (StepObserver* observer : observers_) observer->OnPartialStep(t);
}

void SimulatorManager::AdvanceIslands(double t0, double t1) {
  Rate& rate = *network_->rates.front();
  rate.step_begin = t0;
  for (Island* island : rate.islands) {
    if (is_inside_step_) {
      island->KeepLatches();
    } else {
      island->UpdateLatches();
    }
  }
  if (!is_inside_step_) {
    CallEach(rate.pre_integrated, t0, watch_, "PreIntegrate",
             [](DynamicSimComponent& component) { component.PreIntegrate(); });
  }
  rate.executor->RunQ(t0, t1, stop_time_);
}

}  // namespace davit
