#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/studies/study.h"
#include "analysis/study/objective.h"
#include "analysis/study/optimization.h"
#include "analysis/study/study_table.h"

namespace davit {

struct OptimizationOptions : StudyOptions {
  /// An expression of measures, and whether it is to be maximised.
  struct Goal {
    std::string text;
    bool is_maximum = false;
    SourceLocation place = {};
  };
  /// Without goals those `judged` are the objectives.
  std::vector<Goal> goals = {};
  std::vector<bool> maximizes_judged = {};      ///< by value `judged`
  std::vector<VariationText> constraints = {};  ///< `EXPR <= EXPR` or `EXPR >= EXPR`
  OptimizationMethod method = OptimizationMethod::kAuto;
  std::uint64_t budget = 500;  ///< cases
  double tolerance = 1e-4;     ///< shares of the way between the bounds
  std::uint64_t seed = 1;
  std::optional<std::filesystem::path> output = {};      ///< all cases
  std::optional<std::filesystem::path> start_from = {};  ///< a table whose best case is the start
  std::optional<std::filesystem::path> plot = {};        ///< history of one objective, or the front of two
  bool is_resumed = false;
};

struct OptimizationResult {
  SearchOutcome outcome;
  std::vector<StudyColumn> columns;
  std::map<std::uint64_t, std::string> rows;  ///< of all cases, see StudyRow
  std::uint64_t cases = 0;                    ///< that count
  std::vector<BoundedVariation> variables;
  Objective::Layout layout;  ///< of the measures, which follow the variables among the columns

  // Of one objective; nothing else is set where no case has a value.
  Evaluation best;
  std::vector<CaseValue> values;  ///< of the best case, by variable
  std::vector<int> bounds;        ///< where a value is at one, see FindBounds
  double objective = 0;           ///< the best value, with its own sign

  // Of several: the cases that no other one beats in all of them.
  std::vector<std::uint64_t> front;
  std::filesystem::path front_table;  ///< written beside the table; empty: none

  const std::string& UnitOf(std::size_t measure) const {
    return columns[1 + variables.size() + measure].unit;
  }
};

/// Searches values of parameters for which a measure is smallest.
class OptimizationStudy final : public Study {
 public:
  explicit OptimizationStudy(OptimizationOptions given = {}) : Study(options), options(std::move(given)) {}
  static const StudyKind& Kind();
  const StudyKind& kind() const override { return Kind(); }
  StudyFacts Facts() const override;
  void WriteNoFiles() override {
    options.output = options.plot = std::nullopt;
    options.is_resumed = false;
  }
  const OptimizationResult& result() const { return result_; }

  OptimizationOptions options;

 protected:
  void CheckOptions() override;
  void Execute(const StudyCalls& calls) override;

 private:
  void ReadGoals();
  void CheckFiles();
  std::pair<std::vector<CaseValue>, CaseResult> ReadRow(const std::string& row) const;
  void ReadStart();
  void TakeResult(const Objective& objective, const StudyTable& table);
  void WriteFront();
  void Draw(const Objective& objective);

  std::map<std::uint64_t, std::string> rows_;  ///< that are there already
  OptimizationResult result_;
};

}  // namespace davit
