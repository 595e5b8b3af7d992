#include "session/describe_item.h"

namespace davit {
namespace {

std::string_view NameOf(Item::Kind kind) {
  switch (kind) {
    case Item::Kind::kParameter: return "parameter";
    case Item::Kind::kInput: return "input";
    case Item::Kind::kInputElement: return "input_element";
    case Item::Kind::kOutput: return "output";
    case Item::Kind::kState: return "state";
    case Item::Kind::kDerivative: return "derivative";
    case Item::Kind::kLevel: return "level";
    case Item::Kind::kLevelModified: return "level_modified";
    case Item::Kind::kAspect: return "aspect";
    case Item::Kind::kPortField: return "port_field";
    case Item::Kind::kPortEffort: return "port_effort";
    case Item::Kind::kProperty: return "property";
    case Item::Kind::kStart: return "start";
  }
  return {};
}

std::string_view NameOf(Item::Causality causality) {
  switch (causality) {
    case Item::Causality::kParameter: return "parameter";
    case Item::Causality::kInput: return "input";
    case Item::Causality::kOutput: return "output";
    case Item::Causality::kLocal: return "local";
  }
  return {};
}

std::string SiUnitOf(const Item& item) {
  std::string unit = item.unit();
  return unit == kAnyUnit ? std::string() : unit;
}

bool HasRange(const Item& item) {
  return item.value_kind() == ValueKind::kNumber || item.value_kind() == ValueKind::kInteger;
}

Described OptionsOf(const Item& item) {
  const std::vector<std::string_view> options = item.options();
  if (options.empty()) return std::nullopt;
  return AsTexts(options);
}

Described DefaultOf(const Item& item) {
  const std::optional<double> number = item.default_number();
  if (!number) return std::nullopt;
  return *number;
}

Described DefaultTextOf(const Item& item) {
  std::string text = item.default_text();
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace

std::string_view ToText(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNumber: return "number";
    case ValueKind::kInteger: return "integer";
    case ValueKind::kCondition: return "condition";
    case ValueKind::kOption: return "option";
    case ValueKind::kText: return "text";
  }
  return {};
}

DescribedFields<Item> ItemFields() {
  using It = const Item&;
  static constexpr ItemField kFields[] = {
      {"name", "string", [](It i) { return AsText(i.name()); }, "Inside its component"},
      {"kind", "string", [](It i) { return AsText(NameOf(i.kind())); },
       "parameter, input, output, state ..."},
      {"causality", "string", [](It i) { return AsText(NameOf(i.causality())); }, "Who determines it"},
      {"value_kind", "string", [](It i) { return AsText(ToText(i.value_kind())); }},
      {"unit", "string", [](It i) { return Described(SiUnitOf(i)); }, "In SI; empty: without dimension"},
      {"text", "string", [](It i) { return AsText(i.text()); }, "What it means"},
      {"options", "string[]", OptionsOf, "Names of the values of an option", true},
      {"min", "number", [](It i) { return HasRange(i) ? i.range().low : Described(); }, {}, true},
      {"max", "number", [](It i) { return HasRange(i) ? i.range().high : Described(); }, {}, true},
      {"range_text", "string",
       [](It i) { return HasRange(i) ? ToText(i.range(), SiUnitOf(i)) : Described(); },
       "The range as people read it: > 0 m", true},
      {"default", "number", DefaultOf, "In SI", true},
      {"default_text", "string", DefaultTextOf, "The default as a file has it", true},
      {"is_structural", "boolean", [](It i) { return Described(i.is_structural()); }, "Fixed after loading"},
      {"is_writable", "boolean", [](It i) { return Described(i.is_writable()); }, "While the system runs"},
      {"is_signal", "boolean", [](It i) { return Described(i.is_signal()); },
       "A number that may be recorded"},
  };
  return kFields;
}

}  // namespace davit
