#include "components/mechanical/planetary_gear.h"

namespace davit {

PlanetaryGear::PlanetaryGear() { EffortsRead({sun, ring, carrier}); }

}  // namespace davit
