#include "components/electrical/dc_motor.h"

#include <cmath>

namespace davit::electrical {

DcMotor::DcMotor() { EffortsRead({a, b, shaft}); }

void DcMotor::Reset() {
  DynamicSimComponent::Reset();
  if (!DeclarationOf(T_w).is_start_given && !heat.is_connected()) T_w.OverrideStateValue(ambient_temperature);
}

void DcMotor::AspectsChanged(AspectSwitch& change) {
  if (change.HasChanged(windings)) {
    const double T_case = heat.is_connected() ? heat->T() : static_cast<double>(ambient_temperature);
    if (windings == Windings::kConstant) change.ReleaseEnergy(C_w * (T_w - T_case));
    T_w.OverrideStateValue(T_case);
  }
  if (change.HasChanged(armature)) {
    if (armature == Armature::kInductive) {
      current.OverrideStateValue(QuasiSteadyCurrent());
    } else {
      change.ReleaseEnergy(L * current * current / 2);
    }
  }
}

void DcMotor::EvaluateEfforts(double /*t*/) {
  const double w = shaft->w;
  double c = 0, Zc = 0;
  if (armature == Armature::kInductive) {
    c = k * current;
  } else {
    const double R_total = Resistance() + a->Zc + b->Zc;
    c = k * (a->c - b->c) / R_total;
    Zc = k * k / R_total;
  }
  if (friction == Friction::kViscousAndDry) {
    c += dry_friction * std::tanh(w / dry_speed);
    Zc += viscous_friction;
  }
  shaft->c = c;
  shaft->Zc = Zc;
}

void DcMotor::EvaluateDiffEquations(double /*t*/) {
  const double omega = -shaft->w;
  const double R_now = Resistance();
  const double now = Current();
  const double drop = a->c - b->c - (a->Zc + b->Zc) * now;
  const double friction_loss = FrictionTorque(omega) * omega;
  const double copper_loss = R_now * now * now;
  if (armature == Armature::kInductive) {
    current.ddt = (drop - R_now * now - k * omega) / L;
  } else {
    current.ShowValue(now);
  }
  double into_case = copper_loss;
  if (windings == Windings::kWarming) {
    into_case = WindingHeat(friction_loss);
    T_w.ddt = (copper_loss - into_case) / C_w;
  } else {
    T_w.ShowValue(CaseWave());
  }
  a->i = -now;
  b->i = now;
  heat->Q = into_case + friction_loss;
  i = now;
  u = drop;
  torque = shaft->T();
  speed = omega;
  losses = copper_loss + friction_loss;
}

double DcMotor::Resistance() const {
  if (windings == Windings::kConstant) return R;
  return R * (1 + temperature_coefficient * (T_w - reference_temperature));
}

double DcMotor::QuasiSteadyCurrent() const {
  return (a->c - b->c + k * shaft->w) / (Resistance() + a->Zc + b->Zc);
}

double DcMotor::FrictionTorque(double omega) const {
  if (friction == Friction::kNone) return 0;
  return viscous_friction * omega + dry_friction * std::tanh(omega / dry_speed);
}

double DcMotor::WindingHeat(double friction_loss) const {
  return (T_w - CaseWave() - heat->Zc * friction_loss) / (R_w + heat->Zc);
}

}  // namespace davit::electrical
