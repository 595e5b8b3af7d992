#include "simulator/building_blocks/lookup_table_3d.h"

#include <utility>

namespace davit::building_blocks {

LookupTable3D::LookupTable3D() : LookupTable3D({0, 1}, {0, 1}, {0, 1}, {0, 0, 0, 0, 0, 0, 0, 0}) {}

LookupTable3D::LookupTable3D(std::vector<double> x, std::vector<double> y, std::vector<double> z,
                             std::vector<double> values, Outside outside)
    : x_("x", std::move(x), outside),
      y_("y", std::move(y), outside),
      z_("z", std::move(z), outside),
      values_(std::move(values)) {
  CheckTableValues(values_, x_.size() * y_.size() * z_.size(), "one for each knot of x, y and z");
}

}  // namespace davit::building_blocks
