#include "app/describe_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "app/escape_xml.h"
#include "app/exit_code.h"
#include "app/list_command.h"
#include "app/snake_case.h"
#include "framework/alarm.h"
#include "framework/aspect.h"
#include "framework/component_pool.h"
#include "framework/diagnostics.h"
#include "framework/item_element.h"
#include "framework/message.h"
#include "framework/mode.h"
#include "framework/nearest_name.h"
#include "framework/property.h"
#include "framework/unit_system.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {
namespace {

constexpr std::size_t kPageWidth = 110;
constexpr std::size_t kEquationWidth =
    118;  ///< a few characters more than the page are better than a torn line
constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kWidestColumn = 36;  ///< but the last, which has what remains of the page
constexpr std::size_t kNarrowestText = 30;

constexpr std::size_t kExampleParameters = 4;
constexpr std::size_t kExampleStarts = 3;

/// Declarations of one kind; the last column is text.
struct Table {
  std::string title;
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;
};

struct Description {
  std::string name;
  std::string text;
  std::vector<std::pair<std::string, std::string>> settings;  ///< that many models share: levels, solver
  std::vector<Table> tables;
  std::string equations;
  std::string example;
};

// ---- texts of declared items

std::string NumberText(double value) { return fmt::format("{:.6g}", value); }

/// With the digits of NumberText; the unit has a column of its own.
std::string RangeText(Range range) {
  for (double* end : {&range.low, &range.high}) *end = std::stod(NumberText(*end));
  return ToText(range, "");
}

std::string UnitText(const Label& label) {
  if (label.unit == kAnyUnit) return "any";
  return label.unit.empty() ? "-" : std::string(label.unit);
}

std::string TuningText(Tunability tunability) {
  return tunability == Tunability::kLive ? "live" : "structural";
}

std::string StateName(const StateDeclaration& state) {
  std::string name(state.label.name);
  if (state.is_array) name += state.count == 0 ? "[]" : fmt::format("[0..{}]", state.count - 1);
  return name;
}

Table PortTable(const Declarations& all) {
  Table table{"Ports", {"name", "domain", "role", "connections", "meaning"}, {}};
  for (const PortDeclaration& port : all.ports) {
    std::string count = port.is_array ? (port.is_mandatory ? "many" : "many, optional")
                                      : (port.is_mandatory ? "one" : "one, optional");
    table.rows.push_back({std::string(port.label.name), std::string(ToText(port.domain)),
                          std::string(ToText(port.role)), std::move(count), std::string(port.label.text)});
  }
  return table;
}

/// Solver and TimeStep, which every model has, are nothing of this one.
bool IsCommon(const Label& label, const Component& component) {
  return (label.name == "solver" || label.name == "TimeStep") &&
         dynamic_cast<const DynamicSimComponent*>(&component) != nullptr;
}

Table ParameterTable(const Component& component) {
  Table table{"Parameters", {"name", "default", "unit", "range", "change", "meaning"}, {}};
  for (const ParameterDeclaration& parameter : component.declarations().parameters) {
    table.rows.push_back({std::string(parameter.label.name), NumberText(parameter.default_value),
                          UnitText(parameter.label), RangeText(parameter.range),
                          TuningText(parameter.tunability), std::string(parameter.label.text)});
  }
  return table;
}

bool IsAspect(const PropertyBase& property) { return dynamic_cast<const AspectBase*>(&property) != nullptr; }

/// What each level of the model chooses.
Table AspectTable(const Component& component) {
  Table table{"Aspects", {"name", "options"}, {}};
  std::vector<Level> levels;
  for (const Level level : kBuiltInLevels) {
    if (!component.model().levels.Contains(level)) continue;
    levels.push_back(level);
    table.headers.emplace_back(ToText(level));
  }
  table.headers.emplace_back("meaning");
  for (const AspectBase* aspect : component.declarations().aspects) {
    std::vector<std::string> row{std::string(aspect->label().name),
                                 fmt::format("{}", fmt::join(aspect->options(), ", "))};
    for (const Level level : levels) row.emplace_back(aspect->options()[aspect->preset(level)]);
    row.emplace_back(aspect->label().text);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ModeTable(const Declarations& all) {
  Table table{"Modes", {"name", "options", "meaning"}, {}};
  for (const ModeBase* mode : all.modes) {
    table.rows.push_back({std::string(mode->label().name),
                          fmt::format("{}", fmt::join(mode->options(), ", ")),
                          std::string(mode->label().text)});
  }
  return table;
}

Table PropertyTable(const Component& component) {
  Table table{"Properties", {"name", "default", "type", "change", "meaning"}, {}};
  for (const PropertyBase* property : component.declarations().properties) {
    if (IsCommon(property->label(), component) || IsAspect(*property)) continue;
    const std::string default_text = property->DefaultText();
    table.rows.push_back({std::string(property->label().name), default_text.empty() ? "-" : default_text,
                          property->Describe(), TuningText(property->tunability()),
                          std::string(property->label().text)});
  }
  return table;
}

Table InputTable(const Declarations& all) {
  Table table{"Inputs", {"name", "default", "unit", "range", "routes", "meaning"}, {}};
  for (const InputDeclaration& input : all.inputs) {
    std::string count = input.is_array ? "many" : input.is_mandatory ? "one" : "one, optional";
    table.rows.push_back({std::string(input.label.name),
                          input.is_mandatory ? "-" : NumberText(input.default_value), UnitText(input.label),
                          RangeText(input.range), std::move(count), std::string(input.label.text)});
  }
  return table;
}

Table OutputTable(const Declarations& all) {
  Table table{"Outputs", {"name", "unit", "meaning"}, {}};
  for (const OutputDeclaration& output : all.outputs) {
    const auto is_mode = [&](const ModeBase* mode) { return mode->value() == output.value; };
    if (std::ranges::any_of(all.modes, is_mode)) continue;
    table.rows.push_back(
        {std::string(output.label.name), UnitText(output.label), std::string(output.label.text)});
  }
  return table;
}

Table StateTable(const Declarations& all) {
  Table table{"States", {"name", "start", "unit", "nominal", "kind", "meaning"}, {}};
  for (const StateDeclaration& state : all.states) {
    table.rows.push_back({StateName(state), state.start.empty() ? "-" : NumberText(state.start.front()),
                          UnitText(state.label), NumberText(state.nominal),
                          state.is_algebraic ? "algebraic" : "differential", std::string(state.label.text)});
  }
  return table;
}

Table StartTable(const Declarations& all) {
  Table table{"Start values", {"name", "default", "unit", "range", "meaning"}, {}};
  for (const StartDeclaration& start : all.starts) {
    table.rows.push_back({std::string(start.label.name), NumberText(start.default_value),
                          UnitText(start.label), RangeText(start.range), std::string(start.label.text)});
  }
  return table;
}

Table MessageTable(const Declarations& all) {
  Table table{"Messages", {"name", "meaning"}, {}};
  for (const Message* message : all.messages) {
    table.rows.push_back({std::string(message->label().name), std::string(message->label().text)});
  }
  return table;
}

Table AlarmTable(const Declarations& all) {
  Table table{"Alarms", {"name", "level", "meaning"}, {}};
  for (const Alarm* alarm : all.alarms) {
    table.rows.push_back({std::string(alarm->label().name), std::string(ToText(alarm->level())),
                          std::string(alarm->label().text)});
  }
  return table;
}

// ---- the example element

struct UsualUnit {
  std::string_view declared;
  std::string_view usual;
};
/// What people write where the SI unit gives unhandy numbers.
constexpr UsualUnit kUsualUnits[] = {
    {"m", "mm"},      {"m2", "mm2"}, {"m3", "l"},     {"m3", "cm3"},     {"Pa", "bar"},
    {"Pa", "GPa"},    {"N", "kN"},   {"kg", "t"},     {"s", "ms"},       {"rad", "deg"},
    {"rad/s", "rpm"}, {"1/s", "Hz"}, {"m2/s", "cSt"}, {"m3/s", "l/min"}, {"m3/rad", "cm3/rev"},
};

/// The value in SI as a user would write it: `283 mm`, `1776 rpm`.
std::string QuantityText(double si, std::string_view declared, const UnitSystem& units) {
  // In characters: how much longer a text without them may be.
  constexpr std::size_t kPriceOfExponent = 4;
  constexpr std::size_t kPriceOfFraction = 2;
  const auto write = [](double value, std::string_view unit) {
    const bool has_unit = !unit.empty() && unit != "-" && unit != kAnyUnit;
    return fmt::format("{:.12g}{}{}", value, has_unit ? " " : "", has_unit ? unit : "");
  };
  const auto cost = [](const std::string& text) {
    const bool has_exponent = text.find('e') < text.find(' ');
    const bool is_fraction = text.starts_with("0.");
    return text.size() + (has_exponent ? kPriceOfExponent : 0) + (is_fraction ? kPriceOfFraction : 0);
  };
  std::string best = write(si, declared);
  for (const auto& [from, to] : kUsualUnits) {
    const std::optional<Unit> unit = from == declared ? units.Find(to) : std::nullopt;
    if (!unit) continue;
    std::string text = write(unit->FromSi(si), to);
    if (cost(text) < cost(best)) best = std::move(text);
  }
  return best;
}

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

bool IsChoice(const PropertyBase& property) { return property.Describe().starts_with("one of "); }

/// `name="value"` of what a user would set first: models declare the most important parameters first.
std::vector<std::string> ExampleAttributes(const Component& component, const UnitSystem& units) {
  const ModelInfo& info = component.model();
  std::vector<std::string> attributes;
  const auto add = [&](std::string_view name, std::string_view value) {
    attributes.push_back(fmt::format("{}=\"{}\"", name, EscapeXml(value)));
  };
  if (!IsPart(info) || component.entry().stands_in_systems)
    add("name", SnakeCase(info.name.substr(info.name.find('.') + 1)));
  if (component.level()) add("level", ToText(*component.level()));
  for (const PropertyBase* property : component.declarations().properties) {
    if (IsCommon(property->label(), component) || IsAspect(*property)) continue;
    const std::string_view value = FindExampleValue(info.equations, property->label().name);
    if (!value.empty()) {
      add(property->label().name, value);
    } else if (IsChoice(*property)) {
      add(property->label().name, property->DefaultText());
    }
  }
  std::size_t count = 0;
  for (const ParameterDeclaration& parameter : component.declarations().parameters) {
    if (!std::isfinite(parameter.default_value)) continue;  // stands for "none", cannot be written
    if (++count > kExampleParameters) break;
    add(parameter.label.name, QuantityText(parameter.default_value, parameter.label.unit, units));
  }
  return attributes;
}

std::vector<std::string> ExampleStarts(const Declarations& all, const UnitSystem& units) {
  std::vector<std::string> attributes;
  const auto add = [&](const Label& label, double value) {
    if (attributes.size() == kExampleStarts) return;
    attributes.push_back(fmt::format("{}=\"{}\"", label.name, QuantityText(value, label.unit, units)));
  };
  for (const StartDeclaration& start : all.starts) add(start.label, start.default_value);
  if (!all.starts.empty()) return attributes;
  for (const StateDeclaration& state : all.states) {
    if (state.is_active && !state.is_array) add(state.label, state.start.front());
  }
  return attributes;
}

/// An open tag without its `>`; attributes that do not fit on the line go on below the first.
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

std::string MakeExample(const Component& component, const UnitSystem& units) {
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

// ---- the description

std::string LevelsText(const Component& component) {
  std::string text;
  for (const Level level : {Level::kIdeal, Level::kStandard, Level::kAdvanced}) {
    if (!component.model().levels.Contains(level)) continue;
    if (!text.empty()) text += ", ";
    text += ToText(level);
    if (component.level() == level) text += " (default)";
  }
  return text;
}

Description Describe(const ModelEntry& entry) {
  ComponentPool pool;
  Component& component = pool.Create(entry);
  Diagnostics ignored;  // a text without default, such as the points of a table, may be missing here
  component.Configure(ignored);

  Description description;
  const ModelInfo& info = component.model();
  const Declarations& all = component.declarations();
  description.name = info.name;
  description.text = info.text;
  if (!info.levels.is_empty()) description.settings.emplace_back("level", LevelsText(component));
  if (component.has_behaviours()) {
    description.settings.emplace_back(
        "chart",
        fmt::format("file of a statechart; default: what `davit chart default {}` prints", info.name));
  }
  for (const PropertyBase* property : all.properties) {
    if (!IsCommon(property->label(), component)) continue;
    description.settings.emplace_back(
        property->label().name, fmt::format("{}; default {}", property->Describe(), property->DefaultText()));
  }
  for (Table& table :
       std::array{PortTable(all), AspectTable(component), ModeTable(all), ParameterTable(component),
                  PropertyTable(component), InputTable(all), OutputTable(all), StateTable(all),
                  StartTable(all), MessageTable(all), AlarmTable(all)}) {
    if (!table.rows.empty()) description.tables.push_back(std::move(table));
  }
  description.equations = info.equations;
  description.example = MakeExample(component, UnitSystem());
  return description;
}

// ---- as plain text

/// How many characters of UTF-8 it has.
std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Lines of at most `width` characters, cut at spaces; a longer word has a line of its own.
std::vector<std::string> Wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (Width(line) + 1 + Width(word) <= width) {
      line.append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

void AppendPadded(std::string_view text, std::size_t width, std::string& line) {
  line += text;
  line.append(width - std::min(width, Width(text)), ' ');
}

void WriteRow(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
              std::ostream& out) {
  std::vector<std::vector<std::string>> wrapped;
  std::size_t height = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    wrapped.push_back(Wrap(cells[i], widths[i]));
    height = std::max(height, wrapped.back().size());
  }
  for (std::size_t row = 0; row < height; ++row) {
    std::string line(kIndent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      AppendPadded(row < wrapped[i].size() ? wrapped[i][row] : "", widths[i] + kGap, line);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

void WriteTable(const Table& table, std::ostream& out) {
  std::vector<std::size_t> widths;
  std::size_t used = kIndent;
  for (std::size_t i = 0; i + 1 < table.headers.size(); ++i) {
    std::size_t width = Width(table.headers[i]);
    for (const auto& row : table.rows) width = std::max(width, Width(row[i]));
    widths.push_back(std::min(width, kWidestColumn));
    used += widths.back() + kGap;
  }
  widths.push_back(std::max(kNarrowestText, kPageWidth - std::min(used, kPageWidth)));
  WriteRow(table.headers, widths, out);
  for (const auto& row : table.rows) WriteRow(row, widths, out);
}

/// The lines of `text`, indented; lines that are too long are cut at spaces.
void WriteIndented(std::string_view text, std::ostream& out) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string margin(kIndent, ' ');
    if (Width(line) + kIndent <= kEquationWidth) {
      out << margin << line << '\n';  // with the spaces that align it
      continue;
    }
    for (const std::string& part : Wrap(line, kPageWidth - kIndent)) out << margin << part << '\n';
  }
}

void WriteText(const Description& description, std::ostream& out) {
  out << description.name << ": " << description.text << '\n';
  for (const auto& [name, text] : description.settings) out << fmt::format("  {}: {}\n", name, text);
  for (const Table& table : description.tables) {
    out << '\n' << table.title << '\n';
    WriteTable(table, out);
  }
  if (!description.equations.empty()) {
    out << "\nEquations\n";
    WriteIndented(description.equations, out);
  }
  out << "\nExample\n";
  WriteIndented(description.example, out);
}

// ---- as markdown

std::string EscapeMarkdown(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\`*<|[]").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

void WriteMarkdownTable(const Table& table, std::ostream& out) {
  for (const std::string& header : table.headers) out << "| " << header << ' ';
  out << "|\n";
  for (std::size_t i = 0; i < table.headers.size(); ++i) out << "| --- ";
  out << "|\n";
  for (const auto& row : table.rows) {
    out << "| `" << row.front() << "` ";
    for (std::size_t i = 1; i < row.size(); ++i)
      out << "| " << EscapeMarkdown(row[i]) << (row[i].empty() ? "" : " ");
    out << "|\n";
  }
}

/// `depth` is that of the heading with the name of the model.
void WriteMarkdown(const Description& description, std::size_t depth, std::ostream& out) {
  const std::string heading(depth, '#');
  out << heading << ' ' << description.name << "\n\n" << EscapeMarkdown(description.text) << ".\n";
  if (!description.settings.empty()) out << '\n';
  for (const auto& [name, text] : description.settings) {
    out << fmt::format("* `{}`: {}\n", name, EscapeMarkdown(text));
  }
  for (const Table& table : description.tables) {
    out << fmt::format("\n{}# {}\n\n", heading, table.title);
    WriteMarkdownTable(table, out);
  }
  if (!description.equations.empty()) {
    out << fmt::format("\n{}# Equations\n\n```text\n{}", heading, description.equations);
    if (!description.equations.ends_with('\n')) out << '\n';
    out << "```\n";
  }
  out << fmt::format("\n{}# Example\n\n```xml\n{}```\n", heading, description.example);
}

std::string_view DomainOf(const ModelInfo& info) {
  return IsPart(info) ? std::string_view() : info.name.substr(0, info.name.find('.'));
}

}  // namespace

int RunDescribe(const std::string& model, DescribeFormat format, const Registry& registry, std::ostream& out,
                std::ostream& err) {
  const ModelEntry* entry = registry.Find(model);
  if (entry == nullptr) {
    Diagnostic fault;
    fault.message = fmt::format("no model {}; {}", Quoted(model), SuggestModel(model, registry));
    err << ToText(fault) << '\n';
    return kWrongInput;
  }
  const Description description = Describe(*entry);
  if (format == DescribeFormat::kMarkdown) {
    WriteMarkdown(description, 1, out);
  } else {
    WriteText(description, out);
  }
  return kDone;
}

void WriteModelReference(const Registry& registry, std::ostream& out) {
  std::vector<const ModelEntry*> entries = registry.entries();
  std::stable_partition(entries.begin(), entries.end(),
                        [](const ModelEntry* entry) { return !IsPart(*entry->info); });
  out << "# Models\n\n"
         "Made from the declarations in the code. Numbers are in SI; a system file may use any unit of the "
         "same\n"
         "dimension. A *live* item may change during a run, a *structural* one is fixed when the system is "
         "loaded.\n\n"
         "| model | meaning |\n| --- | --- |\n";
  for (const ModelEntry* entry : entries) {
    std::string anchor(entry->info->name);
    std::erase(anchor, '.');
    std::ranges::transform(anchor, anchor.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    out << fmt::format("| [{}](#{}) | {} |\n", entry->info->name, anchor, EscapeMarkdown(entry->info->text));
  }
  std::optional<std::string_view> domain;
  for (const ModelEntry* entry : entries) {
    if (DomainOf(*entry->info) != domain) {
      domain = DomainOf(*entry->info);
      out << "\n## " << (domain->empty() ? "parts of a system file" : *domain) << '\n';
    }
    out << '\n';
    WriteMarkdown(Describe(*entry), 3, out);
  }
}

}  // namespace davit
