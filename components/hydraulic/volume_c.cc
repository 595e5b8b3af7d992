#include "components/hydraulic/volume_c.h"

#include <algorithm>

namespace davit {

void VolumeC::ParametersChanged() {
  vapour_ = vapour_pressure - atmospheric_pressure;
  const double before = beta_per_volume_;
  beta_per_volume_ = bulk_modulus / volume;
  // Pressure and cavity are kept: a cavity does not depend on the stiffness of the oil.
  if (before > 0 && before != beta_per_volume_) {
    const double filling = std::max<double>(quantity, vapour_ / before);
    quantity.OverrideStateValue(quantity + filling * (before / beta_per_volume_ - 1));
  }
  filling_at_vapour_ = vapour_ / beta_per_volume_;
  const double Zc_before = waves_.Zc();
  waves_.SetFilter(filter);
  waves_.SetStiffness(beta_per_volume_ * h());
  waves_.KeepPressures(Zc_before);
}

void VolumeC::CheckConnections(Diagnostics& diagnostics) {
  if (p_start.is_given() && DeclarationOf(quantity).is_start_given) {
    diagnostics.Error(location(), DisplayPath(),
                      "its start is given twice, by 'p' and by 'quantity'; give only one of them");
  }
}

void VolumeC::Reset() {
  TlmComponent::Reset();
  if (!DeclarationOf(quantity).is_start_given) quantity.OverrideStateValue(p_start / beta_per_volume_);
}

void VolumeC::InitializeWaves() {
  waves_.Initialize(port.size());
  waves_.SetStiffness(beta_per_volume_ * h());
  Offer();
}

bool VolumeC::SettleWaves() {
  const double sum = SumOfFlows();
  quantity.AdvanceTo(quantity, sum);
  for (std::size_t i = 0; i < port.size(); ++i) {
    waves_.Settle(i, port[i].q, sum / static_cast<double>(port.size()));
  }
  Offer();
  return true;
}

void VolumeC::SimulateOneTimestep(double /*t*/) {
  const double step = h();
  const double sum = waves_.AdvanceAll(port, step);
  quantity.AdvanceTo(quantity + step * sum, sum);
  Offer();
}

double VolumeC::SumOfFlows() const {
  double sum = 0;
  for (std::size_t i = 0; i < port.size(); ++i) sum += port[i].q;
  return sum;
}

void VolumeC::Offer() {
  const double Q = quantity;
  const double cavity = std::max(0.0, filling_at_vapour_ - Q);
  const double P = cavity > 0 ? vapour_ : beta_per_volume_ * Q;
  void_volume = cavity;
  p = P;
  waves_.SetCavityVolume(cavity);
  waves_.OfferAll(P, vapour_, h(), port);
}

}  // namespace davit
