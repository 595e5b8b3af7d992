#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace davit {

/// How detailed a component's behaviour is. Values above kAdvanced are levels that a system file adds
/// to a component (`Component::DefineLevel`).
enum class Level : std::uint8_t { kIdeal, kStandard, kAdvanced };

inline constexpr std::array<Level, 3> kBuiltInLevels{Level::kIdeal, Level::kStandard, Level::kAdvanced};
inline constexpr std::array<std::string_view, 3> kLevelNames{"Ideal", "Standard", "Advanced"};

/// The name of a built-in level.
constexpr std::string_view ToText(Level level) { return kLevelNames[static_cast<std::size_t>(level)]; }

/// The levels a model has. A model without levels has one behaviour only.
class LevelSet {
 public:
  constexpr LevelSet() = default;
  constexpr LevelSet(std::initializer_list<Level> levels) {
    for (Level level : levels) bits_ = static_cast<std::uint8_t>(bits_ | Bit(level));
  }
  constexpr bool Contains(Level level) const { return (bits_ & Bit(level)) != 0; }
  constexpr bool is_empty() const { return bits_ == 0; }

 private:
  static constexpr std::uint8_t Bit(Level level) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(level));
  }
  std::uint8_t bits_ = 0;
};

}  // namespace davit
