#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace davit {

/// Area and volume of a plunger (one stage) or a telescope, over the displacement x [m] from fully retracted.
///
/// The stage of the largest diameter moves first in extension and last in retraction, so that the area is a
/// function of x. Where one stage ends and the next one begins, it changes over a short way by the polynomial
/// u^2 (3 - 2u), of which the volume is the exact integral: the pressure does no work that is not there.
class TelescopeStages {
 public:
  /// Share of the shorter stroke of two stages over which the area changes from one to the other.
  static constexpr double kBlend = 0.02;

  struct Stage {
    double area;    ///< [m2]
    double stroke;  ///< [m]
  };

  TelescopeStages() = default;
  /// Pre: areas fall from stage to stage; areas and strokes are above 0.
  explicit TelescopeStages(const std::vector<Stage>& stages) : first_area_(stages.front().area) {
    for (std::size_t i = 0; i < stages.size(); ++i) {
      stroke_ += stages[i].stroke;
      if (i + 1 == stages.size()) break;
      const double width = kBlend * std::min(stages[i].stroke, stages[i + 1].stroke);
      steps_.push_back({stroke_ - width / 2, width, stages[i + 1].area - stages[i].area});
    }
  }

  /// Of all stages [m].
  double stroke() const { return stroke_; }
  double first_area() const { return first_area_; }
  /// [m2]; beyond the stroke as at its ends.
  double Area(double x) const {
    double area = first_area_;
    for (const Step& step : steps_) {
      const double u = std::clamp((x - step.begin) / step.width, 0.0, 1.0);
      area += step.change * u * u * (3 - 2 * u);
    }
    return area;
  }
  /// Volume [m3] beyond that at x = 0: the integral of the area.
  double SweptVolume(double x) const {
    double volume = first_area_ * x;
    for (const Step& step : steps_) {
      const double u = (x - step.begin) / step.width;
      if (u <= 0) continue;
      volume += step.change * step.width * (u < 1 ? u * u * u * (1 - u / 2) : u - 0.5);
    }
    return volume;
  }

 private:
  struct Step {
    double begin;   ///< [m]
    double width;   ///< [m]
    double change;  ///< of the area [m2]
  };
  double first_area_ = 0;
  double stroke_ = 0;
  std::vector<Step> steps_;
};

}  // namespace davit
