#include "results/mat_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "results/option_names.h"

namespace davit {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kMatBufferValues = 32 * 1024;

/// The type of a matrix: 10*precision + whether it is text; precision 0 double, 2 int32, 5 uint8.
enum class MatType : std::int32_t { kDouble = 0, kInt32 = 20, kText = 51 };

template <class T>
void Append(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void AppendHeader(std::string_view name, MatType type, std::size_t rows, std::size_t columns,
                  std::string& bytes) {
  Append(static_cast<std::int32_t>(type), bytes);
  Append(static_cast<std::int32_t>(rows), bytes);
  Append(static_cast<std::int32_t>(columns), bytes);
  Append(std::int32_t{0}, bytes);  // no imaginary part
  Append(static_cast<std::int32_t>(name.size() + 1), bytes);
  bytes.append(name).append(1, '\0');
}

/// One column of characters for each text, filled up with spaces.
void AppendTexts(std::string_view name, const std::vector<std::string>& texts, std::string& bytes) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  AppendHeader(name, MatType::kText, longest, texts.size(), bytes);
  for (const std::string& text : texts) {
    bytes += text;
    bytes.append(longest - text.size(), ' ');
  }
}

std::string DescriptionOf(const ResultColumn& column) {
  if (!column.options.empty())
    return fmt::format("{}{}{{{}}}", column.text, column.text.empty() ? "" : " ",
                       JoinOptions(column.options));
  if (column.unit.empty()) return column.text;
  return fmt::format("{}{}[{}]", column.text, column.text.empty() ? "" : " ", column.unit);
}

}  // namespace

MatWriter::MatWriter(const std::filesystem::path& path, const std::vector<ResultColumn>& columns)
    : file_(path), rows_(columns.size() + 1) {
  if (!file_.is_regular())
    throw std::runtime_error(path.string() + ": a MAT file must be a file on a disk; a pipe takes .csv");
  std::vector<std::string> names{"time"};
  std::vector<std::string> descriptions{"Time [s]"};
  for (const ResultColumn& column : columns) {
    names.push_back(column.path);
    descriptions.push_back(DescriptionOf(column));
  }
  std::string bytes;
  // Stored row by row: the first characters of all four texts, then the second ones.
  constexpr std::size_t kClassLength = 11;
  const std::string_view kinds[] = {"Atrajectory", "1.1        ", "           ", "binTrans   "};
  AppendHeader("Aclass", MatType::kText, std::size(kinds), kClassLength, bytes);
  for (std::size_t i = 0; i < kClassLength; ++i) {
    for (const std::string_view kind : kinds) bytes += kind[i];
  }
  AppendTexts("name", names, bytes);
  AppendTexts("description", descriptions, bytes);
  AppendHeader("dataInfo", MatType::kInt32, 4, rows_, bytes);
  for (std::size_t i = 0; i < rows_; ++i) {
    Append(std::int32_t{i == 0 ? 0 : 2}, bytes);
    Append(static_cast<std::int32_t>(i + 1), bytes);
    Append(std::int32_t{0}, bytes);
    Append(std::int32_t{-1}, bytes);
  }
  AppendHeader("data_1", MatType::kDouble, 1, 2, bytes);
  limits_at_ = bytes.size();
  Append(0.0, bytes);
  Append(0.0, bytes);
  size_at_ = bytes.size() + 2 * sizeof(std::int32_t);
  AppendHeader("data_2", MatType::kDouble, rows_, 0, bytes);
  try {
    file_.Write(bytes);
  } catch (const std::exception&) {
    file_.Discard();
    throw;
  }
  buffer_.reserve(std::max(kMatBufferValues, rows_));
}

MatWriter::~MatWriter() {
  try {
    Close();
  } catch (const std::exception&) {  // Close reports it to those who ask
  }
}

void MatWriter::WriteRow(double time, std::span<const double> values) {
  assert(values.size() + 1 == rows_);
  if (buffer_.size() + rows_ > buffer_.capacity()) Flush();
  if (times_ == 0 && buffer_.empty()) first_ = time;
  last_ = time;
  buffer_.push_back(time);
  buffer_.insert(buffer_.end(), values.begin(), values.end());
}

void MatWriter::Flush() {
  if (!is_open_ || buffer_.empty()) return;
  times_ += buffer_.size() / rows_;
  if (times_ > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw std::runtime_error(path().string() + ": more rows than a MAT file can hold; name an .h5 file");
  try {
    file_.Write({reinterpret_cast<const char*>(buffer_.data()), buffer_.size() * sizeof(double)});
  } catch (const std::exception&) {
    is_open_ = false;
    throw;
  }
  buffer_.clear();
  std::string count, limits;
  Append(static_cast<std::int32_t>(times_), count);
  file_.WriteAt(size_at_, count);
  Append(first_, limits);
  Append(last_, limits);
  file_.WriteAt(limits_at_, limits);
}

void MatWriter::Close() {
  Flush();
  is_open_ = false;
  file_.Close();
}

}  // namespace davit
