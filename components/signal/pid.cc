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
  filtered.AdvanceTo(f, 0);
  integral.AdvanceTo(Windup().SolveIntegral(integral + half * integral.ddt, half, ki * e, w), 0);
  EvaluateDiffEquations(t);
}

}  // namespace davit
