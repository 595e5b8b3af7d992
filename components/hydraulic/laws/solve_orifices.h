#pragma once

#include <cstddef>
#include <span>

#include "components/hydraulic/laws/edge_leak.h"
#include "components/hydraulic/laws/laminar_turbulent_orifice.h"
#include "framework/domains/hydraulic.h"

namespace davit {

/// One of several orifices between the ports of a component, with the law OrificeFlow(K, dp) or another one
/// of the same K, and a leak beside it.
struct OrificeBetweenPorts {
  std::size_t from;  ///< number of the port the flow is positive from
  std::size_t to;
  double K;                                      ///< >= 0 [m3/s/sqrt(Pa)]
  double q = 0;                                  ///< result: flow [m3/s]
  const EdgeLeak* leak = nullptr;                ///< null: none
  const LaminarTurbulentOrifice* law = nullptr;  ///< null: OrificeFlow
};

inline constexpr std::size_t kMostPorts = 4;
inline constexpr std::size_t kMostOrifices = 6;

/// The flows through orifices between ports, where the neighbours offer p = c + Zc*q (q into the neighbour),
/// not below p_min.
///
/// An orifice whose ports with Zc > 0 no other open one shares is solved alone. The others are solved
/// together: their flows grow with their pressure differences, so the port pressures are the minimum of a
/// convex function, and damped Newton iterations find it from anywhere. Nothing is remembered from call to
/// call. Fixed memory, for at most kMostPorts ports and kMostOrifices orifices. Returns false where numbers
/// are not finite.
[[nodiscard]] bool SolveOrifices(std::span<const HydraulicBond> bonds,
                                 std::span<OrificeBetweenPorts> orifices);

}  // namespace davit
