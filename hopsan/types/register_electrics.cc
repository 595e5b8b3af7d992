#include "hopsan/types/electrics.h"
#include "hopsan/types/register_types.h"

namespace davit::hopsan {

void RegisterElectrics(Registry& registry) {
  registry.Add<ElectricGround, ElectricUsource, ElectricVoltageSourceMultiPortC, ElectricVoltageSourceQ,
               ElectricCapacitance2, ElectricInductanceC, ElectricResistor, ElectricBattery,
               ElectricMotorGear, ElectricMotor, ElectricInductance, ElectricSwitch, ElectricIcontroller>();
}

}  // namespace davit::hopsan
