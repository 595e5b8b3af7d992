#include "studio/result_rows.h"

#include <utility>

#include "results/csv_text.h"

namespace davit {

void ResultRows::SetColumns(std::vector<std::string> paths) {
  const std::lock_guard lock(mutex_);
  paths_ = std::move(paths);
}

void ResultRows::AddRow(double time, std::span<const double> values) {
  const std::lock_guard lock(mutex_);
  const std::size_t width = values.size() + 1;
  if (numbers_.size() >= width && time < numbers_[numbers_.size() - width]) {
    numbers_.clear();
    is_complete_ = true;
  }
  if (numbers_.size() + width > kMostNumbers) {
    is_complete_ = false;
    return;
  }
  numbers_.push_back(time);
  numbers_.insert(numbers_.end(), values.begin(), values.end());
}

bool ResultRows::is_complete() const {
  const std::lock_guard lock(mutex_);
  return is_complete_;
}

std::string ResultRows::ToCsv() const {
  const std::lock_guard lock(mutex_);
  std::string text = "time";
  for (const std::string& path : paths_) text += ',' + CsvCell(path);
  text += '\n';
  const std::size_t width = paths_.size() + 1;
  char buffer[kLongestCsvNumber];
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    text.append(buffer, WriteCsvNumber(buffer, numbers_[i]));
    text += (i + 1) % width == 0 ? '\n' : ',';
  }
  return text;
}

}  // namespace davit
