#include "app/model_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "framework/escape.h"

namespace davit {
namespace {

void WriteMarkdownTable(const DescriptionTable& table, std::ostream& out) {
  std::vector<std::size_t> columns;  // without that of the needs where nothing has any
  for (std::size_t i = 0; i < table.headers.size(); ++i) {
    const auto is_filled = [i](const auto& row) { return !row[i].empty(); };
    if (table.headers[i] != kNeeds || std::ranges::any_of(table.rows, is_filled)) columns.push_back(i);
  }
  for (const std::size_t i : columns) out << "| " << table.headers[i] << ' ';
  out << "|\n";
  for (std::size_t i = 0; i < columns.size(); ++i) out << "| --- ";
  out << "|\n";
  for (const auto& row : table.rows) {
    for (const std::size_t i : columns) {
      if (i == 0) {
        out << "| `" << row.front() << "` ";
      } else {
        out << "| " << EscapeMarkdown(row[i]) << (row[i].empty() ? "" : " ");
      }
    }
    out << "|\n";
  }
}

}  // namespace

std::string EscapeMarkdown(std::string_view text) {
  // Not every reader of Markdown accepts a backslash before '<'.
  return Escape(text, {{'<', "&lt;"},
                       {'&', "&amp;"},
                       {'\\', "\\\\"},
                       {'`', "\\`"},
                       {'*', "\\*"},
                       {'|', "\\|"},
                       {'[', "\\["},
                       {']', "\\]"}});
}

void WriteModelMarkdown(const ModelDescription& description, std::size_t depth, std::ostream& out,
                        std::string_view figure) {
  const std::string heading(depth, '#');
  out << heading << ' ' << description.name << "\n\n" << EscapeMarkdown(description.text) << ".\n";
  if (!figure.empty()) out << '\n' << figure << '\n';
  if (!description.settings.empty()) out << '\n';
  for (const auto& [name, text] : description.settings) {
    out << fmt::format("* `{}`: {}\n", name, text);
  }
  for (const DescriptionTable& table : description.tables) {
    out << fmt::format("\n{}# {}\n\n", heading, table.title);
    WriteMarkdownTable(table, out);
  }
  for (const EquationSection& section : SplitEquations(description.equations)) {
    out << fmt::format("\n{}#{} {}\n", heading, section.is_part ? "#" : "", section.title);
    if (!section.text.empty()) out << fmt::format("\n```equations\n{}```\n", section.text);
  }
  out << fmt::format("\n{}# Example\n\n```xml\n{}```\n", heading, description.example);
}

}  // namespace davit
