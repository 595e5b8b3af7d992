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
  const double towards_b = p_start + Zc_ * q_start;
  const double towards_a = p_start - Zc_ * q_start;
  from_a_.Fill(towards_b);
  from_b_.Fill(towards_a);
  inner_a_ = towards_a;
  inner_b_ = towards_b;
  friction_a_.Start(q_start);
  friction_b_.Start(-q_start);
  Offer();
}

}  // namespace davit
