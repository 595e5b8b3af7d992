#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// A function of time given by points.
class Table final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Table",
      .text = "Function of time given by points",
      .equations = R"(
Points (times_i, values_i), i = 1..n; a unit after the last number applies to all, without it they are in SI
linear: y goes in a straight line from point to point
step:   y = values_i   times_i <= t < times_(i+1)
y = values_1 before the first point, values_n after the last
Example: times="0 5 10 s" values="0 1 0.5"
)",
  };

  void EvaluateDiffEquations(double t) override;
  double NextBreakTime(double t) const override;
  void Configure(Diagnostics& diagnostics) override;

 private:
  enum class Interpolation : std::uint8_t { kLinear, kStep };
  static constexpr std::array<std::string_view, 2> kInterpolationNames{"linear", "step"};

  /// How many points have a time <= t.
  std::size_t PointsUntil(double t) const;

  Property<std::string> times{this, "times",
                              "Times, increasing, separated by spaces or commas; a unit may follow the last"};
  Property<std::string> values{this, "values", "Values, one for each time; a unit may follow the last"};
  Property<Interpolation> interpolation{this, "interpolation", "Interpolation between the points",
                                        kInterpolationNames, Choice{.value = Interpolation::kLinear}};
  Output y{this, "y", kAnyUnit, "Output"};
  std::vector<double> times_;
  std::vector<double> values_;  ///< as many as times_
};

}  // namespace davit
