#pragma once

#include <cmath>

namespace davit {

/// Dry friction between two surfaces that cling to each other by an elastic deflection z (P. R. Dahl, A solid
/// friction model, 1968), engaged by the share e of the normal force, 0 to 1:
///   z' = e*(v - |v|*z*stiffness/limit) - (1 - e)*z/release_time,  F = e*(stiffness*z + damping*z').
/// At rest the contact holds like a spring up to the limit, without creeping; sliding it gives limit*e. An
/// open contact forgets its deflection. Letters are those of translation; for shafts angular.
struct FrictionContact {
  double limit = 1;         ///< force at which the closed contact slips, positive [N]
  double stiffness = 1;     ///< positive [N/m]
  double damping = 0;       ///< [N s/m]
  double release_time = 1;  ///< in which the deflection of an open contact decays, positive [s]

  double DeflectionRate(double e, double v, double z) const {
    return e * (v - std::abs(v) * z * stiffness / limit) - (1 - e) * z / release_time;
  }
  /// Against v. `rate` is the deflection rate of the same state.
  double Force(double e, double z, double rate) const { return e * (stiffness * z + damping * rate); }
  /// Of the deflection [J], and what of the power F*v is not kept in it [W], while e changes at `e_rate`.
  double Energy(double e, double z) const { return e * stiffness * z * z / 2; }
  double Loss(double e, double e_rate, double z, double rate, double v) const {
    return Force(e, z, rate) * v - e * stiffness * z * rate - e_rate * stiffness * z * z / 2;
  }
};

}  // namespace davit
