#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/levels/level_choice.h"
#include "analysis/levels/level_metrics.h"
#include "analysis/levels/level_result.h"
#include "analysis/levels/level_runner.h"
#include "analysis/study/case_pool.h"
#include "analysis/study/study_calls.h"
#include "analysis/study/study_table.h"
#include "framework/registry.h"

namespace davit {

/// A worker whose cases are probes: a snapshot runs on with the rungs of the case.
class LevelProbeWorker final : public CaseWorker {
 public:
  /// As LevelRunner takes them; all outlive the worker. The system is loaded with the first case.
  LevelProbeWorker(const CaseSetup& setup, const Registry& registry, std::span<const LevelGroup> groups)
      : setup_(setup), registry_(registry), groups_(groups) {}

  CaseResult Run(std::uint64_t number, std::span<const CaseValue> values,
                 const std::stop_token& stop = {}) override;

 private:
  const CaseSetup& setup_;
  const Registry& registry_;
  std::span<const LevelGroup> groups_;
  std::unique_ptr<LevelRunner> runner_;
};

/// The table of probes of a study.
struct LevelProbeTable {
  std::filesystem::path file = {};                 ///< CSV; empty: none
  std::map<std::uint64_t, std::string> rows = {};  ///< of a study that is continued
  std::string resume = {};                         ///< how the user writes that it is continued
};

/// The probes of a study, as its cases: windows of a run that run once more with other rungs. A probe whose
/// row is in the table does not run again.
class LevelProbes {
 public:
  /// The group of a job in which all groups have the rung, or their highest below it.
  static constexpr std::size_t kEveryGroup = static_cast<std::size_t>(-1);
  /// How long a probe runs, in windows.
  static constexpr double kLength = 1.1;

  struct Job {
    std::uint64_t number = 0;  ///< among all of the study
    std::size_t group = 0, window = 0, rung = 0;
  };
  /// A run and what it is called. Of the reference, the `schedule` has what the other groups of a probe have
  /// in its window and after it; of any other run, its levels.
  struct Around {
    std::string_view name;
    const LevelRun& run;
    const LevelSchedule& schedule;
    bool is_reference = false;
  };

  /// `pool`: of LevelProbeWorkers. All must outlive the probes; costs and counts go to `result`.
  LevelProbes(CasePool& pool, LevelProbeTable table, const StudyCalls& calls, LevelsResult& result)
      : pool_(pool), old_(std::move(table)), calls_(calls), result_(result) {}

  /// The first line of the table.
  static std::string HeadOf(std::span<const LevelMetric> metrics);
  /// Whether the table has a column of this name besides the metrics.
  static bool HasColumn(std::string_view name);

  /// The effects of jobs on the run, in their order; those that were stopped are left out. Throws
  /// std::runtime_error where the table is that of another reference.
  std::vector<LevelEffect> Run(const Around& around, const LevelMetrics& metrics,
                               const std::vector<Job>& jobs);
  /// Jobs that are not worth a probe: only the table has them, with the reason.
  void Skip(const Around& around, const LevelMetrics& metrics, const std::vector<Job>& jobs,
            std::string_view reason);
  /// Puts the rows of the table in order. `last`: number of the last probe, if there are no further ones.
  void Finish(std::optional<std::uint64_t> last);

 private:
  StudyTable& Table(const LevelMetrics& metrics);
  std::vector<CaseValue> ValuesOf(const Around& around, const Job& job) const;
  LevelEffect EffectOf(const Around& around, const LevelMetrics& metrics, const Job& job,
                       const CaseResult& result) const;
  /// The name of a run with a digest of what makes it: probes of another one are not taken for its own.
  std::string NameOf(const Around& around) const;
  /// The rungs of all groups in the window of a job, or after it.
  std::vector<std::size_t> RungsOf(const Around& around, const Job& job, bool is_after) const;
  /// The cells that say which probe it is. `name`: see NameOf.
  std::string BeginOf(const Around& around, const std::string& name, const Job& job) const;
  /// The row of a job that the table has; null: none. Throws where it is of another reference.
  const std::string* FindOld(const Around& around, const std::string& name, const Job& job) const;
  std::string RowOf(const std::string& begin, const LevelEffect& effect, const CaseResult& result) const;
  LevelEffect Read(const std::string& row, const LevelMetrics& metrics, const Around& around,
                   const Job& job) const;
  LevelEffect JobEffect(const Around& around, const Job& job) const;

  CasePool& pool_;
  LevelProbeTable old_;
  const StudyCalls& calls_;
  LevelsResult& result_;
  std::unique_ptr<StudyTable> table_;
};

}  // namespace davit
