#include "framework/item.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

#include "framework/aspect.h"
#include "framework/component.h"
#include "framework/indicator.h"
#include "framework/nearest_name.h"
#include "framework/property.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

constexpr Label kLevelLabel{"level", "", "Level of detail of the component"};
constexpr Label kLevelModifiedLabel{"level_modified", "",
                                    "Whether an aspect was set individually since the level was set"};

std::string WithIndex(std::string_view name, std::size_t index) { return fmt::format("{}[{}]", name, index); }

/// The names of levels by number: the built-in ones, then those of the system file.
std::vector<std::string_view> LevelOptions(const Component& component) {
  std::vector<std::string_view> names(kLevelNames.begin(), kLevelNames.end());
  std::size_t own_levels = component.LevelNames().size();
  for (const Level level : kBuiltInLevels) own_levels -= component.model().levels.Contains(level) ? 1 : 0;
  for (std::size_t i = 0; i < own_levels; ++i) {
    names.push_back(component.LevelName(static_cast<Level>(kBuiltInLevels.size() + i)));
  }
  return names;
}

std::string WithUnit(double number, std::string_view unit) {
  if (unit.empty() || unit == kAnyUnit || unit == "1" || unit == "-") return fmt::format("{}", number);
  return fmt::format("{} {}", number, unit);
}

/// Squares and products of larger numbers may overflow, and no machine has such a value.
constexpr double kLargestNumber = 1e100;

Fault TooLarge(std::string_view name, const std::string& number) {
  return {fmt::format("{}: {} is larger than any value of a machine", name, number),
          fmt::format("write at most {} in SI", kLargestNumber)};
}

}  // namespace

Item::Item(Kind kind, Component& owner, std::string_view name, std::size_t declaration)
    : kind_(kind),
      declaration_(static_cast<std::uint32_t>(declaration)),
      owner_(&owner),
      path_(owner.path()) {
  if (!path_.empty()) path_ += '.';
  name_begin_ = static_cast<std::uint32_t>(path_.size());
  path_.append(name);
}

Item Item::OfParameter(Component& owner, std::size_t parameter) {
  const ParameterDeclaration& declaration = owner.declarations().parameters[parameter];
  Item item(Kind::kParameter, owner, declaration.label.name, parameter);
  item.value_ = declaration.value;
  item.is_primary_ = false;
  return item;
}

Item Item::OfInput(Component& owner, std::size_t input) {
  const InputDeclaration& declaration = owner.declarations().inputs[input];
  Item item(Kind::kInput, owner, declaration.label.name, input);
  item.source_ = declaration.source;
  return item;
}

Item Item::OfInputElement(Component& owner, std::size_t input, std::size_t element) {
  const InputDeclaration& declaration = owner.declarations().inputs[input];
  Item item(Kind::kInputElement, owner, WithIndex(declaration.label.name, element), input);
  item.sources_ = declaration.sources;
  item.element_ = static_cast<std::uint32_t>(element);
  return item;
}

Item Item::OfOutput(Component& owner, std::size_t output) {
  const OutputDeclaration& declaration = owner.declarations().outputs[output];
  Item item(Kind::kOutput, owner, declaration.label.name, output);
  item.value_ = declaration.operated == nullptr ? declaration.value : declaration.operated;
  item.is_primary_ = declaration.is_primary;
  return item;
}

Item Item::OfState(Component& owner, std::size_t state, std::size_t element) {
  const StateDeclaration& declaration = owner.declarations().states[state];
  const std::string_view name = declaration.label.name;
  Item item(Kind::kState, owner, declaration.is_array ? WithIndex(name, element) : std::string(name), state);
  item.slot_ = &declaration.slots[element];
  item.element_ = static_cast<std::uint32_t>(element);
  return item;
}

Item Item::OfDerivative(const Item& state) {
  Item item = state;
  item.kind_ = Kind::kDerivative;
  item.path_ += ".ddt";
  item.is_primary_ = false;
  return item;
}

Item Item::OfLevel(Component& owner) {
  Item item(Kind::kLevel, owner, kLevelLabel.name);
  item.value_ = owner.level_value();
  return item;
}

Item Item::OfLevelModified(Component& owner) {
  Item item(Kind::kLevelModified, owner, kLevelModifiedLabel.name);
  item.value_ = owner.level_modified_value();
  item.is_primary_ = false;
  return item;
}

Item Item::OfAspect(Component& owner, AspectBase& aspect) {
  Item item = OfProperty(owner, aspect);
  item.kind_ = Kind::kAspect;
  item.value_ = aspect.value();
  return item;
}

Item Item::OfProperty(Component& owner, PropertyBase& property) {
  Item item(Kind::kProperty, owner, property.label().name);
  item.property_ = &property;
  item.is_primary_ = false;
  return item;
}

Item Item::OfStart(Component& owner, std::size_t start) {
  const StartDeclaration& declaration = owner.declarations().starts[start];
  Item item(Kind::kStart, owner, declaration.label.name, start);
  item.value_ = declaration.value;
  item.is_primary_ = false;
  return item;
}

Item Item::OfPort(Component& owner, std::size_t port, std::string_view port_name,
                  const PortVariable& variable) {
  const bool is_effort = variable.impedance != nullptr;
  Item item(is_effort ? Kind::kPortEffort : Kind::kPortField, owner, port_name, port);
  item.path_.append(1, '.').append(variable.name);
  item.is_primary_ = false;
  item.port_unit_ = variable.unit;
  item.value_ = variable.value;
  item.impedance_ = variable.impedance;
  item.flow_ = variable.flow;
  item.least_ = variable.least;
  return item;
}

const ParameterDeclaration* Item::parameter() const {
  return kind_ == Kind::kParameter ? &owner_->declarations().parameters[declaration_] : nullptr;
}

const InputDeclaration* Item::input() const {
  const bool is_input = kind_ == Kind::kInput || kind_ == Kind::kInputElement;
  return is_input ? &owner_->declarations().inputs[declaration_] : nullptr;
}

const OutputDeclaration* Item::output() const {
  return kind_ == Kind::kOutput ? &owner_->declarations().outputs[declaration_] : nullptr;
}

void Item::MarkRead() const {
  const OutputDeclaration* const declaration = output();
  if (declaration != nullptr && declaration->is_indicator)
    owner_->mutable_declarations().are_indicators_read = true;
}

void Item::MarkShown() const {
  const OutputDeclaration* const declaration = output();
  if (declaration == nullptr || !declaration->is_indicator) return;
  Declarations& all = owner_->mutable_declarations();
  if (!std::exchange(all.are_indicators_shown, true) && !all.are_indicators_read) ShowIndicators(*owner_);
}

StateDeclaration* Item::state() const {
  const bool is_state = kind_ == Kind::kState || kind_ == Kind::kDerivative;
  return is_state ? &owner_->mutable_declarations().states[declaration_] : nullptr;
}

const StartDeclaration* Item::start() const {
  return kind_ == Kind::kStart ? &owner_->declarations().starts[declaration_] : nullptr;
}

Label Item::label() const {
  switch (kind_) {
    case Kind::kParameter: return parameter()->label;
    case Kind::kInput:
    case Kind::kInputElement: return input()->label;
    case Kind::kOutput: return output()->label;
    case Kind::kState:
    case Kind::kDerivative: return state()->label;
    case Kind::kLevel: return kLevelLabel;
    case Kind::kLevelModified: return kLevelModifiedLabel;
    case Kind::kAspect:
    case Kind::kProperty: return property_->label();
    case Kind::kPortField:
    case Kind::kPortEffort: {
      const Label& port = owner_->declarations().ports[declaration_].label;
      return {port.name, port_unit_, port.text};
    }
    case Kind::kStart: return start()->label;
  }
  return {};
}

std::string Item::unit() const {
  const std::string_view declared = label().unit;
  const bool is_rate = kind_ == Kind::kDerivative && declared != kAnyUnit;
  return is_rate ? DerivativeUnit(declared) : std::string(declared);
}

ValueKind Item::value_kind() const {
  switch (kind_) {
    case Kind::kLevel:
    case Kind::kAspect: return ValueKind::kOption;
    case Kind::kLevelModified: return ValueKind::kCondition;
    case Kind::kOutput: return output()->kind;
    case Kind::kProperty: return property_->kind();
    default: return ValueKind::kNumber;
  }
}

std::vector<std::string_view> Item::options() const {
  if (kind_ == Kind::kLevel) return LevelOptions(*owner_);
  const std::span<const std::string_view> names = kind_ == Kind::kOutput ? output()->options
                                                  : property_ != nullptr
                                                      ? property_->options()
                                                      : std::span<const std::string_view>();
  return {names.begin(), names.end()};
}

Range Item::range() const {
  switch (kind_) {
    case Kind::kParameter: return parameter()->range;
    case Kind::kInput: return input()->range;
    case Kind::kStart: return start()->range;
    case Kind::kProperty: return property_->range();
    default: return kAny;
  }
}

std::optional<double> Item::default_number() const {
  switch (kind_) {
    case Kind::kParameter: return parameter()->default_value;
    case Kind::kInput: return input()->default_value;
    case Kind::kStart: return start()->default_value;
    case Kind::kProperty:
      if (property_->kind() != ValueKind::kNumber) return std::nullopt;
      return std::strtod(property_->DefaultText().c_str(), nullptr);
    default: return std::nullopt;
  }
}

std::string Item::default_text() const {
  const std::optional<double> number = default_number();
  if (number) return std::isfinite(*number) ? WithUnit(*number, label().unit) : std::string();
  return property_ != nullptr ? property_->DefaultText() : std::string();
}

Item::Causality Item::causality() const {
  switch (kind_) {
    case Kind::kParameter:
    case Kind::kProperty:
    case Kind::kAspect:
    case Kind::kLevel:
    case Kind::kStart: return Causality::kParameter;
    case Kind::kInput: return input()->is_routed ? Causality::kLocal : Causality::kInput;
    case Kind::kOutput: return Causality::kOutput;
    default: return Causality::kLocal;
  }
}

const OptionCondition& Item::when() const {
  static constexpr OptionCondition kAlways;
  switch (kind_) {
    case Kind::kParameter: return parameter()->when;
    case Kind::kInput: return input()->when;
    case Kind::kState: return state()->when;
    case Kind::kProperty: return property_->when();
    case Kind::kStart: return start()->when;
    default: return kAlways;
  }
}

bool Item::is_structural() const {
  switch (kind_) {
    case Kind::kParameter: return parameter()->tunability == Tunability::kStructural;
    case Kind::kProperty: return property_->tunability() == Tunability::kStructural;
    case Kind::kStart: return true;
    default: return false;
  }
}

bool Item::is_writable() const {
  switch (kind_) {
    case Kind::kParameter: return !is_structural() && !parameter()->is_routed;
    case Kind::kProperty: return !is_structural();
    case Kind::kInput: return !input()->is_routed;
    case Kind::kState:
    case Kind::kLevel:
    case Kind::kAspect: return true;
    default: return false;
  }
}

bool Item::is_differential() const { return kind_ == Kind::kState && !state()->is_algebraic; }

const void* Item::target() const {
  if (kind_ == Kind::kInput) return input()->own_value;
  if (property_ != nullptr) return property_;
  return slot() != nullptr ? static_cast<const void*>(slot()) : value_;
}

double Item::ReadProperty() const { return property_->ToNumber(); }

std::string Item::ReadText() const {
  return value_kind() == ValueKind::kText ? property_->ToText() : TextOf(Read());
}

std::string Item::TextOf(double number) const {
  switch (value_kind()) {
    case ValueKind::kCondition: return number != 0 ? "true" : "false";
    case ValueKind::kOption: {
      const std::vector<std::string_view> names = options();
      const bool is_one = number >= 0 && number < static_cast<double>(names.size());
      return is_one ? std::string(names[static_cast<std::size_t>(number)]) : fmt::format("{}", number);
    }
    default: return WithUnit(number, unit());
  }
}

bool Item::IsValid(double number) const {
  switch (kind_) {
    case Kind::kLevel: {
      constexpr double kMostLevels = 256;
      return number >= 0 && number < kMostLevels && number == std::floor(number) &&
             owner_->HasLevel(static_cast<Level>(number));
    }
    case Kind::kAspect:
    case Kind::kProperty: return property_->IsValid(number);
    default: return std::isfinite(number) && std::abs(number) <= kLargestNumber && range().Contains(number);
  }
}

Fault Item::Check(double number) const {
  if (IsValid(number)) return {};
  switch (value_kind()) {
    case ValueKind::kText: return {path_ + " is a text", "write one"};
    case ValueKind::kCondition:
      return {fmt::format("{}: {} is not a condition", path_, number), "write 0 or 1"};
    case ValueKind::kOption: return {fmt::format("{}: {} is not an option", path_, number), OptionNumbers()};
    default: break;
  }
  if (!std::isfinite(number)) {
    return {fmt::format("{}: {} is not a finite number", path_, number), "write one in SI"};
  }
  if (std::abs(number) > kLargestNumber) return TooLarge(path_, fmt::format("{}", number));
  return {fmt::format("{}: {} is out of range", path_, number), "it must be " + ToText(range(), unit())};
}

std::string Item::OptionNumbers() const {
  std::string text = "write the number of one:";
  const std::vector<std::string_view> names = options();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (IsValid(static_cast<double>(i)))
      text += fmt::format("{} {} {}", text.back() == ':' ? "" : ",", i, names[i]);
  }
  return text;
}

std::optional<double> Item::Parse(std::string_view text, const UnitSystem& units, Fault* fault) const {
  if (kind_ == Kind::kLevel) {
    if (const std::optional<Level> level = owner_->FindLevel(text)) return static_cast<double>(*level);
    *fault = {fmt::format("{} has no level {}", owner_->model().name, Quoted(text)),
              SuggestName("it has", text, owner_->LevelNames())};
    return std::nullopt;
  }
  const std::string_view name = label().name;
  if (property_ != nullptr) {
    if (const Fault wrong = property_->CheckText(text, units)) {
      *fault = {fmt::format("{}: {}", name, wrong.what), wrong.remedy};
      return std::nullopt;
    }
    return property_->kind() == ValueKind::kText ? 0 : property_->NumberOf(text, units);
  }
  const std::string si = unit();
  const QuantityResult result = si == kAnyUnit ? ParseQuantity(text, units) : ParseQuantity(text, si, units);
  if (!result.value) {
    *fault = {fmt::format("{}: {}", name, result.fault.what), result.fault.remedy};
    return std::nullopt;
  }
  if (!range().Contains(result.value->si)) {
    *fault = {fmt::format("{}: {} is out of range", name, Quoted(text)), "it must be " + ToText(range(), si)};
    return std::nullopt;
  }
  if (std::isfinite(result.value->si) && std::abs(result.value->si) > kLargestNumber) {
    *fault = TooLarge(name, Quoted(text));
    return std::nullopt;
  }
  return result.value->si;
}

void Item::Store(double number) const {
  switch (kind_) {
    case Kind::kParameter: *parameter()->value = number; break;
    case Kind::kInput: *input()->own_value = number; break;
    case Kind::kStart:
      *start()->value = number;
      *start()->is_given = true;
      break;
    case Kind::kState:
      state()->start[element_] = number;
      state()->is_start_given = true;
      break;
    case Kind::kLevel: owner_->SetLevel(static_cast<Level>(number)); break;
    case Kind::kAspect:
      owner_->SetAspect(static_cast<AspectBase&>(*property_), static_cast<std::uint32_t>(number));
      break;
    case Kind::kProperty: property_->SetFromNumber(number); break;
    default: break;
  }
}

void Item::StoreText(std::string_view text, const UnitSystem& units) const {
  property_->SetFromText(text, units);
}

void Assignment::Apply(const UnitSystem& units) const {
  if (item.value_kind() == ValueKind::kText) {
    item.StoreText(text, units);
  } else {
    item.Store(number);
  }
}

}  // namespace davit
