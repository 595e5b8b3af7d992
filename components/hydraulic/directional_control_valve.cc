#include "components/hydraulic/directional_control_valve.h"

#include "components/hydraulic/solve_orifices.h"

namespace davit {
namespace {

using Edges = DirectionalControlValve::Edges;

/// C of each edge in neutral, by SpoolType.
constexpr std::array<Edges, 7> kNeutralEdges{{
    {.pa = 0, .pb = 0, .at = 0, .bt = 0, .pt = 0, .ab = 0},  // O
    {.pa = 1, .pb = 1, .at = 1, .bt = 1, .pt = 1, .ab = 1},  // B
    {.pa = 0, .pb = 0, .at = 1, .bt = 1, .pt = 0, .ab = 0},  // Y: A and B meet in T, so AB adds nothing
    {.pa = 1, .pb = 0, .at = 1, .bt = 0, .pt = 1, .ab = 0},  // K
    {.pa = 0, .pb = 0, .at = 0, .bt = 0, .pt = 1, .ab = 0},  // M
    {.pa = 1, .pb = 1, .at = 1, .bt = 1, .pt = 1, .ab = 1},  // X
    {.pa = 1, .pb = 1, .at = 0, .bt = 0, .pt = 0, .ab = 1},  // P
}};

}  // namespace

DirectionalControlValve::DirectionalControlValve() { EffortsRead({}); }

void DirectionalControlValve::ParametersChanged() {
  const double K = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
  extending_ = {.pa = K, .bt = K};
  retracting_ = {.pb = K, .at = K};
  const Edges& C = kNeutralEdges[static_cast<std::size_t>(static_cast<SpoolType>(spool_type))];
  const double K_neutral = neutral_opening * K;
  neutral_ = {.pa = C.pa * K_neutral,
              .pb = C.pb * K_neutral,
              .at = C.at * K_neutral,
              .bt = C.bt * K_neutral,
              .pt = C.pt * K_neutral,
              .ab = C.ab * K_neutral};
}

DirectionalControlValve::Edges DirectionalControlValve::NeutralFlow(double time) const {
  enum Ports : std::size_t { kP, kA, kB, kT };
  const std::array<HydraulicBond, 4> bonds{*p, *a, *b, *t};
  std::array<OrificeBetweenPorts, 6> edges{{{kP, kA, neutral_.pa},
                                            {kP, kB, neutral_.pb},
                                            {kA, kT, neutral_.at},
                                            {kB, kT, neutral_.bt},
                                            {kP, kT, neutral_.pt},
                                            {kA, kB, neutral_.ab}}};
  if (!SolveOrifices(bonds, edges))
    FailEvaluation(time, "the pressures at the ports of the valve are not found");
  return {.pa = edges[0].q,
          .pb = edges[1].q,
          .at = edges[2].q,
          .bt = edges[3].q,
          .pt = edges[4].q,
          .ab = edges[5].q};
}

}  // namespace davit
