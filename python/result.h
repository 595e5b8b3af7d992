#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "python/event_log.h"
#include "results/result_writer.h"

namespace davit {

/// The curves of a run: a value of each column for each time, in SI. Numpy arrays are views of it, so columns
/// neither move nor change once Python has it.
class Result {
 public:
  explicit Result(std::vector<ResultColumn> columns);

  void AddRow(double t, std::span<const double> row) {
    time.push_back(t);
    for (std::size_t i = 0; i < row.size(); ++i) values[i].push_back(row[i]);
  }
  /// The place of a column; nothing is that name: the number of columns.
  std::size_t Find(const std::string& name) const;

  std::vector<ResultColumn> columns;
  std::vector<double> time;                 ///< [s]; equal times are the two sides of an event
  std::vector<std::vector<double>> values;  ///< by column
  std::vector<LoggedEvent> events;

 private:
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace davit
