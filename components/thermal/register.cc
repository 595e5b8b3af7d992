#include "components/thermal/register.h"

#include "components/thermal/capacity.h"
#include "components/thermal/capacity_c.h"
#include "components/thermal/conductance.h"
#include "components/thermal/convection.h"
#include "components/thermal/heat_source.h"
#include "components/thermal/temperature.h"

namespace davit {

void RegisterThermal(Registry& registry) {
  using namespace thermal;
  registry.Add<Capacity, CapacityC, Conductance, Convection, HeatSource, Temperature>();
}

}  // namespace davit
