#include "components/mechanical/register.h"

#include "components/mechanical/damper.h"
#include "components/mechanical/fixed.h"
#include "components/mechanical/force.h"
#include "components/mechanical/mass.h"
#include "components/mechanical/mass_spring_damper.h"
#include "components/mechanical/spring.h"

namespace davit {

void RegisterMechanical(Registry& registry) {
  registry.Add<Damper, Fixed, Force, Mass, MassSpringDamper, Spring>();
}

}  // namespace davit
