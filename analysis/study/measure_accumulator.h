#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace davit {

/// What is measured of a signal x(t), or of a component.
enum class MeasureKind : std::uint8_t {
  kMax,
  kMin,
  kMean,          ///< integral of x over the duration of the run
  kRms,           ///< square root of the mean of x^2
  kFinal,         ///< the last value
  kIntegral,      ///< over time, from the first row
  kAt,            ///< at a time; at an event the value after it
  kCrossing,      ///< the first time at which x passes or reaches a value, coming from beside it [s]
  kRiseTime,      ///< from 10 % to 90 % of the way from the first value to the last one [s]
  kSettlingTime,  ///< from the first row until x stays within a share of that way around the last value [s]
  kOvershoot,     ///< the largest distance beyond the last value, as a share of that way; not below 0
  kEvents,        ///< how often the guards of a component have triggered
};

/// Measures a signal while a run goes on: between two rows it is a straight line, so that a signal of
/// straight lines is measured exactly but for rounding. Two rows at one time are the values before and after
/// an event.
///
/// Keeps a few numbers; of rise and settling time, which depend on the last value, the whole curve.
///
/// Call sequence: Begin; Add for each row, in the order of time; Finish.
class MeasureAccumulator {
 public:
  /// `argument`: the time of kAt, the value of kCrossing, the share of kSettlingTime; unused by others.
  explicit MeasureAccumulator(MeasureKind kind, double argument = 0) : kind_(kind), argument_(argument) {}

  void Begin();
  void Add(double t, double x);

  struct Result {
    double value = 0;   ///< NaN where there is none
    std::string fault;  ///< why there is none, as the end of a sentence: `never crosses 1.5: ...`
  };
  Result Finish() const;

 private:
  struct Sample {
    double t;
    double x;
  };

  Result FinishRise() const;
  Result FinishSettling() const;
  Result FinishOvershoot() const;
  /// When the curve first reaches `value` at or after sample `begin`, and the sample behind it.
  std::optional<double> FindReach(double value, std::size_t& begin) const;

  MeasureKind kind_;
  double argument_;
  std::uint64_t rows_ = 0;
  Sample first_{}, last_{};
  double low_ = 0, high_ = 0;
  double sum_ = 0;               ///< integral of x, or of x^2
  std::optional<double> found_;  ///< kAt: the value; kCrossing: the time
  bool is_number_ = true;
  std::vector<Sample> curve_;
};

}  // namespace davit
