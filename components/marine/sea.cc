#include "components/marine/sea.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "components/marine/item_numbers.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

constexpr double kSteepest = 1.0 / 7;    // height over length; steeper waves break
constexpr std::size_t kMostShown = 200;  // waves in a view, the highest ones

}  // namespace

void Sea::TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& /*registry*/,
                    Diagnostics& diagnostics) {
  items_ = std::move(items);
  for (const ItemElement& item : items_) {
    if (item.kind == "Wave") {
      double height = 0, period = 1, towards = std::numbers::pi, phase = 0;
      if (!ReadItemNumbers(item,
                           {{"height", "m", &height, true, kNonNegative},
                            {"period", "s", &period, true, kPositive},
                            {"direction", "rad", &towards},
                            {"phase", "rad", &phase}},
                           *this, units, diagnostics))
        continue;
      given_.push_back({height / 2, 2 * std::numbers::pi / period, 0, towards, phase});
      given_at_.push_back(item.location);
    } else {
      SpectrumPoint point;
      if (!ReadItemNumbers(item,
                           {{"frequency", "rad/s", &point.frequency, true, kPositive},
                            {"density", "m2.s/rad", &point.density, true, kNonNegative}},
                           *this, units, diagnostics))
        continue;
      if (!points_.empty() && point.frequency <= points_.back().frequency)
        diagnostics.Error(item.location, DisplayPath(),
                          "frequency: it is not above that of the point before; sort the points");
      else
        points_.push_back(point);
    }
  }
}

void Sea::Configure(Diagnostics& diagnostics) {
  const auto report = [&](const SourceLocation& place, std::string_view text) {
    diagnostics.Error(place, DisplayPath(), text);
  };
  std::vector<Wave> waves;
  if (spectrum == Spectrum::kTable && points_.size() < 2) {
    report(location(),
           "spectrum Table needs at least two elements Point; write <Point frequency= density=/>");
  } else if (spectrum != Spectrum::kWaves) {
    const WaveSpectrum whole(
        {.kind = static_cast<SpectrumKind>(static_cast<Spectrum>(spectrum)),
         .height = significant_height,
         .peak_period = peak_period,
         .peakedness = peakedness,
         .points = spectrum == Spectrum::kTable ? points_ : std::vector<SpectrumPoint>{}});
    // Hs over the length of a wave with the period Tp: broken long before it is as steep as one wave may be.
    const double number = WaveNumber(2 * std::numbers::pi / peak_period, depth);
    if (spectrum != Spectrum::kTable && significant_height * number > kSteepest * 2 * std::numbers::pi) {
      report(
          location(),
          fmt::format("waves of {:.3g} m with a peak period of {:.3g} s are steeper than 1/7; give a longer "
                      "peak_period or a smaller significant_height",
                      static_cast<double>(significant_height), static_cast<double>(peak_period)));
    }
    waves = MakeWaves(whole, {.count = components,
                              .seed = static_cast<std::uint32_t>(static_cast<int>(seed)),
                              .direction = direction,
                              .spreading = spreading,
                              .depth = depth});
  }
  for (std::size_t i = 0; i < given_.size(); ++i) {
    Wave wave = given_[i];
    wave.number = WaveNumber(wave.frequency, depth);
    const double steepness = wave.amplitude * wave.number / std::numbers::pi;
    if (steepness > kSteepest) {
      report(given_at_[i], fmt::format("the wave is 1/{:.3g} as high as it is long; waves steeper than 1/7 "
                                       "break: give a longer period or a smaller height",
                                       1 / steepness));
    }
    waves.push_back(wave);
  }
  waves_ = WaveField(std::move(waves), depth);
}

void Sea::EvaluateDiffEquations(double t) { elevation = waves_.Elevation(t, x, y); }

void Sea::DescribeScene(SceneBuilder& scene) const {
  std::vector<SceneWave> waves;
  waves.reserve(waves_.waves().size());
  for (const Wave& wave : waves_.waves())
    waves.push_back({wave.amplitude, wave.frequency, wave.number, wave.direction, wave.phase});
  const auto shown = std::min(waves.size(), kMostShown);
  std::ranges::partial_sort(waves, waves.begin() + static_cast<std::ptrdiff_t>(shown), std::ranges::greater{},
                            &SceneWave::amplitude);
  waves.resize(shown);
  scene.Add({.name = "surface",
             .kind = SceneItem::Kind::kSurface,
             .text = "Surface of the sea",
             .points = {},
             .waves = std::move(waves)});
}

Eigen::Vector3d Sea::Current() const {
  return current * Eigen::Vector3d(std::cos(current_direction), std::sin(current_direction), 0);
}

const Sea* Sea::Find(const Component& component, Diagnostics& diagnostics) {
  for (const Component* scope = component.parent(); scope != nullptr; scope = scope->parent()) {
    for (const Component* child : scope->children()) {
      if (const auto* sea = dynamic_cast<const Sea*>(child)) return sea;
    }
  }
  diagnostics.Error(component.location(), component.DisplayPath(),
                    "there is no marine.Sea whose waves this could use; add one to the same system");
  return nullptr;
}

}  // namespace davit
