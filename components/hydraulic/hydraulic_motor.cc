#include "components/hydraulic/hydraulic_motor.h"

namespace davit {

HydraulicMotor::HydraulicMotor() { EffortsRead({a, b, displacement_setting}); }

}  // namespace davit
