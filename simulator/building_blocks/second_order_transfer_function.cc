#include "simulator/building_blocks/second_order_transfer_function.h"

namespace davit::building_blocks {

void SecondOrderTransferFunction::Initialize(double h, const SecondOrderCoefficients& coefficients, double u0,
                                             double y0, Limits limits) {
  assert(h > 0);
  assert(limits.min <= limits.max);
  h_ = h;
  limits_ = limits;
  SetCoefficients(coefficients);
  SetState(u0, y0);
}

void SecondOrderTransferFunction::SetState(double u, double y, double y_rate) {
  const auto& [a2, a1, a0, b2, b1, b0] = coefficients_;
  u_ = u;
  y_.Set(limits_.Clamp(y));
  z_.Set(b2 * y_rate + (b1 * y_.value() - a1 * u_));
  RemoveOutward();
}

void SecondOrderTransferFunction::SetCoefficients(const SecondOrderCoefficients& coefficients) {
  const double y_rate = coefficients_.b2 > 0 ? f_ / coefficients_.b2 : 0.0;
  const auto& [a2, a1, a0, b2, b1, b0] = coefficients;
  const double divisor = b2 + 0.5 * h_ * (b1 + 0.5 * h_ * b0);
  assert(b2 >= 0);
  assert(divisor > 0);
  assert(b2 > 0 || (a2 == 0 && b1 >= 0));
  assert(b2 > 0 || b1 > 0 || a1 == 0);
  coefficients_ = coefficients;
  gain_ = 1 / divisor;
  SetState(u_, y_.value(), y_rate);
}

void SecondOrderTransferFunction::SetLimits(Limits limits) {
  assert(limits.min <= limits.max);
  limits_ = limits;
  LimitOutput();
  RemoveOutward();
}

}  // namespace davit::building_blocks
