#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "analysis/frequency/frequency_run.h"
#include "analysis/spectrum/even_samples.h"
#include "analysis/spectrum/spectrum.h"
#include "framework/nearest_name.h"
#include "python/binding.h"
#include "python/failures.h"
#include "python/system_handle.h"
#include "python/watched_call.h"

namespace davit {
namespace {

/// Rows by point, columns by output.
template <class Number, class Read>
py::array_t<Number> Grid(const std::vector<FrequencyPoint>& points, std::size_t outputs, Read read) {
  py::array_t<Number> array({static_cast<py::ssize_t>(points.size()), static_cast<py::ssize_t>(outputs)});
  auto to = array.template mutable_unchecked<2>();
  for (std::size_t k = 0; k < points.size(); ++k)
    for (std::size_t i = 0; i < outputs; ++i)
      to(static_cast<py::ssize_t>(k), static_cast<py::ssize_t>(i)) = read(points[k])[i];
  return array;
}

/// Measures the system that `system` was loaded from; that one stays as it is.
py::dict MeasureFrequenciesOf(const SystemHandle& system, const std::string& input,
                              const std::vector<std::string>& outputs, double from, double to, int points,
                              double amplitude, std::optional<double> at, bool is_multisine, int settle,
                              int periods) {
  const LoadRequest& source = system.source();
  FrequencyOptions options{.system = source.file,
                           .text = source.text,
                           .simulation = source.options,
                           .input = input,
                           .outputs = outputs,
                           .from = from,
                           .to = to,
                           .points = points,
                           .amplitude = amplitude,
                           .at = at,
                           .is_multisine = is_multisine,
                           .settle = settle,
                           .periods = periods};
  options.simulation.log = [](RunLog::Severity, std::string_view) {};
  struct Stopped {};
  Diagnostics diagnostics;
  std::vector<FrequencyPoint> measured;
  std::atomic<bool> stop = false;
  CallWatched(
      [&] {
        try {
          const auto check = [&](const FrequencyPoint&) {
            if (stop) throw Stopped();
          };
          measured = MeasureFrequencies(options, *source.models, diagnostics, check).points;
        } catch (const Stopped&) {
          measured.clear();
        }
      },
      [&](bool /*is_urgent*/) { stop = true; });
  RaiseIfFaulty(diagnostics);
  py::dict found;
  std::vector<double> frequency;
  std::vector<std::complex<double>> driven;
  std::vector<bool> is_settled;
  for (const FrequencyPoint& point : measured) {
    frequency.push_back(point.frequency);
    driven.push_back(point.u);
    is_settled.push_back(point.is_settled);
  }
  const std::size_t width = outputs.size();
  found["frequency"] = ArrayOf(frequency);
  found["drive"] = ArrayOf(driven);
  found["gain"] = Grid<std::complex<double>>(measured, width, [](const auto& point) { return point.gain; });
  found["coherence"] = Grid<double>(measured, width, [](const auto& point) { return point.coherence; });
  found["distortion"] = Grid<double>(measured, width, [](const auto& point) { return point.distortion; });
  found["is_settled"] = is_settled;
  return found;
}

/// The names of windows, in the words of the command line.
SpectrumWindow FindWindow(const std::string& name) {
  const auto found = std::ranges::find(kSpectrumWindowNames, name);
  if (found != kSpectrumWindowNames.end())
    return static_cast<SpectrumWindow>(found - kSpectrumWindowNames.begin());
  const std::vector<std::string> names(kSpectrumWindowNames.begin(), kSpectrumWindowNames.end());
  RaiseInputError(
      fmt::format("window: no window {}; {}", Quoted(name), SuggestName("there are", name, names)));
}

using Columns = std::vector<std::vector<double>>;

/// Signals at even times; the rest of what davit spectrum computes follows from these.
py::dict ResampleSignals(const std::vector<double>& time, const Columns& columns, std::optional<double> begin,
                         std::optional<double> end) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<const std::vector<double>*> pointers;
  for (const std::vector<double>& column : columns) pointers.push_back(&column);
  const EvenSamples samples =
      MakeEvenSamples(time, pointers, begin.value_or(-kInfinity), end.value_or(kInfinity));
  py::dict found;
  py::list values;
  for (const std::vector<double>& column : samples.columns) values.append(ArrayOf(column));
  found["columns"] = values;
  found["dt"] = samples.dt;
  found["is_resampled"] = samples.is_resampled;
  found["given"] = samples.given;
  return found;
}

/// Frequencies, densities of u and y, gain of y over u, coherence.
py::tuple WelchSpectrum(const std::vector<double>& u, const std::vector<double>& y, double dt,
                        const std::string& window, std::size_t segment, double overlap) {
  const WelchOptions options{.segment = segment, .overlap = overlap, .window = FindWindow(window)};
  CrossSpectrum spectrum;
  {
    const py::gil_scoped_release release;
    spectrum = EstimateSpectrum(u, y, dt, options);
  }
  return py::make_tuple(ArrayOf(spectrum.frequencies), ArrayOf(spectrum.of_u), ArrayOf(spectrum.of_y),
                        ArrayOf(spectrum.Transfer()), ArrayOf(spectrum.Coherence()));
}

}  // namespace

void BindSignals(py::module_& module) {
  module.def("frequency_response", &MeasureFrequenciesOf);
  module.def("even_samples", &ResampleSignals);
  module.def("amplitudes", [](const std::vector<double>& x, double dt, const std::string& window) {
    return py::make_tuple(ArrayOf(SpectrumFrequencies(x.size(), dt)),
                          ArrayOf(AmplitudeSpectrum(x, FindWindow(window))));
  });
  module.def("welch", &WelchSpectrum);
}

}  // namespace davit
