#include "python/failures.h"

#include <pthread.h>

#include <atomic>
#include <stdexcept>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "results/output_failure.h"
#include "simulator/step_interrupted.h"

namespace davit {
namespace {

std::atomic<unsigned> fork_count = 0;  // of the process, not of any simulation

py::tuple FaultTuple(const Diagnostic& fault) {
  const py::object file = fault.location.file == nullptr || fault.location.file->empty()
                              ? py::object(py::none())
                              : py::object(py::str(*fault.location.file));
  return py::make_tuple(file, fault.location.line, fault.path, fault.fault.what, fault.fault.remedy);
}

py::object ClassOf(const char* name) { return py::module_::import("davit.errors").attr(name); }

[[noreturn]] void Raise(const py::object& type, const py::object& value) {
  PyErr_SetObject(type.ptr(), value.ptr());
  throw py::error_already_set();
}

void RaiseText(const char* type, const std::string& text) {
  const py::object error = ClassOf(type);
  PyErr_SetObject(error.ptr(), error(text).ptr());
}

/// Calls of C++ by their names in Python: `Simulation::LoadState` is `load_state`.
std::string InWordsOfPython(std::string text) {
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"use Post and RequestStop, which", "call stop, which"},
      {", or use Post", ""},
      {"Simulation::", ""},
      {"Initialize", "initialize"},
      {"LoadState", "load_state"},
      {"Step:", "step:"},
      {"Run:", "run:"},
      {"Write:", "write:"},
      {"RequestStop", "stop"},
      {"TakeSnapshot", "save_state"},
      {"SaveState", "save_state"},
      {"RunUntil", "run"},
      {"AdvanceTo", "advance"},
      {"StartRecording", "run"},
      {"TakeRequests", "step"},
      {"ReadText", "text"},
      {"WriteText", "write"},
      {"Items", "handles"},
      {"Submit", "send"},
      {"Clone", "clone"},
      {"Post", "a request"},
  };
  for (const auto& [cpp, python] : kWords) {
    for (std::size_t at = text.find(cpp); at != std::string::npos; at = text.find(cpp, at + python.size()))
      text.replace(at, cpp.size(), python);
  }
  return text;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 calls it so
void Translate(std::exception_ptr fault) {
  try {
    if (fault) std::rethrow_exception(fault);
  } catch (const StepInterrupted& interrupted) {
    RaiseText("SimulationError", interrupted.what());
  } catch (const SimulationFailure& failure) {
    const py::object type = ClassOf("SimulationError");
    PyErr_SetObject(type.ptr(), type(failure.what(), failure.time()).ptr());
  } catch (const OutputFailure& failure) {
    PyErr_SetString(PyExc_OSError, failure.what());
  } catch (const std::invalid_argument& wrong) {
    RaiseText("InputError", InWordsOfPython(wrong.what()));
  } catch (const std::logic_error& wrong) {
    if (typeid(wrong) != typeid(std::logic_error)) throw;  // of another library
    RaiseText("StateError", InWordsOfPython(wrong.what()));
  }
}

}  // namespace

void RaiseIfFaulty(const Diagnostics& diagnostics) {
  if (!diagnostics.has_errors()) return;
  py::list faults;
  for (const Diagnostic& fault : diagnostics.SortedByPlace()) {
    if (fault.severity == Severity::kError) faults.append(FaultTuple(fault));
  }
  Raise(ClassOf("InputError"), ClassOf("InputError")(ToText(diagnostics), faults));
}

void RaiseInputError(const std::string& text) { Raise(ClassOf("InputError"), ClassOf("InputError")(text)); }

void RaiseSimulationError(const Simulation& simulation, const SimulationFailure& failure) {
  std::string text;
  for (const std::string& line : simulation.failure()) text += (text.empty() ? "" : "\n") + line;
  if (text.empty()) text = failure.what();
  Raise(ClassOf("SimulationError"), ClassOf("SimulationError")(text, failure.time()));
}

unsigned ForkCount() { return fork_count.load(std::memory_order_relaxed); }

void RaiseForkError() { Raise(ClassOf("ForkError"), ClassOf("ForkError")()); }

void BindFailures(py::module_& /*module*/) {
  pthread_atfork(nullptr, nullptr, [] { fork_count.fetch_add(1, std::memory_order_relaxed); });
  py::register_exception_translator(&Translate);
}

}  // namespace davit
