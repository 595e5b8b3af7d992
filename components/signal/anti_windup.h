#pragma once

#include <algorithm>

namespace davit {

/// Anti-windup of the integral I of a PID controller whose output is v = w + I held between low and high, the
/// same for signal.PID and operator.PID: the integral drives v towards a limit at most so far that it would
/// be reached in the tracking time T, and not beyond; back it moves freely.
///
///     I' = ki e, but at most max(0, high - v)/T and at least min(0, low - v)/T
///
/// So the right-hand side is continuous and does not chatter at a limit, as that of an integral does which is
/// stopped there (clamping; K. J. Åström, T. Hägglund, Advanced PID Control, 2006, section 3.5), which this
/// becomes for T -> 0. A sampled controller does the same with the change in one step.
struct AntiWindup {
  double low;
  double high;
  double share;  ///< 1/T for rates [1/s], h/T for changes in a TimeStep h

  /// What is left of a `change` of the integral, or of its rate, while the output before limits is v.
  double Limited(double change, double v) const {
    if (change > 0) return std::min(change, std::max(0.0, high - v) * share);
    if (change < 0) return std::max(change, std::min(0.0, low - v) * share);
    return change;
  }

  /// I of I = a + g r, where r = Limited(rate, w + I): a step of an implicit method. Pre: g >= 0.
  double SolveIntegral(double a, double g, double rate, double w) const {
    const double free = a + g * rate;
    if (Limited(rate, w + free) == rate) return free;
    // Where r is that of the limit: r = (limit - w - I) share; where v would be beyond already r = 0.
    const double limit = rate > 0 ? high : low;
    const double held = (a + g * share * (limit - w)) / (1 + g * share);
    return (limit - w - held) * rate > 0 ? held : a;
  }
};

}  // namespace davit
