#pragma once

#include "components/hydraulic/vapour_cavity.h"
#include "framework/bond.h"

namespace davit {

/// The flow through a component [m3/s], from a to b, and p_a - p_b [Pa].
struct FlowAndDrop {
  double q;
  double dp;
};

/// What a neighbour offers where the flow q into it is known: p_min alone where its oil tears.
inline PortWave EndAt(const HydraulicBond& end, double q) {
  return end.c + end.Zc * q < end.p_min ? PortWave{end.p_min, 0} : PortWave{end.c, end.Zc};
}

/// The flow between two neighbours that offer p = max(p_min, c + Zc*q), q into the neighbour.
///
/// `law` gives the flow from a to b between two waves without p_min. Where q grows with p_a and falls with
/// p_b, the result is exact: an end that tears counts as the wave p_min without impedance, and at most three
/// evaluations tell which ends do.
template <class Law>
FlowAndDrop FlowBetween(const HydraulicBond& a, const HydraulicBond& b, Law&& law) {
  const auto solve = [&](const PortWave& at_a, const PortWave& at_b) {
    const double q = law(at_a, at_b);
    return FlowAndDrop{q, at_a.c - at_b.c - (at_a.Zc + at_b.Zc) * q};
  };
  const PortWave whole_a{a.c, a.Zc}, whole_b{b.c, b.Zc};
  const auto tears_a = [&](double q) { return a.c - a.Zc * q < a.p_min; };
  const auto tears_b = [&](double q) { return b.c + b.Zc * q < b.p_min; };
  const FlowAndDrop whole = solve(whole_a, whole_b);
  const bool may_tear_a = tears_a(whole.q);
  const bool may_tear_b = tears_b(whole.q);
  if (!may_tear_a && !may_tear_b) return whole;
  // If one end tears, the flow moves away from where the other would, and further into the tear.
  const PortWave torn_a{a.p_min, 0}, torn_b{b.p_min, 0};
  if (!may_tear_b) return solve(torn_a, whole_b);
  if (!may_tear_a) return solve(whole_a, torn_b);
  const FlowAndDrop torn = solve(torn_a, torn_b);
  if (!tears_a(torn.q)) return solve(whole_a, torn_b);
  if (!tears_b(torn.q)) return solve(torn_a, whole_b);
  return torn;
}

}  // namespace davit
