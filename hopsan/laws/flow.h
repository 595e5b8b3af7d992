#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace davit::hopsan {

/// What a Q component sees of a port: p = c + Zc q, q into the C component.
struct Wave {
  double c = 0, Zc = 0;
};

/// Flow from 1 to 2 through an orifice q = K sqrt(dp) between two waves, solved for q; no laminar range.
inline double TurbulentFlow(double K, const Wave& from, const Wave& to) {
  const double z = (from.Zc + to.Zc) * K / 2, dc = from.c - to.c;
  return std::copysign(K * (std::sqrt(std::abs(dc) + z * z) - z), dc);
}

/// K of an orifice of area A [m2].
inline double OrificeConductance(double C_q, double A, double rho) { return C_q * A * std::sqrt(2 / rho); }

/// `visit(i)` for each i below N, without a loop: what it does with arrays stays in registers.
template <std::size_t N, class Visit>
[[gnu::always_inline]] inline void ForEachPlace(const Visit& visit) {
  [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) { (visit(i), ...); }
  (std::make_index_sequence<N>());
}

/// Solves the flows q into the C components at N ports from their waves alone; a port whose pressure would be
/// negative cavitates: its c and Zc count as 0 and all flows are solved once more.
///
/// `flows(waves, q, is_repetition)` writes q. The pressures are not clamped, except with `kClampPressure`.
enum class Clamping { kNone, kPressure };
template <std::size_t N, class Node, class Flows>
[[gnu::always_inline]] inline void SolveWithCavitation(const std::array<Node*, N>& ports, const Flows& flows,
                                                       Clamping clamping = Clamping::kNone) {
  std::array<Wave, N> waves;
  std::array<double, N> q{}, p;
  const auto find_pressures = [&] {
    ForEachPlace<N>([&](std::size_t i) { p[i] = waves[i].c + waves[i].Zc * q[i]; });
  };
  ForEachPlace<N>([&](std::size_t i) { waves[i] = {ports[i]->c, ports[i]->Zc}; });
  flows(waves, q, false);
  find_pressures();
  bool cavitates = false;
  ForEachPlace<N>([&](std::size_t i) {
    if (p[i] < 0) [[unlikely]] {
      waves[i] = {};
      cavitates = true;
    }
  });
  if (cavitates) [[unlikely]] {
    q = {};
    flows(waves, q, true);
    find_pressures();
  }
  ForEachPlace<N>([&](std::size_t i) {
    ports[i]->p = clamping == Clamping::kPressure && p[i] < 0 ? 0 : p[i];
    ports[i]->q = q[i];
  });
}

/// The same for one flow `flow(wave1, wave2)` from 1 to 2; pressures are not negative.
template <class Node, class Flow>
[[gnu::always_inline]] inline void SolveFlowWithCavitation(Node& p1, Node& p2, const Flow& flow,
                                                           Clamping clamping = Clamping::kPressure) {
  SolveWithCavitation(
      std::array{&p1, &p2},
      [&](const std::array<Wave, 2>& waves, std::array<double, 2>& q, bool /*is_repetition*/) {
        q[1] = flow(waves[0], waves[1]);
        q[0] = -q[1];
      },
      clamping);
}

}  // namespace davit::hopsan
