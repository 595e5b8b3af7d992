#include "components/hydraulic/hydraulic_motor.h"

#include <cmath>

namespace davit {

HydraulicMotor::HydraulicMotor() { EffortsRead({a, b, shaft, displacement_setting}); }

void HydraulicMotor::ParametersChanged() {
  is_linear_ = losses != Losses::kLeakageAndTorque;
  leakage_ = losses == Losses::kLinear ? static_cast<double>(leakage) : 0;
  friction_ = losses == Losses::kLinear ? static_cast<double>(viscous_friction) : 0;
  flow_loss_ = {.Gp = flow_loss_pressure, .Gn = flow_loss_speed};
  torque_loss_ = {.cc = torque_loss, .cp = torque_loss_pressure, .cn = torque_loss_speed};
  V_ = displacement;
  if (model_name == Model::kOwn) return;
  const MotorData& data = kAxialPistonMotors[static_cast<std::size_t>(static_cast<Model>(model_name)) - 1];
  V_ = data.V();
  flow_loss_ = data.flow_loss();
  torque_loss_ = data.torque_loss();
}

double HydraulicMotor::LossBetweenWaves(double dc, double Zs) const {
  const auto law = [this](double drop) { return flow_loss_.At(drop, shaft->w); };
  if (!(Zs > 0)) return law(dc);
  return SolveRestriction(dc, Zs, [&](double drop) { return WithQuotient(law, drop); });
}

void HydraulicMotor::OfferTorque(double V, double drop, double Zs) {
  const auto law = [this](double at) { return flow_loss_.At(at, shaft->w); };
  const double G = WithQuotient(law, drop).slope;
  const double Zc = V * V * Zs / (1 + G * Zs);
  const double smallest = 1e-6 * torque_loss_.width;
  const double w = std::abs(shaft->w) > smallest ? shaft->w : smallest;
  shaft->c = V * drop - Zc * shaft->w;
  shaft->Zc = Zc + torque_loss_.At(drop, w) / w;
}

}  // namespace davit
