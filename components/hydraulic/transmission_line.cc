#include "components/hydraulic/transmission_line.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace davit {
namespace {

/// Shares of a TimeStep that a delay may lack.
constexpr double kSameStep = 1e-9;

}  // namespace

void TransmissionLine::ParametersChanged() {
  const double area = std::numbers::pi / 4 * inner_diameter * inner_diameter;
  const double beta = 1 / (1 / bulk_modulus + WallCompliance());
  const double speed = std::sqrt(beta / density);
  delay_ = length / speed;
  Zc_ = density * speed / area;
  const LineFrictionData data{.model = friction,
                              .diameter = inner_diameter,
                              .length = length,
                              .density = density,
                              .kinematic_viscosity = kinematic_viscosity};
  friction_a_.SetData(data);
  friction_b_.SetData(data);
}

void TransmissionLine::CheckTimeStep(double h, Diagnostics& diagnostics) const {
  if (!(delay_ < h * (1 - kSameStep))) return;
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format(
          "the line is shorter than one TimeStep: a wave passes it in {:.6g} s, the TimeStep is {:.6g} s; "
          "take a TimeStep of at most {:.6g} s, or a hydraulic.VolumeC instead of the line",
          delay_, h, delay_));
}

void TransmissionLine::Reset() {
  TlmComponent::Reset();
  from_a_.Initialize(h(), delay_, 0);
  from_b_.Initialize(h(), delay_, 0);
  friction_a_.SetStep(h());
  friction_b_.SetStep(h());
}

void TransmissionLine::InitializeWaves() {
  Fill(p_start - Zc_ * q_start, p_start + Zc_ * q_start, q_start, -q_start);
}

bool TransmissionLine::SettleWaves() {
  const double q_a = cavity_a_.Take(*a, h());
  const double q_b = cavity_b_.Take(*b, h());
  friction_a_.Start(q_a);
  friction_b_.Start(q_b);
  const double inner_a = a->c - friction_a_.offset();
  const double inner_b = b->c - friction_b_.offset();
  Fill(inner_b + 2 * Zc_ * q_b, inner_a + 2 * Zc_ * q_a, q_a, q_b);
  return true;
}

void TransmissionLine::Fill(double inner_a, double inner_b, double q_a, double q_b) {
  from_a_.Fill(inner_b);
  from_b_.Fill(inner_a);
  inner_a_ = inner_a;
  inner_b_ = inner_b;
  friction_a_.Start(q_a);
  friction_b_.Start(q_b);
  cavity_a_.SetVolume(0);
  cavity_b_.SetVolume(0);
  Offer();
}

}  // namespace davit
