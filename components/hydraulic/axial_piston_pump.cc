#include "components/hydraulic/axial_piston_pump.h"

#include <cmath>

namespace davit {

AxialPistonPump::AxialPistonPump() { EffortsRead({in, out, shaft}); }

void AxialPistonPump::ParametersChanged() {
  displacement_at_angle_ = displacement * std::tan(swash_angle);
  if (!shaft.is_connected()) shaft->w = speed;
  drain->q = 0;
}

}  // namespace davit
