#include "components/hydraulic/laws/spool_opening.h"

#include <algorithm>
#include <cmath>

#include "components/hydraulic/laws/orifice_law.h"

namespace davit {
namespace {

/// 0 below 0, 1 above 1, with slope 0 at both.
double SmoothStep(double s) {
  const double c = Clip(s);
  return c * c * (3 - 2 * c);
}

ValveEdges Larger(const ValveEdges& x, const ValveEdges& y) {
  return {.pa = std::max(x.pa, y.pa),
          .pb = std::max(x.pb, y.pb),
          .at = std::max(x.at, y.at),
          .bt = std::max(x.bt, y.bt),
          .pt = std::max(x.pt, y.pt),
          .ab = std::max(x.ab, y.ab)};
}

}  // namespace

double SpoolOpening::Share(double u) const {
  const double travel = std::min(std::abs(u), 1.0);
  if (law == SpoolOpeningLaw::kSwitching) return travel > 0 ? 1 : 0;
  const double s = Clip((travel - deadband) / (1 - deadband));
  return law == SpoolOpeningLaw::kLinear ? s : s * (first_slope + (1 - first_slope) * s);
}

ValveEdges SpoolOpening::At(double u) const {
  const double beyond = std::abs(u) - NeutralEnd();
  if (!(beyond > 0)) return neutral;
  const double s = Share(u);
  const ValveEdges open = u > 0 ? ValveEdges{.pa = s, .bt = s} : ValveEdges{.pb = s, .at = s};
  if (neutral_law == SpoolNeutralLaw::kJump) return open;
  return Larger(open, neutral * (1 - SmoothStep(beyond / fade)));
}

}  // namespace davit
