#include "results/display_unit.h"

#include <numbers>
#include <optional>

namespace davit {
namespace {

struct Entry {
  std::string_view si;
  std::string_view quantity;
  double at_least;  // largest value in SI from which the entry is used
  std::string_view unit;
  double factor;
};

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kTurnPerSecond = 2 * std::numbers::pi;  // [rad/s]

/// The last entry of a unit whose `at_least` is reached holds.
constexpr Entry kEntries[] = {
    {"Pa", "Pressure", 0, "bar", 1e-5},
    {"Pa/s", "Pressure rate", 0, "bar/s", 1e-5},
    {"m3/s", "Flow", 0, "l/min", 6e4},
    {"m3", "Volume", 0, "cm3", 1e6},
    {"m3", "Volume", 1e-3, "l", 1e3},
    {"m3", "Volume", 10, "m3", 1},
    {"m3/rad", "Displacement", 0, "cm3/rev", 2e6 * std::numbers::pi},
    {"m", "Position", 0, "m", 1},
    {"m/s", "Velocity", 0, "m/s", 1},
    {"m/s2", "Acceleration", 0, "m/s2", 1},
    {"rad", "Angle", 0, "deg", kDegrees},
    {"rad/s", "Angular velocity", 0, "deg/s", kDegrees},
    {"rad/s", "Speed", kTurnPerSecond, "rpm", 60 / kTurnPerSecond},
    {"rad/s2", "Angular acceleration", 0, "deg/s2", kDegrees},
    {"N", "Force", 0, "N", 1},
    {"N", "Force", 1e4, "kN", 1e-3},
    {"N", "Force", 1e7, "MN", 1e-6},
    {"N.m", "Torque", 0, "N.m", 1},
    {"N.m", "Torque", 1e4, "kN.m", 1e-3},
    {"N.m", "Torque", 1e7, "MN.m", 1e-6},
    {"W", "Power", 0, "W", 1},
    {"W", "Power", 1e4, "kW", 1e-3},
    {"W", "Power", 1e7, "MW", 1e-6},
    {"J", "Energy", 0, "J", 1},
    {"J", "Energy", 1e4, "kJ", 1e-3},
    {"J", "Energy", 1e7, "MJ", 1e-6},
    {"kg", "Mass", 0, "kg", 1},
    {"kg", "Mass", 1e4, "t", 1e-3},
    {"s", "Time", 0, "s", 1},
    {"K", "Temperature", 0, "K", 1},
    {"A", "Current", 0, "A", 1},
    {"V", "Voltage", 0, "V", 1},
};

/// `kg.m2/s2` and `kg.m^2/s^2` -> `kg·m²/s²`.
std::string Typeset(std::string_view unit) {
  constexpr std::string_view kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  bool is_after_symbol = false;
  for (const char c : unit) {
    if (c == '^') continue;
    if (c == '.' && is_after_symbol) {
      text += "·";
    } else if (c >= '0' && c <= '9' && is_after_symbol) {
      text += kRaised[c - '0'];
    } else {
      text += c;
    }
    is_after_symbol = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
  return text;
}

}  // namespace

std::string DisplayUnit::Label() const {
  if (plain.empty()) return quantity;
  return quantity.empty() ? "[" + unit + "]" : quantity + " [" + unit + "]";
}

DisplayUnit FindDisplayUnit(std::string_view si_unit, double largest) {
  const Entry* found = nullptr;
  for (const Entry& entry : kEntries) {
    if (entry.si == si_unit && (found == nullptr || largest >= entry.at_least)) found = &entry;
  }
  if (found != nullptr) {
    return {std::string(found->quantity), Typeset(found->unit), std::string(found->unit), found->factor};
  }
  if (si_unit.empty()) return {"Dimensionless", "–", "", 1};
  return {"", Typeset(si_unit), std::string(si_unit), 1};
}

std::string FindSiUnit(std::string_view unit, const Dimension& dimension, const UnitSystem& units) {
  // By its name first: torque and energy have one dimension.
  for (const Entry& entry : kEntries) {
    if (entry.unit == unit) return std::string(entry.si);
  }
  for (const Entry& entry : kEntries) {
    const std::optional<Unit> si = units.Find(entry.si);
    if (si && si->dimension == dimension) return std::string(entry.si);
  }
  return ToText(dimension);
}

}  // namespace davit
