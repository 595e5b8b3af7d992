#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "framework/text.h"

namespace davit {

class DynamicSimComponent;

/// Something that happens when a value passes zero: the solver finds the time inside its step, to 1e-9 s or
/// better, and restarts after the reaction.
///
///     Guard floor{this, "floor", "The ball meets the floor", Guard::Direction::kFalling,
///                 [this] { return static_cast<double>(h); },
///                 [this](double) { v.OverrideStateValue(-e * v); }};
///
/// `value` may read all values of the component (states, inputs, ports, outputs): everything belongs to one
/// time. Only a reaction may change something: states of its own component by OverrideStateValue, and members
/// that represent a mode. Guards that pass zero within 1e-9 s of each other react in the order of the
/// components in the system file, then of their declaration.
///
/// If events of a guard come ever faster, as those of a ball on the ground, `rest` is called instead: it must
/// change the equations so that the value stays where it is. A guard without `rest` ends the run then. A
/// guard with `rest` is a limit: where the value continues beyond zero in spite of the reaction, that is an
/// event again. A fixed-step (TLM) component has no event location.
class Guard {
 public:
  enum class Direction : std::uint8_t { kFalling, kRising, kBoth };
  using Value = std::function<double()>;
  using Reaction = std::function<void(double t)>;

  Guard(DynamicSimComponent* owner, Text name, Text text, Direction direction, Value value, Reaction reaction,
        Reaction rest = nullptr);
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  DynamicSimComponent& owner() const { return *owner_; }
  std::string_view name() const { return name_; }
  std::string_view text() const { return text_; }
  Direction direction() const { return direction_; }
  double Read() const { return value_(); }
  void React(double t) const { reaction_(t); }
  /// Whether it is watched; only in the constructor, Configure or CheckConnections of the owner.
  void SetActive(bool is_active) { is_active_ = is_active; }
  bool is_active() const { return is_active_; }
  bool can_rest() const { return rest_ != nullptr; }
  void Rest(double t) const { rest_(t); }

 private:
  DynamicSimComponent* owner_;
  std::string_view name_;
  std::string_view text_;
  Direction direction_;
  Value value_;
  Reaction reaction_;
  Reaction rest_;
  bool is_active_ = true;
};

}  // namespace davit
