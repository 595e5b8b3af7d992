#include "simulator/building_blocks/lookup_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace davit::building_blocks {

LookupAxis::LookupAxis(std::string_view name, std::vector<double> knots, Outside outside)
    : knots_(std::move(knots)), outside_(outside) {
  if (knots_.size() < 2) {
    throw std::invalid_argument(
        fmt::format("axis {} of a table has {} knots; at least 2 are needed", name, knots_.size()));
  }
  for (std::size_t i = 0; i < knots_.size(); ++i) {
    if (!std::isfinite(knots_[i])) {
      throw std::invalid_argument(
          fmt::format("axis {} of a table: knot {} is {}; it must be finite", name, i + 1, knots_[i]));
    }
    if (i > 0 && knots_[i] <= knots_[i - 1]) {
      throw std::invalid_argument(
          fmt::format("axis {} of a table: knot {} is {}; it must be above knot {}, which is {}", name, i + 1,
                      knots_[i], i, knots_[i - 1]));
    }
  }
}

std::size_t LookupAxis::Search(double x) const {
  // Only inner knots part intervals; what lies before the first of them or after the last is in the end
  // intervals.
  const auto above = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, x);
  return static_cast<std::size_t>(above - knots_.begin()) - 1;
}

void CheckTableValues(std::span<const double> values, std::size_t needed, std::string_view shape) {
  if (values.size() != needed) {
    throw std::invalid_argument(
        fmt::format("a table has {} values; {} are needed: {}", values.size(), needed, shape));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      throw std::invalid_argument(
          fmt::format("value {} of a table is {}; it must be finite", i + 1, values[i]));
    }
  }
}

}  // namespace davit::building_blocks
