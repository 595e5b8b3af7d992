#include "session/usual_text.h"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <utility>

#include "framework/declaration.h"

namespace davit {
namespace {

struct UsualUnit {
  std::string_view declared;
  std::string_view usual;
};
/// What people write where the SI unit gives unhandy numbers.
constexpr UsualUnit kUsualUnits[] = {
    {"m", "mm"},      {"m2", "mm2"}, {"m3", "l"},     {"m3", "cm3"},     {"Pa", "bar"},
    {"Pa", "GPa"},    {"N", "kN"},   {"kg", "t"},     {"s", "ms"},       {"rad", "deg"},
    {"rad/s", "rpm"}, {"1/s", "Hz"}, {"m2/s", "cSt"}, {"m3/s", "l/min"}, {"m3/rad", "cm3/rev"},
};

}  // namespace

UsualNumber ToUsual(double si, std::string_view declared, const UnitSystem& units) {
  // In characters: how much longer a text without them may be.
  constexpr std::size_t kPriceOfExponent = 4;
  constexpr std::size_t kPriceOfFraction = 2;
  const auto write = [](double value, std::string_view unit) {
    const bool has_unit = !unit.empty() && unit != "-" && unit != kAnyUnit;
    return UsualNumber{fmt::format("{:.12g}", value), std::string(has_unit ? unit : "")};
  };
  const auto cost = [](const UsualNumber& usual) {
    const std::string text = usual.ToText();
    const bool has_exponent = text.find('e') < text.find(' ');
    const bool is_fraction = text.starts_with("0.");
    return text.size() + (has_exponent ? kPriceOfExponent : 0) + (is_fraction ? kPriceOfFraction : 0);
  };
  UsualNumber best = write(si, declared);
  for (const auto& [from, to] : kUsualUnits) {
    const std::optional<Unit> unit = from == declared ? units.Find(to) : std::nullopt;
    if (!unit) continue;
    UsualNumber usual = write(unit->FromSi(si), to);
    if (cost(usual) < cost(best)) best = std::move(usual);
  }
  return best;
}

std::string ToUsualText(double si, std::string_view declared, const UnitSystem& units) {
  return ToUsual(si, declared, units).ToText();
}

}  // namespace davit
