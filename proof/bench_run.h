#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "framework/registry.h"
#include "framework/xml/system_loader.h"
#include "proof/bench_file.h"
#include "proof/chart_coverage.h"
#include "proof/expectation.h"

namespace davit {

/// The curves of one expectation that was not met, for a picture.
struct FailureCurves {
  std::vector<double> time;
  std::optional<double> at = {};  ///< [s]
  std::vector<std::string> names = {}, units = {};
  std::vector<std::vector<double>> values = {};
  std::vector<std::vector<std::string>> options = {};
  /// Of `<Follows>`: the reference.
  std::vector<double> reference_time = {}, reference = {};
};

/// One expectation after the run.
struct ExpectationResult {
  std::string expectation;  ///< as it is written
  std::string requirement;  ///< its text
  SourceLocation place;
  Verdict verdict;
  std::optional<FailureCurves> curves;
};

/// One case after its run.
struct CaseReport {
  std::string name;
  std::string requirement = {};
  SourceLocation place = {};
  std::string fault = {};  ///< why it did not run to its end, or something never happened; empty: it did
  SourceLocation fault_place = {};  ///< of the action that it is about, else of the case
  std::vector<ExpectationResult> expectations = {};
  double simulated = 0;  ///< [s]
  double wall = 0;       ///< [s]
  bool is_interrupted = false;
  std::map<std::string, ChartCounts> coverage = {};  ///< by path of the chart

  bool is_passed() const;
};

/// Runs the cases of a bench with the engine of `davit run`, each in a system of its own.
class BenchRun {
 public:
  /// All must outlive it. `load` is what every system is loaded with, besides the settings of its case.
  BenchRun(const Bench& bench, const Registry& registry, LoadOptions load = {})
      : bench_(bench), registry_(registry), load_(std::move(load)) {}

  /// Loads the system of each case and checks all that the case names; nothing is run. Elements that the
  /// reader has refused are skipped.
  void Check(Diagnostics& diagnostics) const;

  struct Options {
    unsigned workers = 1;
    bool counts_coverage = false;
    std::stop_token stop = {};
    std::function<void(std::size_t done)> on_case = {};  ///< called by one thread at a time
  };
  /// In the order of the file. Pre: Check has found no error.
  std::vector<CaseReport> Run(const Options& options) const;

 private:
  CaseReport RunCase(const BenchCase& one, const Options& options) const;

  const Bench& bench_;
  const Registry& registry_;
  const LoadOptions load_;
};

/// What all cases have exercised, by path of the chart. Charts of several systems at one path are joined if
/// they are from one file; others have the file behind their path.
std::map<std::string, ChartCounts> JoinCoverage(const std::vector<CaseReport>& reports);

}  // namespace davit
