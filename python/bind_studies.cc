#include <algorithm>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <variant>

#include "analysis/studies/fit_study.h"
#include "analysis/studies/optimization_study.h"
#include "analysis/studies/study_file.h"
#include "analysis/studies/study_kinds.h"
#include "python/binding.h"
#include "python/system_handle.h"
#include "python/watched_call.h"
#include "session/record_plan.h"
#include "session/result_columns.h"

namespace davit {
namespace {

using Texts = std::vector<std::string>;
using Handle = std::shared_ptr<SystemHandle>;

/// As a keyword argument: `vary={'load.mass': '5 t:1 t:15 t'}`.
std::string SpellInPython(const StudyOption& option, std::string_view example) {
  if (example.empty()) return option.name;
  const std::size_t equals = option.element.empty() ? std::string_view::npos : example.find('=');
  if (equals == std::string_view::npos) return fmt::format("{}='{}'", option.name, example);
  return fmt::format("{}={{'{}': '{}'}}", option.name, example.substr(0, equals), example.substr(equals + 1));
}

/// Facts as they are in Python: numbers as arrays.
struct ToPython {
  template <class T>
  py::object operator()(const T& fact) const {
    return py::cast(fact);
  }
  py::object operator()(const std::vector<double>& numbers) const { return ArrayOf(numbers); }
  py::object operator()(const std::vector<std::vector<double>>& rows) const {
    py::array_t<double> array({rows.size(), rows.empty() ? 0 : rows.front().size()});
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::ranges::copy(rows[i], array.mutable_data(static_cast<py::ssize_t>(i)));
    return array;
  }
  py::object operator()(const std::vector<CaseValue>& values) const {
    py::list list;
    for (const CaseValue& value : values)
      list.append(value.text.empty() ? py::cast(value.number) : py::cast(value.text));
    return list;
  }
  py::object operator()(const NamedNumbers& numbers) const {
    py::dict dict;
    for (const auto& [name, number] : numbers) dict[py::str(name)] = number;
    return dict;
  }
  py::object operator()(const StudyTableFacts& table) const {
    py::dict columns, units;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& [name, unit, is_number] = table.columns[i];
      columns[py::str(name)] = is_number ? (*this)(table.values[i].numbers) : (*this)(table.values[i].texts);
      if (i > 0 && i + 3 < table.columns.size()) units[py::str(name)] = unit;
    }
    return py::dict(py::arg("columns") = columns, py::arg("units") = units);
  }
};

/// A study that Python runs.
class BoundStudy {
 public:
  /// Of a file; writes no files itself.
  explicit BoundStudy(std::unique_ptr<Study> study) : study_(std::move(study)) { study_->WriteNoFiles(); }
  BoundStudy(const std::string& kind, Handle system)
      : study_(std::ranges::find(StudyKinds(), kind, &StudyKind::name)->make()), system_(std::move(system)) {
    const LoadRequest& source = system_->source();
    StudyOptions& options = study_->shared();
    options.system = source.file;
    options.text = source.text;
    options.simulation = source.options;
    options.simulation.threads = 1;
    options.spell = SpellInPython;
  }

  std::string kind() const { return study_->kind().name; }
  std::string system() const { return study_->shared().system.string(); }
  void Store(const std::string& name, const std::string& text) {
    const SourceLocation place{std::make_shared<const std::string>(fmt::format("{}: {}", name, text)), 0};
    if (const Fault fault = study_->kind().Get(name).Store(study_->shared(), {text, place}))
      RaiseInputError(name + ": " + fault.ToText());
  }
  /// Python's function `judge` makes the values `names` of the curves of `signals`.
  void Judge(const py::object& judge, const Texts& names, const Texts& signals,
             const std::vector<bool>& are_maxima) {
    Diagnostics diagnostics;
    columns_ =
        ResultColumnsOf(MakeRecordPlan(system_->Enter("a study")->system(), signals, 0.0, diagnostics));
    RaiseIfFaulty(diagnostics);
    judge_ = judge;
    StudyOptions& options = study_->shared();
    for (const ResultColumn& column : columns_) options.probes.push_back(column.path);
    options.judged = names;
    options.judge = [this](const CaseCurves& curves) { return Call(curves); };
    if (auto* search = dynamic_cast<OptimizationStudy*>(study_.get()))
      search->options.maximizes_judged = are_maxima;
  }
  /// Signals of one more experiment of a fit: names, times and values.
  void Measured(
      const std::vector<std::tuple<std::string, std::vector<double>, std::vector<double>>>& signals) {
    std::vector<ResultTable>& tables = dynamic_cast<FitStudy&>(*study_).options.tables.emplace_back();
    for (const auto& [name, time, values] : signals)
      tables.push_back({.names = {name}, .units = {""}, .time = time, .columns = {values}});
  }

  /// `system`: where the models come from. Ctrl-C ends it after the cases that run, what `judge` has raised
  /// immediately.
  py::dict Run(const Handle& system) {
    const SystemHandle::Use use = system->Enter("a study");
    Diagnostics diagnostics;
    study_->Check(*system->source().models, diagnostics);
    RaiseIfFaulty(diagnostics);
    try {
      CallWatched([this] { study_->Run({.stop = stop_.get_token()}); },
                  [this](bool /*is_urgent*/) { stop_.request_stop(); });
    } catch (const std::runtime_error&) {
      if (!raised_) throw;  // else it follows from that
    }
    if (raised_) throw std::exchange(raised_, std::nullopt).value();
    if (!study_->fault().empty()) RaiseInputError(study_->fault());
    py::dict found;
    for (const auto& [name, fact] : study_->Facts()) found[py::str(name)] = std::visit(ToPython(), fact);
    return found;
  }

 private:
  std::vector<double> Call(const CaseCurves& curves) {
    const py::gil_scoped_acquire acquire;
    try {
      auto result = std::make_shared<Result>(columns_);
      result->time = curves.time;
      result->values = curves.signals;
      return judge_(result).cast<std::vector<double>>();
    } catch (py::error_already_set& raised) {
      const std::lock_guard lock(mutex_);
      if (!raised_) raised_.emplace(std::move(raised));
    }
    stop_.request_stop();
    throw std::runtime_error("the objective raised an exception");
  }

  std::unique_ptr<Study> study_;
  Handle system_;
  py::object judge_;
  std::vector<ResultColumn> columns_;  ///< that `judge_` gets
  std::stop_source stop_;
  std::mutex mutex_;
  std::optional<py::error_already_set> raised_;
};

std::vector<std::unique_ptr<BoundStudy>> LoadBoundStudies(const std::string& file) {
  Diagnostics diagnostics;
  std::vector<std::unique_ptr<Study>> loaded = LoadStudies(file, false, diagnostics);
  RaiseIfFaulty(diagnostics);
  std::vector<std::unique_ptr<BoundStudy>> studies;
  studies.reserve(loaded.size());
  for (std::unique_ptr<Study>& study : loaded)
    studies.push_back(std::make_unique<BoundStudy>(std::move(study)));
  return studies;
}

/// What signatures and docstrings say of the options of a kind of study.
py::list OptionsOf(const std::string& kind) {
  py::list options;
  for (const StudyOption& option : std::ranges::find(StudyKinds(), kind, &StudyKind::name)->options) {
    options.append(py::dict(py::arg("name") = option.name, py::arg("text") = option.Text(),
                            py::arg("form") = option.Form(), py::arg("kind") = static_cast<int>(option.kind),
                            py::arg("default") = option.default_text,
                            py::arg("is_repeated") = option.is_repeated));
  }
  return options;
}

}  // namespace

void BindStudies(py::module_& module) {
  py::class_<BoundStudy>(module, "Study")
      .def(py::init<const std::string&, Handle>())
      .def_property_readonly("kind", &BoundStudy::kind)
      .def_property_readonly("system", &BoundStudy::system)
      .def("store", &BoundStudy::Store)
      .def("judge", &BoundStudy::Judge)
      .def("measured", &BoundStudy::Measured)
      .def("run", &BoundStudy::Run);
  module.def("load_studies", &LoadBoundStudies);
  module.def("study_options", &OptionsOf);
}

}  // namespace davit
