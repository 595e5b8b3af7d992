#include "components/pneumatic/cylinder.h"

#include <fmt/format.h>

#include <limits>
#include <numbers>

#include "components/hydraulic/cylinder_rod.h"
#include "components/hydraulic/cylinder_scene.h"
#include "framework/symptom.h"
#include "simulator/state_failure.h"

namespace davit::pneumatic {

void Cylinder::ParametersChanged() {
  geometry_ = {.bore = bore, .rod = rod_diameter, .stroke = stroke, .dead_volume = dead_volume};
  piston_area_ = geometry_.piston_area();
  ring_area_ = geometry_.ring_area();
  stops_ = EndStops::ForForce(max_pressure * piston_area_, stop_deflection, stop_damping_ratio, stroke);
  stops_.model = EndStopModel::kHuntCrossley;
  const bool is_rigid = stops == Stops::kRigid;
  if (is_rigid) stops_.stiffness = stops_.damping = 0;
  lugre_ = {.Fc = coulomb_friction,
            .Fs = static_friction,
            .vs = stribeck_velocity,
            .s0 = bristle_stiffness,
            .s1 = bristle_damping,
            .s2 = viscous_friction};
  leak_ = {leak_conductance, 0.2, 0.5};
  rod->added_mass = rod_mass;
  constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  rod->x_min = is_rigid ? -stroke : -kAnywhere;
  rod->x_max = is_rigid ? 0 : kAnywhere;
  rod->restitution = stop_restitution;
  rod->wants_located_stops = is_rigid;
  OfferStart(*this, x_start, *rod);
}

void Cylinder::CheckConnections(Diagnostics& diagnostics) {
  CheckCylinder(*this, bore, rod_diameter, travel(), *rod, diagnostics);
  if (static_friction < coulomb_friction) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("static_friction ({} N) is below coulomb_friction ({} N); give at least "
                    "the same",
                    static_cast<double>(static_friction), static_cast<double>(coulomb_friction)));
  }
  if (stops == Stops::kRigid && !rod->keeps_travel) {
    diagnostics.Error(
        location(), DisplayPath(),
        "its stops are rigid, but the component at its rod does not stop at the ends of a travel; "
        "connect the rod to a mechanical.Mass, or take stops=\"elastic\"");
  }
  const auto check_start = [&](const StartValue& start, const GasState& gas, std::string_view chamber) {
    CheckGasStart(*this, DeclarationOf(gas.mass()), DeclarationOf(gas.temperature()), diagnostics);
    if (!start.is_given() || !DeclarationOf(gas.mass()).is_start_given) return;
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("its start is given twice, by 'p_{0}' and by 'm_{0}'; give only one of them", chamber));
  };
  check_start(p_a_start, gas_a, "a");
  check_start(p_b_start, gas_b, "b");
}

void Cylinder::Reset() {
  DynamicSimComponent::Reset();
  if (!DeclarationOf(gas_a.mass()).is_start_given) gas_a.SetPressure(p_a_start, geometry_.VolumeA(x_start));
  if (!DeclarationOf(gas_b.mass()).is_start_given) gas_b.SetPressure(p_b_start, geometry_.VolumeB(x_start));
}

void Cylinder::AspectsChanged(AspectSwitch& change) {
  if (change.HasChanged(friction) && friction == Friction::kLuGre) {
    // The bristles that keep the force, as far as they can be deflected.
    const double s0 = lugre_.s0, most = lugre_.SteadyDeflection(v);
    const double before = FrictionForce(change.Before(friction)) - viscous_friction * v;
    z.OverrideStateValue(std::clamp(before / s0, -most, most));
  }
}

void Cylinder::PreIntegrate() {
  if (VolumeA() > 0 && VolumeB() > 0) [[likely]]
    return;
  const bool is_retracted = VolumeA() <= 0;
  throw StateFailure(fmt::format(
      "the piston is at x = {:.6g} m, beyond its stop at {:.6g} m: chamber {} has no volume left; start "
      "between the stops (0 to stroke), or take stiffer stops or a larger dead_volume{}",
      static_cast<double>(x), is_retracted ? 0.0 : +stroke, is_retracted ? 'A' : 'B',
      SeeSection(Symptom::kDiverged)));
}

void Cylinder::DescribeScene(SceneBuilder& scene) const {
  ShowCylinder(scene, {rod, bore, rod_diameter, stroke, x, rod_end});
}

double Cylinder::WallArea(double length) const {
  return 2 * piston_area_ + std::numbers::pi * bore * std::max(0.0, length);
}

void Cylinder::AccountEnergy(EnergyTerms& terms) const {
  const Leak leak = LeakFlow();
  terms.Stored("air", gas_a.AvailableEnergy(VolumeA()) + gas_b.AvailableEnergy(VolumeB()));
  terms.Lost("mixing", gas_a.MixingLoss(a->G, a->H) + gas_b.MixingLoss(b->G, b->H) +
                           gas_a.MixingLoss(-leak.G, -leak.H) + gas_b.MixingLoss(leak.G, leak.H));
  terms.Lost("heat exchange", gas_a.HeatLoss() + gas_b.HeatLoss());
  if (leak.G != 0) {
    terms.Lost("leakage", leak.G * Air::kReferenceTemperature * Air::kR * std::log(p_a / p_b));
  }
  terms.In("atmosphere", (Air::kReferencePressure - atmospheric_pressure) * (piston_area_ - ring_area_) * v);
  terms.Stored("stops", stops_.Energy(x));
  terms.Lost("stops", (stops_.Force(x, v) - stops_.Force(x, 0)) * v);
  const double friction_force = FrictionForce(friction);
  if (friction == Friction::kLuGre) {
    terms.Stored("friction", lugre_.s0 * z * z / 2);
    terms.Lost("friction", friction_force * v - lugre_.s0 * z * lugre_.DeflectionRate(v, z));
  } else {
    terms.Lost("friction", friction_force * v);
  }
}

}  // namespace davit::pneumatic
