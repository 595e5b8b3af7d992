#include "components/electrical/induction_motor.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace davit::electrical {
namespace {

using std::numbers::pi;

/// Of law Breakdown, over the breakdown torque.
double Kloss(double s, double s_k) { return 2 * s * s_k / (s * s + s_k * s_k); }

}  // namespace

InductionMotor::InductionMotor() { EffortsRead({shaft, frequency}); }

void InductionMotor::Configure(Diagnostics& diagnostics) {
  const double synchronous = 2 * pi * rated_frequency / pole_pairs;
  if (rated_speed < synchronous) return;
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format("rated_speed: {:.4g} rad/s is not below the {:.4g} rad/s of the field, which "
                  "follow from rated_frequency and pole_pairs; give the speed of the name plate",
                  +rated_speed, synchronous));
}

void InductionMotor::ParametersChanged() {
  const double rated_slip = 2 * pi * rated_frequency / pole_pairs - rated_speed;
  s_k_ = rated_slip * (breakdown_ratio + std::sqrt(breakdown_ratio * breakdown_ratio - 1));
  T_k_rated_ = breakdown_ratio * rated_power / rated_speed;
  shaft->added_inertia = inertia;
}

void InductionMotor::AspectsChanged(AspectSwitch& change) {
  if (change.HasChanged(law) && law == Law::kTransient) {
    const double s = SlipOf(-shaft->w);
    u.OverrideStateValue(s_k_ * s_k_ / (s * s + s_k_ * s_k_));
    v.OverrideStateValue(-Kloss(s, s_k_) / 2);
  }
}

double InductionMotor::BreakdownTorque() const {
  const double weakening = std::abs(frequency) > rated_frequency ? rated_frequency / frequency : 1.0;
  return T_k_rated_ * weakening * weakening;
}

double InductionMotor::SynchronousSpeed() const { return 2 * pi * frequency / pole_pairs; }

void InductionMotor::EvaluateEfforts(double /*t*/) {
  const double T_k = BreakdownTorque();
  shaft->Zc = 0;
  switch (law) {
    case Law::kLinear:
      shaft->Zc = 2 * T_k / s_k_;
      shaft->c = shaft->Zc * SynchronousSpeed();
      break;
    case Law::kBreakdown: shaft->c = T_k * Kloss(SlipOf(-shaft->w), s_k_); break;
    case Law::kTransient: shaft->c = -2 * T_k * v; break;
  }
}

void InductionMotor::EvaluateDiffEquations(double /*t*/) {
  torque = shaft->T();
  speed = -shaft->w;
  slip = SlipOf(speed);
  power = torque * SynchronousSpeed();
  losses = torque * slip;
  if (law == Law::kTransient) {
    u.ddt = pole_pairs * (s_k_ * (1 - u) + slip * v);
    v.ddt = -pole_pairs * (s_k_ * v + slip * u);
  } else {
    u.ShowValue(s_k_ * s_k_ / (slip * slip + s_k_ * s_k_));
    v.ShowValue(-Kloss(slip, s_k_) / 2);
  }
}

InductionMotor::Operation InductionMotor::OperationNow() const {
  if (std::abs(slip) > s_k_) return Operation::kStalling;
  return torque * speed < 0 ? Operation::kBraking : Operation::kDriving;
}

}  // namespace davit::electrical
