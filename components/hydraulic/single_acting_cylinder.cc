#include "components/hydraulic/single_acting_cylinder.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "components/hydraulic/cylinder_rod.h"
#include "components/hydraulic/cylinder_scene.h"
#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "components/signal/number_list.h"
#include "framework/symptom.h"
#include "simulator/state_failure.h"

namespace davit {

SingleActingCylinder::SingleActingCylinder() { EffortsRead({a, rod}); }

void SingleActingCylinder::Configure(Diagnostics& diagnostics) {
  oil.Choose(*this, formulation);
  const auto report = [&](const std::string& fault) { diagnostics.Error(location(), DisplayPath(), fault); };
  const std::vector<double> d = ReadNumberList(diameters, "m", *this, diagnostics),
                            s = ReadNumberList(strokes, "m", *this, diagnostics);
  if (d.empty() || s.empty()) return;
  bool is_right = true;
  const auto require = [&](bool condition, const std::string& fault) {
    if (!condition) report(fault);
    is_right = is_right && condition;
  };
  require(d.size() == s.size(),
          fmt::format("the number of diameters is {}, that of strokes {}; give one stroke "
                      "per diameter",
                      d.size(), s.size()));
  require(std::ranges::min(d) > 0,
          "diameters: one is not above 0; give the diameter that the seal slides on");
  require(std::ranges::min(s) > 0, "strokes: one is not above 0; leave out a stage that does not move");
  require(std::ranges::adjacent_find(d, std::less_equal<>()) == d.end(),
          "diameters: they do not fall from stage to stage; begin with the stage of the largest diameter");
  if (!is_right) return;
  std::vector<TelescopeStages::Stage> stages;
  stages.reserve(d.size());
  for (std::size_t i = 0; i < d.size(); ++i) stages.push_back({CircleArea(d[i]), s[i]});
  stages_ = TelescopeStages(stages);
}

OilCompression SingleActingCylinder::CompressionOf(Compressibility option) const {
  const OilLaw law = option == Compressibility::kEffective ? OilLaw::kEffective
                     : option == Compressibility::kAir     ? OilLaw::kAir
                                                           : OilLaw::kConstant;
  return OilCompression(oil_parameters.Data(law));
}

void SingleActingCylinder::ParametersChanged() {
  const double volume_before = dead_volume_ + stages_.SweptVolume(x);
  dead_volume_ = dead_volume;
  oil.SetOil(CompressionOf(compressibility), volume_before, Volume());
  K_ = OrificeCoefficient(port_discharge_coefficient, CircleArea(port_diameter), density);
  stops_ = EndStops::ForForce(max_pressure * stages_.first_area(), stop_deflection, stop_damping_ratio,
                              stages_.stroke());
  stroke = stages_.stroke();
  rod->added_mass = moving_mass;
  OfferStart(*this, x_start, *rod);
}

void SingleActingCylinder::CheckConnections(Diagnostics& diagnostics) {
  CheckStart(*this, travel(), *rod, diagnostics);
  if (formulation == Formulation::kQuantity && !x_start.is_given()) {
    diagnostics.Error(location(), DisplayPath(),
                      "the quantity of oil in the cylinder depends on the start displacement; give "
                      "<Start x=.../>, or take formulation=\"pressure\"");
  }
}

void SingleActingCylinder::Reset() {
  DynamicSimComponent::Reset();
  alarms.Reset();
  oil.Set(p_start, dead_volume + stages_.SweptVolume(x_start));
}

void SingleActingCylinder::PreIntegrate() {
  if (!HasChamber() || Volume() > 0) [[likely]]
    return;
  throw StateFailure(fmt::format(
      "it is at x = {:.6g} m, so far beyond its stop at 0 m that no volume is left; start between the stops "
      "(0 to stroke), or take stiffer stops{}",
      static_cast<double>(x), SeeSection(Symptom::kDiverged)));
}

double SingleActingCylinder::PortFlow() const {
  const HydraulicBond chamber{{.c = p}};
  return FlowBetween(*a, chamber,
                     [&](const PortWave& at_line, const PortWave& at_chamber) {
                       return OrificeFlow(K_, at_line.c - at_chamber.c, at_line.Zc);
                     })
      .q;
}

void SingleActingCylinder::AccountEnergy(EnergyTerms& terms) const {
  terms.Stored("stops", stops_.Energy(x));
  terms.Lost("stops", (stops_.Force(x, v) - stops_.Force(x, 0)) * v);
  terms.Stored("spring", spring_force * x + spring_stiffness * x * x / 2);
  terms.Lost("friction", FrictionForce() * v);
  if (!HasChamber()) return;
  terms.Stored("oil", oil.StoredEnergy(Volume()));
  terms.In("compressed oil", oil.CarriedEnergy(Volume()) * area * v);
  terms.Lost("throttling", (a->p() - p) * q);
}

void SingleActingCylinder::DescribeScene(SceneBuilder& scene) const {
  const double bore = std::sqrt(stages_.first_area() / CircleArea(1));
  ShowCylinder(scene, {rod, bore, bore / 2, stages_.stroke(), x, rod_end});
}

void SingleActingCylinder::AspectsChanged(AspectSwitch& change) {
  if (!change.HasChanged(compressibility)) return;
  const Compressibility before = change.Before(compressibility);
  const double V = Volume();
  if (before != Compressibility::kNone) {
    const OilCompression oil_before = CompressionOf(before);
    change.ReleaseOil(V * oil_before.Compression(p) - oil.VoidVolume(V));
    change.ReleaseEnergy(V * oil_before.Energy(p));
  }
  if (!HasChamber()) return;
  if (before == Compressibility::kNone) oil.Set(p, V);
  change.ReleaseOil(-oil.Quantity(V));
  change.ReleaseEnergy(-oil.Energy(V));
}

}  // namespace davit
