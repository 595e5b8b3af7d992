#include "hopsan/types/cylinders.h"
#include "hopsan/types/hose.h"
#include "hopsan/types/hydraulic_orifices.h"
#include "hopsan/types/hydraulic_sources.h"
#include "hopsan/types/implicit_valves.h"
#include "hopsan/types/machine_c.h"
#include "hopsan/types/pistons.h"
#include "hopsan/types/pumps.h"
#include "hopsan/types/register_types.h"
#include "hopsan/types/relief_valves.h"
#include "hopsan/types/spool_valves.h"
#include "hopsan/types/valve_plate.h"
#include "hopsan/types/volumes.h"

namespace davit::hopsan {

void RegisterHydraulics(Registry& registry) {
  registry.Add<HydraulicVolume, HydraulicVolumeMultiPort, HydraulicVolume3, HydraulicTLMlossless,
               HydraulicCylinderC, HydraulicSymmetricCylinderC, HydraulicFourChamberPiston,
               HydraulicPumpPiston, HydraulicMachineC, HydraulicHose>();
  registry.Add<HydraulicTankC, HydraulicMultiTankC, HydraulicPressureSourceC, HydraulicMultiPressureSourceC,
               HydraulicFlowSourceQ, HydraulicPressureSourceQ, HydraulicPlugQ>();
  registry.Add<HydraulicLaminarOrifice, HydraulicTurbulentOrifice, HydraulicCheckValve,
               HydraulicPilotControlledCheckValve, HydraulicShuttleValve>();
  registry.Add<HydraulicPressureReliefValve, HydraulicOverCenterValve, HydraulicPressureReliefValveG,
               HydraulicCounterBalanceValveG>();
  registry.Add<Hydraulic22Valve, Hydraulic33Valve, Hydraulic43Valve, Hydraulic43LoadSensingValve,
               HydraulicOpenCenterValve, Hydraulic22DirectionalValve, Hydraulic32DirectionalValve,
               Hydraulic42DirectionalValve, Hydraulic22DirectionalCheckValve, HydraulicValve33,
               HydraulicValve43>();
  registry.Add<HydraulicFixedDisplacementPump, HydraulicVariableDisplacementPump,
               HydraulicFixedDisplacementMotorQ, HydraulicVariableDisplacementMotorQ,
               HydraulicPressureControlledPump>();
  registry.Add<HydraulicCylinderQ, HydraulicPistonMload, HydraulicAckumulator, HydraulicValvePlate>();
}

}  // namespace davit::hopsan
