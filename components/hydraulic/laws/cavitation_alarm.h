#pragma once

#include "framework/alarm.h"

namespace davit {

/// Tells in the run log, once a run, that the oil of a component cavitates.
class CavitationAlarm {
 public:
  explicit CavitationAlarm(Component* owner)
      : alarm_(owner, "cavitation", AlarmLevel::kWarning,
               "the oil cavitates, because more is drawn than flows in; a cavity opens (void_volume)") {}

  /// In PostIntegrate: a void [m3] in the volume V. One that is hardly more than rounding counts for none.
  void Look(double void_volume, double V) {
    constexpr double kLeastShare = 1e-6;
    if (void_volume > kLeastShare * V && !alarm_.is_set()) [[unlikely]]
      alarm_.Set();
  }
  void Reset() { alarm_.Reset(); }

 private:
  Alarm alarm_;
};

}  // namespace davit
