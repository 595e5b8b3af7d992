#include "components/pneumatic/tube.h"

#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/circle_area.h"
#include "simulator/aspect_switch.h"

namespace davit::pneumatic {

void Tube::ParametersChanged() {
  law_ = TubeConductance(length, diameter, friction_factor, inlet_loss);
  area_ = CircleArea(diameter);
  half_volume_ = area_ * length / 2;
  half_wall_ = std::numbers::pi * diameter * length / 2;
}

void Tube::CheckConnections(Diagnostics& diagnostics) {
  for (const GasState* gas : {&gas_a, &gas_b}) {
    CheckGasStart(*this, DeclarationOf(gas->mass()), DeclarationOf(gas->temperature()), diagnostics);
  }
  if (!p_start.is_given()) return;
  if (DeclarationOf(gas_a.mass()).is_start_given || DeclarationOf(gas_b.mass()).is_start_given) {
    diagnostics.Error(location(), DisplayPath(),
                      "its start is given twice, by 'p' and by 'm_a' or 'm_b'; give only one of them");
  }
}

void Tube::Reset() {
  DynamicSimComponent::Reset();
  if (!DeclarationOf(gas_a.mass()).is_start_given) gas_a.SetPressure(p_start, half_volume_);
  if (!DeclarationOf(gas_b.mass()).is_start_given) gas_b.SetPressure(p_start, half_volume_);
}

void Tube::AspectsChanged(AspectSwitch& change) {
  if (change.HasChanged(inertia) && inertia == Inertia::kColumn)
    G_state.OverrideStateValue(RestrictionFlow());
}

double Tube::Loss(double flow) const {
  constexpr double kViscosity = 18.2e-6;  // of air at 20 degC [Pa.s]
  const double p1 = std::max(1.0, static_cast<double>(flow >= 0 ? p_a : p_b));
  const double T1 = flow >= 0 ? gas_a.T() : gas_b.T();
  const double density = p1 / (Air::kR * T1);
  const double laminar = 128 * kViscosity * length / (std::numbers::pi * std::pow(diameter, 4) * density);
  return std::copysign(TubeLoss(law_, flow, p1, T1), flow) + laminar * flow;
}

void Tube::AccountEnergy(EnergyTerms& terms) const {
  const double H = Carried();
  terms.Stored("air", gas_a.AvailableEnergy(half_volume_) + gas_b.AvailableEnergy(half_volume_));
  terms.Lost("mixing", gas_a.MixingLoss(a->G, a->H) + gas_a.MixingLoss(-G, -H) +
                           gas_b.MixingLoss(b->G, b->H) + gas_b.MixingLoss(G, H));
  terms.Lost("heat exchange", gas_a.HeatLoss() + gas_b.HeatLoss());
  if (G != 0) {
    terms.Lost("throttling", G * Air::kReferenceTemperature * Air::kR * std::log(p_a / p_b));
  }
}

}  // namespace davit::pneumatic
