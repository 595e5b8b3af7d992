#include "components/pneumatic/chamber.h"

namespace davit::pneumatic {

void Chamber::CheckConnections(Diagnostics& diagnostics) {
  CheckGasStart(*this, DeclarationOf(gas.mass()), DeclarationOf(gas.temperature()), diagnostics);
  if (p_start.is_given() && DeclarationOf(gas.mass()).is_start_given) {
    diagnostics.Error(location(), DisplayPath(),
                      "its start is given twice, by 'p' and by 'm'; give only one of them");
  }
}

void Chamber::Reset() {
  DynamicSimComponent::Reset();
  if (!DeclarationOf(gas.mass()).is_start_given) gas.SetPressure(p_start, volume);
}

}  // namespace davit::pneumatic
