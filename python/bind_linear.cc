#include <complex>

#include "analysis/linear/frequency_response.h"
#include "analysis/linear/linearize.h"
#include "analysis/linear/modes.h"
#include "analysis/linear/pair_analysis.h"
#include "python/binding.h"
#include "python/system_handle.h"

namespace davit {
namespace {

constexpr int kPadeOfModes = 4;  // where delays are kept but eigenvalues are asked for

template <class Matrix>
py::array_t<double> MatrixOf(const Matrix& matrix) {
  py::array_t<double> array({matrix.rows(), matrix.cols()});
  auto to = array.template mutable_unchecked<2>();
  for (py::ssize_t i = 0; i < matrix.rows(); ++i)
    for (py::ssize_t k = 0; k < matrix.cols(); ++k) to(i, k) = matrix(i, k);
  return array;
}

Eigen::MatrixXd ToMatrix(const py::handle& given) {
  const auto array = given.cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
  const auto from = array.unchecked<2>();
  Eigen::MatrixXd matrix(from.shape(0), from.shape(1));
  for (py::ssize_t i = 0; i < matrix.rows(); ++i)
    for (py::ssize_t k = 0; k < matrix.cols(); ++k) matrix(i, k) = from(i, k);
  return matrix;
}

/// The model that a davit.LinearModel describes.
LinearModel ToLinearModel(const py::object& of) {
  LinearModel model;
  const auto names = [&](const char* kind, std::vector<LinearVariable>& variables) {
    for (const py::handle name : of.attr(kind)) variables.push_back({.name = name.cast<std::string>()});
  };
  names("states", model.states);
  names("inputs", model.inputs);
  names("outputs", model.outputs);
  const auto times = of.attr("delay_times").cast<std::vector<double>>();
  for (const py::handle name : of.attr("delays"))
    model.delays.push_back({name.cast<std::string>(), times.at(model.delays.size())});
  model.A = ToMatrix(of.attr("A"));
  model.B = ToMatrix(of.attr("B"));
  model.C = ToMatrix(of.attr("C"));
  model.D = ToMatrix(of.attr("D"));
  model.B_delay = ToMatrix(of.attr("B_delay"));
  model.D_delay = ToMatrix(of.attr("D_delay"));
  model.C_delay = ToMatrix(of.attr("C_delay"));
  model.D_input = ToMatrix(of.attr("D_input"));
  model.D_wave = ToMatrix(of.attr("D_wave"));
  return model;
}

LinearModel WithoutDelays(const LinearModel& model) { return CloseDelays(model, kPadeOfModes); }

py::dict LinearModelDict(const LinearModel& model) {
  const auto list_of = [](const std::vector<LinearVariable>& variables) {
    py::list list;
    for (const LinearVariable& one : variables) list.append(py::make_tuple(one.name, one.unit, one.value));
    return list;
  };
  py::dict found;
  found["states"] = list_of(model.states);
  found["inputs"] = list_of(model.inputs);
  found["outputs"] = list_of(model.outputs);
  found["A"] = MatrixOf(model.A);
  found["B"] = MatrixOf(model.B);
  found["C"] = MatrixOf(model.C);
  found["D"] = MatrixOf(model.D);
  py::list delays;
  for (const LinearDelay& delay : model.delays) delays.append(py::make_tuple(delay.name, delay.time));
  found["delays"] = delays;
  found["B_delay"] = MatrixOf(model.B_delay);
  found["D_delay"] = MatrixOf(model.D_delay);
  found["C_delay"] = MatrixOf(model.C_delay);
  found["D_input"] = MatrixOf(model.D_input);
  found["D_wave"] = MatrixOf(model.D_wave);
  return found;
}

/// Of a system that may not run afterwards.
py::dict LinearizeSystem(const SystemHandle& system, const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs, int pade) {
  const auto use = system.Enter("linearize");
  Diagnostics diagnostics;
  const LinearEnds ends = FindLinearEnds(use->system(), inputs, outputs, diagnostics);
  RaiseIfFaulty(diagnostics);
  Linearization of;
  LinearModel model;
  std::vector<LinearMode> modes;
  use.Compute([&](Simulation& one) {
    of = Linearize(one.system(), ends);
    const LinearModel closed = CloseDelays(of.model, pade > 0 ? pade : kPadeOfModes);
    modes = ComputeModes(closed.A);
    model = pade > 0 ? closed : of.model;
  });
  py::dict found = LinearModelDict(model);
  found["time"] = of.time;
  found["eigenvalues"] = ArrayOf(EigenvaluesOf(modes));
  found["error"] = of.error;
  found["largest_rate"] = of.largest_rate;
  found["notes"] = of.notes;
  return found;
}

/// `call(model)` without the interpreter's lock.
template <class Call>
auto WithModel(const py::object& of, const Call& call) {
  const LinearModel model = ToLinearModel(of);
  const py::gil_scoped_release release;
  return call(model);
}

py::list ModesOf(const py::object& of) {
  py::list modes;
  for (const LinearMode& mode :
       WithModel(of, [](const LinearModel& model) { return ComputeModes(WithoutDelays(model).A); })) {
    py::list shares;
    for (const LinearMode::Share& share : mode.states)
      shares.append(py::make_tuple(share.state, share.participation));
    modes.append(
        py::make_tuple(mode.eigenvalue, mode.frequency(), mode.damping(), mode.time_constant(), shares));
  }
  return modes;
}

/// What is known of one pair of input and output.
PairAnalysis AnalysePair(const py::object& of, std::size_t input, std::size_t output, bool has_zeros,
                         bool has_margins) {
  return WithModel(of, [=](const LinearModel& model) {
    const AnalysedModel analysed(model, WithoutDelays(model));
    return analysed.Analyse({.input = input, .output = output, .name = {}}, has_zeros, has_margins);
  });
}

py::array_t<std::complex<double>> ZerosOf(const py::object& of, std::size_t input, std::size_t output) {
  return ArrayOf(*AnalysePair(of, input, output, true, false).zeros);
}

/// Where a model does something, as the diagrams of davit linearize show it.
std::vector<double> FrequenciesOf(const LinearModel& model, std::size_t count) {
  // The approximants of delays have modes of their own, far above what the delays do.
  FrequencyRange range = ChooseRange(model, ComputeModes(model.A));
  if (!(range.low < range.high)) range.high = 100 * range.low;
  return LogarithmicSpace(range, count);
}

py::tuple MarginsOf(const py::object& of, std::size_t input, std::size_t output) {
  const StabilityMargins margins = *AnalysePair(of, input, output, false, true).margins;
  return py::make_tuple(margins.gain, margins.gain_frequency, margins.phase, margins.phase_frequency);
}

double GainAtRest(const py::object& of, std::size_t input, std::size_t output) {
  return AnalysePair(of, input, output, false, false).static_gain;
}

/// Times, and outputs by time: after a unit step.
py::tuple StepOf(const py::object& of, std::size_t input, std::optional<double> duration,
                 std::size_t points) {
  const StepResponse response = WithModel(of, [=](const LinearModel& model) {
    const LinearModel closed = WithoutDelays(model);
    return ComputeStep(closed, input, duration ? *duration : ChooseDuration(ComputeModes(closed.A)), points);
  });
  py::list outputs;
  for (const std::vector<double>& output : response.outputs) outputs.append(ArrayOf(output));
  return py::make_tuple(ArrayOf(response.time), outputs);
}

}  // namespace

void BindLinear(py::module_& module) {
  module.def("linearize", &LinearizeSystem);
  module.def("linear_modes", &ModesOf);
  module.def("linear_zeros", &ZerosOf);
  module.def("linear_margins", &MarginsOf);
  module.def("linear_static_gain", &GainAtRest);
  module.def("linear_step", &StepOf);
  module.def("linear_frequencies", [](const py::object& of, std::size_t count) {
    return ArrayOf(WithModel(of, [=](const LinearModel& model) { return FrequenciesOf(model, count); }));
  });
  module.def("linear_response",
             [](const py::object& of, std::size_t input, std::size_t output, const std::vector<double>& at) {
               return ArrayOf(WithModel(of, [&](const LinearModel& model) {
                 return ResponseOf(ReducedModel(model), input, output, at);
               }));
             });
  module.def("linear_closed", [](const py::object& of, int order) {
    return LinearModelDict(
        WithModel(of, [=](const LinearModel& model) { return CloseDelays(model, order); }));
  });
  module.def("continuous_phase", [](const std::vector<std::complex<double>>& response) {
    return ArrayOf(ContinuousPhase(response));
  });
}

}  // namespace davit
