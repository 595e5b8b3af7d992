#include "simulator/building_blocks/first_order_transfer_function.h"

namespace davit::building_blocks {

void FirstOrderTransferFunction::Initialize(double h, const FirstOrderCoefficients& coefficients, double u0,
                                            double y0, Limits limits) {
  assert(h > 0);
  assert(limits.min <= limits.max);
  h_ = h;
  limits_ = limits;
  SetCoefficients(coefficients);
  SetState(u0, y0);
}

void FirstOrderTransferFunction::SetCoefficients(const FirstOrderCoefficients& coefficients) {
  const auto& [a1, a0, b1, b0] = coefficients;
  assert(b1 >= 0);
  assert(2 * b1 + h_ * b0 > 0);
  assert(b1 > 0 || a1 == 0);
  coefficients_ = coefficients;
  gain_ = 1 / (2 * b1 + h_ * b0);
  ApplyLimits();
}

void FirstOrderTransferFunction::SetLimits(Limits limits) {
  assert(limits.min <= limits.max);
  limits_ = limits;
  ApplyLimits();
}

}  // namespace davit::building_blocks
