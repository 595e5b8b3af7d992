#include "framework/units/quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "framework/nearest_name.h"

namespace davit {
namespace {

/// How users like to write a quantity of the dimension of the SI unit `si`.
struct Example {
  std::string_view si;
  std::string_view number;
  std::string_view unit;
  /// Behind a number of the user: no one who writes 5 means 5 t or 5 ms.
  std::string_view unit_of_any = unit;
};

constexpr Example kExamples[] = {
    {"m", "250", "mm"},        {"m2", "25", "mm2"},          {"m3", "5", "l"},
    {"m/s", "0.5", "m/s"},     {"m/s2", "9.81", "m/s2"},     {"m2/s", "46", "cSt"},
    {"m3/s", "140", "l/min"},  {"m3/rad", "270", "cm3/rev"}, {"m3/s/Pa", "2", "l/min/bar"},
    {"m3/Pa", "0.1", "l/bar"}, {"kg", "10", "t", "kg"},      {"kg/m3", "870", "kg/m3"},
    {"kg.m2", "0.5", "kg.m2"}, {"s", "10", "ms", "s"},       {"1/s", "100", "Hz"},
    {"rad", "30", "deg"},      {"rad/s", "1776", "rpm"},     {"rad/s2", "5", "rad/s2"},
    {"N", "98.1", "kN", "N"},  {"N/m", "100", "N/mm"},       {"N.s/m", "5", "kN.s/m"},
    {"N.m", "10", "Nm"},       {"N.m/rad", "10", "Nm/rad"},  {"N.m.s/rad", "0.5", "N.m.s/rad"},
    {"Pa", "250", "bar"},      {"Pa.s", "40", "mPa.s"},      {"W", "75", "kW", "W"},
    {"K", "45", "degC"},       {"A", "4", "mA", "A"},        {"V", "24", "V"},
};

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kPlainExample = "250 bar";
constexpr std::size_t kMaxNumberSize = 24;  // of a number that a message repeats

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

const Example* FindExample(const Dimension& dimension, const UnitSystem& units) {
  for (const Example& example : kExamples) {
    const std::optional<Unit> unit = units.Find(example.si);
    if (unit && unit->dimension == dimension) return &example;
  }
  return nullptr;
}

/// The unit a value is declared in, with what error messages need of it.
struct Declared {
  std::string_view text;
  Dimension dimension;
};

bool IsDimensionless(const Dimension& dimension) { return dimension == Dimension{}; }

/// A right text: `270 cm3/rev`. Keeps the number the user wrote, if there is one.
std::string ExampleText(std::string_view number, const std::optional<Declared>& declared,
                        const UnitSystem& units) {
  if (!declared) return std::string(kPlainExample);
  if (number.size() > kMaxNumberSize) number = {};
  if (IsDimensionless(declared->dimension)) return std::string(number.empty() ? "0.5" : number);
  const Example* const example = FindExample(declared->dimension, units);
  if (example == nullptr) return fmt::format("{} {}", number.empty() ? "1" : number, declared->text);
  if (number.empty()) return fmt::format("{} {}", example->number, example->unit);
  return fmt::format("{} {}", number, example->unit_of_any);
}

std::string WriteExample(std::string_view number, const std::optional<Declared>& declared,
                         const UnitSystem& units) {
  return "write for example " + ExampleText(number, declared, units);
}

/// The dimension in units familiar to a user: `Pa` rather than `kg/(m s2)`.
std::string DimensionName(const Dimension& dimension, const UnitSystem& units) {
  if (IsDimensionless(dimension)) return "dimensionless";
  const Example* const example = FindExample(dimension, units);
  return example != nullptr ? std::string(example->si) : ToText(dimension);
}

/// Unit texts to compare a misspelt one with; only those of the needed dimension, if one is needed.
std::vector<std::string> Candidates(const std::optional<Declared>& declared, const UnitSystem& units) {
  std::vector<std::string> candidates = units.names();
  candidates.insert(
      candidates.end(),
      {"cm", "km",  "cm2",  "cm3",   "cm3/rev", "ml",    "kPa",   "MPa",    "mbar",  "kNm",  "MN",  "MW",
       "kJ", "kHz", "mrad", "deg/s", "rev/min", "rev/s", "l/rev", "ml/rev", "1/min", "km/h", "m3/h"});
  for (const Example& example : kExamples) candidates.emplace_back(example.unit);
  for (const Example& example : kExamples) candidates.emplace_back(example.si);
  if (!declared) return candidates;
  candidates.emplace_back(declared->text);
  std::erase_if(candidates, [&](const std::string& candidate) {
    const std::optional<Unit> unit = units.Find(candidate);
    return !unit || unit->dimension != declared->dimension;
  });
  return candidates;
}

/// What to write where the dimension differs by an angle alone: `30 rev/s` for `30 Hz`, `270 cm3/rev` for
/// `270 cm3`. The number is kept in a unit that means the same, counted in turns or else in radians, and left
/// out where there is none.
std::string WriteWithAngle(std::string_view number, const Unit& given, const Declared& declared, int angles,
                           const UnitSystem& units) {
  const bool repeats = number.size() <= kMaxNumberSize && !IsDimensionless(declared.dimension);
  for (const double angle : {2 * std::numbers::pi, 1.0}) {
    if (!repeats) break;
    const double scale = given.scale * std::pow(angle, angles);
    for (const std::string& candidate : Candidates(declared, units)) {
      if (std::abs(units.Find(candidate)->scale / scale - 1) < 1e-9)
        return fmt::format("write for example {} {}", number, candidate);
    }
  }
  return WriteExample({}, declared, units);
}

/// Angles that `needed` has more than `given`, if that is all they differ by; otherwise 0.
int MissingAngles(const Dimension& given, const Dimension& needed) {
  constexpr std::size_t kAngle = 5;
  Dimension with_angle = given;
  with_angle.exponents[kAngle] = needed.exponents[kAngle];
  return with_angle == needed ? needed.exponents[kAngle] - given.exponents[kAngle] : 0;
}

QuantityResult Refuse(Fault fault) { return {std::nullopt, std::move(fault)}; }

Fault UnknownUnit(std::string_view unit, const std::optional<Declared>& declared, const UnitSystem& units) {
  std::string remedy;
  const std::size_t slash = unit.find('/');
  if (const auto nearest = FindNearest(unit, Candidates(declared, units))) {
    remedy = fmt::format("did you mean {}?", Quoted(*nearest));
  } else if (slash != std::string_view::npos && unit.find_first_of(" .*", slash) != std::string_view::npos) {
    remedy = "put a product after / in parentheses, as in kg/(m s2)";
  } else {
    remedy = WriteExample({}, declared, units);
  }
  return {"unknown unit " + Quoted(unit), std::move(remedy)};
}

QuantityResult Parse(std::string_view text, const std::optional<Declared>& declared,
                     const UnitSystem& units) {
  const std::string_view trimmed = Trim(text);
  std::string_view digits = trimmed;
  // std::from_chars takes no plus sign.
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-' && digits[1] != '+') digits.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const std::string_view unit_text = Trim(digits.substr(static_cast<std::size_t>(end - digits.data())));
  const std::string_view number_text = Trim(trimmed.substr(0, trimmed.size() - unit_text.size()));

  if (error == std::errc::invalid_argument) {
    return Refuse({Quoted(trimmed) + " is not a number", WriteExample({}, declared, units)});
  }
  if (error == std::errc::result_out_of_range) {
    return Refuse({Quoted(trimmed) + " is beyond what a number can hold (about 1e-308 to 1e308)",
                   WriteExample({}, declared, units)});
  }
  if (!std::isfinite(number)) {
    return Refuse({Quoted(trimmed) + " is not a finite number", WriteExample({}, declared, units)});
  }
  if (unit_text.empty()) {
    return {Quantity{number, declared ? declared->dimension : Dimension{}, false}, {}};
  }
  if (unit_text.front() == ',') {
    return Refuse({Quoted(trimmed) + " has a comma", "write a number with a decimal point"});
  }

  // "1" is a unit, but in `5 1` it is rather a second number.
  const std::optional<Unit> unit = unit_text == "1" ? std::nullopt : units.Find(unit_text);
  if (!unit) return Refuse(UnknownUnit(unit_text, declared, units));
  if (declared && unit->dimension != declared->dimension) {
    const bool needs_unit = !IsDimensionless(declared->dimension);
    const int angles = MissingAngles(unit->dimension, declared->dimension);
    return Refuse(
        {fmt::format("{} is {}, but {} is needed", Quoted(trimmed), DimensionName(unit->dimension, units),
                     needs_unit ? declared->text : std::string_view("a number without unit")),
         angles != 0 ? WriteWithAngle(number_text, *unit, *declared, angles, units)
                     : WriteExample(number_text, declared, units)});
  }
  const double si = unit->ToSi(number);
  if (!std::isfinite(si)) {
    return Refuse({Quoted(trimmed) + " is too large in " + DimensionName(unit->dimension, units),
                   "write a smaller number"});
  }
  return {Quantity{si, unit->dimension, true}, {}};
}

}  // namespace

std::string SiUnitOf(const Dimension& dimension, const UnitSystem& units) {
  return IsDimensionless(dimension) ? std::string() : DimensionName(dimension, units);
}

std::string DerivativeUnit(std::string_view si_unit) {
  if (si_unit.empty() || si_unit == "1" || si_unit == "-") return "1/s";
  if (si_unit.ends_with("/s")) return std::string(si_unit) + '2';
  if (si_unit.ends_with("/s2")) return std::string(si_unit.substr(0, si_unit.size() - 1)) + '3';
  return std::string(si_unit) + "/s";
}

QuantityResult ParseQuantity(std::string_view text, const UnitSystem& units) {
  return Parse(text, std::nullopt, units);
}

QuantityResult ParseQuantity(std::string_view text, std::string_view declared_unit, const UnitSystem& units) {
  const std::optional<Unit> unit = units.Find(declared_unit);
  if (!unit) {
    return Refuse({"the declared unit " + Quoted(declared_unit) + " is unknown", "correct it in the model"});
  }
  return Parse(text, Declared{declared_unit, unit->dimension}, units);
}

}  // namespace davit
