#include "session/result_columns.h"

namespace davit {

std::vector<ResultColumn> ResultColumnsOf(const RecordPlan& plan) {
  std::vector<ResultColumn> columns;
  columns.reserve(plan.columns.size());
  for (const Item& column : plan.columns) {
    const std::string unit = column.unit();
    columns.push_back({column.path(), unit == kAnyUnit ? std::string() : unit, std::string(column.text())});
  }
  return columns;
}

}  // namespace davit
