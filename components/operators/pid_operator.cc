#include "components/operators/pid_operator.h"

#include "components/signal/anti_windup.h"
#include "components/signal/limit.h"

namespace davit {

double PidOperator::Begin(double u) {
  e_ = setpoint - u;
  integral_ = 0;
  derivative_.Initialize(GetOperatorPeriod(), Coefficients(), u, 0);
  return Limit(kp * e_, low, high);
}

double PidOperator::Apply(double u) {
  if (derivative_.coefficients() != Coefficients()) derivative_.SetCoefficients(Coefficients());
  const double e = setpoint - u;
  const double change = ki * GetOperatorPeriod() / 2 * (e + e_);
  e_ = e;
  const double other = kp * e + derivative_.Update(u);
  const double h = GetOperatorPeriod();
  const AntiWindup windup{.low = low, .high = high, .share = tracking_time > h ? h / tracking_time : 1};
  integral_ += windup.Limited(change, other + integral_);
  return Limit(other + integral_, low, high);
}

void PidOperator::TakeUnits(std::string_view before, std::string_view after) {
  Operator::TakeUnits(before, after);
  SetUnit("setpoint", before);
  SetUnit("low", after);
  SetUnit("high", after);
}

void PidOperator::Configure(Diagnostics& diagnostics) { CheckLimits(*this, low, high, diagnostics); }

}  // namespace davit
