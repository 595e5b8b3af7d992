#include "session/describe_item.h"

#include <fmt/format.h>

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

using Value = std::optional<DescribedValue>;

Value AsText(std::string_view text) { return std::string(text); }

std::string SiUnitOf(const Item& item) {
  std::string unit = item.unit();
  return unit == kAnyUnit ? std::string() : unit;
}

bool HasRange(const Item& item) {
  return item.value_kind() == ValueKind::kNumber || item.value_kind() == ValueKind::kInteger;
}

Value OptionsOf(const Item& item) {
  const std::vector<std::string_view> options = item.options();
  if (options.empty()) return std::nullopt;
  return std::vector<std::string>(options.begin(), options.end());
}

Value DefaultOf(const Item& item) {
  const std::optional<double> number = item.default_number();
  if (!number) return std::nullopt;
  return *number;
}

Value DefaultTextOf(const Item& item) {
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

std::span<const ItemField> ItemFields() {
  static constexpr ItemField kFields[] = {
      {"name", "Inside its component", "string", false, [](const Item& item) { return AsText(item.name()); }},
      {"kind", "What it is: parameter, input, output, state ...", "string", false,
       [](const Item& item) { return AsText(NameOf(item.kind())); }},
      {"causality", "Who determines it: parameter, input, output, local", "string", false,
       [](const Item& item) { return AsText(NameOf(item.causality())); }},
      {"value_kind", "number, integer, condition, option or text", "string", false,
       [](const Item& item) { return AsText(ToText(item.value_kind())); }},
      {"unit", "In SI; empty: without dimension", "string", false,
       [](const Item& item) { return Value(SiUnitOf(item)); }},
      {"text", "What it means", "string", false, [](const Item& item) { return AsText(item.text()); }},
      {"options", "Of an option: the names of its values", "string[]", true, OptionsOf},
      {"min", "Least value", "number", true,
       [](const Item& item) { return HasRange(item) ? Value(item.range().low) : Value(); }},
      {"max", "Largest value", "number", true,
       [](const Item& item) { return HasRange(item) ? Value(item.range().high) : Value(); }},
      {"range_text", "The range as people read it: > 0 m", "string", true,
       [](const Item& item) {
         return HasRange(item) ? AsText(ToText(item.range(), SiUnitOf(item))) : Value();
       }},
      {"default", "In SI", "number", true, DefaultOf},
      {"default_text", "The default as a file has it", "string", true, DefaultTextOf},
      {"is_structural", "Fixed once the system is loaded", "boolean", false,
       [](const Item& item) { return Value(item.is_structural()); }},
      {"is_writable", "May be written while the system runs", "boolean", false,
       [](const Item& item) { return Value(item.is_writable()); }},
      {"is_signal", "A number that may be recorded", "boolean", false,
       [](const Item& item) { return Value(item.is_signal()); }},
  };
  return kFields;
}

std::string ItemTypeScript() {
  std::string text =
      "// Generated from session/describe_item.cc.\n\n/** What the server and the studio say of every item. "
      "*/\nexport interface DescribedItem {\n";
  for (const ItemField& field : ItemFields()) {
    text += fmt::format("  /** {} */\n  {}{}: {};\n", field.text, field.name, field.is_optional ? "?" : "",
                        field.type);
  }
  return text + "}\n";
}

}  // namespace davit
