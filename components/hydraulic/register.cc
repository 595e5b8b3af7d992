#include "components/hydraulic/register.h"

#include "components/hydraulic/axial_piston_pump.h"
#include "components/hydraulic/counterbalance_valve.h"
#include "components/hydraulic/cylinder.h"
#include "components/hydraulic/directional_control_valve.h"
#include "components/hydraulic/orifice.h"
#include "components/hydraulic/pipe.h"
#include "components/hydraulic/relief_valve.h"
#include "components/hydraulic/tank.h"
#include "components/hydraulic/volume.h"

namespace davit {

void RegisterHydraulic(Registry& registry) {
  registry.Add<AxialPistonPump, CounterbalanceValve, Cylinder, DirectionalControlValve, Orifice, Pipe,
               ReliefValve, Tank, Volume>();
}

}  // namespace davit
