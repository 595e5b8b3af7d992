#include "components/hydraulic/hydraulic_motor.h"

namespace davit {

HydraulicMotor::HydraulicMotor() { EffortsRead({a, b, shaft, displacement_setting}); }

}  // namespace davit
