#pragma once

#include "components/hydraulic/laws/vapour_cavity.h"
#include "framework/domains/hydraulic.h"

namespace davit {

/// The flow through a component [m3/s], from a to b, and p_a - p_b [Pa].
struct FlowAndDrop {
  double q;
  double dp;
};

/// What a neighbour offers where the flow q into it is known: p_min alone where it cavitates.
inline PortWave EndAt(const HydraulicBond& end, double q) {
  return end.c + end.Zc * q < end.p_min ? PortWave{end.p_min, 0} : PortWave{end.c, end.Zc};
}

/// The flow of `law` between two waves without p_min.
template <class Law>
FlowAndDrop FlowWithoutCavitation(const PortWave& a, const PortWave& b, Law&& law) {
  const double q = law(a, b);
  return {q, a.c - b.c - (a.Zc + b.Zc) * q};
}

/// FlowBetween where the flow without p_min would bring at least one end below its p_min. A separate
/// function, because it is rare and would make the frequent case large.
template <class Law>
[[gnu::noinline, gnu::cold]] FlowAndDrop FlowBetweenCavitating(const HydraulicBond& a, const HydraulicBond& b,
                                                               bool may_cavitate_a, bool may_cavitate_b,
                                                               Law&& law) {
  const PortWave wave_a{a.c, a.Zc}, wave_b{b.c, b.Zc};
  const PortWave vapour_a{a.p_min, 0}, vapour_b{b.p_min, 0};
  // If one end cavitates, the flow moves away from where the other would, and further into its cavitation.
  if (!may_cavitate_b) return FlowWithoutCavitation(vapour_a, wave_b, law);
  if (!may_cavitate_a) return FlowWithoutCavitation(wave_a, vapour_b, law);
  const FlowAndDrop both = FlowWithoutCavitation(vapour_a, vapour_b, law);
  if (a.c - a.Zc * both.q >= a.p_min) return FlowWithoutCavitation(wave_a, vapour_b, law);
  if (b.c + b.Zc * both.q >= b.p_min) return FlowWithoutCavitation(vapour_a, wave_b, law);
  return both;
}

/// FlowBetween where the flow `q` without p_min is known already.
template <class Law>
FlowAndDrop LimitByCavitation(const HydraulicBond& a, const HydraulicBond& b, double q, Law&& law) {
  const bool may_cavitate_a = a.c - a.Zc * q < a.p_min;
  const bool may_cavitate_b = b.c + b.Zc * q < b.p_min;
  if (may_cavitate_a || may_cavitate_b) [[unlikely]]
    return FlowBetweenCavitating(a, b, may_cavitate_a, may_cavitate_b, law);
  return {q, a.c - b.c - (a.Zc + b.Zc) * q};
}

/// The flow between two neighbours that offer p = max(p_min, c + Zc*q), q into the neighbour.
///
/// `law` gives the flow from a to b between two waves without p_min. Where q grows with p_a and falls with
/// p_b, the result is exact: a cavitating end is the wave p_min without impedance, and at most three
/// evaluations decide which ends cavitate.
template <class Law>
FlowAndDrop FlowBetween(const HydraulicBond& a, const HydraulicBond& b, Law&& law) {
  return LimitByCavitation(a, b, law(PortWave{a.c, a.Zc}, PortWave{b.c, b.Zc}), law);
}

}  // namespace davit
