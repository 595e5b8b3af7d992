#include "analysis/sensitivity/sensitivity_table.h"

#include <limits>

namespace davit {

double NormalizedSlope(double slope, double parameter, double measure) {
  return measure == 0 ? std::numeric_limits<double>::quiet_NaN() : slope * parameter / measure;
}

}  // namespace davit
