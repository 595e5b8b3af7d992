#include "components/hydraulic/fixed_displacement_pump.h"

namespace davit {

FixedDisplacementPump::FixedDisplacementPump() { EffortsRead({}); }

}  // namespace davit
