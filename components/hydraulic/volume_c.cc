#include "components/hydraulic/volume_c.h"

#include <algorithm>

namespace davit {

void VolumeC::ParametersChanged() {
  const OilCompression oil_before = compression_;
  const double before = beta_per_volume_, volume_before = before > 0 ? oil_before.stiffness() / before : 0;
  compression_ = OilCompression(oil.Data(compressibility));
  vapour_ = compression_.vapour_pressure();
  has_gas_ = compression_.has_gas();
  beta_per_volume_ = compression_.stiffness() / volume;
  // Pressure and cavity are kept: a cavity does not depend on the stiffness of the oil.
  if (compression_.has_gas() || oil_before.has_gas()) {
    filling_at_vapour_ = volume * compression_.Compression(vapour_);
    if (before > 0 && !(oil_before.data() == compression_.data() && volume_before == volume)) {
      const double P = oil_before.Pressure(quantity / volume_before);
      const double at_P = volume_before * oil_before.Compression(P);
      quantity.OverrideStateValue(quantity - at_P + volume * compression_.Compression(P));
    }
  } else {
    if (before > 0 && before != beta_per_volume_) {
      const double filling = std::max<double>(quantity, vapour_ / before);
      quantity.OverrideStateValue(quantity + filling * (before / beta_per_volume_ - 1));
    }
    filling_at_vapour_ = vapour_ / beta_per_volume_;
  }
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
  alarms.Reset();
  if (DeclarationOf(quantity).is_start_given) return;
  quantity.OverrideStateValue(compression_.has_gas() ? volume * compression_.Compression(p_start)
                                                     : p_start / beta_per_volume_);
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

double VolumeC::SumOfFlows() const {
  double sum = 0;
  for (std::size_t i = 0; i < port.size(); ++i) sum += port[i].q;
  return sum;
}

void VolumeC::SimulateOther() {
  const double step = h();
  const double sum = waves_.AdvanceAll(port, step);
  quantity.AdvanceTo(quantity + step * sum, sum);
  Offer();
}

void VolumeC::Offer() {
  const double Q = quantity;
  const double cavity = std::max(0.0, filling_at_vapour_ - Q);
  double P = vapour_;
  if (has_gas_) {
    P = compression_.Pressure(Q / volume);
    const double Zc_before = waves_.Zc();
    waves_.SetStiffness(compression_.BulkModulus(P) / volume * h());
    waves_.KeepPressures(Zc_before);
  } else if (!(cavity > 0)) {
    P = beta_per_volume_ * Q;
  }
  if (cavity > 0 || alarms.IsNews(P)) AskForPostIntegrate();
  void_volume = cavity;
  p = P;
  waves_.SetCavityVolume(cavity);
  waves_.OfferAll(P, vapour_, h(), port);
}

void VolumeC::AccountEnergy(EnergyTerms& terms) const {
  // The energies of VolumeWaves take in the power at the beginning of a step; with half a step of the present
  // one they rise by the mean of the powers at both ends.
  const double filter_loss = waves_.FilterLoss(port, p);
  double into_volume = 0;
  for (std::size_t i = 0; i < port.size(); ++i) into_volume += port[i].p() * port[i].q;
  terms.Stored("oil", volume * compression_.Energy(p) - vapour_ * void_volume);
  terms.Stored("waves", waves_.WaveEnergy(h()) + h() / 2 * (into_volume - filter_loss));
  terms.Lost("filter", filter_loss);
}

}  // namespace davit
