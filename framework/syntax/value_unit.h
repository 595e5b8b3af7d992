#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "framework/units/unit_system.h"

namespace davit {

/// What is known of the unit of a value in an expression.
struct ValueUnit {
  std::optional<Dimension> dimension = Dimension{};  ///< nothing: unknown
  bool is_bare = false;         ///< numbers without a unit, which a sum takes for numbers in SI
  bool has_free_angle = false;  ///< a product, in which a radian is 1: `speed * radius` is m/s

  /// The dimension, if the value has one for certain.
  std::optional<Dimension> known() const { return is_bare ? std::nullopt : dimension; }
};

/// Which units the operations of an expression give.
///
/// An expression in which a unit is written is strict: a factor without a unit is a pure number. In any other
/// expression such a factor may stand for a coefficient with a unit, so a product with it has an unknown one.
class UnitRules {
 public:
  explicit UnitRules(bool is_strict) : is_strict_(is_strict) {}

  /// Of the product of `a` and `b`; of the quotient if `sign` is -1.
  ValueUnit Product(const ValueUnit& a, const ValueUnit& b, int sign) const;
  /// Of two values that are added, compared or chosen from; nothing if their dimensions differ.
  std::optional<ValueUnit> Same(const ValueUnit& a, const ValueUnit& b) const;
  /// Of the time.
  ValueUnit Time() const;
  /// Of a function with the first argument `a`. `exponent` is the second argument of pow if it is constant.
  ValueUnit Call(std::string_view function, const ValueUnit& a, std::optional<double> exponent = {}) const;

 private:
  bool is_strict_;
};

/// Whether a value may be assigned to something of the dimension `wanted`.
bool FitsUnit(const ValueUnit& value, const Dimension& wanted);

/// `a` times the `power`-th power of `b`.
Dimension ProductOf(const Dimension& a, const Dimension& b, int power);
/// The dimension of the derivative of what has the dimension `d`.
Dimension PerSecond(const Dimension& d);
/// Nothing if `unit` is unknown, as the one of an item that takes any.
std::optional<Dimension> DimensionOf(std::string_view unit, const UnitSystem& units);

}  // namespace davit
