#include "app/describe_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

#include "app/exit_code.h"
#include "app/fmu_files.h"
#include "app/list_command.h"
#include "app/model_markdown.h"
#include "framework/diagnostics.h"
#include "framework/nearest_name.h"
#include "hopsan/register.h"
#include "session/model_description.h"

namespace davit {
namespace {

constexpr std::size_t kPageWidth = 110;
constexpr std::size_t kEquationWidth =
    118;  ///< a few characters more than the page are better than a torn line
constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kWidestColumn = 36;  ///< but the last, which has what remains of the page
constexpr std::size_t kNarrowestText = 30;
constexpr std::size_t kNarrowestColumn = 24;  ///< of one that gives room to the text

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

void WriteTable(const DescriptionTable& table, std::ostream& out) {
  std::vector<std::size_t> widths;
  std::size_t used = kIndent;
  for (std::size_t i = 0; i + 1 < table.headers.size(); ++i) {
    std::size_t width = Width(table.headers[i]);
    for (const auto& row : table.rows) width = std::max(width, Width(row[i]));
    widths.push_back(std::min(width, kWidestColumn));
    used += widths.back() + kGap;
  }
  // What does not fit is taken from the lists in the second column, which then have more lines.
  if (widths.size() > 1) {
    std::size_t narrowest = kNarrowestColumn;
    for (const auto& row : table.rows)
      for (const std::string& word : Wrap(row[1], 0)) narrowest = std::max(narrowest, Width(word));
    while (widths[1] > narrowest && used + kNarrowestText > kPageWidth) {
      --widths[1];
      --used;
    }
  }
  widths.push_back(std::max(kNarrowestText, kPageWidth - std::min(used, kPageWidth)));
  WriteRow(table.headers, widths, out);
  for (const auto& row : table.rows) WriteRow(row, widths, out);
}

/// With the needs of each item behind its meaning: a terminal has no room for the column.
DescriptionTable WithoutNeeds(DescriptionTable table) {
  const auto place = std::ranges::find(table.headers, kNeeds);
  if (place == table.headers.end()) return table;
  const auto column = place - table.headers.begin();
  table.headers.erase(place);
  for (auto& row : table.rows) {
    row.back() = WithNeeds(row.back(), row[static_cast<std::size_t>(column)]);
    row.erase(row.begin() + column);
  }
  return table;
}

/// The lines of `text`, indented; lines that are too long are cut at spaces.
void WriteIndented(std::string_view text, std::size_t indent, std::ostream& out) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string margin(indent, ' ');
    if (Width(line) + indent <= kEquationWidth) {
      out << margin << line << '\n';  // with the spaces that align it
      continue;
    }
    for (const std::string& part : Wrap(line, kPageWidth - indent)) out << margin << part << '\n';
  }
}

void WriteText(const ModelDescription& description, std::ostream& out) {
  out << description.name << ": " << description.text << '\n';
  for (const auto& [name, text] : description.settings) out << fmt::format("  {}: {}\n", name, text);
  for (const DescriptionTable& table : description.tables) {
    out << '\n' << table.title << '\n';
    WriteTable(WithoutNeeds(table), out);
  }
  for (const EquationSection& section : SplitEquations(description.equations)) {
    out << '\n' << std::string(section.is_part ? kIndent : 0, ' ') << section.title << '\n';
    WriteIndented(section.text, section.is_part ? 2 * kIndent : kIndent, out);
  }
  out << "\nExample\n";
  WriteIndented(description.example, kIndent, out);
}

std::string_view DomainOf(const ModelInfo& info) {
  return IsPart(info) ? std::string_view() : info.name.substr(0, info.name.find('.'));
}

}  // namespace

int RunDescribe(const std::string& model, DescribeFormat format, const Registry& registry, std::ostream& out,
                std::ostream& err) {
  const ModelEntry* entry = registry.Find(model);
  if (entry == nullptr) {
    err << ToText(Diagnostic{.fault = {"no model " + Quoted(model), SuggestModel(model, registry)}}) << '\n';
    return kWrongInput;
  }
  WriteModelDescription(DescribeModel(*entry), format, out);
  return kDone;
}

void WriteModelDescription(const ModelDescription& description, DescribeFormat format, std::ostream& out) {
  if (format == DescribeFormat::kMarkdown) {
    WriteModelMarkdown(description, 1, out);
  } else {
    WriteText(description, out);
  }
}

void WriteModelReference(const Registry& registry, std::ostream& out) {
  std::vector<const ModelEntry*> entries = registry.entries();
  std::stable_partition(entries.begin(), entries.end(),
                        [](const ModelEntry* entry) { return !IsPart(*entry->info); });
  out << "# Models\n\n"
         "Made from the declarations in the code. A system file may use any unit of the same dimension.\n"
         "A *live* item may change during a run, a *structural* one is fixed when the system is "
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
    WriteModelMarkdown(DescribeModel(*entry), 3, out);
  }
}

void AddDescribeCommand(CLI::App& command, CommandContext& context) {
  struct Options {
    std::string model;
    bool is_markdown = false;
    bool is_for_all = false;
    FmuOptions fmu;
  };
  const auto options = std::make_shared<Options>();
  CLI::Option* model =
      command.add_option("MODEL", options->model, "For example hydraulic.Cylinder, or engine.fmu");
  command.add_flag("--markdown", options->is_markdown, "Prints Markdown");
  command.add_flag("--all", options->is_for_all, "Describes all models in one Markdown document")
      ->excludes(model);
  command.add_option("--kind", options->fmu.kind, "FMU kind to describe")
      ->type_name("CoSimulation|ModelExchange");
  command.add_option("--locals", options->fmu.locals, "Local variables of an FMU to list as well (globs)")
      ->type_name("GLOBS");
  AddPluginOption(command, context);
  command.callback([&context, options, model] {
    if (options->model.starts_with("hopsan")) RegisterHopsan(context.registry);
    const DescribeFormat format = options->is_markdown ? DescribeFormat::kMarkdown : DescribeFormat::kText;
    if (IsFmuFile(options->model)) {
      context.exit_code = DescribeFmu(options->model, options->fmu, format, context.out, context.err);
    } else if (!context.LoadPlugins()) {
      context.exit_code = kWrongInput;
    } else if (options->is_for_all) {
      WriteModelReference(context.registry, context.out);
    } else if (model->count() == 0) {
      throw CLI::RequiredError("MODEL or --all");
    } else {
      context.exit_code = RunDescribe(options->model, format, context.registry, context.out, context.err);
    }
  });
}

}  // namespace davit
