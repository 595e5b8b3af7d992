#include "analysis/sensitivity/sensitivity_table.h"

#include <limits>

namespace davit {

double NormalizedSlope(double slope, double parameter, double measure) {
  return measure == 0 || parameter == 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : slope * parameter / measure;
}

std::pair<double, double> SensitivityStep::Around(double step, double widest) const {
  return {range.Contains(value - widest) ? value - step : value,
          range.Contains(value + widest) ? value + step : value};
}

}  // namespace davit
