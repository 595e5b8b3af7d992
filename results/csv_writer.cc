#include "results/csv_writer.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <string_view>
#include <utility>

#include "results/csv_text.h"
#include "results/option_names.h"

namespace davit {
namespace {

constexpr std::size_t kBufferSize = 256 * 1024;

void WriteUnits(const std::filesystem::path& path, const std::vector<std::string>& columns,
                const std::vector<std::string>& units, const std::vector<std::vector<std::string>>& options) {
  const bool has_options = std::ranges::any_of(options, [](const auto& names) { return !names.empty(); });
  std::string text = has_options ? "path,unit,options\n" : "path,unit\n";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    text += CsvCell(columns[i]) + ',' + CsvCell(units[i]);
    if (has_options) text += ',' + CsvCell(JoinOptions(options[i]));
    text += '\n';
  }
  OutputFile file(path);
  try {
    file.Write(text);
    file.Close();
  } catch (const std::exception&) {
    file.Discard();
    throw;
  }
}

}  // namespace

std::filesystem::path UnitsFileOf(const std::filesystem::path& result) {
  std::filesystem::path path = result;
  path += ".units";
  return path;
}

CsvWriter::CsvWriter(std::filesystem::path path, const std::vector<std::string>& columns,
                     const std::vector<std::string>& units,
                     const std::vector<std::vector<std::string>>& options)
    : file_(std::move(path)),
      column_count_(columns.size()),
      longest_row_((columns.size() + 1) * (kLongestCsvNumber + 1)),
      buffer_(std::max(kBufferSize, longest_row_)) {
  assert(columns.size() == units.size() && (options.empty() || options.size() == columns.size()));
  std::string header = "time";
  for (const std::string& column : columns) header += ',' + CsvCell(column);
  try {
    file_.Write(header + '\n');
    if (file_.is_regular()) WriteUnits(UnitsFileOf(file_.path()), columns, units, options);
  } catch (const std::exception&) {
    file_.Discard();
    throw;
  }
}

CsvWriter::~CsvWriter() {
  try {
    Close();
  } catch (const std::exception&) {  // Close reports it to those who ask
  }
}

void CsvWriter::WriteRow(double time, std::span<const double> values) {
  assert(values.size() == column_count_);
  if (buffer_.size() - used_ < longest_row_) Flush();
  char* const begin = buffer_.data() + used_;
  char* end = WriteCsvNumber(begin, time);
  for (const double value : values) {
    *end++ = ',';
    end = WriteCsvNumber(end, value);
  }
  *end++ = '\n';
  used_ += static_cast<std::size_t>(end - begin);
}

void CsvWriter::Flush() {
  if (used_ == 0) return;
  const std::size_t count = std::exchange(used_, 0);
  file_.Write(std::string_view(buffer_.data(), count));
}

void CsvWriter::Close() {
  Flush();
  file_.Close();
}

}  // namespace davit
