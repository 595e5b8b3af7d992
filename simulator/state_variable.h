#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "framework/declaration_options.h"
#include "framework/reach.h"
#include "framework/state_slot.h"
#include "framework/text.h"

namespace davit {

class DynamicSimComponent;

/// The derivative of a state: written by `EvaluateDiffEquations`, read by `EvaluateAlgebraicEquations`.
class StateDerivative {
 public:
  explicit StateDerivative(StateSlot slot) : slot_(slot) {}
  operator double() const { return slot_.memory->ddt[slot_.offset]; }  // NOLINT(google-explicit-constructor)
  StateDerivative& operator=(double value) {
    slot_.memory->ddt[slot_.offset] = value;
    return *this;
  }
  StateDerivative(const StateDerivative&) = default;
  StateDerivative& operator=(const StateDerivative& other) { return *this = static_cast<double>(other); }

 private:
  StateSlot slot_;
};

/// The residual of 0 = f(y, y', t), written by `EvaluateAlgebraicEquations`.
class StateResidual {
 public:
  explicit StateResidual(StateSlot slot) : slot_(slot) {}
  operator double() const {
    return slot_.memory->residual[slot_.offset];
  }  // NOLINT(google-explicit-constructor)
  StateResidual& operator=(double value) {
    slot_.memory->residual[slot_.offset] = value;
    return *this;
  }
  StateResidual(const StateResidual&) = default;
  StateResidual& operator=(const StateResidual& other) { return *this = static_cast<double>(other); }

 private:
  StateSlot slot_;
};

/// A continuous state x with x' = `x.ddt`. Reads like a double; only the solver and OverrideStateValue write
/// it.
///
/// It is an offset into the vectors of its island. `nominal` is a typical size in SI: absolute tolerances are
/// multiples of it. A state with a condition, as in `friction.Is(Friction::kLuGre)`, is integrated only
/// while the condition holds; otherwise it keeps its last value, or what `ShowValue` gave it.
class StateVariable {
 public:
  StateVariable(DynamicSimComponent* owner, Text name, Text unit, Text text, double start = 0,
                double nominal = 1, OptionCondition when = {});
  StateVariable(DynamicSimComponent* owner, Text name, Text unit, Text text, const Start& start)
      : StateVariable(owner, name, unit, text, start.value, start.nominal, start.when) {}
  StateVariable(const StateVariable&) = delete;
  StateVariable& operator=(const StateVariable&) = delete;

  operator double() const { return slot_.memory->y[slot_.offset]; }  // NOLINT(google-explicit-constructor)
  /// Sets the value between evaluations (PreIntegrate, PostIntegrate, Reset); the solver restarts from it.
  void OverrideStateValue(double value) {
    slot_.memory->y[slot_.offset] = value;
    slot_.memory->is_overridden = true;
  }
  /// In an evaluation, while the state is not in use: what the simpler model implies in its place, for those
  /// who read or record it.
  void ShowValue(double value) const { slot_.memory->y[slot_.offset] = value; }
  /// Writes what a fixed step has reached, with the derivative there; only in SimulateOneTimestep. Notifies
  /// no solver, and touches nothing that other components may touch at the same time.
  void AdvanceTo(double value, double derivative) {
    slot_.memory->y[slot_.offset] = value;
    slot_.memory->ddt[slot_.offset] = derivative;
  }
  const StateSlot& slot() const { return slot_; }
  operator Readable() const { return Readable(&slot_); }  // NOLINT(google-explicit-constructor)
  /// An element of an array as a state: there is nothing to it but its slot.
  static StateVariable& Of(StateSlot& slot) { return reinterpret_cast<StateVariable&>(slot); }

  // All views have the slot as their common initial sequence: one slot serves as value, derivative and
  // residual.
  union {
    StateSlot slot_;  // NOLINT(misc-non-private-member-variables-in-classes): through slot()
    StateDerivative ddt;
    StateResidual residual;
  };
};

static_assert(sizeof(StateVariable) == sizeof(StateSlot) && std::is_standard_layout_v<StateVariable>);

/// An unknown z without derivative, determined by 0 = `z.residual`. Reads like a double; only the solver
/// writes it.
///
/// A model with such members is algebraic: SUNDIALS IDA solves its whole island, and
/// EvaluateAlgebraicEquations writes the residual of every variable of the model. `start` is where the search
/// for the solution at the start time begins; `nominal` as for a StateVariable.
class AlgebraicVariable {
 public:
  AlgebraicVariable(DynamicSimComponent* owner, Text name, Text unit, Text text, double start = 0,
                    double nominal = 1);
  AlgebraicVariable(const AlgebraicVariable&) = delete;
  AlgebraicVariable& operator=(const AlgebraicVariable&) = delete;

  operator double() const { return slot_.memory->y[slot_.offset]; }  // NOLINT(google-explicit-constructor)
  const StateSlot& slot() const { return slot_; }
  operator Readable() const { return Readable(&slot_); }  // NOLINT(google-explicit-constructor)

  union {
    StateSlot slot_;  // NOLINT(misc-non-private-member-variables-in-classes): through slot()
    StateResidual residual;
  };
};

/// States of one kind; the size is given at construction or with SetSize in Configure.
class StateVariableArray {
 public:
  /// One element. `a[i].ddt = ...` as for a StateVariable.
  struct Element {
    explicit Element(StateSlot slot) : slot_(slot) {}
    operator double() const { return slot_.memory->y[slot_.offset]; }  // NOLINT(google-explicit-constructor)
    void OverrideStateValue(double value) {
      slot_.memory->y[slot_.offset] = value;
      slot_.memory->is_overridden = true;
    }
    void ShowValue(double value) const { slot_.memory->y[slot_.offset] = value; }
    union {
      StateSlot slot_;
      StateDerivative ddt;
      StateResidual residual;
    };
  };

  StateVariableArray(DynamicSimComponent* owner, Text name, Text unit, Text text, std::uint32_t size = 0,
                     double start = 0, double nominal = 1, OptionCondition when = {});
  /// Its size comes later, by SetSize; a number with a decimal point is the start value, as of a
  /// StateVariable.
  StateVariableArray(DynamicSimComponent* owner, Text name, Text unit, Text text,
                     std::floating_point auto start, double nominal = 1, OptionCondition when = {})
      : StateVariableArray(owner, name, unit, text, std::uint32_t{0}, start, nominal, when) {}
  StateVariableArray(DynamicSimComponent* owner, Text name, Text unit, Text text, const Start& start)
      : StateVariableArray(owner, name, unit, text, 0, start.value, start.nominal, start.when) {}
  StateVariableArray(const StateVariableArray&) = delete;
  StateVariableArray& operator=(const StateVariableArray&) = delete;

  static constexpr std::uint32_t kMostElements = 10'000'000;

  /// Only in the constructor or Configure of the owner: std::logic_error later, or above kMostElements.
  void SetSize(std::uint32_t size);
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
  /// Throws std::out_of_range.
  Element operator[](std::size_t i) const {
    if (i >= slots_.size()) [[unlikely]]
      ThrowOutOfRange(i);
    return Element(slots_[i]);
  }

  /// In a declared reach: the elements around the one that reads; or these, whichever that is.
  operator Readable() const { return Readable(this); }  // NOLINT(google-explicit-constructor)
  Readable first() const { return Readable(this, Elements::kFirst); }
  Readable last() const { return Readable(this, Elements::kLast); }
  Readable all() const { return Readable(this, Elements::kAll); }

 private:
  [[noreturn]] void ThrowOutOfRange(std::size_t i) const;

  DynamicSimComponent* owner_;
  std::size_t declaration_;
  double start_;
  std::vector<StateSlot> slots_;
};

/// Algebraic unknowns of one kind; the size is given at construction or with SetSize in Configure.
class AlgebraicVariableArray {
 public:
  /// One element. `a[i].residual = ...` as for an AlgebraicVariable.
  struct Element {
    explicit Element(StateSlot slot) : slot_(slot) {}
    operator double() const { return slot_.memory->y[slot_.offset]; }  // NOLINT(google-explicit-constructor)
    union {
      StateSlot slot_;
      StateResidual residual;
    };
  };

  AlgebraicVariableArray(DynamicSimComponent* owner, Text name, Text unit, Text text, std::uint32_t size = 0,
                         double start = 0, double nominal = 1);
  /// As of a StateVariableArray.
  AlgebraicVariableArray(DynamicSimComponent* owner, Text name, Text unit, Text text,
                         std::floating_point auto start, double nominal = 1)
      : AlgebraicVariableArray(owner, name, unit, text, std::uint32_t{0}, start, nominal) {}

  /// Only in the constructor or Configure of the owner.
  void SetSize(std::uint32_t size) { states_.SetSize(size); }
  std::uint32_t size() const { return states_.size(); }
  Element operator[](std::size_t i) const { return Element(states_[i].slot_); }

  operator Readable() const { return states_; }  // NOLINT(google-explicit-constructor)
  Readable first() const { return states_.first(); }
  Readable last() const { return states_.last(); }
  Readable all() const { return states_.all(); }

 private:
  StateVariableArray states_;
};

}  // namespace davit
