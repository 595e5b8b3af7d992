#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "framework/declaration_options.h"
#include "framework/level.h"
#include "framework/option_condition.h"
#include "framework/property.h"

namespace davit {

/// What the tree needs to know of an aspect of any component.
///
/// An aspect is one facet of a component's behaviour, such as the friction of a cylinder, with named options.
/// A level is a preset over all aspects of a component (`Component::SetLevel`); an aspect can also be set
/// alone, as a property of its name. While a system runs, only the manager changes aspects, between two
/// steps.
class AspectBase : public PropertyBase {
 public:
  static constexpr std::size_t kMostOptions = 32;

  std::span<const std::string_view> options() const override { return options_; }
  /// The number of the option in force.
  std::uint32_t option() const { return option_; }
  std::string_view option_name() const { return options_[option_]; }
  /// The option as it is recorded: its number.
  const double* value() const { return &value_; }
  /// The option that a built-in level chooses.
  std::uint32_t preset(Level level) const { return presets_[static_cast<std::size_t>(level)]; }
  /// Adds an option at the end, and gives its number. For the constructor of a model that is derived from the
  /// one with the aspect; no built-in level chooses it. `name` has static storage. Pre: there are less than
  /// kMostOptions.
  std::uint32_t AddOption(std::string_view name);
  /// Pre: option < options().size().
  void Set(std::uint32_t option) {
    option_ = option;
    value_ = option;
  }

  Fault CheckText(std::string_view text, const UnitSystem& units) const override;
  double NumberOf(std::string_view text, const UnitSystem& units) const override;
  std::string ToText() const override { return std::string(option_name()); }
  std::string DefaultText() const override;
  std::string Describe() const override;
  ValueKind kind() const override { return ValueKind::kOption; }
  double ToNumber() const override { return value_; }
  bool IsValid(double value) const override {
    return value >= 0 && value < static_cast<double>(options_.size()) && value == std::floor(value);
  }
  /// Sets the aspect alone: the component's level is then modified.
  void SetFromNumber(double value) override;

 protected:
  AspectBase(Component* owner, Text name, Text text, std::span<const std::string_view> options,
             std::array<std::uint32_t, 3> presets);
  ~AspectBase() = default;

 private:
  Component* owner_;
  std::span<const std::string_view> options_;
  std::vector<std::string_view> extended_;  // what options_ refers to once one has been added
  std::array<std::uint32_t, 3> presets_;
  std::uint32_t option_ = 0;
  double value_ = 0;
};

/// An aspect whose options are the values 0, 1, 2 ... of an enumeration. Reads like its value.
template <class E>
requires std::is_enum_v<E>
class Aspect final : public AspectBase {
 public:
  /// `names[i]` is the text of the option with the underlying value i; the texts have static storage.
  Aspect(Component* owner, Text name, Text text, std::span<const std::string_view> names,
         const Presets<E>& presets)
      : AspectBase(owner, name, text, names,
                   {static_cast<std::uint32_t>(presets.ideal), static_cast<std::uint32_t>(presets.standard),
                    static_cast<std::uint32_t>(presets.advanced)}) {}
  Aspect(Component* owner, Text name, Text text, std::span<const std::string_view> names, E ideal, E standard,
         E advanced)
      : Aspect(owner, name, text, names, Presets<E>{ideal, standard, advanced}) {}

  operator E() const { return static_cast<E>(option()); }  // NOLINT(google-explicit-constructor)

  /// As AspectBase::AddOption: a value of the enumeration that has no name there.
  E AddOption(std::string_view name) { return static_cast<E>(AspectBase::AddOption(name)); }

  /// While the aspect is at one of `options`.
  template <std::same_as<E>... Choices>
  OptionCondition Is(Choices... options) const {
    return {*this, (0U | ... | (1U << static_cast<std::uint32_t>(options)))};
  }
};

}  // namespace davit
