#include "hopsan/types/cylinders.h"
#include "hopsan/types/hose.h"
#include "hopsan/types/machine_c.h"
#include "hopsan/types/register_types.h"
#include "hopsan/types/volumes.h"

namespace davit::hopsan {

void RegisterHydraulicC(Registry& registry) {
  registry.Add<HydraulicVolume, HydraulicVolumeMultiPort, HydraulicVolume3, HydraulicTLMlossless,
               HydraulicCylinderC, HydraulicSymmetricCylinderC, HydraulicFourChamberPiston,
               HydraulicPumpPiston, HydraulicMachineC, HydraulicHose>();
}

}  // namespace davit::hopsan
