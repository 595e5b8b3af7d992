#pragma once

#include <fmt/format.h>

#include "framework/alarm.h"
#include "framework/parameter.h"
#include "framework/symptom.h"

namespace davit {

/// Tells in the run log, each once a run, that the oil of a component cavitates, and that its pressure leaves
/// the range in which the model of the oil is valid.
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

  /// Whether Look would set the alarm of the pressure p [Pa]: when to ask for a PostIntegrate.
  bool IsNews(double p) const { return p > max_valid_pressure_ && !overpressure_.is_set(); }

  /// In PostIntegrate: a pressure p [Pa] and a void [m3] in the volume V. A void that is hardly more than
  /// rounding counts for none.
  void Look(double p, double void_volume, double V) {
    constexpr double kLeastShare = 1e-6;
    if (void_volume > kLeastShare * V && !cavitation_.is_set()) [[unlikely]]
      cavitation_.Set();
    if (IsNews(p)) [[unlikely]]
      overpressure_.Set(fmt::format("{:.4g} bar, the limit is {:.4g} bar{}", p / 1e5,
                                    max_valid_pressure_ / 1e5, SeeSection(Symptom::kHighPressure)));
  }
  void Reset() {
    cavitation_.Reset();
    overpressure_.Reset();
  }

 private:
  Parameter max_valid_pressure_;
  Alarm cavitation_;
  Alarm overpressure_;
};

}  // namespace davit
