#include "python/python_component.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "framework/archive.h"
#include "framework/run_log.h"
#include "framework/system.h"
#include "python/binding.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

py::module_ HelpersOfComponents() { return py::module_::import("davit.components"); }

/// `control.py:12: in step: ZeroDivisionError: division by zero`.
std::string TextOf(const py::error_already_set& raised) {
  const py::object trace = raised.trace() ? raised.trace() : py::object(py::none());
  return HelpersOfComponents().attr("_where")(raised.value(), trace).cast<std::string>();
}

}  // namespace

/// What belongs to Python. Made, used and destroyed with the interpreter's lock.
struct PythonComponent::Object {
  py::object type;
  py::object instance;
  py::object attributes;  ///< the dictionary of the instance
  bool has_derivatives = false;
  bool has_step = false;
  std::vector<py::object> parameter_names, input_names, output_names, state_names;

  void Set(const py::object& name, double value) const {
    const py::float_ number(value);
    if (PyDict_SetItem(attributes.ptr(), name.ptr(), number.ptr()) != 0) throw py::error_already_set();
  }
  /// A new object of the class.
  void Renew() {
    instance = type();
    attributes = instance.attr("__dict__");
  }
};

PythonComponent::PythonComponent() { memory_.SetActive(false); }

PythonComponent::~PythonComponent() {  // NOLINT(bugprone-exception-escape): only without an interpreter
  if (object_ == nullptr) return;
  const py::gil_scoped_acquire acquire;
  object_.reset();
}

template <class Call>
void PythonComponent::Run(double t, const Call& call) {
  if (object_ == nullptr) return;
  std::string fault;
  {
    const py::gil_scoped_acquire acquire;
    try {
      call();
      return;
    } catch (const py::error_already_set& raised) {
      fault = TextOf(raised);
    } catch (const std::exception& raised) {
      fault = declared_class_ + ": " + raised.what();
    }
  }
  FailEvaluation(t, fault);
}

void PythonComponent::DeclareItems(const Attributes& attributes, const UnitSystem& units,
                                   Diagnostics& diagnostics) {
  const auto given = attributes.find("class");
  if (given == attributes.end() || given->second.empty())
    return diagnostics.Error({}, {}, "class is missing; name a class, as in class=\"controllers:Damper\"");
  declared_class_ = given->second;
  const py::gil_scoped_acquire acquire;
  try {
    Declare(declared_class_, units, diagnostics);
  } catch (const py::error_already_set& raised) {
    diagnostics.Error({}, {}, fmt::format("class: {}", TextOf(raised)));
  }
  if (diagnostics.has_errors()) object_.reset();
}

void PythonComponent::Declare(const std::string& name, const UnitSystem& units, Diagnostics& diagnostics) {
  object_ = std::make_unique<Object>();
  Object& object = *object_;
  object.type = HelpersOfComponents().attr("_find")(name);
  const py::dict about = HelpersOfComponents().attr("_about")(object.type);
  object.has_derivatives = about["has_derivatives"].cast<bool>();
  object.has_step = about["has_step"].cast<bool>();
  for (const py::handle one : about["items"]) {
    const auto item = one.cast<py::dict>();
    const auto kind = item["kind"].cast<std::string>();
    const auto item_name = item["name"].cast<std::string>();
    const auto unit_text = item["unit"].cast<std::string>();
    if (!units.Find(unit_text)) {
      diagnostics.Error({}, {},
                        fmt::format("class: {} of {}: unknown unit '{}'; write an SI unit such as m/s",
                                    item_name, declared_class_, unit_text));
      continue;
    }
    const Text label = Keep(item_name);
    const Text unit = Keep(unit_text);
    const Text text = Keep(item["text"].cast<std::string>());
    const auto value = item["value"].cast<double>();
    const py::object python_name =
        py::reinterpret_steal<py::object>(PyUnicode_InternFromString(item_name.c_str()));
    if (kind == "parameter") {
      const Range range{item["low"].cast<double>(), item["high"].cast<double>()};
      parameters_.emplace_back(this, label, unit, text, value, range);
      object.parameter_names.push_back(python_name);
    } else if (kind == "input") {
      inputs_.emplace_back(this, label, unit, text, value);
      object.input_names.push_back(python_name);
    } else if (kind == "output") {
      outputs_.emplace_back(this, label, unit, text);
      object.output_names.push_back(python_name);
    } else {
      states_.emplace_back(this, label, unit, text, value, item["nominal"].cast<double>());
      object.state_names.push_back(python_name);
    }
  }
  object.Renew();  // what it raises is found while the system is loaded
}

bool PythonComponent::has_sampled_signals() const { return object_ != nullptr && !object_->has_derivatives; }

void PythonComponent::Configure(Diagnostics& diagnostics) {
  if (object_ == nullptr || class_.value() == declared_class_) return;
  diagnostics.Error(
      location(), DisplayPath(),
      "class cannot be set from outside, because all items follow from it; write it as an attribute");
}

void PythonComponent::Link(System& system, Diagnostics& /*diagnostics*/) {
  manager_ = &SimulatorManager::Of(system);
}

void PythonComponent::Reset() {
  DynamicSimComponent::Reset();
  time_ = manager_ == nullptr ? 0 : manager_->start_time();
  Run(time_, [this] {
    object_->Renew();
    SetValues();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (PyDict_GetItemWithError(object_->attributes.ptr(), object_->output_names[i].ptr()) == nullptr)
        object_->Set(object_->output_names[i], 0);
    }
    TakeOutputs();
  });
  if (is_told_ || run_log() == nullptr) return;
  is_told_ = true;
  run_log()->Write(RunLog::Severity::kInfo, DisplayPath(),
                   fmt::format("{} is written in Python: slower than a component in C++", declared_class_));
}

void PythonComponent::ParametersChanged() {
  Run(time_, [this] {
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      object_->Set(object_->parameter_names[i], parameters_[i]);
  });
}

void PythonComponent::SetValues() {
  const Object& object = *object_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) object.Set(object.parameter_names[i], parameters_[i]);
  for (std::size_t i = 0; i < inputs_.size(); ++i) object.Set(object.input_names[i], inputs_[i]);
  for (std::size_t i = 0; i < states_.size(); ++i) object.Set(object.state_names[i], states_[i]);
}

void PythonComponent::TakeOutputs() {
  const Object& object = *object_;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    PyObject* const value = PyDict_GetItemWithError(object.attributes.ptr(), object.output_names[i].ptr());
    if (value == nullptr)
      throw std::runtime_error(py::str(object.output_names[i]).cast<std::string>() +
                               " has no value any more");
    const double number = PyFloat_AsDouble(value);
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    outputs_[i] = number;
  }
}

void PythonComponent::PreIntegrate() {
  if (object_ == nullptr || !object_->has_step) return;
  const double t = manager_->time();
  Run(t, [this, t] {
    SetValues();
    object_->instance.attr("time") = t;
    object_->instance.attr("step")();
    TakeOutputs();
  });
}

void PythonComponent::EvaluateDiffEquations(double t) {
  if (object_ == nullptr || !object_->has_derivatives) return;
  time_ = t;
  Run(t, [this, t] {
    SetValues();
    const py::object slopes = object_->instance.attr("derivatives")(t);
    TakeOutputs();
    if (slopes.is_none() && states_.empty()) return;
    if (states_.size() == 1 && PyFloat_Check(slopes.ptr())) {
      states_[0].ddt = PyFloat_AS_DOUBLE(slopes.ptr());
      return;
    }
    const auto numbers =
        HelpersOfComponents().attr("_slopes")(object_->instance, slopes).cast<std::vector<double>>();
    for (std::size_t i = 0; i < states_.size(); ++i) states_[i].ddt = numbers[i];
  });
}

void PythonComponent::ArchiveMemory(Archive& archive) {
  std::string memory;
  Run(time_, [&] {
    if (!archive.is_loading())
      memory = HelpersOfComponents().attr("_memory")(object_->instance).cast<std::string>();
  });
  archive(memory);
  if (!archive.is_loading() || !archive.is_good()) return;
  Run(time_, [&] {
    HelpersOfComponents().attr("_remember")(object_->instance, py::bytes(memory));
    SetValues();
    TakeOutputs();
  });
}

}  // namespace davit
