#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "framework/component.h"

namespace davit {

/// What the tree needs to know of a mode of any component.
///
/// A mode is a physical condition that the component gets into by itself, such as a piston that is at its
/// stop. It is seen, not set: equations do not depend on it. While a system runs it is looked at after each
/// step of the solver, and the time of a change is located inside the step.
class ModeBase {
 public:
  ModeBase(const ModeBase&) = delete;
  ModeBase& operator=(const ModeBase&) = delete;

  const Label& label() const { return label_; }
  std::span<const std::string_view> options() const { return options_; }
  /// The number of the option that holds; a double because that is how it is recorded.
  std::uint32_t option() const { return static_cast<std::uint32_t>(value_); }
  std::string_view option_name() const { return options_[option()]; }
  const double* value() const { return &value_; }
  /// The option that the present values of the component mean.
  virtual std::uint32_t Classify() const = 0;
  /// Pre: option < options().size().
  void Set(std::uint32_t option) { value_ = option; }

 protected:
  ModeBase(Component* owner, Text name, Text text, std::span<const std::string_view> options)
      : label_{name, "", text}, options_(options) {
    Declarations& declarations = owner->mutable_declarations();
    declarations.modes.push_back(this);
    OutputDeclaration output;
    output.label = label_;
    output.value = &value_;
    output.kind = ValueKind::kOption;
    output.options = options_;
    output.is_primary = false;
    declarations.outputs.push_back(output);
  }
  ~ModeBase() = default;

 private:
  Label label_;
  std::span<const std::string_view> options_;
  double value_ = 0;
};

/// A mode whose options are the values 0, 1, 2 ... of an enumeration.
///
///     enum class Piston : std::uint8_t { kNormal, kStopLeft, kStopRight };
///     static constexpr std::array<std::string_view, 3> kPistonNames{"Normal", "StopLeft", "StopRight"};
///     Mode<Piston> piston{this, "piston", "Where the piston is", kPistonNames, [this](Piston) {
///                           return x <= 0 ? Piston::kStopLeft : x >= stroke ? Piston::kStopRight
///                                                                           : Piston::kNormal;
///                         }};
template <class E>
requires std::is_enum_v<E>
class Mode final : public ModeBase {
 public:
  /// From the present option and all values of the component, the option that should hold. For a hysteresis
  /// it may look at the former.
  using Classifier = std::function<E(E)>;

  /// `names[i]` is the text of the option with the underlying value i; the texts have static storage.
  Mode(Component* owner, Text name, Text text, std::span<const std::string_view> names, Classifier classify)
      : ModeBase(owner, name, text, names), classify_(std::move(classify)) {}

  operator E() const { return static_cast<E>(option()); }  // NOLINT(google-explicit-constructor)
  std::uint32_t Classify() const override {
    return static_cast<std::uint32_t>(classify_(static_cast<E>(option())));
  }

 private:
  Classifier classify_;
};

}  // namespace davit
