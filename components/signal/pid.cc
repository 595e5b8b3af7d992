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

}  // namespace davit
