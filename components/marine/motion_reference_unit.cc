#include "components/marine/motion_reference_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "components/marine/floating_body.h"
#include "components/signal/wave_shape.h"

namespace davit {

MotionReferenceUnit::DegreeInputs::DegreeInputs(Component* owner, const std::array<Text, 3>& names,
                                                const std::array<Text, 3>& units, Text text)
    : value(owner, names[0], units[0], text),
      rate(owner, names[1], units[1], "Its rate"),
      acceleration(owner, names[2], units[2], "Its acceleration") {}

MotionReferenceUnit::MotionReferenceUnit()
    : heave_(this, {"heave", "heave_rate", "heave_acceleration"}, {"m", "m/s", "m/s2"},
             "Heave of a vessel that yields"),
      roll_(this, {"roll", "roll_rate", "roll_acceleration"}, {"rad", "rad/s", "rad/s2"}, "Its roll"),
      pitch_(this, {"pitch", "pitch_rate", "pitch_acceleration"}, {"rad", "rad/s", "rad/s2"}, "Its pitch") {}

const FloatingBody* MotionReferenceUnit::FindBody() const {
  for (const Component* scope = parent(); scope != nullptr; scope = scope->parent()) {
    for (const Component* child : scope->children()) {
      if (const auto* body = dynamic_cast<const FloatingBody*>(child)) return body;
    }
  }
  return nullptr;
}

void MotionReferenceUnit::Configure(Diagnostics& /*diagnostics*/) { filter.SetSize(NeedsFilter() ? 3 : 0); }

void MotionReferenceUnit::Link(System& /*system*/, Diagnostics& diagnostics) {
  source_ = FindBody() != nullptr ? MotionSource::FindAny(*this) : MotionSource::Find(*this, diagnostics);
}

void MotionReferenceUnit::CheckConnections(Diagnostics& diagnostics) {
  const FloatingBody* const body = FindBody();
  std::string missing;
  std::size_t count = 0;
  for (const InputDeclaration& input : declarations().inputs) {
    if (input.is_routed) continue;
    ++count;
    missing += (missing.empty() ? "" : ", ") + std::string(input.label.name);
  }
  if (count == 0 && body == nullptr && delay > 0) {
    diagnostics.Error(
        location(), DisplayPath(),
        "there is no marine.FloatingBody whose motion it could delay; remove the routes to heave, roll "
        "and pitch, or set delay to 0 s");
  } else if (count > 0 && is_routed_) {
    diagnostics.Error(location(), DisplayPath(),
                      fmt::format("nothing is routed to {}; route heave, roll and pitch with their rates and "
                                  "accelerations, or none of them",
                                  missing));
  } else if (!is_routed_ && body != nullptr) {
    diagnostics.Warning(
        location(), DisplayPath(),
        fmt::format(
            "it measures the motion in the waves alone, and not by how much {0} yields; route heave, roll "
            "and pitch of {0} to it, with their rates and accelerations and hold=\"none\"",
            body->DisplayPath()));
  }
}

void MotionReferenceUnit::ParametersChanged() {
  const std::vector<InputDeclaration>& inputs = declarations().inputs;
  is_routed_ = std::ranges::any_of(inputs, &InputDeclaration::is_routed);
  if (noise_) return;
  if (source_ != nullptr) {
    motion_ = source_->MakeMotion();
    motion_before_ = source_->MakeMotion();
  }
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

MotionSource::Degree MotionReferenceUnit::Delayed(const MotionSource::Degree& u) {
  // u - u(t - delay) = delay*(2*d^2 + 120)/(d^3 + 12*d^2 + 60*d + 120) u' with d = delay*d/dt: the rest of
  // the Pade approximation of third order. Its derivatives follow from those of u.
  const double f1 = filter[0], f2 = filter[1], f3 = filter[2];
  filter[0].ddt = f2 / delay;
  filter[1].ddt = f3 / delay;
  filter[2].ddt = (u.rate - 12 * f3 - 60 * f2 - 120 * f1) / delay;
  return {u.value - delay * (2 * f3 + 120 * f1), 24 * f3 + 240 * f1 - u.rate,
          24 * filter[2].ddt + 240 * filter[0].ddt - u.acceleration};
}

void MotionReferenceUnit::EvaluateDiffEquations(double t) {
  const MotionSource::Degree in_waves = motion_ ? RiseIn(motion_(t)) : MotionSource::Degree{};
  MotionSource::Degree now = in_waves;
  if (is_routed_) {
    MotionSource::Motion total{};
    total[2] = heave_.Read();
    total[3] = roll_.Read();
    total[4] = pitch_.Read();
    now = RiseIn(total);
  }
  rise = now.value;
  rise_rate = now.rate;
  rise_acceleration = now.acceleration;
  down_rate = -now.rate;
  MotionSource::Degree m = now;
  if (delay > 0) {
    m = motion_before_ ? RiseIn(motion_before_(t - delay)) : MotionSource::Degree{};
    if (filter.size() > 0) {
      const MotionSource::Degree yielded = Delayed(
          {now.value - in_waves.value, now.rate - in_waves.rate, now.acceleration - in_waves.acceleration});
      m.value += yielded.value;
      m.rate += yielded.rate;
      m.acceleration += yielded.acceleration;
    }
  }
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
  if (source_ == nullptr) return std::numeric_limits<double>::infinity();
  return std::min(source_->NextKink(t), source_->NextKink(t - delay) + delay);
}

}  // namespace davit
