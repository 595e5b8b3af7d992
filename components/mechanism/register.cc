#include "components/mechanism/register.h"

#include "components/mechanism/crane.h"
#include "components/mechanism/mechanism.h"

namespace davit {

void RegisterMechanism(Registry& registry) { registry.Add<Mechanism, Crane>(); }

}  // namespace davit
