#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/studies/study.h"
#include "analysis/study/curve_fit.h"
#include "analysis/study/least_squares.h"
#include "results/load_result.h"

namespace davit {

class CasePool;

struct FitOptions : StudyOptions {
  std::vector<std::filesystem::path> data = {};  ///< one for each experiment
  /// What was measured, in place of the files of `data`: tables of each experiment.
  std::vector<std::vector<ResultTable>> tables = {};
  std::vector<VariationText> per_data = {};  ///< `PATH=VALUE,VALUE ...`: one for each experiment
  std::vector<VariationText> matches = {};   ///< `PATH=COLUMN` or `PATH=COLUMN:WEIGHT`
  std::optional<std::string> offset = {};    ///< `LOW:HIGH` [s]
  LeastSquaresOptions search = {};
  std::optional<std::filesystem::path> output = {};  ///< model and data over time (.csv)
  std::optional<std::filesystem::path> plot = {};

  std::size_t experiments() const { return tables.empty() ? data.size() : tables.size(); }
};

/// Searches values of parameters for which signals follow measured ones: least squares, or another loss.
class FitStudy final : public Study {
 public:
  explicit FitStudy(FitOptions given = {}) : Study(options), options(std::move(given)) {}
  static const StudyKind& Kind();
  const StudyKind& kind() const override { return Kind(); }
  StudyFacts Facts() const override;
  void WriteNoFiles() override { options.output = options.plot = std::nullopt; }
  const CurveFitResult& result() const { return result_; }

  FitOptions options;

 protected:
  void CheckOptions() override;
  void Execute(const StudyCalls& calls) override;

 private:
  /// `path` for the experiment number `data`: where there are several, with its number from 1.
  std::filesystem::path OfData(const std::filesystem::path& path, std::size_t data) const;
  void ReadSettings();
  void ReadData();
  void ReadOffset();
  void ReadMatch(const VariationText& given, const std::vector<std::vector<ResultTable>>& tables);
  bool TakeColumn(const SourceLocation& place, const ResultTable& data, std::size_t column,
                  CurveMatch& match);
  void CheckUnit(const SourceLocation& place, const Item& signal, const std::string& unit,
                 const CurveMatch& match);
  void CheckFiles();
  ResultTable CurvesOf(std::size_t data, CasePool& pool, const std::stop_token& stop) const;

  void Draw(const ResultTable& table, const std::filesystem::path& picture) const;

  CurveFit fit_;
  CurveFitResult result_;
};

}  // namespace davit
