#include "components/hydraulic/fluid.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "framework/archive.h"
#include "framework/domains/hydraulic.h"

namespace davit {
namespace {

constexpr double kTemperatureOfDensity = 288.75;  // 15.6 degC [K]

}  // namespace

OilGrade Fluid::GradeInUse() const {
  switch (oil) {
    case Name::kOfGrade: break;
    case Name::kIsoVg32: return OilGrade::kIsoVg32;
    case Name::kIsoVg46: return OilGrade::kIsoVg46;
    case Name::kIsoVg68: return OilGrade::kIsoVg68;
  }
  return grade;
}

double Fluid::Temperature() const { return is_following() ? followed_temperature_ : temperature; }

double Fluid::Density() const {
  const double cold = density > 0 ? static_cast<double>(density) : DataOf(GradeInUse()).density;
  return cold / (1 + thermal_expansion * (Temperature() - kTemperatureOfDensity));
}

double Fluid::KinematicViscosity() const {
  return kinematic_viscosity > 0 ? static_cast<double>(kinematic_viscosity)
                                 : ViscosityOf(GradeInUse()).Kinematic(Temperature());
}

double Fluid::WarmShare(double share) const {
  if (!(share_temperature_ > 0)) return share;
  constexpr double kMostGas = 0.99;
  return std::min(share * (Temperature() / share_temperature_), kMostGas);
}

void Fluid::Configure(Diagnostics& /*diagnostics*/) { share_temperature_ = temperature; }

void Fluid::ParametersChanged() {
  oil_temperature = Temperature();
  oil_density = Density();
  oil_viscosity = KinematicViscosity();
  has_changed_ = true;
}

void Fluid::Reset() {
  followed_temperature_ = temperature;
  ParametersChanged();
}

bool Fluid::TakeChange() {
  if (is_following()) {
    const double now = std::clamp(followed_(), kTemperatures.low, kTemperatures.high);
    if (now != followed_temperature_ && std::abs(now - followed_temperature_) >= temperature_step) {
      followed_temperature_ = now;
      ParametersChanged();
    }
  }
  return std::exchange(has_changed_, false);
}

void Fluid::ArchiveMemory(Archive& archive) {
  archive(followed_temperature_);
  if (archive.is_loading()) ParametersChanged();
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
  if (name == "free_air") return WarmShare(free_air);
  if (name == "air_exponent") return air_exponent;
  if (name == "gas_share") return WarmShare(gas_share);
  if (unit != "Pa") return std::nullopt;
  if (name == "mean_pressure") return mean_pressure;
  if (name == "max_valid_pressure") return max_valid_pressure;
  if (name == "bulk_modulus") return bulk_modulus;
  if (name == "atmospheric_pressure") return atmospheric_pressure;
  if (name == "vapour_pressure") return vapour_pressure;
  return std::nullopt;
}

}  // namespace davit
