#pragma once

#include <pybind11/complex.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <vector>

#include "session/described_field.h"

namespace davit {

namespace py = pybind11;

// The parts of the module davit._core; each adds its classes and functions. What users see of them, with
// docstrings and types, is python/davit/*.py.
void BindFailures(py::module_& module);
void BindResult(py::module_& module);
void BindSystem(py::module_& module);
void BindTree(py::module_& module);
void BindStudies(py::module_& module);
void BindLinear(py::module_& module);
void BindSignals(py::module_& module);
void BindFleet(py::module_& module);

py::dict ToDict(const DescribedObject& object);

/// A view of numbers that `owner` keeps alive: no copy, not writable.
inline py::array_t<double> ViewOf(const std::vector<double>& values, const py::object& owner) {
  py::array_t<double> view({values.size()}, {sizeof(double)}, values.data(), owner);
  py::detail::array_proxy(view.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return view;
}

/// An array of its own, of real or complex numbers.
template <class Number>
py::array_t<Number> ArrayOf(const std::vector<Number>& values) {
  return py::array_t<Number>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace davit
