#pragma once

#include <array>
#include <functional>
#include <memory>

#include "components/marine/laws/harmonic_sum.h"
#include "components/marine/motion_source.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

class FloatingBody;

/// The vertical motion of a point of a vessel, as it is and as a sensor measures it.
class MotionReferenceUnit final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "marine.MotionReferenceUnit",
      .text = "Vertical motion of a point of a vessel, with delay, noise and prediction",
      .equations = R"(
rise = z + y*phi - x*theta,  rise_rate = rise',  rise_acceleration = rise'',  down_rate = -rise'
z is the heave, phi the roll and theta the pitch of the vessel.
The motion is that of the nearest marine.Vessel or marine.RecordedMotion, in the same system or in one above. That of a
marine.FloatingBody comes by routes from its outputs to the inputs of the same names, all with hold="none".
## Measurement
m(t) = rise(t - delay) + n(t - delay)
measured_rise = m + prediction*m' + prediction^2/2*m'',  measured_rate = m' + prediction*m''
n is a sum of 50 harmonic waves, one in each of equal parts of the frequencies up to noise_bandwidth, with equal
amplitudes and random phases that follow from seed; noise is its standard deviation.
With prediction 0, a motion of the period T leaves rise - measured_rise = 2*sin(pi*delay/T) of its amplitude. With prediction
equal to delay, for delays short compared with T, it is (2*pi*delay/T)^3/6.
## Delay of a vessel that yields
The motion in the waves is known at any time. By how much the vessel yields, u, is delayed by an all-pass with states f:
u(t - delay) = u - delay*(2*f_3 + 120*f_1),  delay*f_1' = f_2,  delay*f_2' = f_3,  delay*f_3' = u' - 12*f_3 - 60*f_2 - 120*f_1
It is late by delay but for (2*pi*delay/T)^7/100800 rad. At the start u is taken as at rest before.
# Assumptions and limits
- Angles are small: the point moves by the first order of roll and pitch.
- Heave has no high-pass filter: slow motion is measured as it is.
- The unit gives its values continuously. An operator.Delay at the input of a controller samples them.
)",
  };

  MotionReferenceUnit();

  void Configure(Diagnostics& diagnostics) override;
  void Link(System& system, Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void EvaluateDiffEquations(double t) override;
  double NextBreakTime(double t) const override;

 private:
  static constexpr Tunability kFixed = Tunability::kStructural;

  /// A degree of freedom of a vessel that yields.
  struct DegreeInputs {
    DegreeInputs(Component* owner, const std::array<Text, 3>& names, const std::array<Text, 3>& units,
                 Text text);
    MotionSource::Degree Read() const { return {value, rate, acceleration}; }

    Input value, rate, acceleration;
  };

  /// The nearest one, in the same system or in one above; null without one.
  const FloatingBody* FindBody() const;
  bool NeedsFilter() const { return delay > 0 && FindBody() != nullptr; }
  /// How the vessel yields at the point, `delay` ago; sets the derivatives of the filter.
  MotionSource::Degree Delayed(const MotionSource::Degree& u);
  /// Of the point, in a motion of the vessel.
  MotionSource::Degree RiseIn(const MotionSource::Motion& motion) const;

  DegreeInputs heave_, roll_, pitch_;
  Parameter x{this, "x", "m", "Place of the point forward of the origin of the vessel", 0};
  Parameter y{this, "y", "m", "Place of the point to port", 0};
  Parameter delay{this, "delay", "s", "Time by which the measurement is late",
                  Number{.value = 0, .range = kNonNegative, .tunability = kFixed}};
  Parameter prediction{this, "prediction", "s", "Time by which the measurement is extrapolated",
                       0,    kNonNegative};
  Parameter noise{this, "noise", "m", "Standard deviation of the noise of the rise", 0, kNonNegative};
  Parameter noise_bandwidth{this, "noise_bandwidth", "Hz", "Highest frequency of the noise",
                            Number{.value = 0.2, .range = kPositive, .tunability = kFixed}};
  Property<int> seed{this, "seed", "Random seed of the noise", 1, kAny, kFixed};
  Output rise{this, "rise", "m", "Rise of the point"};
  Output rise_rate{this, "rise_rate", "m/s", "Its rate"};
  Output rise_acceleration{this, "rise_acceleration", "m/s2", "Its acceleration"};
  Output down_rate{this, "down_rate", "m/s", "Velocity of the point downwards"};
  Output measured_rise{this, "measured_rise", "m", "Measured rise"};
  Output measured_rate{this, "measured_rate", "m/s", "Measured rate"};
  StateVariableArray filter{this, "filter", "m/s", "States of the delay of a vessel that yields", 0.0};

  const MotionSource* source_ = nullptr;
  bool is_routed_ = false;  ///< the motion of a vessel that yields
  /// Two, as each is fast for times close to the one before.
  std::function<MotionSource::Motion(double)> motion_, motion_before_;
  std::unique_ptr<HarmonicSum> noise_;  ///< of 1 m
};

}  // namespace davit
