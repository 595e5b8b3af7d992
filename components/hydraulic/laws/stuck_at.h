#pragma once

#include <limits>

#include "framework/fault_mode.h"
#include "framework/parameter.h"

namespace davit {

/// The position at which a spool or poppet is stuck: a setting of the valve. Infinite: it moves.
class StuckAt {
 public:
  StuckAt(Component* owner, Text text, double low)
      : at_{owner, "stuck_at", "", text,
            Number{.value = std::numeric_limits<double>::infinity(), .range = Range{.low = low}}} {}

  bool is_stuck() const { return at_ < std::numeric_limits<double>::infinity(); }
  double position() const { return at_; }
  /// `position` of one that moves.
  double Or(double position) const { return is_stuck() ? static_cast<double>(at_) : position; }

 private:
  Parameter at_;
};

}  // namespace davit
