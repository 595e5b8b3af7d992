#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/levels/level_choice.h"
#include "analysis/levels/level_group.h"
#include "analysis/levels/level_metrics.h"
#include "analysis/levels/level_probes.h"
#include "analysis/levels/level_result.h"
#include "analysis/levels/level_runner.h"
#include "analysis/levels/level_trial.h"
#include "analysis/studies/study.h"

namespace davit {

struct LevelsOptions : StudyOptions {
  // `measures` has the metrics.
  std::vector<VariationText> tolerances = {};  ///< NAME=VALUE or NAME=PERCENT
  std::vector<VariationText> groups = {};      ///< globs
  CurveNorm norm = CurveNorm::kRms;
  std::optional<std::string> windows = {};          ///< a length, or the times at which windows end
  std::uint64_t rounds = 3;                         ///< of probes around a schedule that has run
  double budget = 50;                               ///< runs of the reference
  std::vector<std::filesystem::path> outputs = {};  ///< .xml, .scxml, .csv
  std::optional<std::filesystem::path> plot = {};
  bool is_resumed = false;                ///< from the table of probes
  std::optional<std::string> shard = {};  ///< `i/n`; nothing: all probes
};

/// Which level each component needs, and when: what each simplification costs in errors of the metrics and
/// saves in evaluations, and the cheapest schedule of levels that keeps the tolerances.
class LevelsStudy final : public Study {
 public:
  explicit LevelsStudy(LevelsOptions given = {}) : Study(options), options(std::move(given)) {}
  static const StudyKind& Kind();
  const StudyKind& kind() const override { return Kind(); }
  StudyFacts Facts() const override;
  void WriteNoFiles() override {
    options.outputs.clear();
    options.plot = std::nullopt;
    options.is_resumed = false;
  }
  const LevelsResult& result() const { return result_; }

  LevelsOptions options;

 protected:
  void CheckOptions() override;
  void Execute(const StudyCalls& calls) override;
  void Serve() override;

 private:
  std::unique_ptr<CaseWorker> MakeWorker();
  void ReadWindows();
  void CheckFiles();
  void CheckTable();
  void RunFixed(LevelTrial& trial);
  bool WantsChart() const;
  void Write() const;

  CaseSetup highest_;  ///< of the runs: nobody else chooses levels
  WindowPlan windows_;
  Shard shard_;
  LevelProbeTable table_;
  LevelsResult result_;
};

}  // namespace davit
