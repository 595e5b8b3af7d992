#include "components/mechanical/register.h"

#include "components/mechanical/belt.h"
#include "components/mechanical/brake.h"
#include "components/mechanical/clutch.h"
#include "components/mechanical/damper.h"
#include "components/mechanical/damper_c.h"
#include "components/mechanical/diesel_engine.h"
#include "components/mechanical/fixed.h"
#include "components/mechanical/force.h"
#include "components/mechanical/gear.h"
#include "components/mechanical/inertia.h"
#include "components/mechanical/lugre_friction.h"
#include "components/mechanical/mass.h"
#include "components/mechanical/mass_spring_damper.h"
#include "components/mechanical/planetary_gear.h"
#include "components/mechanical/position_sensor.h"
#include "components/mechanical/rack_and_pinion.h"
#include "components/mechanical/rigid_link.h"
#include "components/mechanical/shaft.h"
#include "components/mechanical/shaft_c.h"
#include "components/mechanical/slider_crank.h"
#include "components/mechanical/speed_sensor.h"
#include "components/mechanical/spring.h"
#include "components/mechanical/spring_c.h"
#include "components/mechanical/torque.h"
#include "components/mechanical/velocity_source.h"
#include "components/mechanical/wire_rope.h"

namespace davit {

void RegisterMechanical(Registry& registry) {
  registry.Add<Belt, Brake, Clutch, Damper, DamperC, DieselEngine, Fixed, Force, Gear, Inertia, LuGreFriction,
               Mass, MassSpringDamper, PlanetaryGear, PositionSensor, RackAndPinion, RigidLink, Shaft, ShaftC,
               SliderCrank, SpeedSensor, Spring, SpringC, Torque, VelocitySource, WireRope>();
}

}  // namespace davit
