#include "components/electrical/register.h"

#include "components/electrical/transistor_amplifier.h"

namespace davit {

void RegisterElectrical(Registry& registry) { registry.Add<TransistorAmplifier>(); }

}  // namespace davit
