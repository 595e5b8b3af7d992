#include "tests/support/random_parameters.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <random>
#include <string_view>
#include <utility>

namespace davit {
namespace {

struct DrawnParameter {
  Item item;
  double usual;
  double exponent;

  std::string ToSetting() const {
    const Range range = item.range();
    const double value = std::clamp(usual * std::pow(10.0, exponent), range.low, range.high);
    return item.path() + '=' + item.TextOf(item.IsValid(value) ? value : usual);
  }
};

bool DeterminesPose(const Item& item) {
  constexpr std::string_view kNames[] = {"boom_length", "foot_x",   "foot_z", "head_x",
                                         "head_z",      "shortest", "stroke"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return item.name().ends_with(name); });
}

std::vector<DrawnParameter> DrawParameters(const System& system, std::uint64_t seed, bool keeps_pose) {
  std::mt19937_64 random(seed);
  std::vector<DrawnParameter> drawn;
  for (Component* component : system.components()) {
    if (IsSettingOfRun(*component)) continue;
    for (const Item& item : system.ItemsOf(*component)) {
      if (item.kind() != Item::Kind::kParameter) continue;
      const double usual = item.Read();
      if (usual == 0 || !std::isfinite(usual)) continue;
      if (keeps_pose && DeterminesPose(item)) continue;
      drawn.push_back({item, usual, 2 * std::ldexp(static_cast<double>(random() >> 11U), -53) - 1});
    }
  }
  return drawn;
}

void Halve(DrawnParameter& parameter) {
  parameter.exponent = std::abs(parameter.exponent) < 0.01 ? 0 : parameter.exponent / 2;
}

/// Whether `word` is in the text as a whole word.
bool HasWord(std::string_view text, std::string_view word) {
  const auto is_of_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  for (std::size_t i = text.find(word); i != std::string_view::npos; i = text.find(word, i + 1)) {
    if (!is_of_word(i - 1) && !is_of_word(i + word.size())) return true;
  }
  return false;
}

/// Halves the exponents of the parameters that the errors name; where they name none, those of the components
/// that have errors; where these have none left, all.
void Moderate(std::vector<DrawnParameter>& drawn, const Diagnostics& diagnostics) {
  const auto halve_those = [&](const auto& is_wrong) {
    bool has_any = false;
    for (DrawnParameter& parameter : drawn) {
      if (parameter.exponent == 0) continue;
      const bool is_one = std::ranges::any_of(diagnostics.all(), [&](const Diagnostic& fault) {
        return fault.severity == davit::Severity::kError && is_wrong(fault, parameter.item);
      });
      if (!is_one) continue;
      has_any = true;
      Halve(parameter);
    }
    return has_any;
  };
  const auto has_error = [](const Diagnostic& fault, const Item& item) {
    return fault.path == item.owner().DisplayPath();
  };
  const auto is_named = [&](const Diagnostic& fault, const Item& item) {
    return has_error(fault, item) && HasWord(fault.message(), item.name());
  };
  if (!halve_those(is_named) && !halve_those(has_error)) std::ranges::for_each(drawn, Halve);
}

}  // namespace

RandomSystem LoadWithRandomParameters(const std::filesystem::path& file, const Registry& registry,
                                      std::uint64_t seed, bool keeps_pose, SimulationOptions options) {
  LoadedSimulation usual = Simulation::Load(file, registry, options);
  if (usual.simulation == nullptr) return {};
  std::vector<DrawnParameter> drawn = DrawParameters(usual.simulation->system(), seed, keeps_pose);
  const std::vector<std::string> more = options.load.set;
  std::string refusals;
  constexpr int kMostAttempts = 64;  // all exponents are zero long before
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::vector<std::string> set;
    for (const DrawnParameter& parameter : drawn) set.push_back(parameter.ToSetting());
    options.load.set = set;
    options.load.set.insert(options.load.set.end(), more.begin(), more.end());
    LoadedSimulation loaded = Simulation::Load(file, registry, options);
    if (loaded.simulation != nullptr)
      return {std::move(loaded.simulation), std::move(options.load.set), std::move(refusals)};
    refusals += ToText(loaded.diagnostics);
    Moderate(drawn, loaded.diagnostics);
  }
  return {};
}

}  // namespace davit
