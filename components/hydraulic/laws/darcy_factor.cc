#include "components/hydraulic/laws/darcy_factor.h"

#include <cmath>
#include <numbers>

namespace davit {
namespace {

constexpr double kBlasiusEnd = 1e5;

double TurbulentDarcyFactor(double Re, PipeWall wall, double relative_roughness) {
  switch (wall) {
    case PipeWall::kSwameeJain: return SwameeJainDarcyFactor(Re, relative_roughness);
    case PipeWall::kHaaland: return HaalandDarcyFactor(Re, relative_roughness);
    case PipeWall::kColebrook: return ColebrookDarcyFactor(Re, relative_roughness);
    case PipeWall::kSmooth: break;
  }
  return SmoothDarcyFactor(Re);
}

}  // namespace

double BlasiusDarcyFactor(double Re) { return 0.3164 / std::sqrt(std::sqrt(Re)); }

double HermannDarcyFactor(double Re) { return 0.0054 + 0.396 * std::pow(Re, -0.3); }

double SmoothDarcyFactor(double Re) {
  return Re <= kBlasiusEnd ? BlasiusDarcyFactor(Re) : HermannDarcyFactor(Re);
}

double SwameeJainDarcyFactor(double Re, double relative_roughness) {
  const double logarithm = std::log10(relative_roughness / 3.7 + 5.74 * std::pow(Re, -0.9));
  return 0.25 / (logarithm * logarithm);
}

double HaalandDarcyFactor(double Re, double relative_roughness) {
  const double s = -1.8 * std::log10(std::pow(relative_roughness / 3.7, 1.11) + 6.9 / Re);
  return 1 / (s * s);
}

/// Newton iterations for s = 1/sqrt(f) in s + 2 log10(r/3.7 + 2.51 s/Re) = 0, whose left side grows and is
/// concave.
double ColebrookDarcyFactor(double Re, double relative_roughness) {
  constexpr int kMostIterations = 10;
  const double roughness = relative_roughness / 3.7;
  const double per_s = 2.51 / Re;
  double s = 1 / std::sqrt(SwameeJainDarcyFactor(Re, relative_roughness));
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double argument = roughness + per_s * s;
    const double excess = s + 2 * std::log10(argument);
    const double step = excess / (1 + 2 * std::numbers::log10e * per_s / argument);
    s -= step;
    if (std::abs(step) <= 1e-8 * s) break;  // the next would be below rounding
  }
  return 1 / (s * s);
}

double DarcyFactor(double Re, PipeWall wall, double relative_roughness) {
  if (Re >= kTurbulentBegin) return TurbulentDarcyFactor(Re, wall, relative_roughness);
  const double low = LaminarDarcyFactor(kLaminarEnd);
  const double high = TurbulentDarcyFactor(kTurbulentBegin, wall, relative_roughness);
  return low + (high - low) * (Re - kLaminarEnd) / (kTurbulentBegin - kLaminarEnd);
}

}  // namespace davit
