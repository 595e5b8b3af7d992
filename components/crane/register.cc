#include "components/crane/register.h"

#include "components/crane/knuckle_boom_crane.h"

namespace davit {

void RegisterCrane(Registry& registry) { registry.Add<KnuckleBoomCrane>(); }

}  // namespace davit
