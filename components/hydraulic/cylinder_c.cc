#include "components/hydraulic/cylinder_c.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "components/hydraulic/cylinder_rod.h"
#include "components/hydraulic/cylinder_scene.h"
#include "components/hydraulic/laws/circle_area.h"
#include "framework/run_log.h"

namespace davit {
namespace {

/// The inertia that a wave of one TimeStep adds to a stiffness k is k h^2. It may be this share of the moving
/// mass.
constexpr double kWaveInertiaShare = 0.1;

}  // namespace

void CylinderC::ParametersChanged() {
  compression_ = OilCompression(oil.Data(compressibility));
  vapour_ = compression_.vapour_pressure();
  stiffness_ = compression_.stiffness();
  has_gas_ = compression_.has_gas();
  piston_area_ = CircleArea(bore);
  ring_area_ = piston_area_ - CircleArea(rod_diameter);
  rod->added_mass = rod_mass;
  OfferStart(*this, x_start, *rod);
}

void CylinderC::CheckConnections(Diagnostics& diagnostics) {
  CheckCylinder(*this, bore, rod_diameter, travel(), *rod, diagnostics);
}

void CylinderC::Reset() {
  TlmComponent::Reset();
  alarms.Reset();
  WarnOfSoftening();
}

void CylinderC::WarnOfSoftening() const {
  RunLog* const log = run_log();
  if (log == nullptr) return;
  const double smallest = SmallestVolume();
  const double share = std::max(smallest * piston_area_ * piston_area_ / VolumeA(stroke / 2),
                                smallest * ring_area_ * ring_area_ / VolumeB(stroke / 2));
  if (share <= 1) return;
  log->Write(
      RunLog::Severity::kWarning, DisplayPath(),
      fmt::format(
          "the oil is modelled {:.3g} times softer than it is, because the TimeStep of {:.6g} s is too "
          "long for it and a moving mass of {:.6g} kg; take one of at most {:.3g} s",
          share, h(), MovingMass(), h() / std::sqrt(share)));
}

double CylinderC::SmallestVolume() const {
  if (rod->mass <= 0) return 0;  // something that moves by itself, whatever the force
  return stiffness_ * h() * h() / (kWaveInertiaShare * MovingMass());
}

double CylinderC::SoftVolume(double volume, double smallest_volume) const {
  return std::max({volume, smallest_volume, static_cast<double>(dead_volume)});
}

double CylinderC::StiffnessOf(double volume, double smallest_volume) const {
  return stiffness_ / SoftVolume(volume, smallest_volume);
}

double CylinderC::LeakFlow() const {
  if (leakage <= 0) return 0;
  // Mean over the step of a difference that dies out with leakage*stiffness: never past the balance.
  const double rate = h() * (chamber_a_.stiffness + chamber_b_.stiffness);
  return -std::expm1(-leakage * rate) / rate * (chamber_a_.P - chamber_b_.P);
}

void CylinderC::InitializeWaves() {
  // The oil belongs to the volume half a step earlier, as the waves of the first step expect it.
  motion_ = {.x = MotionBefore().x};
  const double smallest = SmallestVolume();
  const auto oil_at = [&](double p, double volume, double area) {
    if (compression_.has_gas())
      return volume + SoftVolume(volume, smallest * area * area) * compression_.Compression(p);
    return volume + p / StiffnessOf(volume, smallest * area * area);
  };
  if (!DeclarationOf(oil_a).is_start_given) {
    oil_a.OverrideStateValue(oil_at(p_a_start, VolumeA(motion_.x), piston_area_));
  }
  if (!DeclarationOf(oil_b).is_start_given) {
    oil_b.OverrideStateValue(oil_at(p_b_start, VolumeB(motion_.x), ring_area_));
  }
  for (Chamber* chamber : {&chamber_a_, &chamber_b_}) {
    chamber->waves.Initialize(2);
    chamber->waves.SetFilter(filter);
  }
  Offer();
  ShowMotion();
}

CylinderC::Motion CylinderC::MotionBefore() const {
  return {.x = -rod->x + h() / 2 * rod->v, .v = -rod->v, .q_a = a->q, .q_b = b->q};
}

void CylinderC::RestartWaves(bool has_moved) {
  if (has_moved) {
    motion_ = MotionBefore();
    ShowMotion();
  }
  Offer();
}

void CylinderC::SimulateOneTimestep(double /*t*/) {
  const double step = h();
  const Motion motion = {.x = -rod->x + step / 2 * -rod->v, .v = -rod->v, .q_a = a->q, .q_b = b->q};
  ShowMotion();
  motion_ = motion;
  const double q_l = LeakFlow();
  oil_a.AdvanceTo(oil_a + step * (motion.q_a - q_l), motion.q_a - q_l);
  oil_b.AdvanceTo(oil_b + step * (motion.q_b + q_l), motion.q_b + q_l);
  const auto advance = [step](Chamber& chamber, const HydraulicBond& outside, double q_piston) {
    chamber.waves.Take(kOutside, outside, step);
    chamber.waves.TakeFromBody(kPiston, chamber.to_piston, q_piston, step);
    chamber.waves.Advance();
  };
  advance(chamber_a_, *a, -piston_area_ * motion.v);
  advance(chamber_b_, *b, ring_area_ * motion.v);
  Offer();
}

bool CylinderC::SettleWaves() {
  ShowMotion();
  motion_ = {.x = x + h() / 2 * v, .v = v, .q_a = a->q, .q_b = b->q};
  Offer();  // chamber pressures and impedances
  const double q_l = LeakFlow();
  oil_a.AdvanceTo(oil_a, motion_.q_a - q_l);
  oil_b.AdvanceTo(oil_b, motion_.q_b + q_l);
  const auto settle = [](ChamberWaves& waves, double q_outside, double q_piston) {
    const double mean = (q_outside + q_piston) / 2;
    waves.Settle(kOutside, q_outside, mean);
    waves.Settle(kPiston, q_piston, mean);
  };
  settle(chamber_a_.waves, motion_.q_a, -piston_area_ * v);
  settle(chamber_b_.waves, motion_.q_b, ring_area_ * v);
  Offer();
  return true;
}

void CylinderC::DescribeScene(SceneBuilder& scene) const {
  ShowCylinder(scene, {rod, bore, rod_diameter, stroke, x, rod_end});
}

void CylinderC::Offer() {
  // Copies: what is written below changes none of them.
  const Motion motion = motion_;
  const double step = h(), pv = vapour_, piston_area = piston_area_, ring_area = ring_area_;
  const double smallest = SmallestVolume();
  const auto fill = [&](Chamber & chamber, double oil_in, double volume, double area)
      __attribute__((always_inline)) {
    double stiffness = StiffnessOf(volume, smallest * area * area);
    double cavity = std::max(0.0, volume + pv / stiffness - oil_in);
    chamber.P = cavity > 0 ? pv : stiffness * (oil_in - volume);
    if (has_gas_) [[unlikely]] {
      const double soft = SoftVolume(volume, smallest * area * area);
      cavity = std::max(0.0, volume + soft * compression_.Compression(pv) - oil_in);
      chamber.P = compression_.Pressure((oil_in - volume) / soft);
      stiffness = compression_.BulkModulus(chamber.P) / soft;
    }
    chamber.stiffness = stiffness;
    chamber.waves.SetStiffness(stiffness * step);
    chamber.waves.SetCavityVolume(cavity);
    return cavity;
  };
  const double cavity_a = fill(chamber_a_, oil_a, VolumeA(motion.x), piston_area);
  const double cavity_b = fill(chamber_b_, oil_b, VolumeB(motion.x), ring_area);
  void_a = cavity_a;
  void_b = cavity_b;
  const double q_l = LeakFlow();
  const auto at_ports = [&](const Chamber& chamber, double cavity, double q) {
    return cavity > 0 ? pv : std::max<double>(pv, chamber.P + step / 2 * chamber.stiffness * q);
  };
  p_a = at_ports(chamber_a_, cavity_a, motion.q_a - piston_area * motion.v - q_l);
  p_b = at_ports(chamber_b_, cavity_b, motion.q_b + ring_area * motion.v + q_l);
  if (cavity_a > 0 || cavity_b > 0 || alarms.IsNews(std::max<double>(p_a, p_b))) [[unlikely]]
    AskForPostIntegrate();
  chamber_a_.waves.Offer(kOutside, chamber_a_.P, pv, step, *a);
  chamber_b_.waves.Offer(kOutside, chamber_b_.P, pv, step, *b);
  const auto to_piston = [&](Chamber& chamber, double q) {
    chamber.waves.OfferToBody(kPiston, chamber.P, q, pv, step, chamber.to_piston);
    return chamber.to_piston.wave;
  };
  const PortWave in_a = to_piston(chamber_a_, -piston_area * motion.v);
  const PortWave in_b = to_piston(chamber_b_, ring_area * motion.v);
  const PortWave stop = IsBeyondStop(motion.x) ? StopWave(motion) : PortWave();
  rod->c = piston_area * in_a.c - ring_area * in_b.c + stop.c;
  rod->Zc =
      piston_area * piston_area * in_a.Zc + ring_area * ring_area * in_b.Zc + viscous_friction + stop.Zc;
}

double CylinderC::StopStiffness() const {
  const double k = max_pressure * piston_area_ / stop_deflection;
  return rod->mass > 0 ? std::min(k, kWaveInertiaShare * MovingMass() / (h() * h())) : k;
}

PortWave CylinderC::StopWave(const Motion& motion) const {
  const bool is_extended = motion.x > stroke;
  const double depth = is_extended ? motion.x - stroke : -motion.x;
  const double speed = is_extended ? motion.v : -motion.v;  // into the stop
  const double k = StopStiffness();
  const double damping = 2 * stop_damping_ratio * std::sqrt(k * MovingMass());
  const double Zc = k * h() / 2 + damping;
  if (k * depth + Zc * speed <= 0) return {};  // it does not pull
  return {is_extended ? -k * depth : k * depth, Zc};
}

void CylinderC::AccountEnergy(EnergyTerms& terms) const {
  const double smallest = SmallestVolume(), speed = -rod->v;
  const auto add_chamber = [&](const Chamber& chamber, const HydraulicBond& outside, double volume,
                               double area, double q_piston, double cavity) {
    // As VolumeC, between its port and the piston.
    const double p_piston = chamber.to_piston.wave.c + chamber.to_piston.wave.Zc * q_piston;
    const double filter_loss =
        chamber.waves.FilterLoss(outside.p(), chamber.P) + chamber.waves.FilterLoss(p_piston, chamber.P);
    const double soft = SoftVolume(volume, smallest * area * area);
    const double energy = compression_.Energy(chamber.P);
    terms.Stored("oil", soft * energy - vapour_ * cavity);
    terms.Stored("waves", chamber.waves.WaveEnergy(h()) +
                              h() / 2 * (outside.p() * outside.q + p_piston * q_piston - filter_loss));
    terms.Lost("filter", filter_loss);
    // The new volume is filled with oil that is compressed already.
    if (soft == volume)
      terms.In("compressed oil", -q_piston * (energy - chamber.P * compression_.Compression(chamber.P)));
  };
  add_chamber(chamber_a_, *a, VolumeA(motion_.x), piston_area_, -piston_area_ * speed, void_a);
  add_chamber(chamber_b_, *b, VolumeB(motion_.x), ring_area_, ring_area_ * speed, void_b);
  terms.Lost("leakage", LeakFlow() * (chamber_a_.P - chamber_b_.P));
  terms.Lost("friction", viscous_friction * speed * speed);
  if (!IsBeyondStop(motion_.x)) return;
  const PortWave stop = StopWave(motion_);
  const double depth = motion_.x > stroke ? x - stroke : x, elastic = StopStiffness() * depth;
  terms.Stored("stops", elastic * depth / 2);
  terms.Lost("stops", (stop.c + stop.Zc * rod->v) * rod->v - elastic * speed);
}

}  // namespace davit
