#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace davit {

/// A flow [m3/s] and its slope over the pressure difference [m3/s/Pa].
struct FlowAndSlope {
  double q;
  double slope;
};

/// A flow law q(p) [m3/s] at p [Pa] with a difference quotient as its slope: for laws whose slope has no
/// short form. It is taken away from p = 0, where the two ways through a valve meet with different slopes.
/// At another kink it is that of one side; SolveRestriction does with it.
template <class Law>
FlowAndSlope WithQuotient(const Law& law, double p) {
  constexpr double kStep = 0.1;  // [Pa]: laws bend over 100 Pa and more
  const double step = p < 0 ? -kStep : kStep;
  const double q = law(p);
  return {q, (law(p + step) - q) / step};
}

/// A pressure difference [Pa] that holds the root, and where to begin to look for it.
struct RestrictionBracket {
  double low;
  double high;
  double start;
};

/// The flow [m3/s] through a restriction between two waves: q = Law(dp) and dp = dc - Zs*q hold together,
/// with dc = c1 - c2 and Zs = Zc1 + Zc2.
///
/// `law` gives q and dq/ddp at dp. Pre: dp + Zs*Law(dp) - dc is not positive at bracket.low, not negative at
/// bracket.high. Newton iterations, a bisection where one would leave the bracket or, with a slope that is
/// wrong at a kink, would get no nearer, until dp changes by less than `tolerance` (relative). A law without
/// kinks in the bracket may stop at 1e-8: the last step squares the error.
template <class Law>
double SolveRestriction(double dc, double Zs, RestrictionBracket bracket, Law&& law,
                        double tolerance = 1e-13) {
  constexpr int kMostIterations = 200;
  constexpr int kMostOfNewton = 20;  // with right slopes
  double dp = bracket.start;
  FlowAndSlope flow = law(dp);
  double step = 0;
  double residual = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double last = std::abs(residual);
    residual = dp + Zs * flow.q - dc;
    (residual > 0 ? bracket.high : bracket.low) = dp;
    step = -residual / (1 + Zs * flow.slope);
    if (std::abs(step) <= tolerance * std::abs(dp)) break;
    double next = dp + step;
    const bool is_slow = iteration > kMostOfNewton && std::abs(residual) > last / 2;
    // Not on the ends either: from both of them Newton may lead to the other one for ever.
    if (!(next > bracket.low && next < bracket.high) || is_slow) {
      next = (bracket.low + bracket.high) / 2;
      step = next - dp;
    }
    if (next == dp) break;
    dp = next;
    flow = law(dp);
  }
  // dp + step rounded would lose digits of a steep law.
  return flow.q + flow.slope * step;
}

/// The same for a law that does not fall with dp and has q(0) = 0: the root then lies between 0 and dc.
template <class Law>
double SolveRestriction(double dc, double Zs, Law&& law) {
  return SolveRestriction(dc, Zs, {std::min(dc, 0.0), std::max(dc, 0.0), dc}, law);
}

}  // namespace davit
