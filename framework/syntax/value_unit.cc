#include "framework/syntax/value_unit.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace davit {
namespace {

constexpr std::size_t kTimeExponent = 2;
constexpr std::size_t kAngleExponent = 5;

constexpr auto kKeepUnit =
    std::to_array<std::string_view>({"abs", "ceil", "floor", "round", "hypot", "max", "min"});
constexpr auto kUnknownUnit =
    std::to_array<std::string_view>({"sqrt", "pow", "acos", "asin", "atan", "atan2", "fmod"});

std::optional<Dimension> RootOf(Dimension dimension) {
  for (std::int8_t& exponent : dimension.exponents) {
    if (exponent % 2 != 0) return std::nullopt;
    exponent = static_cast<std::int8_t>(exponent / 2);
  }
  return dimension;
}

bool IsSameDimension(const Dimension& a, Dimension b, bool has_free_angle) {
  if (has_free_angle) b.exponents[kAngleExponent] = a.exponents[kAngleExponent];
  return a == b;
}

}  // namespace

ValueUnit UnitRules::Product(const ValueUnit& a, const ValueUnit& b, int sign) const {
  if (a.is_bare && b.is_bare) return a;
  const bool is_known = a.dimension && b.dimension && (is_strict_ || (!a.is_bare && !b.is_bare));
  return {is_known ? std::optional(ProductOf(*a.dimension, *b.dimension, sign)) : std::nullopt, false, true};
}

std::optional<ValueUnit> UnitRules::Same(const ValueUnit& a, const ValueUnit& b) const {
  if (a.is_bare) return b;
  if (b.is_bare) return a;
  if (!a.dimension) return is_strict_ ? b : a;
  if (!b.dimension) return is_strict_ ? a : b;
  const bool has_free_angle = a.has_free_angle || b.has_free_angle;
  if (!IsSameDimension(*a.dimension, *b.dimension, has_free_angle)) return std::nullopt;
  return a.has_free_angle ? b : a;
}

ValueUnit UnitRules::Time() const {
  return {is_strict_ ? std::optional(Dimension{.exponents = {0, 0, 1, 0, 0, 0}}) : std::nullopt, false,
          false};
}

ValueUnit UnitRules::Call(std::string_view function, const ValueUnit& a,
                          std::optional<double> exponent) const {
  if (std::ranges::find(kKeepUnit, function) != kKeepUnit.end()) return a;
  ValueUnit unit{std::nullopt, false, true};
  if (std::ranges::find(kUnknownUnit, function) == kUnknownUnit.end()) {
    return {Dimension{}, !is_strict_, false};
  }
  if (a.is_bare) return is_strict_ ? ValueUnit{} : a;
  if (function == "sqrt" && a.dimension) unit.dimension = RootOf(*a.dimension);
  constexpr double kMostExponent = 4;
  const bool is_whole =
      exponent && *exponent == std::trunc(*exponent) && std::abs(*exponent) <= kMostExponent;
  if (function == "pow" && is_whole && a.dimension)
    unit.dimension = ProductOf({}, *a.dimension, static_cast<int>(*exponent));
  return unit;
}

bool FitsUnit(const ValueUnit& value, const Dimension& wanted) {
  const std::optional<Dimension> known = value.known();
  return !known || IsSameDimension(wanted, *known, value.has_free_angle);
}

Dimension ProductOf(const Dimension& a, const Dimension& b, int power) {
  Dimension product;
  for (std::size_t i = 0; i < product.exponents.size(); ++i)
    product.exponents[i] = static_cast<std::int8_t>(a.exponents[i] + power * b.exponents[i]);
  return product;
}

Dimension PerSecond(const Dimension& d) {
  Dimension rate = d;
  --rate.exponents[kTimeExponent];
  return rate;
}

std::optional<Dimension> DimensionOf(std::string_view unit, const UnitSystem& units) {
  const std::optional<Unit> found = units.Find(unit);
  return found ? std::optional(found->dimension) : std::nullopt;
}

}  // namespace davit
