#include "components/hydraulic/fluid.h"

#include <algorithm>
#include <string_view>

#include "framework/domains/hydraulic.h"

namespace davit {

OilGrade Fluid::GradeInUse() const {
  switch (oil) {
    case Name::kOfGrade: break;
    case Name::kIsoVg32: return OilGrade::kIsoVg32;
    case Name::kIsoVg46: return OilGrade::kIsoVg46;
    case Name::kIsoVg68: return OilGrade::kIsoVg68;
  }
  return grade;
}

double Fluid::Density() const {
  return density > 0 ? static_cast<double>(density) : DataOf(GradeInUse()).density;
}

double Fluid::KinematicViscosity() const {
  return kinematic_viscosity > 0 ? static_cast<double>(kinematic_viscosity)
                                 : ViscosityOf(GradeInUse()).Kinematic(temperature);
}

void Fluid::ParametersChanged() {
  oil_density = Density();
  oil_viscosity = KinematicViscosity();
}

std::optional<double> Fluid::DefaultFor(const Component& component,
                                        const ParameterDeclaration& parameter) const {
  const auto is_hydraulic = [](const PortDeclaration& port) {
    return *port.domain == HydraulicBond::kDomain;
  };
  if (std::ranges::none_of(component.declarations().ports, is_hydraulic)) return std::nullopt;
  const std::string_view name = parameter.label.name, unit = parameter.label.unit;
  if (name == "density" && unit == "kg/m3") return Density();
  if (name == "kinematic_viscosity" && unit == "m2/s") return KinematicViscosity();
  if (name == "free_air") return free_air;
  if (name == "air_exponent") return air_exponent;
  if (name == "gas_share") return gas_share;
  if (unit != "Pa") return std::nullopt;
  if (name == "mean_pressure") return mean_pressure;
  if (name == "bulk_modulus") return bulk_modulus;
  if (name == "atmospheric_pressure") return atmospheric_pressure;
  if (name == "vapour_pressure") return vapour_pressure;
  return std::nullopt;
}

}  // namespace davit
