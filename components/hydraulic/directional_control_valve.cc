#include "components/hydraulic/directional_control_valve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/annular_gap.h"
#include "components/hydraulic/laws/solve_ports.h"
#include "framework/symptom.h"

namespace davit {
namespace {

/// Of the nominal flow: the least that leakage is compared with. Where no oil flows, the leakage decides the
/// pressure behind the compensator.
constexpr double kLeastShareOfFlow = 0.002;

}  // namespace

void DirectionalControlValve::Configure(Diagnostics& diagnostics) {
  inner.Choose(*this, formulation);
  has_b_ = ports == 4;
  has_two_positions_ = positions == 2;
  if (drive.NeedsForces() && spool_dynamics != SpoolDynamics::kForces) {
    diagnostics.Warning(location(), DisplayPath(),
                        "spool_friction and spool_control have no effect without forces on the spool; write "
                        "spool_dynamics=\"Forces\"");
  }
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

void DirectionalControlValve::CheckConnections(Diagnostics& diagnostics) {
  if (b.is_connected() == has_b_) return;
  diagnostics.Error(location(), DisplayPath(),
                    has_b_ ? "port 'b' (hydraulic, Q) is not connected; connect it to a C port with "
                             "<Connect>, or write ports=\"3\" for a 3/2 or 3/3 way valve"
                           : "a valve with ports=\"3\" has no port 'b'; leave out its connection");
}

void DirectionalControlValve::ParametersChanged() {
  K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop);
  K_compensator_ = NominalOrificeCoefficient(compensator_nominal_flow, compensator_nominal_pressure_drop);
  shares_ = {.law = opening_law,
             .neutral_law = neutral_law,
             .deadband = deadband,
             .first_slope = first_slope,
             .fade = neutral_fade,
             .neutral = NeutralOf(spool_type).edges * neutral_opening,
             .seat = {.type = seat_type, .cone_angle = cone_angle}};
  edge_.is_laminar = flow_law == FlowLaw::kLaminarTurbulent;
  edge_.laminar = {laminar_coefficient, discharge_coefficient, density, kinematic_viscosity, edge_width};
  edge_.cavitating_share =
      edge_cavitation == JetCavitation::kNurick ? kJetContraction / discharge_coefficient : 0;
  edge_.vapour = oil.vapour_pressure - oil.atmospheric_pressure;
  edge_.leak = EdgeLeak();
  if (opening_law != SpoolOpeningLaw::kSeat) {
    switch (leakage) {
      case Leakage::kNone: break;
      case Leakage::kConstant: edge_.leak = EdgeLeak(leakage_conductance); break;
      case Leakage::kGap: edge_.leak = EdgeLeak(SpoolGap(), density, kinematic_viscosity); break;
    }
  }
  drive.SetUp(has_two_positions_, density);
  const double before = volume_;
  volume_ = inner_volume;
  inner.SetOil(OilCompression(oil.Data(compressibility)), before, volume_);
}

AnnularGap DirectionalControlValve::SpoolGap() const {
  // A command during the run may give a gap that is wider than the spool.
  const double c = std::min<double>(spool_clearance, spool_diameter / 2);
  return {.diameter = spool_diameter,
          .clearance = c,
          .length = spool_land,
          .eccentricity = spool_eccentricity * c};
}

double DirectionalControlValve::NeglectedOpening() const {
  const double u = std::abs(Deflection(SpoolPosition()));
  return 1 - Clip((u - deadband) / (1 - deadband));
}

double DirectionalControlValve::NeglectedCompensation() const {
  const double u = Deflection(SpoolPosition());
  const double s = Clip((std::abs(u) - deadband) / (1 - deadband));
  if (!(s > 0)) return 0;
  const double margin = p->p() - LoadPressure(u);
  if (margin <= 0) return 1;
  const double throttled = 1 - std::sqrt(std::min(1.0, compensator_pressure / margin));
  return std::max(throttled, 1 - K_compensator_ / std::hypot(K_compensator_, s * K_));
}

double DirectionalControlValve::NeglectedLaminarLoss() const {
  const ValveEdges K = Opening(Deflection(SpoolPosition()));
  const auto lost = [this](double K_edge, double dp) {
    return K_edge > 0 ? std::abs(OrificeFlow(K_edge, dp) - edge_.laminar.Flow(K_edge, dp)) : 0.0;
  };
  const double p_a = a->p(), p_b = has_b_ ? b->p() : p_a, p_t = t->p();
  const double most = std::max({lost(K.pa, p_inner - p_a), lost(K.pb, p_inner - p_b), lost(K.at, p_a - p_t),
                                lost(K.bt, p_b - p_t), lost(K.pt, p_inner - p_t), lost(K.ab, p_a - p_b)});
  return Share(most, nominal_flow);
}

double DirectionalControlValve::LeakageShare(double conductance) const {
  if (opening_law == SpoolOpeningLaw::kSeat) return 0;
  const double p_a = a->p(), p_b = has_b_ ? b->p() : p_a, p_t = t->p();
  const double dp =
      std::max({std::abs(p_inner - p_a), std::abs(p_inner - p_b), std::abs(p_a - p_t), std::abs(p_b - p_t)});
  const double q = std::max({std::abs(+q_pa), std::abs(+q_pb), std::abs(+q_at), std::abs(+q_bt)});
  return Share(conductance * dp, std::max(q, kLeastShareOfFlow * nominal_flow));
}

void DirectionalControlValve::Reset() {
  DynamicSimComponent::Reset();
  alarms.Reset();
  inner.Set(p_start, volume_);
}

void DirectionalControlValve::AspectsChanged(AspectSwitch& change) {
  if (change.HasChanged(compensator)) {
    const double sign = compensator == Compensator::kOn ? -1 : 1;
    if (compensator == Compensator::kOn) inner.Set(p->p(), volume_);
    change.ReleaseOil(sign * inner.Quantity(volume_));
    change.ReleaseEnergy(sign * inner.Energy(volume_));
  }
  drive.Begin(change, Command(), SpoolPosition());
  if (change.HasChanged(spool_dynamics) && change.Before(spool_dynamics) == SpoolDynamics::kNone) {
    spool_x.OverrideStateValue(drive.Target(Command()));
    spool_v.OverrideStateValue(0);
  }
}

ValveEdges DirectionalControlValve::Opening(double u) const {
  ValveEdges K = shares_.At(u) * K_;
  if (!has_b_) K.pb = K.bt = K.ab = 0;
  return K;
}

void DirectionalControlValve::MoveSpool(double z) {
  spool_x.ddt = spool_v;
  if (spool_dynamics == SpoolDynamics::kForces) {
    spool_v.ddt = drive.Acceleration(z, spool_x, spool_v, FlowOnSpool(spool_x));
    return;
  }
  const double w = 2 * std::numbers::pi * spool_frequency;
  const double damping = 2 * spool_damping * w;
  const double v_r = std::clamp<double>(w * w / damping * (z - spool_x), -spool_speed, spool_speed);
  spool_v.ddt = damping * (v_r - spool_v);
  drive.Rest();
}

SpoolDrive::Flow DirectionalControlValve::FlowOnSpool(double x) const {
  const double u = Deflection(x);
  const double side = u > 0 ? 1 : -1;
  // Of a valve with three ports there is one edge on each side.
  const EdgeDrops drops = u > 0
                              ? EdgeDrops{.inlet = p_inner - a->p(), .outlet = has_b_ ? b->p() - t->p() : 0}
                              : EdgeDrops{.inlet = has_b_ ? p_inner - b->p() : 0, .outlet = a->p() - t->p()};
  const double per_x = has_two_positions_ ? 2 : 1;
  return drive.FlowAt(K_ * shares_.Share(u), K_ * shares_.ShareSlope(u) * per_x, side, drops);
}

DirectionalControlValve::PowerLimit DirectionalControlValve::PowerLimitAt(PowerLimit now) const {
  if (spool_dynamics != SpoolDynamics::kForces) return PowerLimit::kOff;
  const double x = std::clamp(drive.Target(Command()), has_two_positions_ ? 0.0 : -1.0, 1.0);
  return drive.PowerLimitAt(x, FlowOnSpool(x).force, now);
}

EdgeRegime DirectionalControlValve::InletRegime(EdgeRegime now) const {
  const double u = Deflection(SpoolPosition());
  const Position at = PositionAt(u);
  if (at == Position::kNeutral) return EdgeRegime::kShut;
  const ValveEdges K = Opening(u);
  return at == Position::kPositionE ? edge_.Regime(K.pa, p_inner, a->p(), q_pa, now)
                                    : edge_.Regime(K.pb, p_inner, b->p(), q_pb, now);
}

EdgeRegime DirectionalControlValve::OutletRegime(EdgeRegime now) const {
  const double u = Deflection(SpoolPosition());
  const Position at = PositionAt(u);
  if (at == Position::kNeutral) return EdgeRegime::kShut;
  const ValveEdges K = Opening(u);
  return at == Position::kPositionE ? edge_.Regime(K.bt, b->p(), t->p(), q_bt, now)
                                    : edge_.Regime(K.at, a->p(), t->p(), q_at, now);
}

DirectionalControlValve::LeakageRegime DirectionalControlValve::LeakageRegimeNow() const {
  if (leakage != Leakage::kGap || !edge_.leak.is_present()) return LeakageRegime::kOff;
  const double p_b = has_b_ ? b->p() : a->p();
  const auto [least, largest] = std::minmax({static_cast<double>(p_inner), a->p(), p_b, t->p()});
  return edge_.leak.IsLaminar(largest - least) ? LeakageRegime::kLaminar : LeakageRegime::kTurbulent;
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
  if (edge_.leak.is_present() || edge_.may_cavitate() || K.pt > 0 || K.ab > 0)
    return SolveEdges(time, K, before_edges);
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
    return OrificeBetweenPorts{.from = from,
                               .to = to,
                               .K = coefficient,
                               .leak = has_b_ || (from != kB && to != kB) ? &edge_.leak : nullptr,
                               .law = edge_.is_laminar ? &edge_.laminar : nullptr};
  };
  std::array<OrificeBetweenPorts, 6> edges{edge(kP, kA, K.pa), edge(kP, kB, K.pb), edge(kA, kT, K.at),
                                           edge(kB, kT, K.bt), edge(kP, kT, K.pt), edge(kA, kB, K.ab)};
  bool is_found = SolveOrifices(bonds, edges);
  if (is_found && edge_.may_cavitate()) is_found = LimitByCavitation(bonds, edges);
  if (!is_found)
    FailEvaluation(time, "the iteration for the pressures at the ports of the valve does not converge" +
                             SeeSection(Symptom::kDiverged));
  return {.pa = edges[0].q,
          .pb = edges[1].q,
          .at = edges[2].q,
          .bt = edges[3].q,
          .pt = edges[4].q,
          .ab = edges[5].q};
}

bool DirectionalControlValve::LimitByCavitation(std::span<const HydraulicBond, 4> bonds,
                                                std::span<OrificeBetweenPorts> edges) const {
  std::array<double, 4> pressures{};
  for (std::size_t i = 0; i < pressures.size(); ++i) {
    double q = 0;
    for (const OrificeBetweenPorts& edge : edges) q += edge.to == i ? edge.q : edge.from == i ? -edge.q : 0;
    pressures[i] = std::max(bonds[i].p_min, bonds[i].c + bonds[i].Zc * q);
  }
  const bool cavitates = std::ranges::any_of(edges, [&](const OrificeBetweenPorts& edge) {
    return edge_.IsBeyondCavitation(edge.K, pressures[edge.from], pressures[edge.to], edge.q);
  });
  if (!cavitates) return true;
  const auto flow = [&](const OrificeBetweenPorts& edge, const std::array<double, 4>& at) {
    const double q = edge_.Flow(edge.K, at[edge.from], at[edge.to]);
    return edge.leak != nullptr ? q : 0;  // an edge of the port that a 3 way valve lacks
  };
  const auto law = [&](const std::array<double, 4>& at) {
    std::array<double, 4> q{};
    for (const OrificeBetweenPorts& edge : edges) {
      q[edge.from] -= flow(edge, at);
      q[edge.to] += flow(edge, at);
    }
    return q;
  };
  if (!SolvePorts<4>({bonds.data(), &bonds[1], &bonds[2], &bonds[3]}, pressures, law)) return false;
  for (OrificeBetweenPorts& edge : edges) edge.q = flow(edge, pressures);
  return true;
}

}  // namespace davit
