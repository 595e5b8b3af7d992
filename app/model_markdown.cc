#include "app/model_markdown.h"

#include <fmt/format.h>

#include <ostream>
#include <vector>

#include "framework/escape.h"

namespace davit {
namespace {

void WriteMarkdownTable(const DescriptionTable& table, std::ostream& out) {
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

void WriteModelMarkdown(const ModelDescription& description, std::size_t depth, std::ostream& out) {
  const std::string heading(depth, '#');
  out << heading << ' ' << description.name << "\n\n" << EscapeMarkdown(description.text) << ".\n";
  if (!description.settings.empty()) out << '\n';
  for (const auto& [name, text] : description.settings) {
    out << fmt::format("* `{}`: {}\n", name, text);
  }
  for (const DescriptionTable& table : description.tables) {
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

}  // namespace davit
