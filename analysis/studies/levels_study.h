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
#include "analysis/levels/level_result.h"
#include "analysis/levels/level_runner.h"
#include "analysis/studies/study.h"

namespace davit {

struct LevelsOptions : StudyOptions {
  // `measures` has the metrics.
  std::vector<VariationText> tolerances = {};  ///< NAME=VALUE or NAME=PERCENT
  std::vector<VariationText> groups = {};      ///< globs
  CurveNorm norm = CurveNorm::kRms;
  std::optional<std::string> windows = {};          ///< a length, or the times at which windows end
  std::uint64_t rounds = 3;                         ///< of probes around a schedule that has run
  double budget = 30;                               ///< runs of the reference
  std::vector<std::filesystem::path> outputs = {};  ///< .xml, .scxml, .csv
  std::optional<std::filesystem::path> plot = {};
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
  }
  const LevelsResult& result() const { return result_; }

  LevelsOptions options;

 protected:
  void CheckOptions() override;
  void Execute(const StudyCalls& calls) override;
  bool is_divided() const override { return false; }

 private:
  class Probes;

  void ReadWindows();
  void CheckFiles();
  void MakeSetup();
  void RunReference(const StudyCalls& calls);
  void RunFixed(const StudyCalls& calls);
  LevelPoint RunSchedule(std::string name, const LevelSchedule& schedule, const StudyCalls& calls,
                         LevelRun* run, std::uint64_t most_evaluations = 0);
  /// Lowers, or raises, one group in one window, around a run.
  std::vector<LevelEffect> FindEffects(const LevelRun& around, const LevelSchedule& schedule,
                                       bool is_reference, const StudyCalls& calls);
  /// Runs a schedule and keeps what it has found.
  /// `most_evaluations`: it is given up beyond them; 0: no limit.
  const LevelPoint& TrySchedule(const ChosenLevels& choice, const StudyCalls& calls, LevelRun* run,
                                std::uint64_t most_evaluations = 0);
  std::vector<double> PredictedDeviation(const LevelBase& base, const LevelSchedule& schedule) const;
  /// From levels that stay, changes one group after the other, over the whole run, as long as that is better.
  void DescendFixed(const LevelBase& reference, std::span<const std::size_t> rungs, LevelPoint& point,
                    LevelRun& run, const StudyCalls& calls);
  /// Rounds of probes around a schedule that has run, each followed by a better one.
  void Improve(LevelBase base, LevelPoint point, LevelRun run, const StudyCalls& calls);
  std::uint64_t MostEvaluations(const LevelPoint& point) const;
  /// Whether no further run may begin: on request, or because of the budget where a schedule has been found.
  bool IsToEnd(const StudyCalls& calls) const;
  double FindSwitchCost(const LevelRun& around, const LevelSchedule& schedule, const StudyCalls& calls);
  void Search(const StudyCalls& calls);
  void TakeReference();
  std::vector<double> DeviationOf(const ChannelRows& rows) const;
  LevelSchedule TopSchedule() const;
  std::vector<double> CostsOf(const std::vector<LevelCost>& costs) const;
  std::string FaultOfReference(const std::string& fault) const;
  void Write() const;
  std::string Table() const;

  CaseSetup highest_;  ///< of the runs: TextAtHighestLevels
  WindowPlan windows_;
  std::unique_ptr<LevelRunner> runner_;
  LevelMetrics metrics_;
  LevelRun reference_;
  LevelsResult result_;
};

}  // namespace davit
