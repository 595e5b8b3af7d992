#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// Exponents of the base dimensions: length, mass, time, current, temperature, angle.
///
/// Angle is a dimension of its own, so that a displacement per radian (m3/rad) is not taken for a volume and
/// a frequency (1/s) is not taken for an angular speed (rad/s).
struct Dimension {
  std::array<std::int8_t, 6> exponents{};

  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// The dimension as a product of SI base units that `UnitSystem::Find` reads back: `m3/rad`, `kg/(m s2)`,
/// `1/s`, and `1` when dimensionless.
std::string ToText(const Dimension& dimension);

/// value_in_si = scale * value + offset. The offset is not 0 only for a temperature scale on its own.
struct Unit {
  double scale = 1;
  double offset = 0;
  Dimension dimension;

  /// Correctly rounded wherever the scale is a whole number or one divided by a whole number: 283 mm is the
  /// double 0.283.
  double ToSi(double value) const;
  double FromSi(double si) const;
};

/// What a text was found to mean.
struct KnownUnit {
  std::string text;
  std::optional<Unit> unit;  ///< nothing: it names no unit
};

class UnitLibrary;

/// The units davit reads, by UDUNITS-2 in a unit system of davit's own.
///
/// Base units are m, kg, s, A, K and rad; every symbol takes the SI prefixes. A unit is a product of symbols
/// with whole exponents: `N.m.s/rad`, `kg/(m s2)`, `m3/s/Pa`, `1/s`, `mm^2`, `s-1`. A product that continues
/// after `/` without parentheses (`J/kg.K`) has two readings and is refused.
///
/// Find and names may be called by several threads at once.
class UnitSystem {
 public:
  /// Throws std::runtime_error if UDUNITS-2 fails (no memory).
  UnitSystem();
  ~UnitSystem();
  UnitSystem(const UnitSystem&) = delete;
  UnitSystem& operator=(const UnitSystem&) = delete;

  /// The unit that `text` names, or nullopt if it is unknown. The texts "", "-" and "1" are the dimensionless
  /// unit. Refused are numbers ("5 m"), shifted, logarithmic and calendar units, more than 64 bytes, and
  /// exponents beyond 99 or sums of them beyond +-127. A text is parsed once; finding it again does not
  /// allocate.
  std::optional<Unit> Find(std::string_view text) const;

  /// All texts that were looked up so far, ordered.
  std::vector<KnownUnit> known() const;
  /// Takes over what another unit system knows; what is known here stays. It finds these texts as the other
  /// one did, bit for bit, also in a program that is linked without UDUNITS-2.
  void Learn(const std::vector<KnownUnit>& units) const;

  /// The symbols without prefix, for suggestions.
  std::vector<std::string> names() const;

 private:
  class Cache;
  std::unique_ptr<const UnitLibrary> library_;
  std::unique_ptr<Cache> cache_;
};

}  // namespace davit
