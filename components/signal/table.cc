#include "components/signal/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "components/signal/number_list.h"
#include "framework/counted.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

/// What is wrong with two lists that each can be read; empty for nothing.
std::string FindFault(const std::vector<double>& times, const std::vector<double>& values) {
  const auto pair = std::adjacent_find(times.begin(), times.end(), std::greater_equal<>());
  if (pair != times.end()) {
    const auto entry = pair - times.begin() + 1;
    return fmt::format(
        "times: entry {}, {}, is not after entry {}, {}; times must increase, and a jump needs "
        "interpolation=\"step\" "
        "or two times close together",
        entry + 1, pair[1], entry, pair[0]);
  }
  if (times.size() != values.size()) {
    return fmt::format("the number of times is {}, that of values {}; give one value for each time",
                       times.size(), values.size());
  }
  return {};
}

}  // namespace

void Table::Configure(Diagnostics& diagnostics) {
  times_.clear();
  values_.clear();
  const auto report = [&](const std::string& fault) { diagnostics.Error(location(), DisplayPath(), fault); };
  const UnitSystem units;
  NumberListResult time_list = ParseNumberListIn("s", times.value(), units);
  NumberListResult value_list = ParseNumberList(values.value(), units);
  if (!time_list.fault.empty()) report("times: " + time_list.fault);
  if (!value_list.fault.empty()) report("values: " + value_list.fault);
  if (!time_list.fault.empty() || !value_list.fault.empty()) return;
  if (const std::string fault = FindFault(time_list.numbers, value_list.numbers); !fault.empty())
    return report(fault);
  times_ = std::move(time_list.numbers);
  values_ = std::move(value_list.numbers);
  if (value_list.dimension) TakeUnitOfValues(SiUnitOf(*value_list.dimension, units));
}

std::size_t Table::PointsUntil(double t) const {
  return static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
}

void Table::EvaluateDiffEquations(double t) {
  if (times_.empty()) return;  // after a fault in Configure
  const std::size_t n = PointsUntil(t);
  if (n == 0) {
    y = values_.front();
  } else if (n == times_.size() || interpolation == Interpolation::kStep) {
    y = values_[n - 1];
  } else {
    y = std::lerp(values_[n - 1], values_[n], (t - times_[n - 1]) / (times_[n] - times_[n - 1]));
  }
}

double Table::NextBreakTime(double t) const {
  const std::size_t n = PointsUntil(t);
  return n < times_.size() ? times_[n] : std::numeric_limits<double>::infinity();
}

}  // namespace davit
