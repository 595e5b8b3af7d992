#include "components/hydraulic/volume.h"

#include <fmt/format.h>

namespace davit {
Volume::Volume() { EffortsRead({}); }

void Volume::Configure(Diagnostics& diagnostics) {
  is_quantity_ = formulation == Formulation::kQuantity;
  SetStateActive(pressure, !is_quantity_);
  SetStateActive(quantity, is_quantity_);
  if (is_quantity_ && free_air > 0) {
    diagnostics.Error(
        location(), DisplayPath(),
        "free_air has no effect in the formulation quantity; choose formulation=\"pressure\" or "
        "leave it out");
  }
}

void Volume::ParametersChanged() {
  const double before = beta_per_volume_;
  beta_per_volume_ = bulk_modulus / volume;
  has_air_ = free_air > 0;
  // A cavity is kept as it is: it does not depend on the stiffness of the oil.
  const bool is_rescaled = is_quantity_ && before > 0 && before != beta_per_volume_ && quantity > 0;
  if (is_rescaled) quantity.OverrideStateValue(quantity * before / beta_per_volume_);
}

double Volume::StiffnessWithAir() const {
  const OilWithAir oil{.bulk_modulus = bulk_modulus,
                       .free_air = free_air,
                       .polytropic_exponent = air_exponent,
                       .p_atm = atmospheric_pressure};
  return oil.BulkModulus(AbsolutePressure(pressure, atmospheric_pressure, vapour_pressure)) / volume;
}

void Volume::CheckConnections(Diagnostics& diagnostics) {
  const StateDeclaration& state = is_quantity_ ? DeclarationOf(quantity) : DeclarationOf(pressure);
  if (p_start.is_given() && state.is_start_given) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("its start is given twice, by 'p' and by '{}'; give only one of them", state.label.name));
  }
}

void Volume::Reset() {
  DynamicSimComponent::Reset();
  if (is_quantity_) {
    if (!DeclarationOf(quantity).is_start_given) quantity.OverrideStateValue(p_start / beta_per_volume_);
  } else {
    if (!DeclarationOf(pressure).is_start_given) pressure.OverrideStateValue(p_start);
  }
}

}  // namespace davit
