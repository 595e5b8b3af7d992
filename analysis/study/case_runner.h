#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/study/measure_set.h"
#include "analysis/study/variation.h"
#include "session/simulation.h"

namespace davit {

class RankChannel;

/// Signals over time: a row for each step point, and before and after each event.
struct CaseCurves {
  std::vector<double> time;
  std::vector<std::vector<double>> signals;  ///< each with a value for each time
};

/// What every case of a study has in common.
struct CaseSetup {
  std::filesystem::path system;
  std::optional<std::string> text = {};  ///< of the system, in place of its file
  SimulationOptions options = {};
  std::vector<VariedItem> items = {};
  std::vector<MeasureDefinition> measures = {};
  /// Paths whose values at all step points and events are in the results: for a fit.
  std::vector<std::string> probes = {};
  /// Where the recorded curves of each case go: case_1.csv, case_2.csv ...; nothing: nowhere.
  std::optional<std::filesystem::path> curves = {};
  /// What else is measured: gives `judged` values from the curves of the probes, which follow those of
  /// `measures`. Called in the thread of the case; what it throws is why the case has failed.
  std::function<std::vector<double>(const CaseCurves& curves)> judge = {};
  std::size_t judged = 0;
  /// The other processes of a parallel job, which run cases, too; null: there are none. It outlives the
  /// study.
  RankChannel* ranks = nullptr;
};

/// The system of a study, of its file or its text.
LoadedSimulation LoadSystemOf(const CaseSetup& setup, const SimulationOptions& options,
                              const Registry& registry);

/// What has become of a case.
struct CaseResult {
  bool is_done = false;                 ///< else it has failed
  std::vector<double> measures = {};    ///< SI; NaN where there is none
  std::vector<std::string> texts = {};  ///< what else was found, of studies that find more than numbers
  std::string message = {};             ///< why it has failed, or why a measure has no value; one line
  double wall_s = 0;                    ///< [s]
  CaseCurves curves = {};               ///< of the probes
  bool is_interrupted = false;          ///< it was given up because of `stop`: there is no result
};

/// Runs the cases of a study one after the other, in the thread of the caller.
class CaseWorker {
 public:
  virtual ~CaseWorker() = default;
  /// Whatever goes wrong with the case is in its result. `stop` gives up a run that is under way.
  virtual CaseResult Run(std::uint64_t number, std::span<const CaseValue> values,
                         const std::stop_token& stop = {}) = 0;
};

/// Called once for each thread, and in each process of a parallel job.
using MakeCaseWorker = std::function<std::unique_ptr<CaseWorker>()>;

/// A worker whose cases are whole runs with other values. A loaded system is reset and takes the values of
/// the next case; it is loaded anew only where a case has another level, structural parameter or start value,
/// and the systems of the last few of these are kept. Results are those of `davit run --set ...` bit for bit,
/// whatever was run before.
class CaseRunner final : public CaseWorker {
 public:
  /// `registry` must outlive the runner. `first`: a system that is loaded already without any value of a
  /// case, and has not run; may be null.
  CaseRunner(const CaseSetup& setup, const Registry& registry, std::unique_ptr<Simulation> first = nullptr);
  ~CaseRunner() override;
  CaseRunner(const CaseRunner&) = delete;
  CaseRunner& operator=(const CaseRunner&) = delete;

  /// `number` names the curves of the case.
  CaseResult Run(std::uint64_t number, std::span<const CaseValue> values,
                 const std::stop_token& stop = {}) override;
  /// How often a system was loaded.
  std::uint64_t loads() const { return loads_; }

 private:
  struct Machine;

  /// The system with what is not live; throws std::invalid_argument with what is wrong.
  Machine& MachineFor(std::span<const CaseValue> values);
  /// Keeps the probes of its runs.
  void Watch(Machine& machine) const;
  void WriteLive(Machine& machine, std::span<const CaseValue> values);
  /// Whether the run begins with the values that were written; those that it does not take are loaded from
  /// now on.
  bool HasTaken(Machine& machine, std::span<const CaseValue> values);
  void RunCase(std::uint64_t number, std::span<const CaseValue> values, const std::stop_token& stop,
               CaseResult& result);

  CaseSetup setup_;
  const Registry& registry_;
  std::unique_ptr<Simulation> first_;
  std::list<std::unique_ptr<Machine>> machines_;  ///< the one used last comes first
  std::uint64_t loads_ = 0;
};

}  // namespace davit
