#pragma once

#include "components/hydraulic/laws/orifice_law.h"

namespace davit {

/// Opening 0 .. 1 of the return path of a counterbalance valve by its pilot alone: shut up to p_open, fully
/// open from p_full > p_open on [Pa].
inline double PilotOpening(double p_pilot, double p_open, double p_full) {
  return Clip((p_pilot - p_open) / (p_full - p_open));
}

/// The return path of a counterbalance valve by the balance of forces on its poppet, relief function
/// included:
///   p_set + x dp_range = psi p_pilot + p_C - k_back p_A,  x = 0 .. 1.
/// p_C on the side of the cylinder, p_A on that of the valve. All pressures [Pa].
struct CounterbalanceForces {
  double p_set = 250e5;    ///< load pressure at which it opens without pilot
  double psi = 3;          ///< pilot ratio, 3 .. 4 usual
  double k_back = 1;       ///< how much back pressure holds it shut
  double dp_range = 50e5;  ///< from shut to fully open, positive

  double Opening(double p_pilot, double p_C, double p_A) const {
    return Clip((psi * p_pilot + p_C - k_back * p_A - p_set) / dp_range);
  }
  /// Pilot pressure at which it begins to open.
  double PilotToOpen(double p_C, double p_A) const { return (p_set - p_C + k_back * p_A) / psi; }
};

}  // namespace davit
