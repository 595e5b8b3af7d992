#include "components/signal/jonswap.h"

#include <cmath>
#include <numbers>
#include <random>

#include "components/signal/wave_shape.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

constexpr double kLowest = 0.5;  // of the peak frequency
constexpr double kHighest = 4;

}  // namespace

void Jonswap::TakeUnitOfValues(std::string_view si_unit) {
  const UnitSystem units;
  Dimension dimension = units.Find(si_unit).value_or(Unit{}).dimension;
  ++dimension.exponents[0];  // of the length
  std::string unit = SiUnitOf(dimension, units);
  for (OutputDeclaration& output : mutable_declarations().outputs) {  // y, rate, acceleration
    output.label.unit = Keep(unit);
    unit = DerivativeUnit(unit);
  }
  DynamicSimComponent::TakeUnitOfValues(si_unit);
}

void Jonswap::Configure(Diagnostics& /*diagnostics*/) {
  const int count = spectrum == Spectrum::kRegular ? 1 : static_cast<int>(components);
  waves_.resize(static_cast<std::size_t>(count));
}

void Jonswap::ParametersChanged() {
  const double peak = 2 * std::numbers::pi / peak_period;
  if (spectrum == Spectrum::kRegular) {
    waves_.front() = {significant_height / 2, peak, phase};
    return;
  }
  std::mt19937_64 random(static_cast<std::uint64_t>(static_cast<int>(seed)));
  const double part = (kHighest - kLowest) * peak / static_cast<double>(waves_.size());
  double variance = 0;
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    const double w = kLowest * peak + part * (static_cast<double>(i) + UniformNumber(random));
    const double square = WaveShape(w, peak, peakedness, 5);
    waves_[i] = {std::sqrt(square), w, 2 * std::numbers::pi * UniformNumber(random) + phase};
    variance += square / 2;
  }
  const double scale = significant_height / 4 / std::sqrt(variance);
  for (Wave& wave : waves_) wave.amplitude *= scale;
}

void Jonswap::EvaluateDiffEquations(double t) {
  double sum = 0, first = 0, second = 0;
  for (const Wave& wave : waves_) {
    const double angle = wave.frequency * t + wave.phase;
    const double value = wave.amplitude * std::cos(angle);
    sum += value;
    first -= wave.amplitude * wave.frequency * std::sin(angle);
    second -= wave.frequency * wave.frequency * value;
  }
  y = response * sum;
  rate = response * first;
  acceleration = response * second;
}

}  // namespace davit
