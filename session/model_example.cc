#include "session/model_example.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "framework/item.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/item_element.h"
#include "framework/tree/item_list.h"
#include "framework/tree/snake_case.h"
#include "framework/xml/escape_xml.h"
#include "session/model_description.h"
#include "session/usual_text.h"

namespace davit {
namespace {

constexpr std::size_t kPageWidth = 110;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kExampleParameters = 4;
constexpr std::size_t kExampleStarts = 3;

/// The value that a line `Example: times="0 5 10" values="0 1 0.5"` of the equations gives to `name`; empty
/// if none.
std::string_view FindExampleValue(std::string_view equations, std::string_view name) {
  const std::size_t line = equations.find("Example: ");
  if (line == std::string_view::npos) return {};
  equations = equations.substr(line, equations.find('\n', line) - line);
  const std::string key = fmt::format(" {}=\"", name);
  const std::size_t begin = equations.find(key);
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = equations.substr(begin + key.size());
  return rest.substr(0, rest.find('"'));
}

/// `name="value"` of what a user would set first: models declare the most important parameters first.
std::vector<std::string> ExampleAttributes(Component& component, const UnitSystem& units) {
  const ModelInfo& info = component.model();
  std::vector<std::string> attributes;
  const auto add = [&](std::string_view name, std::string_view value) {
    attributes.push_back(fmt::format("{}=\"{}\"", name, EscapeXml(value)));
  };
  if (!IsPart(info) || component.entry().stands_in_systems)
    add("name", SnakeCase(info.name.substr(info.name.find('.') + 1)));
  if (component.level()) add("level", ToText(*component.level()));
  const std::vector<Item> items = ListItems(component);
  for (const Item& item : items) {
    if (item.kind() != Item::Kind::kProperty || IsCommon(item)) continue;
    const std::string_view value = FindExampleValue(info.equations, item.name());
    if (!value.empty()) {
      add(item.name(), value);
    } else if (item.value_kind() == ValueKind::kOption) {
      add(item.name(), item.default_text());
    }
  }
  std::size_t count = 0;
  for (const Item& item : items) {
    if (item.kind() != Item::Kind::kParameter || !item.when().holds()) continue;
    if (!std::isfinite(*item.default_number())) continue;  // means "none", cannot be written
    if (++count > kExampleParameters) break;
    add(item.name(), ToUsualText(*item.default_number(), item.unit(), units));
  }
  return attributes;
}

std::vector<std::string> ExampleStarts(const Declarations& all, const UnitSystem& units) {
  std::vector<std::string> attributes;
  const auto add = [&](const Label& label, double value) {
    if (attributes.size() == kExampleStarts) return;
    attributes.push_back(fmt::format("{}=\"{}\"", label.name, ToUsualText(value, label.unit, units)));
  };
  for (const StartDeclaration& start : all.starts) {
    if (start.when.holds()) add(start.label, start.default_value);
  }
  if (!all.starts.empty()) return attributes;
  for (const StateDeclaration& state : all.states) {
    if (state.is_in_use() && !state.is_array) add(state.label, state.start.front());
  }
  return attributes;
}

/// An open tag without its `>`; attributes that do not fit on the line continue below the first.
std::string OpenTag(std::string_view element, const std::vector<std::string>& attributes) {
  std::string text = fmt::format("<{}", element);
  const std::string margin(text.size(), ' ');
  std::size_t line = text.size();
  for (const std::string& attribute : attributes) {
    if (line + 1 + attribute.size() + kIndent + 2 > kPageWidth) {
      text += '\n' + margin;
      line = margin.size();
    }
    text += ' ' + attribute;
    line += 1 + attribute.size();
  }
  return text;
}

}  // namespace

namespace {

/// The lines of `text`, each further in.
std::string Indented(std::string_view text) {
  std::string indented;
  while (!text.empty()) {
    const std::size_t line = text.find('\n') + 1;
    indented += fmt::format("{:{}}{}", "", kIndent, text.substr(0, line));
    text.remove_prefix(line);
  }
  return indented;
}

std::string ElementOf(Component& component, const UnitSystem& units) {
  const std::string_view name = component.model().name;
  const std::string tag = OpenTag(name, ExampleAttributes(component, units));
  if (const auto* const taker = dynamic_cast<const ItemTaker*>(&component)) {
    std::string text = tag + ">\n";
    for (std::string_view items = taker->ExampleItems(); !items.empty();) {
      const std::size_t line = items.find('\n') + 1;
      text += fmt::format("{:{}}{}", "", kIndent, items.substr(0, line));
      items.remove_prefix(line);
    }
    return fmt::format("{}</{}>\n", text, name);
  }
  const std::vector<std::string> starts = ExampleStarts(component.declarations(), units);
  if (starts.empty()) return tag + "/>\n";
  return fmt::format("{}>\n  {}/>\n</{}>\n", tag, OpenTag("Start", starts), name);
}

}  // namespace

std::string MakeModelExample(Component& component, const UnitSystem& units) {
  std::string element = ElementOf(component, units);
  if (component.entry().holds_operators) {
    element.replace(element.rfind("/>"), 2,
                    ">\n  <operator.Limiter low=\"-100 N\" high=\"100 N\"/>\n</Operators>");
  } else if (component.entry().is_operator) {
    element = fmt::format("<Operators signal=\"force\">\n{}</Operators>\n", Indented(element));
  } else {
    return element;
  }
  return fmt::format(
      "<mechanical.MassSpringDamper name=\"body\" mass=\"1 kg\">\n{}</mechanical.MassSpringDamper>\n",
      Indented(element));
}

}  // namespace davit
