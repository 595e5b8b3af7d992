#include "analysis/study/curve_match.h"

#include <algorithm>
#include <cmath>

namespace davit {

double ValueAt(const CaseCurves& curves, std::size_t signal, double t) {
  const std::vector<double>& time = curves.time;
  const std::vector<double>& values = curves.signals[signal];
  const auto after = static_cast<std::size_t>(std::ranges::upper_bound(time, t) - time.begin());
  if (after == 0) return values.front();
  if (after == time.size()) return values.back();
  const double share = (t - time[after - 1]) / (time[after] - time[after - 1]);
  return values[after - 1] + share * (values[after] - values[after - 1]);
}

std::vector<double> ResidualsOf(const CaseCurves& curves, const std::vector<CurveMatch>& matches,
                                double offset) {
  std::vector<double> residuals;
  if (curves.time.empty()) return residuals;
  constexpr double kSameTime = 1e-9;  // [s]
  for (const CurveMatch& match : matches) {
    for (std::size_t k = 0; k < match.time.size(); ++k) {
      const double t = match.time[k] - offset;
      const bool is_inside = t >= curves.time.front() - kSameTime && t <= curves.time.back() + kSameTime;
      const double residual =
          is_inside ? match.weight * (ValueAt(curves, match.signal, t) - match.values[k]) : NAN;
      if (!std::isfinite(residual)) return {};
      residuals.push_back(residual);
    }
  }
  return residuals;
}

}  // namespace davit
