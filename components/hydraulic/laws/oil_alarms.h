#pragma once

#include <fmt/format.h>

#include "framework/latched_alarm.h"
#include "framework/parameter.h"
#include "framework/symptom.h"

namespace davit {

/// Alarms that the oil of a component cavitates, and that its pressure leaves the range in which the model of
/// the oil is valid. Each is set once, until it is acknowledged.
///
/// The limit has the default of hydraulic.Fluid, which gives the reasons.
class OilAlarms {
 public:
  /// `when`: while there is oil of its own.
  explicit OilAlarms(Component* owner, OptionCondition when = {})
      : max_valid_pressure_{owner, "max_valid_pressure", "Pa",
                            "Pressure up to which the model of the oil is valid; above it, the alarm "
                            "overpressure is set",
                            Number{.value = 700e5, .range = kPositive, .when = when}},
        cavitation_(owner, "cavitation", AlarmLevel::kWarning,
                    "the oil cavitates, because more flows out than in; a cavity opens (void_volume)"),
        overpressure_(owner, "overpressure", AlarmLevel::kWarning,
                      "the pressure is above max_valid_pressure, the limit of the oil model; look for "
                      "a missing relief valve") {}

  /// Whether Look would change an alarm, without a void and at the pressure p [Pa]: when to ask for a
  /// PostIntegrate.
  bool IsNews(double p) const {
    return overpressure_.IsNews(p > max_valid_pressure_) || cavitation_.CanEnd();
  }

  /// A void [m3] in the volume V. One that is hardly more than rounding counts for none.
  static bool IsVoid(double void_volume, double V) {
    constexpr double kLeastShare = 1e-6;
    return void_volume > kLeastShare * V;
  }
  /// In PostIntegrate: the largest pressure p [Pa], and whether there is a void anywhere in the component.
  void Look(double p, bool is_void) {
    cavitation_.Look(is_void);
    overpressure_.Look(p > max_valid_pressure_, [&] {
      return fmt::format("{:.4g} bar, the limit is {:.4g} bar{}", p / 1e5, max_valid_pressure_ / 1e5,
                         SeeSection(Symptom::kHighPressure));
    });
  }
  void Reset() {
    cavitation_.Reset();
    overpressure_.Reset();
  }

 private:
  Parameter max_valid_pressure_;
  LatchedAlarm cavitation_;
  LatchedAlarm overpressure_;
};

}  // namespace davit
