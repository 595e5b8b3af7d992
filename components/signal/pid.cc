#include "components/signal/pid.h"

#include <algorithm>
#include <cmath>

namespace davit {

void Pid::ParametersChanged() {
  if (ki == 0) {
    tracking_rate_ = 0;
  } else if (tracking_time > 0) {
    tracking_rate_ = 1 / tracking_time;
  } else {
    tracking_rate_ = 1 / std::max<double>(std::abs(kp / ki), derivative_filter);
  }
}

void Pid::SimulateOneTimestep(double t) {
  const double half = GetSimulatorTimestep() / 2;
  const double e = setpoint - measurement;
  const double T = derivative_filter;
  const double f = filtered + half * (filtered.ddt + (measurement - filtered) / T) / (1 + half / T);
  const double w = kp * e - kd * (measurement - f) / T;
  const double reached = integral + half * (integral.ddt + ki * e);
  const double limited = Limit(w + reached, low, high);
  const double g = half * tracking_rate_;
  const bool is_held = limited != w + reached;
  filtered.AdvanceTo(f, 0);
  integral.AdvanceTo(is_held ? (reached + g * (limited - w)) / (1 + g) : reached, 0);
  EvaluateDiffEquations(t);
}

}  // namespace davit
