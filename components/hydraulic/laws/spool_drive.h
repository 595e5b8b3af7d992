#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/spool_forces.h"
#include "components/mechanical/lugre_law.h"
#include "framework/mode.h"
#include "simulator/aspect_switch.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// What moves the spool of a valve: hysteresis of its input, the forces on it and the control of its
/// position, as aspects, parameters and states of the valve.
///
/// With x = travel over stroke, v = x', X the stroke, z the input behind the hysteresis:
///   m X v' = F_actuator - F_spring - F_flow - F_friction - F_stop.
///
/// Call sequence: SetUp in the ParametersChanged of the owner; in an evaluation Target, then Acceleration or
/// Rest.
class SpoolDrive {
 public:
  enum class Hysteresis : std::uint8_t { kNone, kPlay };
  static constexpr std::array<std::string_view, 2> kHysteresisNames{"None", "Play"};
  enum class FlowForces : std::uint8_t { kNone, kStatic, kDynamic };
  static constexpr std::array<std::string_view, 3> kFlowForcesNames{"None", "Static", "Dynamic"};
  enum class Friction : std::uint8_t { kViscous, kCoulomb };
  static constexpr std::array<std::string_view, 2> kFrictionNames{"Viscous", "Coulomb"};
  enum class Control : std::uint8_t { kDirect, kPositionLoop };
  static constexpr std::array<std::string_view, 2> kControlNames{"Direct", "PositionLoop"};
  /// Whether the largest force of the actuator suffices, against spring and flow force at the travel wanted.
  enum class PowerLimit : std::uint8_t {
    kOff,              ///< there are no forces
    kWithin,           ///< it does, also against the friction
    kDynamicExceeded,  ///< the spool holds its place, but does not get there
    kStaticExceeded,   ///< not even with the friction: the spool gives way
  };
  static constexpr std::array<std::string_view, 4> kPowerLimitNames{"Off", "Within", "DynamicExceeded",
                                                                    "StaticExceeded"};

  /// `with_forces`: while the spool is moved by forces.
  SpoolDrive(DynamicSimComponent* owner, OptionCondition with_forces);

  /// Whether something of it is chosen that forces alone have.
  bool NeedsForces() const {
    return spool_friction != Friction::kViscous || spool_control != Control::kDirect;
  }
  /// `density` of the oil [kg/m3].
  void SetUp(bool has_two_positions, double density);
  /// Where options have come into force, with the spool at x; the input.
  void Begin(AspectSwitch& change, double input, double x);

  /// z, the input behind the hysteresis.
  double Target(double input) const {
    return hysteresis == Hysteresis::kNone ? input : static_cast<double>(spool_target);
  }
  /// The derivative of z, or z for the reader.
  void FollowInput(double input) {
    if (hysteresis == Hysteresis::kNone) return spool_target.ShowValue(input);
    const double lag = input - spool_target;
    const double half = hysteresis_width / 2;
    spool_target.ddt = hysteresis_rate * (lag - std::clamp(lag, -half, half));
  }
  /// What the flow does to the spool.
  struct Flow {
    double force = 0;    ///< static, positive against x [N]
    double damping = 0;  ///< [N s], of v
  };
  /// v' [1/s^2]; writes the outputs and the derivatives of its states.
  double Acceleration(double z, double x, double v, const Flow& flow);
  /// The derivatives of its states where no forces are computed.
  void Rest() {
    if (spool_control == Control::kPositionLoop) integral.ddt = 0;
    if (spool_friction == Friction::kCoulomb) bristles.ddt = 0;
  }

  /// Static flow force and damping of edges with the coefficient K at this place, on the side of `side` = +-1
  /// (0: none), and its slope over x.
  Flow FlowAt(double K, double K_slope, double side, const EdgeDrops& drops) const;
  /// At the travel x wanted, with the static flow force there [N].
  PowerLimit PowerLimitAt(double x, double flow, PowerLimit now) const;

  Aspect<Hysteresis> hysteresis;
  Aspect<FlowForces> flow_forces;
  Aspect<Friction> spool_friction;
  Aspect<Control> spool_control;

 private:
  Parameter hysteresis_width, hysteresis_rate;
  Parameter largest_actuator_force, full_spring_force, spring_preload;
  Parameter mass, stroke, viscous_friction, dry_friction;
  Parameter jet_angle, damping_length;
  Parameter position_gain, reset_time, derivative_time;
  StateVariable spool_target, bristles, integral;
  Output actuator_force, spring_force, flow_force, friction_force;

  SpoolSprings springs_;
  FlowForce flow_force_;
  LuGreLaw friction_;
};

}  // namespace davit
