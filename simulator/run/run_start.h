#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/system.h"
#include "simulator/run/island_methods.h"
#include "simulator/thread_use.h"

namespace davit {

struct RunContext;

/// How a run comes from start values to values that a step can begin with: resets, evaluations, consistent
/// values, the steady state, charts.
class RunStart {
 public:
  explicit RunStart(RunContext& run) : methods(run), run_(run) {}

  IslandMethods methods;
  /// How many threads may share a step.
  unsigned threads = 1;
  ThreadUse thread_use = ThreadUse::kWhereItPays;

  // What only start values show. Pre: no run has begun.

  /// DAE islands must determine their unknowns at the start values.
  void CheckDaes(Diagnostics& diagnostics);
  /// As Initialize would meet it: evaluations that fail, derivatives that are never written, start values
  /// that a Reset writes over.
  void Check(Diagnostics& diagnostics);

  // At the present time of the run.

  /// What is asked for the start time: the run begins with it.
  void ApplyFirstSwitches();
  void ResetComponents();
  /// Makes waves, flows and outputs those of the states.
  void EvaluateAll();
  /// The same, again after components have begun anew from their first inputs.
  void EvaluateFirst();
  /// A failure for each derivative that no evaluation writes, a warning for each given start value that a
  /// Reset has written over. After ResetComponents and EvaluateFirst.
  void RequireDerivatives();
  void WarnOfLostStarts();
  void SearchSteadyState();
  /// Lets algebraic unknowns have their values; which moved goes to the log.
  void MakeConsistent();
  /// All charts enter their initial states, and hear what holds.
  void StartCharts();

 private:
  /// States whose derivatives no evaluation writes, each with its owner: `crane.x`.
  std::vector<std::pair<const Component*, std::string>> FindUnwrittenDerivatives();
  void ForEachLostStart(
      const std::function<void(const System::GivenStart& start, const std::string& text)>& tell) const;

  RunContext& run_;
};

}  // namespace davit
