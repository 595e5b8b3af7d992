#include "fmi/fmu_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "fmi/import/fmu_cache.h"
#include "fmi/import/fmu_declarer.h"
#include "fmi/import/fmu_library.h"
#include "fmi/import/fmu_unit.h"
#include "fmi/import/foreign_call.h"
#include "fmi/import/lone_fmu.h"
#include "fmi/reference_results.h"
#include "fmi/zip_reader.h"
#include "session/simulation.h"

namespace davit {
namespace {

constexpr double kMostSteps = 100'000;
constexpr double kMostElementsChecked = 1e6;  ///< of an array

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
  const double count = length > 0 && std::isfinite(length) ? std::round(length / step) : 0;
  for (double n = 0; n <= count; ++n) times.push_back(description.start + n * step);
  return times;
}

/// The number of elements with the sizes that the FMU has by itself.
std::size_t CountOf(const FmuDescription& description, const DescribedVariable& variable) {
  double count = 1;
  for (const DescribedDimension& dimension : variable.dimensions) {
    double size = static_cast<double>(dimension.size);
    for (const DescribedVariable& other : description.variables) {
      if (dimension.reference && other.reference == *dimension.reference && !other.start.empty())
        size = other.start.front();
    }
    count *= size;
  }
  if (count >= 0 && count <= kMostElementsChecked) return static_cast<std::size_t>(count);
  throw std::runtime_error(
      fmt::format("error: {}: {} is not a number of elements, which is from 0 to {}; give the structural "
                  "parameters of the FMU other start values",
                  variable.name, count, kMostElementsChecked));
}

class FmuRun {
 public:
  FmuRun(const std::filesystem::path& folder, const std::optional<ResultTable>& reference, FmuCheck& check)
      : folder_(folder),
        reference_(reference),
        check_(check),
        times_(TimesOf(check.description, reference)) {}

  /// Steps the FMU for co-simulation from row to row.
  ResultTable CoSimulate(const std::filesystem::path& file) {
    const std::string shown = file.string() + ": error";
    const ForeignCall running(shown);
    const FmuDescription& description = check_.description;
    if (const std::string fault = FindLibraryFault(description, FmuKind::kCoSimulation, folder_);
        !fault.empty())
      throw std::runtime_error("error: " + fault);
    FmuValueList list;
    ResultTable run = Table();
    std::vector<std::size_t> places(run.names.size());
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      const DescribedVariable& variable = *signals_[i];
      const std::size_t begin = list.Add(variable.base, variable.reference, counts_[i]);
      for (std::size_t k = 0; k < counts_[i]; ++k) places[firsts_[i] + k] = begin + k;
    }
    const std::unique_ptr<ForeignFmu> fmu =
        MakeForeignFmu(description, {folder_, FmuKind::kCoSimulation, "check", false});
    fmu->EnterInitialization(times_.front(), std::max(description.stop, times_.back()), {});
    fmu->ExitInitialization();
    std::vector<double> values(list.size());
    for (std::size_t i = 0; i < times_.size(); ++i) {
      if (i > 0) {
        if (!fmu->DoStep(times_[i - 1], times_[i] - times_[i - 1])) break;
        ++check_.steps;
      }
      fmu->GetValues(list, values);
      AddRow(times_[i], run, [&](std::size_t column) { return values[places[column]]; });
    }
    return run;
  }

  /// Integrates the FMU for model exchange.
  ResultTable Integrate(const std::filesystem::path& file, Diagnostics& diagnostics) {
    const LoneFmu fmu(file, {{"kind", "ModelExchange"}}, diagnostics);
    if (diagnostics.has_errors()) return {};
    Registry registry;
    RegisterSimulator(registry);
    RegisterFmi(registry);
    SimulationOptions options;
    options.log = [](RunLog::Severity, std::string_view) {};
    options.load.set = {fmt::format("SimulatorManager.StopTime={}",
                                    times_.back() > times_.front() ? times_.back() : times_.front() + 1)};
    LoadedSimulation loaded =
        Simulation::Load({.file = file, .description = fmu.MakeSystem({}, diagnostics)}, registry, options);
    for (const Diagnostic& fault : loaded.diagnostics.all()) {
      if (fault.severity == Severity::kError) diagnostics.Add(fault);
    }
    if (loaded.simulation == nullptr) return {};
    Simulation& simulation = *loaded.simulation;
    ResultTable run = Table();
    std::vector<std::string> paths;
    paths.reserve(run.names.size());
    for (const std::string& name : run.names) paths.push_back(fmu.name() + "." + ItemNameOf(name));
    const ItemList items = simulation.Items(paths);
    std::vector<double> values(paths.size());
    simulation.Initialize();
    for (std::size_t i = 0; i < times_.size(); ++i) {
      if (i > 0) {
        if (simulation.AdvanceTo(times_[i]) == RunEnd::kMessage) break;
        ++check_.steps;
      }
      simulation.Read(items, values);
      AddRow(times_[i], run, [&](std::size_t column) { return InUnitsOfFmu(column, values[column]); });
    }
    return run;
  }

 private:
  /// What a value of a column in SI, or the position of an option, is in the FMU.
  double InUnitsOfFmu(std::size_t column, double value) const {
    const auto first = std::ranges::upper_bound(firsts_, column);
    const DescribedVariable& variable = *signals_[static_cast<std::size_t>(first - firsts_.begin()) - 1];
    if (variable.base == FmuBaseType::kEnumeration && value >= 0 &&
        value < static_cast<double>(variable.options.size()))
      return static_cast<double>(variable.options[static_cast<std::size_t>(value)].second);
    return variable.is_float() ? FindFmuUnit(check_.description, variable, units_).unit.FromSi(value) : value;
  }

  /// The columns of the run: what the reference has, or all outputs.
  ResultTable Table() {
    ResultTable run;
    for (const DescribedVariable& variable : check_.description.variables) {
      if (!variable.is_number()) continue;
      const std::size_t count = CountOf(check_.description, variable);
      const auto has = [&](const std::string& name) {
        return std::ranges::find(reference_->names, name) != reference_->names.end();
      };
      const bool is_wanted =
          reference_ ? has(variable.name) || has(variable.name + "[1]") : variable.causality == "output";
      if (!is_wanted) continue;
      signals_.push_back(&variable);
      counts_.push_back(count);
      firsts_.push_back(run.names.size());
      for (std::size_t k = 0; k < count; ++k)
        run.names.push_back(variable.is_array() ? fmt::format("{}[{}]", variable.name, k + 1)
                                                : variable.name);
    }
    run.units.resize(run.names.size());
    run.columns.resize(run.names.size());
    return run;
  }

  template <class Value>
  void AddRow(double t, ResultTable& run, const Value& value_of) {
    run.time.push_back(t);
    for (std::size_t column = 0; column < run.names.size(); ++column) {
      const double value = value_of(column);
      if (!std::isfinite(value) && check_.not_finite.empty())
        check_.not_finite = fmt::format("{} is {} at {} s", run.names[column], value, t);
      run.columns[column].push_back(value);
    }
  }

  const std::filesystem::path& folder_;
  const std::optional<ResultTable>& reference_;
  FmuCheck& check_;
  UnitSystem units_;
  std::vector<double> times_;
  std::vector<const DescribedVariable*> signals_;
  std::vector<std::size_t> counts_, firsts_;
};

/// The reference (A) with the run (B), whose only row at the time of an event may be either side of it.
Comparison CompareSides(const ResultTable& run, const ResultTable& reference,
                        const ComparisonTolerances& tolerances) {
  using Presence = SignalComparison::Presence;
  Comparison comparison = Compare(run, reference, tolerances);
  for (SignalComparison& signal : comparison.signals) {
    std::swap(signal.a, signal.b);
    if (signal.presence != Presence::kBoth)
      signal.presence = signal.presence == Presence::kOnlyA ? Presence::kOnlyB : Presence::kOnlyA;
  }
  return comparison;
}

/// The same with differences as shares of the largest value of each signal.
Comparison CompareShares(ResultTable run, ResultTable reference) {
  constexpr double kAllowed = 1e-3;
  std::map<std::string, double, std::less<>> sizes;
  for (std::size_t i = 0; i < reference.names.size(); ++i) {
    double largest = 0;
    for (const double value : reference.columns[i]) largest = std::max(largest, std::abs(value));
    if (largest > 0 && std::isfinite(largest)) sizes.emplace(reference.names[i], largest);
  }
  const auto size_of = [&](const std::string& name) {
    const auto known = sizes.find(name);
    return known == sizes.end() ? 1 : known->second;
  };
  for (ResultTable* const table : {&run, &reference}) {
    for (std::size_t i = 0; i < table->names.size(); ++i) {
      for (double& value : table->columns[i]) value /= size_of(table->names[i]);
    }
  }
  Comparison comparison = CompareSides(run, reference, {.relative = 0, .absolute = kAllowed});
  for (SignalComparison& signal : comparison.signals) {
    for (double* const value : {&signal.a, &signal.b, &signal.difference}) *value *= size_of(signal.name);
  }
  return comparison;
}

}  // namespace

FmuCheck CheckFmu(const std::filesystem::path& file, const std::optional<ComparisonTolerances>& tolerances,
                  Diagnostics& diagnostics, bool as_model_exchange) {
  const ZipReader archive(file);
  const std::vector<std::string> binaries = archive.FilesBelow(kBinaries);
  FmuCheck check;
  check.description = ReadFmuDescription(archive, diagnostics, (file / kFmuDescription).string());
  check.platforms = PlatformsOf(binaries);
  if (diagnostics.has_errors()) return check;
  const FmuDescription& description = check.description;
  check.kind = as_model_exchange || description.co_simulation.empty() ? FmuKind::kModelExchange
                                                                      : FmuKind::kCoSimulation;
  const bool is_me = check.kind == FmuKind::kModelExchange;
  if ((is_me ? description.model_exchange : description.co_simulation).empty()) {
    throw std::runtime_error(
        !description.co_simulation.empty() ? "error: it is for co-simulation only; leave --kind out"
        : description.has_scheduled_execution
            ? "error: it is for scheduled execution only; davit runs co-simulation and model exchange"
            : "error: it is not an FMU for co-simulation or model exchange; davit runs these kinds");
  }
  if (const std::string fault = FindBinaryFault(description, check.kind, binaries); !fault.empty())
    throw std::runtime_error("error: " + fault);
  const std::optional<ResultTable> reference = LoadReferenceResults(archive, file, diagnostics);
  if (diagnostics.has_errors()) return check;
  const std::filesystem::path folder = UnpackToCache(file);
  FmuRun fmu(folder, reference, check);
  const ResultTable run = is_me ? fmu.Integrate(file, diagnostics) : fmu.CoSimulate(file);
  if (diagnostics.has_errors()) return check;
  check.has_reference = reference.has_value();
  if (!reference) return check;
  check.rows = reference->time.size();
  check.comparison = !tolerances && is_me
                         ? CompareShares(run, *reference)
                         : CompareSides(run, *reference, tolerances.value_or(ComparisonTolerances{}));
  return check;
}

}  // namespace davit
