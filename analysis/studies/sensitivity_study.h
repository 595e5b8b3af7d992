#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/sensitivity/elementary_effects.h"
#include "analysis/sensitivity/sensitivity_table.h"
#include "analysis/sensitivity/sobol_indices.h"
#include "analysis/sensitivity/tornado_plot.h"
#include "analysis/studies/study.h"

namespace davit {

/// How slopes are found.
enum class SensitivityMethod : std::uint8_t {
  kAuto,         ///< the variational equations where they describe the run, else differences
  kVariational,  ///< an error where they do not
  kDifferences,
};

struct SensitivityOptions : StudyOptions {
  // `vary` has the parameters: PATH, or PATH=DISTRIBUTION for samples.
  std::vector<VariationText> of = {};  ///< NAME=EXPR or EXPR
  SensitivityMethod method = SensitivityMethod::kAuto;
  double step = 0.01;                        ///< of differences of runs, as a share of the value
  std::optional<std::uint64_t> sobol = {};   ///< samples of Sobol indices
  std::optional<std::uint64_t> morris = {};  ///< trajectories of elementary effects
  std::uint64_t seed = 1;
  std::optional<std::filesystem::path> output = {};  ///< table (.csv)
  std::optional<std::filesystem::path> curves = {};  ///< slopes of the signals over time (.csv)
  std::optional<std::filesystem::path> plot = {};
};

struct SensitivityResult {
  std::vector<std::string> labels, units;  ///< by measure
  std::vector<VariedItem> parameters;

  // Of slopes.
  std::vector<SensitivityStep> steps;  ///< by parameter, with its value
  std::vector<std::string> notes;      ///< on steps
  bool is_variational = false;         ///< else differences of runs
  std::string reason;                  ///< why not the variational equations, or what they leave in doubt
  SensitivityTable table;

  // Of samples: one for each measure.
  std::uint64_t cases = 0, failed = 0;
  std::vector<SobolIndices> indices;
  std::vector<ElementaryEffects> effects;

  double Normalized(std::size_t measure, std::size_t parameter) const {
    return NormalizedSlope(table.slopes[measure][parameter], steps[parameter].value, table.measures[measure]);
  }
};

/// How measures of a run depend on parameters: their slopes near the values of the system, shares of the
/// variance (Sobol indices), or elementary effects (Morris screening).
class SensitivityStudy final : public Study {
 public:
  explicit SensitivityStudy(SensitivityOptions given = {}) : Study(options), options(std::move(given)) {}
  static const StudyKind& Kind();
  const StudyKind& kind() const override { return Kind(); }
  StudyFacts Facts() const override;
  void WriteNoFiles() override { options.output = options.curves = options.plot = std::nullopt; }
  const SensitivityResult& result() const { return result_; }

  SensitivityOptions options;

 protected:
  void CheckOptions() override;
  void Execute(const StudyCalls& calls) override;
  bool is_divided() const override { return is_sampled(); }

 private:
  bool is_sampled() const { return options.sobol || options.morris; }
  void CheckBounded();
  void ReadParameter(const VariationText& to);
  void ReadMeasuresOf();
  void CheckFiles();
  void FindSlopes(const StudyCalls& calls);
  /// The measures at points of the unit cube, by measure and point.
  std::vector<std::vector<double>> RunPoints(const std::vector<std::vector<double>>& points,
                                             const StudyCalls& calls);
  void FindIndices(const StudyCalls& calls);
  void FindEffects(const StudyCalls& calls);
  void WriteCurves() const;
  /// The table: a row for each measure and parameter, with the numbers and texts of `cells`.
  template <class Cells>
  void Write(std::string_view head, const Cells& cells) const;
  template <class Values>
  void Draw(std::string_view axis, const Values& panel) const;

  std::vector<RandomVariation> variations_;  ///< of samples
  std::vector<std::string> signals_, signal_units_;
  std::string message_;  ///< of the first sample that has one
  SensitivityResult result_;
};

}  // namespace davit
