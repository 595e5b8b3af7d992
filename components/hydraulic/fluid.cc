#include "components/hydraulic/fluid.h"

#include <algorithm>
#include <string_view>

#include "framework/domains/hydraulic.h"

namespace davit {

double Fluid::Density() const { return density > 0 ? static_cast<double>(density) : DataOf(grade).density; }

double Fluid::KinematicViscosity() const {
  return kinematic_viscosity > 0 ? static_cast<double>(kinematic_viscosity)
                                 : ViscosityOf(grade).Kinematic(temperature);
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
  if (unit != "Pa") return std::nullopt;
  if (name == "bulk_modulus") return bulk_modulus;
  if (name == "atmospheric_pressure") return atmospheric_pressure;
  if (name == "vapour_pressure") return vapour_pressure;
  return std::nullopt;
}

}  // namespace davit
