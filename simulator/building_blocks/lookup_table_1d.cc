#include "simulator/building_blocks/lookup_table_1d.h"

#include <utility>

namespace davit::building_blocks {

LookupTable1D::LookupTable1D() : LookupTable1D({0, 1}, {0, 0}) {}

LookupTable1D::LookupTable1D(std::vector<double> x, std::vector<double> values, Outside outside)
    : x_("x", std::move(x), outside), values_(std::move(values)) {
  CheckTableValues(values_, x_.size(), "one for each knot of x");
}

}  // namespace davit::building_blocks
