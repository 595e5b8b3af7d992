#pragma once

namespace davit {

/// Oil of the bulk modulus beta [Pa] in a volume V [m3] into which q [m3/s] flows while V grows at the rate
/// dV [m3/s]. Two forms, gauge pressures [Pa]:
///
///   pressure  p' = beta (q - dV)/V: q is the flow at the pressure of the chamber. Conserves energy.
///   quantity  Q' = q - dV, p = max(0, beta Q/V): q is the flow as if at p = 0; of a moving wall it is (1 +
///             p/beta) dV + V p'/beta, 2 % more at 300 bar. Q < 0 is a cavity of the volume -Q; no oil is
///             lost. Does not quite conserve energy.

/// p' [Pa/s] of the pressure form.
constexpr double PressureRate(double beta, double V, double q, double dV) { return beta * (q - dV) / V; }

}  // namespace davit
