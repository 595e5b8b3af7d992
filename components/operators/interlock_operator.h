#pragma once

#include <array>
#include <string_view>

#include "simulator/operator.h"

namespace davit {

/// Lets a signal pass unless it is blocked.
class InterlockOperator final : public Operator {
 public:
  enum class Action : std::uint8_t { kHold, kSafeValue };
  static constexpr std::array<std::string_view, 2> kActionNames{"Hold", "SafeValue"};
  static constexpr ModelInfo kInfo{
      .name = "operator.Interlock",
      .text = "Holds a signal or outputs a safe value while a condition blocks it",
      .equations = R"(
y = u            blocked = 0
y = y_(n-1)      blocked is not 0, action = Hold
y = safe_value   blocked is not 0, action = SafeValue
)",
  };

  double Begin(double u) override { return blocked != 0 && action == Action::kSafeValue ? safe_value : u; }
  double Apply(double u) override {
    if (blocked == 0) return u;
    return action == Action::kHold ? last() : static_cast<double>(safe_value);
  }

 private:
  Property<Action> action{this, "action", "Output while it is blocked", kActionNames,
                          Choice<Action>{Action::kHold, Tunability::kLive, {}}};
  Parameter safe_value{this, "safe_value", kAnyUnit, "Output with action = SafeValue", 0.0};
  Input blocked{this, "blocked", "", "Whether the signal is blocked: 1, or 0", 0.0};
};

}  // namespace davit
