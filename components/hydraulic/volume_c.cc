#include "components/hydraulic/volume_c.h"

#include <algorithm>

namespace davit {

void VolumeC::ParametersChanged() {
  const double before = beta_per_volume_;
  beta_per_volume_ = bulk_modulus / volume;
  // A void is kept as it is: it does not depend on the stiffness of the oil.
  const bool is_rescaled = before > 0 && before != beta_per_volume_ && quantity > 0;
  if (is_rescaled) quantity.OverrideStateValue(quantity * before / beta_per_volume_);
  const double Zc_before = waves_.Zc();
  waves_.SetFilter(filter);
  waves_.SetStiffness(beta_per_volume_ * h());
  waves_.KeepPressures(Zc_before);
}

void VolumeC::CheckConnections(Diagnostics& diagnostics) {
  if (p_start.is_given() && DeclarationOf(quantity).is_start_given) {
    diagnostics.Error(location(), DisplayPath(),
                      "its start is given twice, by 'p' and by 'quantity'; give one of them");
  }
}

void VolumeC::Reset() {
  TlmComponent::Reset();
  if (!DeclarationOf(quantity).is_start_given) quantity.OverrideStateValue(p_start / beta_per_volume_);
}

void VolumeC::InitializeWaves() {
  waves_.Initialize(port.size());
  waves_.SetStiffness(beta_per_volume_ * h());
  for (std::size_t i = 0; i < port.size(); ++i) {
    const PortWave wave = AboveVoid(waves_.At(i, LinearPressure()), 0, vapour_pressure);
    port[i].c = wave.c;
    port[i].Zc = wave.Zc;
  }
  WriteOutputs();
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
  const double sum = SumOfFlows();
  quantity.AdvanceTo(quantity + h() * sum, sum);
  for (std::size_t i = 0; i < port.size(); ++i) {
    waves_.Advance(i, port[i].q, sum / static_cast<double>(port.size()));
  }
  Offer();
}

double VolumeC::SumOfFlows() const {
  double sum = 0;
  for (std::size_t i = 0; i < port.size(); ++i) sum += port[i].q;
  return sum;
}

void VolumeC::Offer() {
  const double P = LinearPressure();
  for (std::size_t i = 0; i < port.size(); ++i) {
    const PortWave wave = AboveVoid(waves_.At(i, P), port[i].q, vapour_pressure);
    port[i].c = wave.c;
    port[i].Zc = wave.Zc;
  }
  WriteOutputs();
}

void VolumeC::WriteOutputs() {
  const double P = LinearPressure();
  p = std::max<double>(P, vapour_pressure);
  void_volume = (p - P) / beta_per_volume_;
}

}  // namespace davit
