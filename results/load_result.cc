#include "results/load_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>

#include "results/load_hdf5.h"
#include "results/load_mat.h"
#include "results/option_names.h"
#include "results/table_units.h"

namespace davit {
namespace {

/// In small letters.
std::string Extension(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// What must hold for a table from any file; empty if it does.
std::string FaultOf(const ResultTable& table) {
  for (std::size_t i = 0; i < table.time.size(); ++i) {
    if (!std::isfinite(table.time[i])) return fmt::format("the time of row {} is not a finite number", i + 1);
    if (i > 0 && table.time[i] < table.time[i - 1])
      return fmt::format("the time goes back in row {}, from {} to {}", i + 1, table.time[i - 1],
                         table.time[i]);
  }
  return {};
}

/// In a file of another program, braces in a description need not be options.
void DropOtherOptions(ResultTable& table) {
  for (std::size_t i = 0; i < table.options.size(); ++i) {
    if (!FaultOfOptions(table.options[i], table.columns[i]).empty()) table.options[i].clear();
  }
}

/// With the units of the file.
std::optional<ResultTable> LoadAsWritten(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const bool is_mat = Extension(path) == ".mat", is_hdf5 = Extension(path) == ".h5";
  if (!is_mat && !is_hdf5) return LoadCsv(path, diagnostics);
  std::string fault;
  std::optional<ResultTable> table = is_mat ? LoadMat(path, &fault) : LoadHdf5(path, &fault);
  if (table && fault.empty()) fault = FaultOf(*table);
  if (fault.empty()) {
    DropOtherOptions(*table);
    return table;
  }
  diagnostics.Error({std::make_shared<const std::string>(path.string()), 0}, "", fault);
  return std::nullopt;
}

}  // namespace

bool IsResultFile(const std::filesystem::path& path) {
  const std::string extension = Extension(path);
  return extension == ".csv" || extension == ".mat" || extension == ".h5";
}

std::optional<ResultTable> LoadResult(const std::filesystem::path& path, Diagnostics& diagnostics) {
  std::optional<ResultTable> table = LoadAsWritten(path, diagnostics);
  if (table) ConvertToSi(*table);
  return table;
}

}  // namespace davit
