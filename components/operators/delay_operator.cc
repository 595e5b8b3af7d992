#include "components/operators/delay_operator.h"

#include <fmt/format.h>

namespace davit {

double DelayOperator::Begin(double u) {
  u_ = u;
  if (!IsShort()) delay_.Initialize(GetOperatorPeriod(), time, u);
  return u;
}

double DelayOperator::Apply(double u) {
  double y = 0;
  if (IsShort()) {
    y = u + (time / GetOperatorPeriod()) * (u_ - u);
    u_ = u;
  } else {
    // The value that arrives at a step point was pushed one period before at the latest.
    y = delay_.Read();
    delay_.Push(u);
  }
  return y;
}

void DelayOperator::CheckPeriod(double period, Diagnostics& diagnostics) const {
  if (time / period <= kMostPeriods) return;
  diagnostics.Error(location(), DisplayPath(),
                    fmt::format("time {:.6g} s is more than {:.0g} TimeSteps of {:.6g} s; make it shorter",
                                static_cast<double>(time), kMostPeriods, period));
}

void DelayOperator::ArchiveMemory(Archive& archive) {
  archive(u_);
  if (!IsShort()) archive(delay_);
}

}  // namespace davit
