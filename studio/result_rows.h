#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace davit {

/// The rows that a run records, kept in memory. One thread adds rows, any thread reads.
class ResultRows {
 public:
  /// More are not kept; beyond it the rows end (256 MiB).
  static constexpr std::size_t kMostNumbers = 32U << 20;

  void SetColumns(std::vector<std::string> paths);
  /// A time before the last one: the run has begun again, and its former rows go.
  void AddRow(double time, std::span<const double> values);
  bool is_complete() const;
  /// As `davit run -o FILE.csv` writes it, byte for byte.
  std::string ToCsv() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> paths_;
  std::vector<double> numbers_;  ///< of each row the time and the values
  bool is_complete_ = true;
};

}  // namespace davit
