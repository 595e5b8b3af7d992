#include "components/marine/motion_reference_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "components/marine/floating_body.h"
#include "components/signal/wave_shape.h"

namespace davit {

void MotionReferenceUnit::Link(System& /*system*/, Diagnostics& diagnostics) {
  source_ = MotionSource::Find(*this, diagnostics);
  for (const Component* scope = parent(); scope != nullptr && source_ != nullptr; scope = scope->parent()) {
    for (const Component* child : scope->children()) {
      if (dynamic_cast<const FloatingBody*>(child) == nullptr) continue;
      return diagnostics.Warning(
          location(), DisplayPath(),
          fmt::format(
              "it measures the motion in the waves alone, and not by how much {} yields; compute the rise of "
              "the "
              "point from heave, roll and pitch of {} in a signal.Expression, and delay it by operator.Delay",
              child->DisplayPath(), child->DisplayPath()));
    }
  }
}

void MotionReferenceUnit::ParametersChanged() {
  if (source_ == nullptr || motion_) return;
  motion_ = source_->MakeMotion();
  motion_before_ = source_->MakeMotion();
  constexpr int kCount = 50;
  std::mt19937_64 random(static_cast<std::uint64_t>(static_cast<int>(seed)));
  std::vector<double> frequencies;
  std::vector<std::complex<double>> amplitudes;
  for (int i = 0; i < kCount; ++i) {
    frequencies.push_back(2 * std::numbers::pi * noise_bandwidth * (i + UniformNumber(random)) / kCount);
    amplitudes.push_back(std::polar(std::sqrt(2.0 / kCount), 2 * std::numbers::pi * UniformNumber(random)));
  }
  noise_ = std::make_unique<HarmonicSum>(frequencies, 1);
  for (std::size_t i = 0; i < amplitudes.size(); ++i) noise_->SetAmplitude(i, 0, amplitudes[i]);
}

MotionSource::Degree MotionReferenceUnit::RiseIn(const MotionSource::Motion& motion) const {
  const MotionSource::Degree &heave = motion[2], &roll = motion[3], &pitch = motion[4];
  return {heave.value + y * roll.value - x * pitch.value, heave.rate + y * roll.rate - x * pitch.rate,
          heave.acceleration + y * roll.acceleration - x * pitch.acceleration};
}

void MotionReferenceUnit::EvaluateDiffEquations(double t) {
  const MotionSource::Degree now = RiseIn(motion_(t));
  rise = now.value;
  rise_rate = now.rate;
  rise_acceleration = now.acceleration;
  down_rate = -now.rate;
  MotionSource::Degree m = delay > 0 ? RiseIn(motion_before_(t - delay)) : now;
  if (noise > 0) {
    noise_->Evaluate(t - delay);
    m.value += noise * noise_->value(0);
    m.rate += noise * noise_->rate(0);
    m.acceleration += noise * noise_->acceleration(0);
  }
  measured_rise = m.value + prediction * (m.rate + prediction / 2 * m.acceleration);
  measured_rate = m.rate + prediction * m.acceleration;
}

double MotionReferenceUnit::NextBreakTime(double t) const {
  return std::min(source_->NextKink(t), source_->NextKink(t - delay) + delay);
}

}  // namespace davit
