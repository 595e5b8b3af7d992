#include "components/hydraulic/register.h"

#include "components/hydraulic/accumulator.h"
#include "components/hydraulic/accumulator_c.h"
#include "components/hydraulic/axial_piston_pump.h"
#include "components/hydraulic/check_valve.h"
#include "components/hydraulic/cooler.h"
#include "components/hydraulic/counterbalance_valve.h"
#include "components/hydraulic/cylinder.h"
#include "components/hydraulic/cylinder_c.h"
#include "components/hydraulic/directional_control_valve.h"
#include "components/hydraulic/directional_valve_2_2.h"
#include "components/hydraulic/filter.h"
#include "components/hydraulic/fixed_displacement_pump.h"
#include "components/hydraulic/flow_control_valve.h"
#include "components/hydraulic/flow_divider.h"
#include "components/hydraulic/flow_sensor.h"
#include "components/hydraulic/flow_source.h"
#include "components/hydraulic/fluid.h"
#include "components/hydraulic/hose.h"
#include "components/hydraulic/hydraulic_motor.h"
#include "components/hydraulic/junction.h"
#include "components/hydraulic/line.h"
#include "components/hydraulic/logic_element.h"
#include "components/hydraulic/oil_heat.h"
#include "components/hydraulic/orifice.h"
#include "components/hydraulic/pipe.h"
#include "components/hydraulic/pressure_reducing_valve.h"
#include "components/hydraulic/pressure_sensor.h"
#include "components/hydraulic/pressure_source.h"
#include "components/hydraulic/relief_valve.h"
#include "components/hydraulic/restriction.h"
#include "components/hydraulic/shuttle.h"
#include "components/hydraulic/single_acting_cylinder.h"
#include "components/hydraulic/tank.h"
#include "components/hydraulic/volume.h"
#include "components/hydraulic/volume_c.h"

namespace davit {

void RegisterHydraulic(Registry& registry) {
  registry
      .Add<Accumulator, AccumulatorC, AxialPistonPump, CheckValve, Cooler, CounterbalanceValve, Cylinder,
           CylinderC, DirectionalControlValve, DirectionalValve22, Filter, FixedDisplacementPump,
           FlowControlValve, FlowDivider, FlowSensor, FlowSource, Fluid, Hose, HydraulicMotor, Junction, Line,
           LogicElement, OilHeat, Orifice, Pipe, PressureReducingValve, PressureSensor, PressureSource,
           ReliefValve, Restriction, Shuttle, SingleActingCylinder, Tank, Volume, VolumeC>();
}

}  // namespace davit
