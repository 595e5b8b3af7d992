// Attributes of the items of an equation component: names, units, texts and numbers.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "components/user/equation_reader.h"
#include "framework/nearest_name.h"
#include "framework/syntax/value_unit.h"
#include "framework/units/quantity.h"
#include "framework/xml/element_reader.h"

namespace davit {
namespace {

/// Names that mean something else in an expression or as an attribute.
constexpr auto kReserved =
    std::to_array<std::string_view>({"time", "true", "false", "and", "or", "not", "lt", "le", "gt", "ge",
                                     "eq", "ne", "name", "chart", "level", "solver", "TimeStep", "_event"});

}  // namespace

std::string EquationReader::TakeName(const ItemElement& item) {
  const Attribute* const name = Require(item, "name");
  if (name == nullptr) return {};
  if (!IsName(name->value)) {
    Error(name->location, Quoted(name->value) + " is not a name; use letters, digits and _, no digit first");
    return {};
  }
  if (std::ranges::find(kReserved, name->value) != kReserved.end()) {
    Error(name->location, Quoted(name->value) + " already has another meaning here; choose another name");
    return {};
  }
  if (!used_names_.insert(name->value).second) {
    Error(name->location, "a second item " + Quoted(name->value) + "; each item needs a unique name");
    return {};
  }
  return name->value;
}

bool EquationReader::CheckAttributes(const ItemElement& item, const std::vector<std::string>& allowed) {
  bool is_good = true;
  for (const Attribute& attribute : item.attributes) {
    if (std::ranges::find(allowed, attribute.name) != allowed.end()) continue;
    Error(attribute.location, fmt::format("no attribute {} in {}; {}", Quoted(attribute.name), item.kind,
                                          SuggestName("it has", attribute.name, allowed)));
    is_good = false;
  }
  return is_good;
}

const ItemElement::Attribute* EquationReader::Require(const ItemElement& item, std::string_view name) {
  const Attribute* const attribute = item.Find(name);
  if (attribute == nullptr) {
    Error(item.location, fmt::format("{} needs the attribute '{}'; write {}=\"...\"", item.kind, name, name));
  }
  return attribute;
}

Text EquationReader::UnitOf(const ItemElement& item) {
  const Attribute* const unit = item.Find("unit");
  if (unit == nullptr) return kAnyUnit;
  if (!units_.Find(unit->value)) {
    Error(unit->location, fmt::format("unit: unknown unit {}; {}", Quoted(unit->value),
                                      SuggestName("use one of", unit->value, units_.names())));
    return kAnyUnit;
  }
  return Keep(unit->value);
}

std::optional<Dimension> EquationReader::DimensionOf(std::string_view unit) const {
  return unit == kAnyUnit ? std::nullopt : davit::DimensionOf(unit, units_);
}

std::optional<Dimension> EquationReader::RateOf(std::string_view unit) const {
  const std::optional<Dimension> dimension = DimensionOf(unit);
  return dimension ? std::optional(PerSecond(*dimension)) : std::nullopt;
}

Text EquationReader::TextOf(const ItemElement& item) {
  const Attribute* const text = item.Find("text");
  return text == nullptr ? Text() : Keep(text->value);
}

double EquationReader::Number(const ItemElement& item, std::string_view name, std::string_view unit,
                              double otherwise) {
  const Attribute* const attribute = item.Find(name);
  if (attribute == nullptr) return otherwise;
  const QuantityResult result = unit == kAnyUnit ? ParseQuantity(attribute->value, units_)
                                                 : ParseQuantity(attribute->value, unit, units_);
  if (result.value) return result.value->si;
  Error(attribute->location, fmt::format("{}: {}", name, result.fault.ToText()));
  return otherwise;
}

Text EquationReader::Keep(std::string_view text) { return component_.Keep(std::string(text)); }

EquationReader::Variable EquationReader::AddVariable(const std::string& name, Source source,
                                                     const std::optional<Dimension>& dimension) {
  sources_.push_back(source);
  return compiler_.AddVariable({.name = name, .dimension = dimension});
}

EquationReader::Definition& EquationReader::Define(const std::string& name, const Attribute* attribute,
                                                   std::string text,
                                                   const std::optional<Dimension>& dimension) {
  Definition definition;
  definition.name = name;
  definition.attribute = attribute;
  definition.text = std::move(text);
  definition.variable =
      AddVariable(name, {Source::Kind::kDefined, definitions_.size(), nullptr, nullptr}, dimension);
  return definitions_.emplace_back(std::move(definition));
}

void EquationReader::Error(const SourceLocation& place, std::string_view text) {
  ++faults_;
  diagnostics_.Error(place, component_.DisplayPath(), text);
}

}  // namespace davit
