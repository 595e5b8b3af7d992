#pragma once

#include <algorithm>
#include <cmath>

#include "components/hydraulic/laws/laminar_turbulent_orifice.h"

namespace davit {

/// The losses of a seat valve with laminar and turbulent flow, dp = a q + b q|q|:
///   dp = (K1/Re + K) rho u^2/2,  u = q/A_x,  Re = u D_h/nu,  D_h = 4 A_x/L_w,
/// with the wetted length L_w of the opening A_x (Yu Li, MSc thesis, NTNU 2016, table 3-2 and section 3.2.3):
///   a = K1 nu rho L_w/(8 A_x^2),  b = K rho/(2 A_x^2) = rho/(2 A_f^2).
struct SeatLosses {
  double a = 0;  ///< [Pa s/m3]
  double b = 0;  ///< [Pa s2/m6]

  /// Of an opening A_x > 0 [m2] with L_w [m] and A_f > 0 [m2]; rho [kg/m3], nu [m2/s]. The bend between both
  /// is not below kLeastBendPressure, as that of LaminarTurbulentOrifice.
  static SeatLosses Of(double K1, double A_x, double L_w, double A_f, double rho, double nu) {
    const double b = rho / (2 * A_f * A_f);
    return {std::max(K1 * nu * rho * L_w / (8 * A_x * A_x), 2 * std::sqrt(kLeastBendPressure * b)), b};
  }

  /// Flow [m3/s] at which both losses are equal.
  double LaminarEnd() const { return a / b; }
};

}  // namespace davit
