#include "components/hydraulic/volume.h"

#include <fmt/format.h>

namespace davit {

Volume::Volume() { EffortsRead({}); }

void Volume::Configure(Diagnostics& /*diagnostics*/) { oil.Choose(*this, formulation); }

void Volume::ParametersChanged() {
  const double V_before = V_;
  V_ = volume;
  oil.SetOil(OilCompression(oil_parameters.Data(compressibility)), V_before, V_);
  has_gas_ = oil.oil().has_gas();
  stiffness_ = oil.oil().stiffness() / V_;
}

void Volume::CheckConnections(Diagnostics& diagnostics) {
  const StateDeclaration& state = StateInUse();
  if (p_start.is_given() && state.is_start_given) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("its start is given twice, by 'p' and by '{}'; give only one of them", state.label.name));
  }
}

void Volume::Reset() {
  DynamicSimComponent::Reset();
  alarms.Reset();
  if (!StateInUse().is_start_given) oil.Set(p_start, V_);
}

const StateDeclaration& Volume::StateInUse() const {
  return DeclarationOf(oil.is_quantity() ? oil.quantity() : oil.pressure());
}

}  // namespace davit
