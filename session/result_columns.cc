#include "session/result_columns.h"

#include <string_view>

namespace davit {
namespace {

/// Whether `path`, below its component, is the item `name`, an element or a field of it.
bool IsOf(std::string_view path, std::string_view name) {
  if (!path.starts_with(name)) return false;
  return path.size() == name.size() || path[name.size()] == '[' || path[name.size()] == '.';
}

/// What a variable is, in the words of its declaration; empty if it has none.
std::string_view TextOf(const Variable& variable) {
  const std::string prefix = variable.owner->path();
  std::string_view path = variable.path;
  if (!prefix.empty() && path.starts_with(prefix)) path.remove_prefix(prefix.size() + 1);
  const Declarations& d = variable.owner->declarations();
  std::string_view text;
  const auto look = [&](const auto& list) {
    for (const auto& item : list) {
      if (IsOf(path, item.label.name)) text = item.label.text;
    }
  };
  look(d.ports);
  look(d.parameters);
  look(d.inputs);
  look(d.states);
  look(d.outputs);
  return text;
}

}  // namespace

std::vector<ResultColumn> ResultColumnsOf(const RecordPlan& plan) {
  std::vector<ResultColumn> columns;
  columns.reserve(plan.columns.size());
  for (const Variable& column : plan.columns) {
    const std::string_view unit = column.unit == kAnyUnit ? std::string_view() : column.unit;
    columns.push_back({column.path, std::string(unit), std::string(TextOf(column))});
  }
  return columns;
}

}  // namespace davit
