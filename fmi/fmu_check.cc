#include "fmi/fmu_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "fmi/fmu_slave.h"
#include "fmi/reference_results.h"
#include "fmi/scratch_folder.h"
#include "fmi/zip_reader.h"

namespace davit {
namespace {

constexpr double kMostSteps = 100'000;

/// The times of a run: those of the reference, each once, or those of the default experiment.
std::vector<double> TimesOf(const FmuDescription& description, const std::optional<ResultTable>& reference) {
  std::vector<double> times;
  if (reference) {
    times = reference->time;
    times.erase(std::unique(times.begin(), times.end()), times.end());
    if (times.empty() || times.front() > description.start) times.insert(times.begin(), description.start);
    return times;
  }
  const double length = description.stop - description.start;
  const double step = std::max(description.step > 0 ? description.step : length / 100, length / kMostSteps);
  const double count = length > 0 ? std::round(length / step) : 0;
  for (double n = 0; n <= count; ++n) times.push_back(description.start + n * step);
  return times;
}

/// The outputs that are compared, or all of them.
std::vector<DescribedVariable> SignalsOf(const FmuDescription& description,
                                         const std::optional<ResultTable>& reference) {
  std::vector<DescribedVariable> signals;
  for (const DescribedVariable& variable : description.variables) {
    if (variable.type == FmuType::kString) continue;
    const bool is_wanted = reference
                               ? std::ranges::find(reference->names, variable.name) != reference->names.end()
                               : variable.causality == "output";
    if (is_wanted) signals.push_back(variable);
  }
  return signals;
}

}  // namespace

FmuCheck CheckFmu(const std::filesystem::path& file, const ComparisonTolerances& tolerances,
                  Diagnostics& diagnostics) {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "fmu";
  UnpackZip(file, folder);
  FmuCheck check;
  check.description = ReadFmuDescription(folder / "modelDescription.xml", diagnostics);
  check.platforms = PlatformsOf(folder);
  if (diagnostics.has_errors()) return check;
  const std::optional<ResultTable> reference = LoadReferenceResults(folder, diagnostics);
  if (diagnostics.has_errors()) return check;

  const std::vector<double> times = TimesOf(check.description, reference);
  const std::vector<DescribedVariable> signals = SignalsOf(check.description, reference);
  ResultTable run;
  for (const DescribedVariable& signal : signals) run.names.push_back(signal.name);
  run.units.resize(signals.size());
  run.columns.resize(signals.size());
  const std::unique_ptr<FmuSlave> slave = FmuSlave::Load(folder, check.description);
  slave->Initialize(times.front(), std::max(check.description.stop, times.back()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (i > 0) {
      const bool is_running = slave->Step(times[i - 1], times[i] - times[i - 1]);
      if (!is_running) break;
      ++check.steps;
    }
    run.time.push_back(times[i]);
    for (std::size_t j = 0; j < signals.size(); ++j) {
      const double value = slave->Read(signals[j]);
      if (!std::isfinite(value) && check.not_finite.empty())
        check.not_finite = fmt::format("{} is {} at {} s", signals[j].name, value, times[i]);
      run.columns[j].push_back(value);
    }
  }
  check.has_reference = reference.has_value();
  if (!reference) return check;
  check.rows = reference->time.size();
  check.comparison = Compare(*reference, run, tolerances);
  return check;
}

}  // namespace davit
