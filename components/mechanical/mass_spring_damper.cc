#include "components/mechanical/mass_spring_damper.h"

namespace davit {

MassSpringDamper::MassSpringDamper() { EffortsRead({}); }

}  // namespace davit
