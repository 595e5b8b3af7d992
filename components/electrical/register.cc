#include "components/electrical/register.h"

#include "components/electrical/capacitor.h"
#include "components/electrical/capacitor_c.h"
#include "components/electrical/current_source.h"
#include "components/electrical/dc_motor.h"
#include "components/electrical/ground.h"
#include "components/electrical/induction_motor.h"
#include "components/electrical/inductor.h"
#include "components/electrical/junction.h"
#include "components/electrical/resistor.h"
#include "components/electrical/transistor_amplifier.h"
#include "components/electrical/voltage_source.h"

namespace davit {

void RegisterElectrical(Registry& registry) {
  using namespace electrical;
  registry.Add<Capacitor, CapacitorC, CurrentSource, DcMotor, Ground, InductionMotor, Inductor, Junction,
               Resistor, TransistorAmplifier, VoltageSource>();
}

}  // namespace davit
