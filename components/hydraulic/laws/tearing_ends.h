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
FlowAndDrop FlowBetweenWhole(const PortWave& a, const PortWave& b, Law&& law) {
  const double q = law(a, b);
  return {q, a.c - b.c - (a.Zc + b.Zc) * q};
}

/// FlowBetween where at the flow between the whole ends at least one would be below its p_min. Apart, because
/// it is rare and would make the frequent case large.
template <class Law>
[[gnu::noinline, gnu::cold]] FlowAndDrop FlowBetweenTearing(const HydraulicBond& a, const HydraulicBond& b,
                                                            bool may_tear_a, bool may_tear_b, Law&& law) {
  const PortWave whole_a{a.c, a.Zc}, whole_b{b.c, b.Zc};
  const PortWave torn_a{a.p_min, 0}, torn_b{b.p_min, 0};
  // If one end cavitates, the flow moves away from where the other would, and further into its cavitation.
  if (!may_tear_b) return FlowBetweenWhole(torn_a, whole_b, law);
  if (!may_tear_a) return FlowBetweenWhole(whole_a, torn_b, law);
  const FlowAndDrop torn = FlowBetweenWhole(torn_a, torn_b, law);
  if (a.c - a.Zc * torn.q >= a.p_min) return FlowBetweenWhole(whole_a, torn_b, law);
  if (b.c + b.Zc * torn.q >= b.p_min) return FlowBetweenWhole(torn_a, whole_b, law);
  return torn;
}

/// The flow between two neighbours that offer p = max(p_min, c + Zc*q), q into the neighbour.
///
/// `law` gives the flow from a to b between two waves without p_min. Where q grows with p_a and falls with
/// p_b, the result is exact: a cavitating end is the wave p_min without impedance, and at most three
/// evaluations decide which ends cavitate.
template <class Law>
FlowAndDrop FlowBetween(const HydraulicBond& a, const HydraulicBond& b, Law&& law) {
  const FlowAndDrop whole = FlowBetweenWhole({a.c, a.Zc}, {b.c, b.Zc}, law);
  const bool may_tear_a = a.c - a.Zc * whole.q < a.p_min;
  const bool may_tear_b = b.c + b.Zc * whole.q < b.p_min;
  if (may_tear_a || may_tear_b) [[unlikely]]
    return FlowBetweenTearing(a, b, may_tear_a, may_tear_b, law);
  return whole;
}

}  // namespace davit
