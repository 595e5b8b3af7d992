// The partial derivatives of DirectionalControlValve.

#include <array>
#include <cmath>
#include <numbers>

#include "components/hydraulic/directional_control_valve.h"

namespace davit {
namespace {

/// What the flows depend on: the pressures before the edges and at the ports, the position of the spool, and
/// the pressure before the compensator.
enum ValveVariable : std::size_t { kBefore, kAtA, kAtB, kAtT, kPosition, kSupply };
using BySix = std::array<double, 6>;

void AddTimes(double factor, const BySix& by, BySix& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor * by[i];
}

/// dq/dK.
double FlowPerCoefficient(const ValveEdgeLaw& law, double K, double dp) {
  if (!law.is_laminar) return OrificeFlow(1, dp);
  if (!(K > 0)) return 0;
  const double h = 1e-6 * K;
  return (law.laminar.Flow(K + h, dp) - law.laminar.Flow(K - h, dp)) / (2 * h);
}

}  // namespace

bool DirectionalControlValve::WritePartials(PartialDerivatives& partials) const {
  const bool is_compensated = compensator == Compensator::kOn;
  if (stuck.is_stuck() || spool_dynamics == SpoolDynamics::kForces ||
      drive.hysteresis != SpoolDrive::Hysteresis::kNone || edge_.may_cavitate() ||
      (is_compensated && inner.oil().has_gas())) {
    return false;
  }
  for (const HydraulicBond* bond : {&*p, &*a, &*b, &*t})
    if (bond->Zc > 0 || bond->c < bond->p_min) return false;
  const double u = Deflection(SpoolPosition());
  const double beyond = std::abs(u) - shares_.NeutralEnd();
  const bool is_fading =
      shares_.neutral_law == SpoolNeutralLaw::kSmooth && beyond > 0 && beyond < shares_.fade;
  // At the end of neutral, an edge opens to one side only, and without a deadband to each side another one.
  const bool is_between = beyond == 0 && shares_.law != SpoolOpeningLaw::kSwitching;
  if (is_fading || is_between) return false;

  const double p_1 = is_compensated ? inner.p(volume_) : p->c;
  const OilContent::Slopes slopes = is_compensated ? inner.SlopesAt(volume_, 0, 0) : OilContent::Slopes{};
  const bool is_moving = spool_dynamics == SpoolDynamics::kSecondOrder;
  const double per_input = motion == Motion::kRotary ? 1 / full_angle : 1;
  const Input& input = motion == Motion::kRotary ? angle : spool;
  const auto set = [&](const PartialDerivatives::Variable& written, const BySix& by) {
    if (is_compensated) {
      partials.Set(written, inner.state_in_use(), by[kBefore] * slopes.p_s);
      partials.Set(written, &p->c, by[kSupply]);
    } else {
      partials.Set(written, &p->c, by[kBefore]);
    }
    partials.Set(written, &a->c, by[kAtA]);
    partials.Set(written, &b->c, by[kAtB]);
    partials.Set(written, &t->c, by[kAtT]);
    if (is_moving) {
      partials.Set(written, spool_x, by[kPosition]);
    } else {
      partials.Set(written, input, by[kPosition] * per_input);
    }
  };

  const std::array<double, 4> pressures{p_1, a->c, b->c, t->c};
  const ValveEdges K = Opening(u);
  // Edges that open with the position; in neutral none does.
  const double K_x = std::copysign(K_ * shares_.ShareSlope(u) * (has_two_positions_ ? 2 : 1), u);
  const double on_plus = beyond > 0 && u > 0 ? K_x : 0;
  const double on_minus = beyond > 0 && u < 0 ? K_x : 0;
  BySix taken{}, into_a{}, into_b{}, into_t{};
  const std::array<BySix*, 4> into{nullptr, &into_a, &into_b, &into_t};
  const auto add_edge = [&](std::size_t from, std::size_t to, double K_edge, double K_edge_x,
                            const Output& q) {
    if (!has_b_ && (from == kAtB || to == kAtB)) return;
    const double dp = pressures[from] - pressures[to];
    const FlowAndSlope flow =
        edge_.is_laminar ? edge_.laminar.FlowWithSlope(K_edge, dp) : OrificeFlowAndSlope(K_edge, dp);
    const double slope = flow.slope + (edge_.leak.is_present() ? edge_.leak.FlowWithSlope(dp).slope : 0);
    BySix by{};
    by[from] = slope;
    by[to] = -slope;
    by[kPosition] = K_edge_x != 0 ? K_edge_x * FlowPerCoefficient(edge_, K_edge, dp) : 0;
    set(q, by);
    AddTimes(1, by, *into[to]);
    if (from == kBefore) {
      AddTimes(1, by, taken);
    } else {
      AddTimes(-1, by, *into[from]);
    }
  };
  add_edge(kBefore, kAtA, K.pa, on_plus, q_pa);
  add_edge(kBefore, kAtB, K.pb, on_minus, q_pb);
  add_edge(kAtA, kAtT, K.at, on_minus, q_at);
  add_edge(kAtB, kAtT, K.bt, has_b_ ? on_plus : 0, q_bt);
  add_edge(kBefore, kAtT, K.pt, 0, q_pt);
  add_edge(kAtA, kAtB, K.ab, 0, q_ab);
  set(&a->q, into_a);
  set(&b->q, into_b);
  set(&t->q, into_t);

  BySix supplied = taken;
  if (is_compensated) {
    supplied = BySix{};
    const double dp0 = compensator_pressure;
    const double p_LS = LoadPressure(u);
    const double r = CompensatorOpening(p_1, p_LS, dp0);
    const FlowAndSlope per_K = OrificeFlowAndSlope(K_compensator_, p->c - p_1);
    if (per_K.q > 0 && r > 0) {
      supplied[kSupply] = r * per_K.slope;
      supplied[kBefore] = -r * per_K.slope;
      if (r < 1) {
        const bool senses_a = load_sensing == LoadSensing::kShuttle ? a->c > b->c : u > 0;
        const bool is_sensing = load_sensing == LoadSensing::kShuttle || beyond > 0;
        supplied[kBefore] -= per_K.q / dp0;
        if (is_sensing) supplied[senses_a ? kAtA : kAtB] += per_K.q / dp0;
      }
    }
    BySix rate{};
    AddTimes(slopes.rate_q, supplied, rate);
    AddTimes(-slopes.rate_q, taken, rate);
    set(inner.state_in_use(), rate);
    partials.Set(void_volume, inner.state_in_use(), slopes.void_s);
  }
  set(q_p, supplied);
  BySix out{};
  AddTimes(-1, supplied, out);
  set(&p->q, out);
  set(p_inner, BySix{1});

  if (is_moving) {
    const double w = 2 * std::numbers::pi * spool_frequency;
    const double damping = 2 * spool_damping * w;
    const double v_r = w * w / damping * (Command() - spool_x);
    const double per_x = std::abs(v_r) < spool_speed ? w * w : 0;
    partials.Set(spool_x, spool_v, 1);
    partials.Set(spool_v, spool_x, -per_x);
    partials.Set(spool_v, input, per_x * per_input);
    partials.Set(spool_v, spool_v, -damping);
  }
  return true;
}

}  // namespace davit
