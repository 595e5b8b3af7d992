#pragma once

#include <memory>
#include <optional>

#include "proof/bench_file.h"
#include "proof/bench_run.h"
#include "studio/study_job.h"

namespace davit {

/// A bench file that runs like a study: its cases are what there is to do, and `found` has the result of
/// each:
///
///     {"passed": 1, "cases": [{"name": "stops", "is_passed": false, "fault": "", "line": 7, "simulated": 20,
///      "expectations": [{"text": "Never ...", "requirement": "", "line": 9, "is_met": false, "verdict":
///      "...", "curves": {"time": [], "at": 4.2, "signals": [{"name": "load.x", "unit": "m", "values":
///      []}]}}]}]}
class BenchJob final : public StudyJob {
 public:
  using StudyJob::StudyJob;

 private:
  std::optional<Json> Prepare() override;
  void Execute() override;
  /// What a case names must be files that the studio lets studies use.
  void CheckFiles(const BenchCase& one, Diagnostics& diagnostics) const;

  Bench bench_;
  std::unique_ptr<BenchRun> run_;
};

/// The elements of bench files with their attributes, in the form of the options of studies.
Json DescribeBenchElements();

}  // namespace davit
