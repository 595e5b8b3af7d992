#include "python/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "framework/nearest_name.h"
#include "python/binding.h"
#include "python/events.h"
#include "python/failures.h"
#include "results/load_result.h"

namespace davit {
namespace {

std::shared_ptr<Result> ReadResult(const std::string& file) {
  Diagnostics diagnostics;
  std::optional<ResultTable> table;
  {
    const py::gil_scoped_release release;
    table = LoadResult(file, diagnostics);
  }
  RaiseIfFaulty(diagnostics);
  std::vector<ResultColumn> columns;
  columns.reserve(table->names.size());
  for (std::size_t i = 0; i < table->names.size(); ++i) {
    columns.push_back({.path = table->names[i], .unit = table->units[i], .text = {}});
    if (i < table->options.size()) columns.back().options = table->options[i];
  }
  auto result = std::make_shared<Result>(std::move(columns));
  result->time = std::move(table->time);
  result->values = std::move(table->columns);
  return result;
}

void SaveResult(const Result& result, const std::string& file) {
  if (!IsResultFile(file))
    throw std::invalid_argument(file + ": error: unknown kind of result file; name a .csv, .mat or .h5 file");
  const py::gil_scoped_release release;
  const std::unique_ptr<ResultWriter> writer = MakeResultWriter(file, result.columns);
  std::vector<double> row(result.columns.size());
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = result.values[i][k];
    writer->WriteRow(result.time[k], row);
  }
  writer->Close();
}

py::array_t<double> ColumnOf(const py::object& self, const std::string& name) {
  const auto& result = self.cast<const Result&>();
  const std::size_t place = result.Find(name);
  if (place < result.columns.size()) return ViewOf(result.values[place], self);
  std::vector<std::string> names;
  names.reserve(result.columns.size());
  for (const ResultColumn& column : result.columns) names.push_back(column.path);
  throw py::key_error(
      fmt::format("no signal {}; {}", Quoted(name), SuggestName("the result has", name, names)));
}

py::tuple PickleOf(const Result& result) {
  py::list columns, values, events;
  for (const ResultColumn& column : result.columns)
    columns.append(py::make_tuple(column.path, column.unit, column.text, column.options));
  for (const std::vector<double>& column : result.values) values.append(ArrayOf(column));
  for (const LoggedEvent& event : result.events) {
    events.append(py::make_tuple(event.time, static_cast<int>(event.severity), static_cast<int>(event.kind),
                                 event.path, event.text));
  }
  return py::make_tuple(columns, ArrayOf(result.time), values, events);
}

std::shared_ptr<Result> FromState(const py::tuple& state) {
  const auto numbers = [](const py::handle& one) {
    const auto array = one.cast<py::array_t<double, py::array::c_style>>();
    return std::vector<double>(array.data(), array.data() + array.size());
  };
  std::vector<ResultColumn> columns;
  for (const py::handle one : state[0]) {
    const auto column = one.cast<py::tuple>();
    columns.push_back({.path = column[0].cast<std::string>(),
                       .unit = column[1].cast<std::string>(),
                       .text = column[2].cast<std::string>(),
                       .options = column[3].cast<std::vector<std::string>>()});
  }
  auto result = std::make_shared<Result>(std::move(columns));
  result->time = numbers(state[1]);
  result->values.clear();
  for (const py::handle one : state[2]) result->values.push_back(numbers(one));
  for (const py::handle one : state[3]) {
    const auto event = one.cast<py::tuple>();
    result->events.push_back({.time = event[0].cast<double>(),
                              .severity = static_cast<RunLog::Severity>(event[1].cast<int>()),
                              .kind = static_cast<RunLog::Kind>(event[2].cast<int>()),
                              .path = event[3].cast<std::string>(),
                              .text = event[4].cast<std::string>()});
  }
  if (result->values.size() != result->columns.size()) throw std::invalid_argument("this is not a result");
  for (const std::vector<double>& column : result->values)
    if (column.size() != result->time.size()) throw std::invalid_argument("this is not a result");
  return result;
}

template <class Field>
py::dict DictOf(const Result& result, Field field) {
  py::dict dict;
  for (const ResultColumn& column : result.columns) dict[py::str(column.path)] = field(column);
  return dict;
}

}  // namespace

Result::Result(std::vector<ResultColumn> given) : columns(std::move(given)), values(columns.size()) {
  for (std::size_t i = 0; i < columns.size(); ++i) places_.emplace(columns[i].path, i);
}

std::size_t Result::Find(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? columns.size() : found->second;
}

void BindResult(py::module_& module) {
  py::class_<Result, std::shared_ptr<Result>>(module, "Result")
      .def_static("read", &ReadResult, py::arg("file"))
      .def("save", &SaveResult, py::arg("file"))
      .def(py::pickle(&PickleOf, &FromState))
      .def("column", [](const py::object& self, const std::string& name) { return ColumnOf(self, name); })
      .def("has", [](const Result& r, const std::string& name) { return r.Find(name) < r.columns.size(); })
      .def("__len__", [](const Result& r) { return r.columns.size(); })
      .def_property_readonly(
          "time", [](const py::object& self) { return ViewOf(self.cast<const Result&>().time, self); })
      .def_property_readonly("names",
                             [](const Result& r) {
                               py::list names;
                               for (const ResultColumn& column : r.columns) names.append(column.path);
                               return names;
                             })
      .def_property_readonly(
          "units", [](const Result& r) { return DictOf(r, [](const auto& c) { return py::str(c.unit); }); })
      .def_property_readonly(
          "texts", [](const Result& r) { return DictOf(r, [](const auto& c) { return py::str(c.text); }); })
      .def_property_readonly(
          "options",
          [](const Result& r) { return DictOf(r, [](const auto& c) { return py::cast(c.options); }); })
      .def_property_readonly("events", [](const Result& r) { return EventTuples(r.events); });
}

}  // namespace davit
