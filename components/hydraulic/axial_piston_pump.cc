#include "components/hydraulic/axial_piston_pump.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/solve_restriction.h"

namespace davit {
AxialPistonPump::AxialPistonPump() { EffortsRead({in, out, drain, shaft, load_pressure}); }

void AxialPistonPump::ParametersChanged() {
  const bool is_own = model_name == Model::kOwn;
  const PumpData& data =
      kAxialPistonPumps[is_own ? 0 : static_cast<std::size_t>(static_cast<Model>(model_name)) - 1];
  double Vp = displacement;
  if (displacement_from == DisplacementFrom::kGeometry)
    Vp = AxialPistonDisplacement(piston_area, static_cast<int>(pistons), pitch_diameter);
  double G = leakage_from == LeakageFrom::kUsual ? UsualLeakage(2 * std::numbers::pi * Vp) : leakage;
  if (!is_own) {
    Vp = data.V();
    G = data.G;
  }
  Vp_ = Vp;
  displacement_at_angle_ = Vp * std::tan(swash_angle);
  if (!shaft.is_connected()) shaft->w = speed;
  const bool has_losses = losses == Losses::kLeakageAndTorque;
  is_lossless_ = control == Control::kFixed && !has_losses && inlet == Inlet::kFull;
  leakage_ = has_losses ? SplitLeakage(G, leakage_ratio) : LeakageSplit{0, 0};
  leakage_of_losses_ = G;
  torque_of_losses_ = {.cc = torque_loss, .cp = torque_loss_pressure, .cn = torque_loss_speed};
  if (!is_own) torque_of_losses_ = data.torque_loss();
  const bool is_by_efficiency = is_own && torque_loss_from == TorqueLossFrom::kEfficiency;
  efficiency_of_losses_ = is_by_efficiency ? 1 / torque_efficiency - 1 : 0;
  torque_loss_ = has_losses && !is_by_efficiency ? torque_of_losses_ : TorqueLoss{};
  efficiency_loss_ = has_losses ? efficiency_of_losses_ : 0;
  suction_resistance_ =
      inlet == Inlet::kSuctionLoss ? suction_pressure_drop / (suction_flow * suction_flow) : 0;
}

void AxialPistonPump::Reset() {
  DynamicSimComponent::Reset();
  if (!DeclarationOf(swash).is_start_given) swash.OverrideStateValue(swash_angle);
}

void AxialPistonPump::AspectsChanged(AspectSwitch& change) {
  if (control == Control::kLagged && change.HasChanged(control)) swash.OverrideStateValue(angle);
}

double AxialPistonPump::AngleAt(double p) const {
  if (control == Control::kFixed) return swash_angle;
  if (control == Control::kLagged) return swash;
  if (static_cast<std::size_t>(static_cast<Control>(control)) >= kControlNames.size())
    return AddedAngle(control, p);
  const double set = control == Control::kLoadSensing
                         ? std::min<double>(set_pressure, load_pressure + load_sensing_margin)
                         : static_cast<double>(set_pressure);
  return CompensatedAngle(swash_angle, set, compensator_range, p);
}

AxialPistonPump::Delivery AxialPistonPump::DeliveryAt(double p) const {
  Delivery at{};
  at.p_out = p;
  at.alpha = AngleAt(p);
  const double V = Vp_ * std::tan(at.alpha);
  const double ideal = V * shaft->w;
  const auto filling = [&](double p_in) {
    return inlet == Inlet::kFull ? 1.0 : FillingAt(ideal < 0 ? p : p_in);
  };
  const auto drawn = [&](double p_in) { return ideal * filling(p_in) - leakage_.inlet * (p - p_in); };
  // From a wave at the port.
  const auto draw = [&](double c, double Zc) {
    const bool has_loss = suction_resistance_ > 0;
    if (!has_loss && (inlet == Inlet::kFull || ideal < 0 || !(Zc > 0))) {
      at.drawn = (ideal * filling(c) - leakage_.inlet * (p - c)) / (1 + leakage_.inlet * Zc);
      at.p_in = c - Zc * at.drawn;
      return at.p_in;
    }
    const auto lost = [&](double p_in) { return Zc * drawn(p_in) + SuctionDrop(drawn(p_in)); };
    const double most = Zc * std::abs(ideal) + SuctionDrop(std::abs(ideal));
    const double low = std::min(c, p) - most, high = std::max(c, p) + most;
    at.p_in = c - SolveRestriction(c, 1, {low, high, std::clamp(c - SuctionDrop(ideal), low, high)},
                                   [&](double p_in) { return WithQuotient(lost, p_in); });
    at.drawn = drawn(at.p_in);
    return c - Zc * at.drawn;
  };
  if (draw(in->c, in->Zc) < in->p_min) draw(in->p_min, 0);
  at.moved = at.drawn + leakage_.inlet * (p - at.p_in);
  at.V = V * filling(at.p_in);
  at.drained = leakage_.drain * (p - drain->c) / (1 + leakage_.drain * drain->Zc);
  at.p_drain = drain->c + drain->Zc * at.drained;
  if (at.p_drain < drain->p_min) {
    at.p_drain = drain->p_min;
    at.drained = leakage_.drain * (p - at.p_drain);
  }
  return at;
}

AxialPistonPump::Delivery AxialPistonPump::Deliver() const {
  const double c = out->c, Zc = out->Zc;
  if (!(Zc > 0)) return DeliveryAt(std::max(out->p_min, c));
  // Where all pressures are below `low` the pump gives no less than -largest, above `high` not more than it.
  const double largest = control == Control::kLagged ? std::abs(Vp_ * std::tan(swash) * shaft->w)
                                                     : std::abs(displacement_at_angle_ * shaft->w);
  const double at_inlet = in->Zc * largest + SuctionDrop(largest);
  const double low = std::min({c - Zc * largest, in->c - at_inlet, drain->c});
  const double high = std::max({c + Zc * largest, in->c + at_inlet, drain->c, in->p_min, drain->p_min});
  const auto law = [this](double p) { return -DeliveryAt(p).given(); };
  const double given = -SolveRestriction(c, Zc, {low, high, std::clamp(c, low, high)},
                                         [&](double p) { return WithQuotient(law, p); });
  return DeliveryAt(std::max(out->p_min, c + Zc * given));
}

void AxialPistonPump::OfferTorque() {
  if (!shaft.is_connected()) return;
  const Delivery at = Deliver();
  const double dp = at.p_out - at.p_in;
  // How dp grows with the flow of the pistons, at the present angle and filling.
  const double per_drain = leakage_.drain / (1 + leakage_.drain * drain->Zc);
  const double Zs = out->Zc / (1 + out->Zc * per_drain) + in->Zc;
  const double Zc = at.V * at.V * Zs / (1 + leakage_.inlet * Zs);
  // The loss as a friction that grows with the speed.
  const double smallest = 1e-6 * torque_loss_.width;
  const double w = std::abs(shaft->w) > smallest ? shaft->w : smallest;
  shaft->c = at.V * dp - Zc * shaft->w;
  shaft->Zc = Zc + TorqueLossAt(at.V, dp, w) / w;
}

void AxialPistonPump::EvaluateLossy() {
  const Delivery at = Deliver();
  in->q = -at.drawn;
  out->q = at.given();
  drain->q = at.drained;
  p_out = at.p_out;
  p_suction = at.p_in;
  q_out = at.moved;
  q_leak = at.moved - at.given();
  angle = at.alpha;
  const double dp = at.p_out - at.p_in;
  torque = at.V * dp + TorqueLossAt(at.V, dp, shaft->w);
  if (control == Control::kLagged) {
    swash.ddt =
        (CompensatedAngle(swash_angle, set_pressure, compensator_range, at.p_out) - swash) / swash_time;
  } else {
    swash.ShowValue(at.alpha);
  }
}

}  // namespace davit
