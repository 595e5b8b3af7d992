#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace davit {

class Component;
class PropertyBase;
enum class Level : std::uint8_t;

/// When something is used: while one of up to three choices (aspects, properties with named options) is at
/// one of some options, as in `law.Is(Law::kTube) || leakage.Is(Leakage::kGap)`. Default: always.
class OptionCondition {
 public:
  constexpr OptionCondition() = default;
  /// Bit i of `options` stands for option i. `choice` must outlive the condition.
  OptionCondition(const PropertyBase& choice, std::uint32_t options);

  bool is_always() const { return clauses_[0].choice == nullptr; }
  /// Whether it is so with the present options.
  bool holds() const;
  /// The same if `component` had the options of `level`. Pre: the component has it.
  bool HoldsAt(const Component& component, Level level) const;
  /// Whether it does not hold and never will: all its choices are structural.
  bool is_ruled_out() const;
  /// `friction = LuGre`, `law = ShortTube or AnnularGap, or leakage = Gap`; empty: always.
  std::string ToText() const;
  /// The present options of its choices: `law is Turbulent, leakage is None`.
  std::string PresentText() const;

  /// Throws std::length_error where there are more than three choices.
  friend OptionCondition operator||(const OptionCondition& a, const OptionCondition& b);

 private:
  struct Clause {
    const PropertyBase* choice = nullptr;
    std::uint32_t options = 0;

    bool holds() const;
  };
  std::array<Clause, 3> clauses_;  ///< those with a choice come first
};

}  // namespace davit
