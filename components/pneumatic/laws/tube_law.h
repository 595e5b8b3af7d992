#pragma once

#include "components/pneumatic/laws/sonic_conductance.h"

namespace davit::pneumatic {

/// Sonic conductance and critical pressure ratio of a tube in which the air keeps its temperature.
///
/// With K = friction_factor*length/diameter + inlet_loss, isothermal flow with friction is choked where
///   1/b^2 - 1 + 2 ln b = K,  C = A b/(rho0 sqrt(R T0)).
/// `inlet_loss` >= 1 counts the dynamic pressure of air that starts at rest. All SI, positive.
SonicConductance TubeConductance(double length, double diameter, double friction_factor, double inlet_loss);

/// Pressure loss [Pa] of the flow |G| from p1 and T1 in a tube with the law of ISO 6358, the inverse of
/// SonicConductance with m = 0.5. Steep, but finite, beyond 0.99999 of the choked flow.
double TubeLoss(const SonicConductance& law, double G, double p1, double T1);

}  // namespace davit::pneumatic
