#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/declaration.h"
#include "framework/fault.h"

namespace davit {

class Component;
class UnitSystem;

/// One number or text of the tree, which describes itself: what is routed, recorded, shown, set by a command,
/// a chart or a client. Code that needs the kind of a thing asks its Item and does not guess from its name.
///
/// An Item is a small value that refers to its component; it is valid as long as the system. All numbers are
/// in SI. Look one up with System::FindVariable, FindSetting or ItemsOf.
class Item {
 public:
  enum class Kind : std::uint8_t {
    kParameter,
    kInput,         ///< of one route; its own value while it has none
    kInputElement,  ///< element of an InputArray
    kOutput,
    kState,  ///< differential or algebraic; written during a run it is overridden, before it starts there
    kDerivative,     ///< `x.ddt`
    kLevel,          ///< the number of the level
    kLevelModified,  ///< whether an aspect was set alone
    kAspect,
    kPortField,   ///< c, Zc, or flow and motion of a connection
    kPortEffort,  ///< c + Zc * flow of a connection, not below p_min
    kProperty,    ///< a setting that no equation reads as a signal
    kStart,       ///< a start value that is no state
  };

  /// Who determines the value, in the words of FMI.
  enum class Causality : std::uint8_t {
    kParameter,  ///< whoever sets up the run, or changes it
    kInput,      ///< whoever acts from outside: nothing is routed to it
    kOutput,     ///< the component, for others
    kLocal,      ///< the component, or its connections
  };

  /// One that refers to nothing: it can only be assigned to.
  Item() = default;

  // Of what `owner` has declared, by its place in the list of its kind.
  static Item OfParameter(Component& owner, std::size_t parameter);
  static Item OfInput(Component& owner, std::size_t input);
  static Item OfInputElement(Component& owner, std::size_t input, std::size_t element);
  static Item OfOutput(Component& owner, std::size_t output);
  static Item OfState(Component& owner, std::size_t state, std::size_t element);
  static Item OfDerivative(const Item& state);
  static Item OfLevel(Component& owner);
  static Item OfLevelModified(Component& owner);
  static Item OfAspect(Component& owner, AspectBase& aspect);
  static Item OfProperty(Component& owner, PropertyBase& property);
  static Item OfStart(Component& owner, std::size_t start);
  /// What a bond of a port has: where its numbers are, and their name and unit.
  struct PortVariable {
    std::string_view name;
    std::string_view unit;
    const double* value = nullptr;      ///< of an effort its wave c
    const double* impedance = nullptr;  ///< of an effort; null: `value` is the variable itself
    const double* flow = nullptr;       ///< of an effort
    const double* least = nullptr;      ///< of an effort: p_min; null where there is none
  };
  /// `port_name` has the index where it is an array.
  static Item OfPort(Component& owner, std::size_t port, std::string_view port_name,
                     const PortVariable& variable);

  Kind kind() const { return kind_; }
  Component& owner() const { return *owner_; }
  /// From below the root, as written in results and commands: `crane.boom.cylinder.bore`.
  const std::string& path() const { return path_; }
  /// From below its owner: `bore`, `pos[3].ddt`, `rod.F`.
  std::string_view name() const { return std::string_view(path_).substr(name_begin_); }
  /// What it means, in the words of its declaration.
  std::string_view text() const { return label().text; }
  /// In SI, of a derivative too; kAnyUnit where it may have any; empty without dimension.
  std::string unit() const;
  /// What its number means.
  ValueKind value_kind() const;
  /// Of ValueKind::kOption: the names by number.
  std::vector<std::string_view> options() const;
  /// Of a number: what may be written.
  Range range() const;
  /// Of a setting that is a number; infinite where it means no limit; nothing where it has none.
  std::optional<double> default_number() const;
  /// The same as a text that can be written; empty where it has none, such as a limit that is infinite.
  std::string default_text() const;
  Causality causality() const;
  /// While equations use it; always: of all that declares none.
  const OptionCondition& when() const;
  /// Whether it is fixed once the system is loaded.
  bool is_structural() const;
  /// Whether it may be written while the system runs: it is a setting or a state, not structural, and no
  /// input that a route feeds.
  bool is_writable() const;
  /// Whether it is a number that may be recorded.
  bool is_signal() const { return kind_ != Kind::kProperty && kind_ != Kind::kStart; }
  /// Whether a glob such as `cylinder.*` means it too.
  bool is_primary() const { return is_primary_; }
  /// That the run reads it from now on: an indicator is written then, and is part of a snapshot.
  void MarkRead() const;
  /// That somebody outside of the run looks at it: an indicator has its present value then, and is written
  /// from now on.
  void MarkShown() const;
  /// Whether it is a level or an aspect, which change between two steps.
  bool is_behaviour() const { return kind_ == Kind::kLevel || kind_ == Kind::kAspect; }
  /// Of kState: whether it has a derivative.
  bool is_differential() const;

  /// The present number: of an option its position, of a condition 0 or 1; NaN of a text. Allocates nothing.
  double Read() const {
    switch (kind_) {
      case Kind::kPortEffort: {
        const double effort = *value_ + *impedance_ * *flow_;
        return least_ != nullptr && effort < *least_ ? *least_ : effort;
      }
      case Kind::kInput: return **source_;
      case Kind::kInputElement: return *(*sources_)[element_];
      case Kind::kState: return slot_->memory->y[slot_->offset];
      case Kind::kDerivative: return slot_->memory->ddt[slot_->offset];
      case Kind::kProperty: return ReadProperty();
      default: return *value_;
    }
  }
  /// The same as a text that can be written: a number with its unit (17 digits where it needs them), the name
  /// of an option, true or false.
  std::string ReadText() const;
  /// The same of another number that it could have.
  std::string TextOf(double number) const;

  /// Whether `number` may be written: in SI, or as the position of an option. Allocates nothing.
  bool IsValid(double number) const;
  /// Why it may not; empty where it may.
  Fault Check(double number) const;
  /// The number that a text means: with a unit, the name of an option, true or false; of a text 0. Where
  /// it is none, nothing, and `fault` says why.
  std::optional<double> Parse(std::string_view text, const UnitSystem& units, Fault* fault) const;

  /// Pre: Check(number) is empty, and it is no text. A state gets a start value. Allocates nothing.
  void Store(double number) const;
  /// Pre: it is a text.
  void StoreText(std::string_view text, const UnitSystem& units) const;

  /// Where the number lies; null where it is in no one place.
  const double* place() const { return kind_ == Kind::kPortEffort ? nullptr : value_; }
  /// Of kState and kDerivative.
  StateSlot* slot() const { return kind_ == Kind::kState || kind_ == Kind::kDerivative ? slot_ : nullptr; }
  /// Of kState: of an array, which.
  std::uint32_t element() const { return element_; }
  // What declares it; null where it is of another kind. Of an aspect the property.
  const ParameterDeclaration* parameter() const;
  const InputDeclaration* input() const;
  const OutputDeclaration* output() const;
  StateDeclaration* state() const;
  const StartDeclaration* start() const;
  PropertyBase* property() const { return property_; }
  /// Identifies what is written, however it was found.
  const void* target() const;

 private:
  Item(Kind kind, Component& owner, std::string_view name, std::size_t declaration = 0);

  Label label() const;
  double ReadProperty() const;
  /// The remedy for a wrong number of an option.
  std::string OptionNumbers() const;

  Kind kind_ = Kind::kOutput;
  bool is_primary_ = true;
  std::uint32_t declaration_ = 0;  ///< in the list of its kind
  std::uint32_t element_ = 0;
  std::uint32_t name_begin_ = 0;  ///< in path_
  Component* owner_ = nullptr;
  const double* value_ = nullptr;
  union {
    const double* impedance_ = nullptr;          ///< kPortEffort
    const double* const* source_;                ///< kInput
    const std::vector<const double*>* sources_;  ///< kInputElement
    StateSlot* slot_;                            ///< kState, kDerivative
  };
  const double* flow_ = nullptr;
  const double* least_ = nullptr;
  std::string path_;
  std::string_view port_unit_;        ///< of a variable of a port
  PropertyBase* property_ = nullptr;  ///< kProperty, kAspect
};

/// A checked write to an item: `pump.speed = 1776 rpm`, `cylinder.level = Advanced`.
struct Assignment {
  Item item;
  double number = 0;  ///< in SI, or the position of an option; unused for texts
  std::string text;   ///< as written; empty: the number is all there is

  /// Writes it. Pre: the item may be written now.
  void Apply(const UnitSystem& units) const;
};

}  // namespace davit
