#include "results/rewrite_result.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "framework/diagnostics.h"
#include "results/csv_writer.h"
#include "results/load_result.h"
#include "results/table_units.h"

namespace davit {
namespace {

ResultTable Load(const std::filesystem::path& result) {
  Diagnostics diagnostics;
  std::optional<ResultTable> table = LoadResult(result, diagnostics);
  if (table) return *std::move(table);
  throw std::runtime_error(result.string() + ": it stays in SI: " + diagnostics.all().front().message());
}

void Write(const ResultTable& table, const std::vector<ResultColumn>& columns,
           const std::filesystem::path& path) {
  const std::unique_ptr<ResultWriter> writer = MakeResultWriter(path, columns);
  std::vector<double> row(columns.size());
  for (std::size_t n = 0; n < table.time.size(); ++n) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = table.columns[i][n];
    writer->WriteRow(table.time[n], row);
  }
  writer->Close();
}

}  // namespace

void RewriteInDisplayUnits(const std::filesystem::path& result, std::vector<ResultColumn> columns) {
  ResultTable table = Load(result);
  if (table.columns.size() != columns.size())
    throw std::runtime_error(result.string() + ": it stays in SI: it has other columns than were written");
  ConvertToDisplayUnits(table);
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i].unit = table.units[i];
  std::filesystem::path copy = result;
  copy.replace_filename(result.stem().string() + "~units" + result.extension().string());
  Write(table, columns, copy);
  // Units first: at no time do values stand beside those of others.
  const bool has_units_file = std::filesystem::exists(UnitsFileOf(copy));
  if (has_units_file) std::filesystem::remove(UnitsFileOf(result));
  std::filesystem::rename(copy, result);
  if (has_units_file) std::filesystem::rename(UnitsFileOf(copy), UnitsFileOf(result));
}

}  // namespace davit
