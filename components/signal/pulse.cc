#include "components/signal/pulse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace davit {

// The edges are what Rise and Fall return, to the last bit; all else compares t with them.

double Pulse::Rise(double k) const { return start_time + k * period; }

double Pulse::Fall(double k) const {
  // A width of one period must leave no gap of one rounding before the next rise.
  return width < period ? std::min(Rise(k) + width, Rise(k + 1)) : Rise(k + 1);
}

double Pulse::PeriodAt(double t) const {
  const double k = std::floor((t - start_time) / period);
  // Rounding moves the quotient by less than 1 as long as t resolves the period.
  if (Rise(k) > t) return k - 1;
  return Rise(k + 1) <= t ? k + 1 : k;
}

void Pulse::EvaluateDiffEquations(double t) { y = t >= start_time && t < Fall(PeriodAt(t)) ? high : low; }

double Pulse::NextBreakTime(double t) const {
  if (t < start_time) return start_time;
  const double k = PeriodAt(t);
  if (t < Fall(k)) return Fall(k);
  return t < Rise(k + 1) ? Rise(k + 1) : std::numeric_limits<double>::infinity();
}

void Pulse::Configure(Diagnostics& diagnostics) {
  if (width <= period) return;
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format("width = {} s is longer than period = {} s; y is high for a part of each period",
                  static_cast<double>(width), static_cast<double>(period)));
}

}  // namespace davit
