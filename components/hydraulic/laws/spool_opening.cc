#include "components/hydraulic/laws/spool_opening.h"

#include <algorithm>
#include <cmath>
#include <numbers>

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
  switch (law) {
    case SpoolOpeningLaw::kSwitching:
    case SpoolOpeningLaw::kLinear: break;
    case SpoolOpeningLaw::kNonlinear: return s * (first_slope + (1 - first_slope) * s);
    case SpoolOpeningLaw::kRound: {
      const double h = 1 - s;
      return 2 / std::numbers::pi * (std::acos(h) - h * std::sqrt(1 - h * h));
    }
    case SpoolOpeningLaw::kSeat: {
      const double lift = seat.FullLift();
      return seat.FlowArea(s * lift) / seat.FlowArea(lift);
    }
  }
  return s;
}

double SpoolOpening::ShareSlope(double u) const {
  const double travel = std::abs(u);
  if (law == SpoolOpeningLaw::kSwitching || !(travel > deadband && travel < 1)) return 0;
  const double per_travel = 1 / (1 - deadband);
  const double s = (travel - deadband) * per_travel;
  switch (law) {
    case SpoolOpeningLaw::kSwitching:
    case SpoolOpeningLaw::kLinear: break;
    case SpoolOpeningLaw::kNonlinear: return (first_slope + 2 * (1 - first_slope) * s) * per_travel;
    case SpoolOpeningLaw::kRound: return 4 / std::numbers::pi * std::sqrt(1 - (1 - s) * (1 - s)) * per_travel;
    case SpoolOpeningLaw::kSeat: {
      const double step = 1e-6;
      return (Share(deadband + (1 - deadband) * (s + step)) - Share(travel)) / step * per_travel;
    }
  }
  return per_travel;
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
