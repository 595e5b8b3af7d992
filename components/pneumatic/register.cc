#include "components/pneumatic/register.h"

#include "components/pneumatic/chamber.h"
#include "components/pneumatic/cylinder.h"
#include "components/pneumatic/directional_valve.h"
#include "components/pneumatic/exhaust.h"
#include "components/pneumatic/orifice.h"
#include "components/pneumatic/regulator.h"
#include "components/pneumatic/supply.h"
#include "components/pneumatic/tube.h"

namespace davit {

void RegisterPneumatic(Registry& registry) {
  using namespace pneumatic;
  registry.Add<Chamber, Cylinder, DirectionalValve, Exhaust, Orifice, Regulator, Supply, Tube>();
}

}  // namespace davit
