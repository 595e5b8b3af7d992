#include "session/result_columns.h"

namespace davit {

std::vector<ResultColumn> ResultColumnsOf(const RecordPlan& plan) {
  std::vector<ResultColumn> columns;
  columns.reserve(plan.columns.size());
  for (const Item& column : plan.columns) {
    const std::string unit = column.unit();
    const std::vector<std::string_view> options = column.options();
    columns.push_back({.path = column.path(),
                       .unit = unit == kAnyUnit ? std::string() : unit,
                       .text = std::string(column.text()),
                       .options = {options.begin(), options.end()}});
  }
  return columns;
}

}  // namespace davit
