#include "simulator/building_blocks/lookup_table_2d.h"

#include <utility>

namespace davit::building_blocks {

LookupTable2D::LookupTable2D() : LookupTable2D({0, 1}, {0, 1}, {0, 0, 0, 0}) {}

LookupTable2D::LookupTable2D(std::vector<double> x, std::vector<double> y, std::vector<double> values,
                             Outside outside)
    : x_("x", std::move(x), outside), y_("y", std::move(y), outside), values_(std::move(values)) {
  CheckTableValues(values_, x_.size() * y_.size(), "one for each knot of x and each knot of y");
}

}  // namespace davit::building_blocks
