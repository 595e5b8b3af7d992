#include "components/hydraulic/transmission_line.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "simulator/simulation_failure.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

/// Shares of a TimeStep that a delay may lack.
constexpr double kSameStep = 1e-9;

/// The TimeStep of the system that the component belongs to [s]; 0 for one that stands alone.
double FindTimeStep(const Component& component) {
  const Component* root = &component;
  while (root->parent() != nullptr) root = root->parent();
  for (const Component* child : root->children()) {
    if (const auto* manager = dynamic_cast<const SimulatorManager*>(child)) return manager->time_step();
  }
  return 0;
}

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

void TransmissionLine::CheckConnections(Diagnostics& diagnostics) {
  const double time_step = FindTimeStep(*this);
  if (delay_ >= time_step * (1 - kSameStep)) return;
  diagnostics.Error(location(), DisplayPath(), ShorterThanStep(time_step));
}

std::string TransmissionLine::ShorterThanStep(double time_step) const {
  return fmt::format(
      "the line is shorter than one TimeStep: a wave passes it in {:.6g} s, the TimeStep is {:.6g} s; take a "
      "TimeStep "
      "of at most {:.6g} s, or a hydraulic.VolumeC instead of the line",
      delay_, time_step, delay_);
}

void TransmissionLine::Reset() {
  TlmComponent::Reset();
  // A TimeStep that was too large from the beginning has been refused at load; it may have changed since.
  if (delay_ < h() * (1 - kSameStep)) {
    throw SimulationFailure(DisplayPath() + ": " + ShorterThanStep(h()),
                            std::numeric_limits<double>::quiet_NaN());
  }
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
