#include "components/marine/laws/named_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\"");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

std::vector<std::string_view> Cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t at = 0;;) {
    const std::size_t end = line.find_first_of(",;", at);
    cells.push_back(Trimmed(line.substr(at, end - at)));
    if (end == std::string_view::npos) return cells;
    at = end + 1;
  }
}

}  // namespace

const std::vector<double>* NamedColumns::Find(std::string_view name) const {
  // A header with a fault has names without values.
  const auto index = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  return index < values.size() ? &values[index] : nullptr;
}

void NamedColumns::Fail(int line, std::string text) {
  if (!fault.empty()) return;
  fault = std::move(text);
  fault_line = line;
}

NamedColumns ReadNamedColumns(std::string_view text, const std::vector<NamedColumns::Allowed>& allowed,
                              const UnitSystem& units) {
  NamedColumns result;
  std::vector<std::string_view> known;  // unit that a column is converted to
  std::vector<std::string> written;     // unit of the file
  std::vector<std::string> allowed_names;
  allowed_names.reserve(allowed.size());
  for (const NamedColumns::Allowed& column : allowed) allowed_names.push_back(column.name);

  const auto read_header = [&](std::string_view line, int number) {
    for (const std::string_view cell : Cells(line)) {
      const std::size_t open = cell.find('[');
      const std::string name(Trimmed(cell.substr(0, open)));
      const auto column = std::ranges::find(allowed, name, &NamedColumns::Allowed::name);
      if (column == allowed.end())
        return result.Fail(number, fmt::format("no column {}; {}", Quoted(name),
                                               SuggestName("the columns are", name, allowed_names)));
      if (std::ranges::find(result.names, name) != result.names.end())
        return result.Fail(number, fmt::format("a second column {}; keep one of them", Quoted(name)));
      result.names.push_back(name);
      known.push_back(column->unit);
      written.emplace_back(open == std::string_view::npos
                               ? std::string_view{}
                               : Trimmed(cell.substr(open + 1, cell.find(']') - open - 1)));
    }
    result.values.resize(result.names.size());
  };
  const auto read_row = [&](std::string_view line, int number) {
    const std::vector<std::string_view> cells = Cells(line);
    if (cells.size() != known.size())
      return result.Fail(
          number, fmt::format("{} values for {} columns; give one for each", cells.size(), known.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const QuantityResult read = ParseQuantity(std::string(cells[i]) + " " + written[i], known[i], units);
      if (!read.value)
        return result.Fail(number, fmt::format("{}: {}", result.names[i], read.fault.ToText()));
      result.values[i].push_back(read.value->si);
    }
    result.lines.push_back(number);
  };

  int number = 0;
  while (!text.empty() && result.fault.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view line = Trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (line.empty() || line.front() == '#') continue;
    if (result.names.empty()) {
      read_header(line, number);
    } else {
      read_row(line, number);
    }
  }
  if (result.lines.empty()) result.Fail(number, "there are no rows; the first line names the columns");
  return result;
}

}  // namespace davit
