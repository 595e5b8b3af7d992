#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "framework/component.h"
#include "framework/declaration_options.h"
#include "framework/fault.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "framework/units/unit_system.h"

namespace davit {

/// What the tree needs to know of a property of any type.
class PropertyBase {
 public:
  PropertyBase(Component* owner, Label label, Tunability tunability, const OptionCondition& when = {})
      : label_(label), tunability_(tunability), when_(when) {
    owner->mutable_declarations().properties.push_back(this);
  }
  PropertyBase(const PropertyBase&) = delete;
  PropertyBase& operator=(const PropertyBase&) = delete;

  const Label& label() const { return label_; }
  Tunability tunability() const { return tunability_; }
  /// An equation uses it.
  const OptionCondition& when() const { return when_; }
  /// Why `text` is no valid value; empty where it is one. Changes nothing.
  virtual Fault CheckText(std::string_view text, const UnitSystem& units) const = 0;
  /// The number that a text means. Pre: CheckText(text) is empty, and it is not of kText.
  virtual double NumberOf(std::string_view text, const UnitSystem& units) const = 0;
  /// Pre: CheckText(text) is empty.
  virtual void SetFromText(std::string_view text, const UnitSystem& units) {
    SetFromNumber(NumberOf(text, units));
  }
  virtual std::string ToText() const = 0;
  virtual std::string DefaultText() const = 0;
  /// The type and the valid values: `boolean`, `one of O, B, Y`.
  virtual std::string Describe() const = 0;

  /// What ToNumber and SetFromNumber mean.
  virtual ValueKind kind() const = 0;
  /// What a number must be.
  virtual Range range() const { return kAny; }
  /// Of kOption: the names of all options.
  virtual std::span<const std::string_view> options() const { return {}; }
  /// The value as a number; NaN for a text.
  virtual double ToNumber() const = 0;
  /// Whether `value` is a valid value as a number. Changes nothing.
  virtual bool IsValid(double value) const = 0;
  /// Pre: IsValid(value). Takes nothing from the heap.
  virtual void SetFromNumber(double value) = 0;

 protected:
  ~PropertyBase() = default;

 private:
  Label label_;
  Tunability tunability_;
  OptionCondition when_;
};

/// A typed setting of a component: double, integer (int), bool, std::string or an enumeration with named
/// options.
template <class T>
class Property;

template <class T>
requires std::is_enum_v<T>
class Property<T> final : public PropertyBase {
 public:
  /// `names[i]` is the text of the option with the underlying value i; the texts have static storage.
  Property(Component* owner, Text name, Text text, T default_value, std::span<const std::string_view> names,
           Tunability tunability = Tunability::kStructural)
      : Property(owner, name, text, names, Choice<T>{default_value, tunability, {}}) {}
  Property(Component* owner, Text name, Text text, std::span<const std::string_view> names,
           const Choice<T>& choice)
      : PropertyBase(owner, {name, {}, text}, choice.tunability, choice.when),
        names_(names),
        value_(choice.value),
        default_value_(choice.value) {}

  /// While it is at one of `options`.
  template <std::same_as<T>... Choices>
  OptionCondition Is(Choices... options) const {
    return {*this, (0U | ... | (1U << static_cast<std::uint32_t>(options)))};
  }

  operator T() const { return value_; }  // NOLINT(google-explicit-constructor): reads like its value

  Fault CheckText(std::string_view text, const UnitSystem& /*units*/) const override {
    if (std::find(names_.begin(), names_.end(), text) != names_.end()) return {};
    const std::vector<std::string> options(names_.begin(), names_.end());
    return {"no option " + Quoted(text), SuggestName("it has", text, options)};
  }
  double NumberOf(std::string_view text, const UnitSystem& /*units*/) const override {
    return static_cast<double>(std::find(names_.begin(), names_.end(), text) - names_.begin());
  }
  std::string ToText() const override { return Name(value_); }
  std::string DefaultText() const override { return Name(default_value_); }
  std::string Describe() const override {
    std::string text = "one of ";
    for (std::size_t i = 0; i < names_.size(); ++i) text += (i == 0 ? "" : ", ") + std::string(names_[i]);
    return text;
  }
  ValueKind kind() const override { return ValueKind::kOption; }
  std::span<const std::string_view> options() const override { return names_; }
  double ToNumber() const override { return static_cast<double>(value_); }
  bool IsValid(double value) const override {
    return value >= 0 && value < static_cast<double>(names_.size()) && value == std::floor(value);
  }
  void SetFromNumber(double value) override { value_ = static_cast<T>(static_cast<std::size_t>(value)); }

 private:
  std::string Name(T value) const { return std::string(names_[static_cast<std::size_t>(value)]); }

  std::span<const std::string_view> names_;
  T value_;
  T default_value_;
};

template <>
class Property<bool> final : public PropertyBase {
 public:
  Property(Component* owner, Text name, Text text, bool default_value,
           Tunability tunability = Tunability::kLive)
      : Property(owner, name, text, Choice<bool>{default_value, tunability, {}}) {}
  Property(Component* owner, Text name, Text text, const Choice<bool>& choice)
      : PropertyBase(owner, {name, {}, text}, choice.tunability, choice.when),
        value_(choice.value),
        default_value_(choice.value) {}

  operator bool() const { return value_; }  // NOLINT(google-explicit-constructor): reads like its value

  Fault CheckText(std::string_view text, const UnitSystem& /*units*/) const override {
    if (text == "true" || text == "false" || text == "1" || text == "0") return {};
    return {Quoted(text) + " is not a boolean", "write true or false"};
  }
  double NumberOf(std::string_view text, const UnitSystem& /*units*/) const override {
    return text == "true" || text == "1" ? 1 : 0;
  }
  std::string ToText() const override { return value_ ? "true" : "false"; }
  std::string DefaultText() const override { return default_value_ ? "true" : "false"; }
  std::string Describe() const override { return "boolean"; }
  ValueKind kind() const override { return ValueKind::kCondition; }
  double ToNumber() const override { return value_ ? 1 : 0; }
  bool IsValid(double value) const override { return value == 0 || value == 1; }
  void SetFromNumber(double value) override { value_ = value != 0; }

 private:
  bool value_;
  bool default_value_;
};

template <>
class Property<int> final : public PropertyBase {
 public:
  Property(Component* owner, Text name, Text text, int default_value, Range range = kAny,
           Tunability tunability = Tunability::kStructural)
      : Property(owner, name, text, Number{static_cast<double>(default_value), range, tunability, {}, {}}) {}
  Property(Component* owner, Text name, Text text, const Number& number)
      : PropertyBase(owner, {name, {}, text}, number.tunability, number.when),
        range_(number.range),
        value_(static_cast<int>(number.value)),
        default_value_(static_cast<int>(number.value)) {}

  operator int() const { return value_; }  // NOLINT(google-explicit-constructor): reads like its value

  Fault CheckText(std::string_view text, const UnitSystem& /*units*/) const override {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = end == text.data() + text.size();
    if (error == std::errc::result_out_of_range && is_whole)
      return {std::string(text) + " is out of range", "it must be " + davit::ToText(range_, "")};
    if (error != std::errc() || !is_whole)
      return {Quoted(text) + " is not an integer", "write for example " + std::to_string(default_value_)};
    if (!range_.Contains(value))
      return {std::string(text) + " is out of range", "it must be " + davit::ToText(range_, "")};
    return {};
  }
  double NumberOf(std::string_view text, const UnitSystem& /*units*/) const override {
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
  std::string ToText() const override { return std::to_string(value_); }
  std::string DefaultText() const override { return std::to_string(default_value_); }
  std::string Describe() const override { return "integer, " + davit::ToText(range_, ""); }
  ValueKind kind() const override { return ValueKind::kInteger; }
  Range range() const override { return range_; }
  double ToNumber() const override { return value_; }
  bool IsValid(double value) const override {
    return value == std::floor(value) && std::abs(value) <= std::numeric_limits<int>::max() &&
           range_.Contains(value);
  }
  void SetFromNumber(double value) override { value_ = static_cast<int>(value); }

 private:
  Range range_;
  int value_;
  int default_value_;
};

/// A number with a unit. `Parameter` is the lighter choice for what equations read.
template <>
class Property<double> final : public PropertyBase {
 public:
  Property(Component* owner, Text name, Text unit, Text text, double default_value, Range range = kAny,
           Tunability tunability = Tunability::kLive)
      : PropertyBase(owner, {name, unit, text}, tunability),
        range_(range),
        value_(default_value),
        default_value_(default_value) {}

  operator double() const { return value_; }  // NOLINT(google-explicit-constructor): reads like its value

  Fault CheckText(std::string_view text, const UnitSystem& units) const override {
    const QuantityResult result = ParseQuantity(text, label().unit, units);
    if (!result.value) return result.fault;
    if (!range_.Contains(result.value->si))
      return {Quoted(text) + " is out of range", "it must be " + davit::ToText(range_, label().unit)};
    return {};
  }
  double NumberOf(std::string_view text, const UnitSystem& units) const override {
    return ParseQuantity(text, label().unit, units).value->si;
  }
  std::string ToText() const override { return Shortest(value_); }
  std::string DefaultText() const override { return Shortest(default_value_); }
  std::string Describe() const override { return "number, " + davit::ToText(range_, label().unit); }
  ValueKind kind() const override { return ValueKind::kNumber; }
  Range range() const override { return range_; }
  double ToNumber() const override { return value_; }
  bool IsValid(double value) const override { return range_.Contains(value); }
  void SetFromNumber(double value) override { value_ = value; }

 private:
  /// The shortest text that reads back as the same number.
  static std::string Shortest(double value) {
    char buffer[32];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, result.ptr};
  }

  Range range_;
  double value_;
  double default_value_;
};

template <>
class Property<std::string> final : public PropertyBase {
 public:
  Property(Component* owner, Text name, Text text, std::string default_value = {},
           Tunability tunability = Tunability::kStructural)
      : PropertyBase(owner, {name, {}, text}, tunability),
        value_(default_value),
        default_value_(std::move(default_value)) {}

  const std::string& value() const { return value_; }

  Fault CheckText(std::string_view /*text*/, const UnitSystem& /*units*/) const override { return {}; }
  double NumberOf(std::string_view /*text*/, const UnitSystem& /*units*/) const override {
    return ToNumber();
  }
  void SetFromText(std::string_view text, const UnitSystem& /*units*/) override { value_ = text; }
  std::string ToText() const override { return value_; }
  std::string DefaultText() const override { return default_value_; }
  std::string Describe() const override { return "text"; }
  ValueKind kind() const override { return ValueKind::kText; }
  double ToNumber() const override { return std::numeric_limits<double>::quiet_NaN(); }
  bool IsValid(double /*value*/) const override { return false; }
  void SetFromNumber(double /*value*/) override {}

 private:
  std::string value_;
  std::string default_value_;
};

}  // namespace davit
