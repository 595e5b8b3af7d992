#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "framework/archive.h"
#include "framework/fault_mode.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// What can be wrong with a sensor: settings of the sensor, and the value that it shows.
///
///     shown = true value + bias + drift*(t - t0) + noise*r
///
/// t0 is when drift was set. r is evenly distributed between -1 and 1, another number in each period: the
/// same in each run, since it follows from the path of the sensor and the number of the period. A lost signal
/// shows lost_value, a frozen one what was shown last. Without a fault the true value is shown, bit for bit.
class SensorFaults {
 public:
  enum class Signal : std::uint8_t { kPresent, kLost, kFrozen };
  static constexpr std::array<std::string_view, 3> kSignalNames{"present", "lost", "frozen"};

  /// Units of the value and of its rate, and what the faults set, in SI.
  struct Size {
    Text unit, rate_unit;
    double bias = 0, drift = 0, noise = 0;
  };
  SensorFaults(DynamicSimComponent* owner, const Size& size)
      : owner_(*owner),
        bias_{owner, "bias", size.unit, "Error of the sensor that does not change", 0.0},
        drift_{owner, "drift", size.rate_unit, "Rate of an error that grows from when it is set", 0.0},
        noise_{owner, "noise",     size.unit, "Largest error that changes at random in each TimeStep",
               0.0,   kNonNegative},
        signal_{owner, "signal", "Whether the signal is present, lost or frozen", kSignalNames,
                Choice{.value = Signal::kPresent, .tunability = Tunability::kLive}},
        lost_value_{owner, "lost_value", size.unit, "What a lost signal shows", 0.0},
        biased_{owner, "bias", "bias", size.bias, "The sensor shows too much"},
        drifting_{owner, "drift", "drift", size.drift, "What the sensor shows drifts away"},
        noisy_{owner, "noise", "noise", size.noise, "The signal is noisy"},
        lost_{owner, "broken_wire", "signal", static_cast<double>(Signal::kLost), "The wire is broken"},
        frozen_{owner, "frozen", "signal", static_cast<double>(Signal::kFrozen), "The signal is frozen"} {}

  /// Whenever a setting may have changed. `shown`: what the sensor shows until now.
  void SettingsChanged(double shown) {
    if (noise_ > 0 && seed_ == 0) seed_ = SeedOf(owner_.path());
    if (drift_ == 0) drift_begin_ = std::numeric_limits<double>::quiet_NaN();
    if (signal_ == Signal::kFrozen && !is_frozen_) frozen_value_ = shown;
    is_frozen_ = signal_ == Signal::kFrozen;
    is_sound_ = bias_ == 0 && drift_ == 0 && noise_ == 0 && signal_ == Signal::kPresent;
  }
  double Show(double value, double t) { return is_sound_ ? value : Disturbed(value, t); }
  /// When the noise jumps next.
  double NextBreakTime(double t) const {
    return noise_ > 0 ? (PeriodAt(t) + 1) * owner_.GetSimulatorTimestep()
                      : std::numeric_limits<double>::infinity();
  }
  void ArchiveMemory(Archive& archive) { archive(drift_begin_, is_frozen_, frozen_value_); }

 private:
  double Disturbed(double value, double t) {
    if (signal_ == Signal::kLost) return lost_value_;
    if (signal_ == Signal::kFrozen) return frozen_value_;
    if (drift_ != 0 && std::isnan(drift_begin_)) drift_begin_ = t;
    value += bias_;
    if (drift_ != 0) value += drift_ * (t - drift_begin_);
    if (noise_ > 0) value += noise_ * RandomAt(static_cast<std::uint64_t>(PeriodAt(t)));
    return value;
  }
  /// The number of the period that begins at or before t; rounding does not decide.
  double PeriodAt(double t) const { return std::floor(t / owner_.GetSimulatorTimestep() + 1e-6); }
  /// Between -1 and 1 [Steele 2014, SplitMix].
  double RandomAt(std::uint64_t number) const {
    std::uint64_t z = seed_ + (number + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
    return static_cast<double>(z >> 11U) * 0x1p-52 - 1;
  }
  static std::uint64_t SeedOf(std::string_view path) {
    std::uint64_t seed = 0xcbf29ce484222325U;
    for (const char c : path) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return seed;
  }

  const DynamicSimComponent& owner_;
  Parameter bias_, drift_, noise_;
  Property<Signal> signal_;
  Parameter lost_value_;
  FaultMode biased_, drifting_, noisy_, lost_, frozen_;
  std::uint64_t seed_ = 0;
  double drift_begin_ = std::numeric_limits<double>::quiet_NaN();  // t0 [s]
  double frozen_value_ = 0;
  bool is_frozen_ = false;
  bool is_sound_ = true;
};

}  // namespace davit
