#include "components/pneumatic/directional_valve.h"

namespace davit::pneumatic {

void DirectionalValve::ParametersChanged() {
  supply_ = {sonic_conductance, critical_pressure_ratio, 0.5};
  exhaust_ = {exhaust_conductance, critical_pressure_ratio, 0.5};
}

void DirectionalValve::CheckConnections(Diagnostics& diagnostics) {
  has_pb_ = b.is_connected();
  has_ar_ = exhaust_a.is_connected();
  has_br_ = has_pb_ && exhaust_b.is_connected();
  if (!has_pb_ && exhaust_b.is_connected()) {
    diagnostics.Error(
        location(), DisplayPath(),
        "exhaust_b is connected, but b is not; connect b, or for a 3/2 way valve leave out both");
  }
}

void DirectionalValve::Reset() {
  DynamicSimComponent::Reset();
  if (positions == Positions::kTwo && x_state < 0) x_state.OverrideStateValue(0);
}

DirectionalValve::Shares DirectionalValve::SharesAt(double u) const {
  const double s = std::clamp((std::abs(u) - deadband) / (1 - deadband), 0.0, 1.0);
  const double n = std::clamp(1 - std::abs(u) / deadband, 0.0, 1.0);
  const double fed = centre == Centre::kPressurized ? n : 0;
  const double vented = centre == Centre::kExhausted ? n : 0;
  const double plus = u > 0 ? s : 0, minus = u < 0 ? s : 0;
  return {.pa = std::max(plus, fed),
          .pb = has_pb_ ? std::max(minus, fed) : 0,
          .ar = has_ar_ ? std::max(minus, vented) : 0,
          .br = has_br_ ? std::max(plus, vented) : 0};
}

}  // namespace davit::pneumatic
