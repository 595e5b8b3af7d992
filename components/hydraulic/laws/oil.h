#pragma once

#include "components/hydraulic/laws/bulk_modulus.h"

namespace davit {

/// The oil of a system at one temperature: ISO VG 32 at 40 degC unless changed. All SI; pressures here are
/// absolute, those at ports are gauge pressures above p_atm.
struct Oil {
  double density = 861.8;              ///< rho0 at p_atm [kg/m3]
  double kinematic_viscosity = 32e-6;  ///< nu [m2/s]
  double bulk_modulus = 1.6e9;         ///< beta of the oil without air [Pa]
  double p_atm = 1e5;                  ///< of the atmosphere [Pa]
  double p_vapour = 100;               ///< mineral oil: far below 1 kPa [Pa]
  double free_air = 0;                 ///< share of the volume at p_atm; typical 0.001 .. 0.05
  double polytropic_exponent = 1.4;    ///< of the air

  double dynamic_viscosity() const { return density * kinematic_viscosity; }
  OilWithAir with_air() const {
    return {.bulk_modulus = bulk_modulus,
            .free_air = free_air,
            .polytropic_exponent = polytropic_exponent,
            .p_atm = p_atm};
  }
  /// P at the gauge pressure p.
  double Absolute(double p) const { return AbsolutePressure(p, p_atm, p_vapour); }
};

}  // namespace davit
