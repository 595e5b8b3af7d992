#include "components/hydraulic/directional_control_valve.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/solve_orifices.h"

namespace davit {

void DirectionalControlValve::Configure(Diagnostics& diagnostics) {
  inner.Choose(*this, formulation);
  // The compensator lets an open edge have its own pressure difference and no more.
  constexpr double kDefaultPressure = 5e5;
  constexpr double kLeastShare = 0.9;
  const double share = std::sqrt(compensator_pressure / nominal_pressure_drop);
  if (compensator != Compensator::kOn || compensator_pressure != kDefaultPressure || share >= kLeastShare)
    return;
  diagnostics.Warning(
      location(), DisplayPath(),
      fmt::format("the compensator keeps {:.4g} bar over an edge (compensator_pressure, its default), the "
                  "nominal flow of "
                  "{:.4g} l/min needs {:.4g} bar: at most {:.4g} l/min pass; give compensator_pressure, or "
                  "compensator=\"Off\"",
                  compensator_pressure / 1e5, nominal_flow * 6e4, nominal_pressure_drop / 1e5,
                  share * nominal_flow * 6e4));
}

void DirectionalControlValve::ParametersChanged() {
  K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
  K_compensator_ = NominalOrificeCoefficient(compensator_nominal_flow, compensator_nominal_pressure_drop);
  shares_ = {.law = opening_law,
             .neutral_law = neutral_law,
             .deadband = deadband,
             .first_slope = first_slope,
             .fade = neutral_fade,
             .neutral = NeutralOf(spool_type).edges * neutral_opening};
  is_laminar_ = flow_law == FlowLaw::kLaminarTurbulent;
  edge_law_ = {laminar_coefficient, discharge_coefficient, density, kinematic_viscosity};
  const AnnularGap gap{.diameter = spool_diameter,
                       .clearance = spool_clearance,
                       .length = spool_land,
                       .eccentricity = spool_eccentricity * spool_clearance};
  switch (leakage) {
    case Leakage::kNone: leakage_ = 0; break;
    case Leakage::kConstant: leakage_ = leakage_conductance; break;
    case Leakage::kGap:
      leakage_ = spool_clearance > 0 ? gap.LaminarConductance(density * kinematic_viscosity) : 0;
      break;
  }
  const double before = volume_;
  volume_ = inner_volume;
  inner.SetOil(OilCompression(oil.Data(compressibility)), before, volume_);
}

void DirectionalControlValve::Reset() {
  DynamicSimComponent::Reset();
  cavitation.Reset();
  inner.Set(p_start, volume_);
}

void DirectionalControlValve::AspectsChanged(AspectSwitch& change) {
  if (change.HasChanged(compensator)) {
    const double sign = compensator == Compensator::kOn ? -1 : 1;
    if (compensator == Compensator::kOn) inner.Set(p->p(), volume_);
    change.ReleaseOil(sign * inner.Quantity(volume_));
    change.ReleaseEnergy(sign * inner.Energy(volume_));
  }
  if (change.HasChanged(spool_dynamics) && spool_dynamics == SpoolDynamics::kSecondOrder) {
    spool_x.OverrideStateValue(spool);
    spool_v.OverrideStateValue(0);
  }
}

ValveEdges DirectionalControlValve::Opening(double u) const { return shares_.At(u) * K_; }

double DirectionalControlValve::MoveSpool() {
  if (spool_dynamics == SpoolDynamics::kNone) {
    spool_x.ShowValue(spool);
    spool_v.ShowValue(0);
    return spool;
  }
  const double w = 2 * std::numbers::pi * spool_frequency;
  const double damping = 2 * spool_damping * w;
  const double v_r = std::clamp<double>(w * w / damping * (spool - spool_x), -spool_speed, spool_speed);
  spool_x.ddt = spool_v;
  spool_v.ddt = damping * (v_r - spool_v);
  return spool_x;
}

void DirectionalControlValve::Supply(double u, double p_1, double q_taken) {
  const double p_LS = LoadPressure(u);
  const double K = K_compensator_ * CompensatorOpening(p_1, p_LS, compensator_pressure);
  const double q =
      FlowBetween(*p, HydraulicBond{{.c = p_1}}, [&](const PortWave& at_p, const PortWave& behind) {
        return std::max(0.0, OrificeFlow(K, at_p.c - behind.c, at_p.Zc));
      }).q;
  p->q = -q;
  q_p = q;
  p_inner = p_1;
  inner.SetRate(volume_, q - q_taken, 0);
  void_volume = inner.VoidVolume(volume_);
}

ValveEdges DirectionalControlValve::FlowBetweenWaves(double time, const ValveEdges& K,
                                                     const HydraulicBond& before_edges) const {
  // Away from neutral the open edges meet at no port.
  if (leakage_ > 0 || K.pt > 0 || K.ab > 0) return SolveEdges(time, K, before_edges);
  if (!(K.pb > 0 || K.at > 0)) {
    return {.pa = EdgeFlow(K.pa, before_edges, *a), .bt = EdgeFlow(K.bt, *b, *t)};
  }
  if (!(K.pa > 0 || K.bt > 0)) {
    return {.pb = EdgeFlow(K.pb, before_edges, *b), .at = EdgeFlow(K.at, *a, *t)};
  }
  return SolveEdges(time, K, before_edges);
}

ValveEdges DirectionalControlValve::SolveEdges(double time, const ValveEdges& K,
                                               const HydraulicBond& before_edges) const {
  enum Ports : std::size_t { kP, kA, kB, kT };
  const std::array<HydraulicBond, 4> bonds{before_edges, *a, *b, *t};
  const auto edge = [this](std::size_t from, std::size_t to, double coefficient) {
    return OrificeBetweenPorts{
        .from = from, .to = to, .K = coefficient, .G = leakage_, .law = is_laminar_ ? &edge_law_ : nullptr};
  };
  std::array<OrificeBetweenPorts, 6> edges{edge(kP, kA, K.pa), edge(kP, kB, K.pb), edge(kA, kT, K.at),
                                           edge(kB, kT, K.bt), edge(kP, kT, K.pt), edge(kA, kB, K.ab)};
  if (!SolveOrifices(bonds, edges))
    FailEvaluation(time, "the iteration for the pressures at the ports of the valve does not converge");
  return {.pa = edges[0].q,
          .pb = edges[1].q,
          .at = edges[2].q,
          .bt = edges[3].q,
          .pt = edges[4].q,
          .ab = edges[5].q};
}

}  // namespace davit
