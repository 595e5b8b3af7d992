#include "framework/units/unit_reader.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

#include "framework/units/short_decimal.h"
#include "framework/units/unit_symbols.h"

namespace davit {
namespace {

constexpr int kMostExponent = std::numeric_limits<std::int8_t>::max();

/// a * b^power. The shift of a temperature scale is lost in every product.
std::optional<Unit> Multiply(const Unit& a, const Unit& b, int power) {
  Unit product{a.scale * std::pow(b.scale, power), 0, a.dimension};
  for (std::size_t i = 0; i < product.dimension.exponents.size(); ++i) {
    const int sum = a.dimension.exponents[i] + power * b.dimension.exponents[i];
    if (std::abs(sum) > kMostExponent) return std::nullopt;
    product.dimension.exponents[i] = static_cast<std::int8_t>(sum);
  }
  return product;
}

std::optional<Unit> FindSymbol(std::string_view symbol);

///   product = factor { ( "*" | "/" ) factor }
///   factor  = symbol [ "^" exponent ] | "(" product ")" | "1"
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : rest_(text) {}

  std::optional<Unit> Read() {
    const std::optional<Unit> unit = ReadProduct();
    return rest_.empty() ? unit : std::nullopt;
  }

 private:
  static bool IsOfSymbol(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%'; }

  bool Accept(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<Unit> ReadProduct() {
    std::optional<Unit> product = ReadFactor();
    while (product && !rest_.empty()) {
      const bool is_divisor = rest_.front() == '/';
      if (!is_divisor && rest_.front() != '*') break;
      rest_.remove_prefix(1);
      const std::optional<Unit> factor = ReadFactor();
      if (!factor) return std::nullopt;
      product = Multiply(*product, *factor, is_divisor ? -1 : 1);
    }
    return product;
  }

  std::optional<Unit> ReadFactor() {
    if (Accept('1')) return Unit{};
    if (Accept('(')) {
      const std::optional<Unit> product = ReadProduct();
      return Accept(')') ? product : std::nullopt;
    }
    std::size_t size = 0;
    while (size < rest_.size() && IsOfSymbol(rest_[size])) ++size;
    const std::optional<Unit> unit = FindSymbol(rest_.substr(0, size));
    rest_.remove_prefix(size);
    if (!unit || !Accept('^')) return unit;
    int power = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), power);
    if (error != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return power == 1 ? unit : Multiply({}, *unit, power);
  }

  std::string_view rest_;
};

std::optional<Unit> FindWithoutPrefix(std::string_view symbol) {
  for (std::size_t i = 0; i < kBaseUnits.size(); ++i) {
    const bool is_gram = symbol == "g" && std::string_view(kBaseUnits[i]) == "kg";
    if (!is_gram && (symbol != kBaseUnits[i] || symbol == "kg")) continue;
    Unit unit{is_gram ? 1e-3 : 1, 0, {}};
    unit.dimension.exponents[i] = 1;
    return unit;
  }
  for (const DerivedUnit& derived : kDerivedUnits) {
    if (symbol != derived.symbol) continue;
    std::optional<Unit> unit = UnitReader(derived.definition).Read();
    if (!unit) return unit;
    unit->scale *= derived.factor;
    unit->offset = unit->scale * derived.offset;
    return unit;
  }
  return std::nullopt;
}

std::optional<Unit> FindSymbol(std::string_view symbol) {
  if (auto unit = FindWithoutPrefix(symbol)) return unit;
  const UnitPrefix* longest = nullptr;
  for (const UnitPrefix& prefix : kUnitPrefixes) {
    const std::string_view text = prefix.symbol;
    if (symbol.starts_with(text) &&
        (longest == nullptr || text.size() > std::string_view(longest->symbol).size()))
      longest = &prefix;
  }
  if (longest == nullptr) return std::nullopt;
  std::optional<Unit> unit = FindWithoutPrefix(symbol.substr(std::string_view(longest->symbol).size()));
  if (unit) unit->scale *= longest->factor;
  return unit;
}

}  // namespace

std::optional<Unit> ReadUnit(std::string_view text) {
  std::optional<Unit> unit = UnitReader(text).Read();
  if (!unit) return unit;
  unit->scale = RoundToShortDecimal(unit->scale);
  const bool is_usable = std::isnormal(unit->scale) && std::isfinite(unit->offset);
  return is_usable ? unit : std::nullopt;
}

}  // namespace davit
