#pragma once

#include <array>
#include <numbers>

namespace davit {

/// The base units, in the order of Dimension::exponents.
inline constexpr std::array<const char*, 6> kBaseUnits = {"m", "kg", "s", "A", "K", "rad"};

/// One unit is factor * definition, shifted by offset (in the unit itself).
struct DerivedUnit {
  const char* symbol;
  double factor;
  const char* definition;  // by symbols defined above it
  double offset = 0;
};

inline constexpr double kStandardGravity = 9.80665;                          // m/s2, by definition
inline constexpr double kPound = 0.45359237;                                 // kg, by definition
inline constexpr double kInch = 0.0254;                                      // m, by definition
inline constexpr double kPsi = kPound * kStandardGravity / (kInch * kInch);  // Pa

inline constexpr DerivedUnit kDerivedUnits[] = {
    {"t", 1e6, "g"},
    {"N", 1, "kg*m/s^2"},
    {"Nm", 1, "N*m"},
    {"Pa", 1, "N/m^2"},
    {"bar", 1e5, "Pa"},
    {"psi", kPsi, "Pa"},
    {"J", 1, "N*m"},
    {"W", 1, "J/s"},
    {"Hz", 1, "1/s"},
    {"C", 1, "A*s"},
    {"V", 1, "W/A"},
    {"Ohm", 1, "V/A"},
    {"ohm", 1, "V/A"},
    {"F", 1, "C/V"},
    {"H", 1, "V*s/A"},
    {"Wb", 1, "V*s"},
    {"T", 1, "Wb/m^2"},
    {"l", 1e-3, "m^3"},
    {"L", 1e-3, "m^3"},
    {"min", 60, "s"},
    {"h", 3600, "s"},
    {"deg", std::numbers::pi / 180, "rad"},
    {"rev", 2 * std::numbers::pi, "rad"},
    {"rpm", 2 * std::numbers::pi / 60, "rad/s"},
    {"St", 1e-4, "m^2/s"},
    {"degC", 1, "K", 273.15},
    {"%", 0.01, "1"},
    {"in", kInch, "m"},
    {"ft", 12 * kInch, "m"},
};

/// What may stand before any symbol.
struct UnitPrefix {
  const char* symbol;
  double factor;
};

inline constexpr UnitPrefix kUnitPrefixes[] = {
    {"Y", 1e24}, {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},  {"T", 1e12},  {"G", 1e9},   {"M", 1e6},
    {"k", 1e3},  {"h", 1e2},   {"da", 1e1},  {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},
    {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24},
};

}  // namespace davit
