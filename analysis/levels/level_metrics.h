#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/levels/level_runner.h"
#include "analysis/study/measure_set.h"
#include "analysis/study/variation.h"
#include "framework/diagnostics.h"
#include "framework/units/unit_system.h"

namespace davit {

/// How far apart two curves are.
enum class CurveNorm : std::uint8_t {
  kRms,  ///< root of the mean square of the difference over time
  kMax,  ///< the largest difference
};

/// A quantity that has to stay the same when levels are lowered: the value of an expression of measures,
/// `max(cylinder.p_a)`, or a curve, `load.x`.
struct LevelMetric {
  std::string name = {};
  std::string text = {};  ///< as the user wrote it
  std::string unit = {};  ///< SI
  bool is_curve = false;
  bool is_share = false;  ///< whether the tolerance was given in percent
  double given = 0;       ///< the tolerance as given: SI, or a share
  std::optional<Dimension> given_dimension = {};
  double scale = 0;      ///< of the reference: range of the curve, or size of the value
  double tolerance = 0;  ///< SI
  SourceLocation place = {};
};

/// The largest share of a tolerance among errors, by metric [SI]; above 1 one of them is exceeded.
double ShareOf(std::span<const LevelMetric> metrics, std::span<const double> errors);

/// The metrics of a study: what they are, and how far a run is from the reference.
class LevelMetrics {
 public:
  /// `metrics`: NAME=EXPR. `tolerances`: NAME=VALUE or NAME=PERCENT, one for each metric; percent are of the
  /// range of a curve, or of the size of a value. Faults go to `diagnostics`.
  static std::vector<LevelMetric> Read(const std::vector<VariationText>& metrics,
                                       const std::vector<VariationText>& tolerances, const UnitSystem& units,
                                       Diagnostics& diagnostics);
  /// As MeasureSet takes them: a curve is measured by its final value.
  static std::vector<MeasureDefinition> Definitions(std::span<const LevelMetric> metrics);

  /// Tolerances with a unit have the dimension of their metric. Pre: as below.
  static void CheckUnits(std::span<const LevelMetric> metrics, const MeasureSet& set,
                         Diagnostics& diagnostics);

  LevelMetrics() = default;
  /// Pre: the definitions of `set` are those of the metrics. `set` must outlive this.
  LevelMetrics(std::vector<LevelMetric> metrics, MeasureSet& set, CurveNorm norm)
      : metrics_(std::move(metrics)), set_(&set), norm_(norm) {}

  std::span<const LevelMetric> all() const { return metrics_; }
  std::size_t channels() const { return set_->channels(); }

  /// The run that others are compared with: fixes scales and tolerances. What is wrong with it goes to
  /// `diagnostics`: a metric without a value, percent of nothing.
  void SetReference(const ChannelRows& rows, Diagnostics& diagnostics);
  const ChannelRows& reference() const { return reference_; }
  /// By metric [SI]: how far the run is from the reference whose channels differ by `deviation`, row by row.
  std::vector<double> ErrorsOf(std::span<const double> deviation) const;
  /// The channel whose root mean square is the error of a metric; nothing for a value and a largest
  /// difference.
  std::optional<std::size_t> MeanSquareChannelOf(std::size_t metric) const;
  double ShareOf(std::span<const double> errors) const { return davit::ShareOf(metrics_, errors); }
  /// By window, its share of the squared error of the curve that uses most of its tolerance. A deviation
  /// counts in the window in which it begins: the deviation at the end of the previous window is subtracted.
  /// Empty if a value uses most, because it has no windows. `rows_end`: see LevelRun.
  std::vector<double> PartsOf(std::span<const double> deviation, std::span<const std::size_t> rows_end) const;

 private:
  std::vector<double> ValuesOf(std::span<const double> deviation) const;

  std::vector<LevelMetric> metrics_;
  MeasureSet* set_ = nullptr;
  CurveNorm norm_ = CurveNorm::kRms;
  ChannelRows reference_;
  std::vector<double> values_;  ///< of the reference
};

}  // namespace davit
