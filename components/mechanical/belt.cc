#include "components/mechanical/belt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace davit {

Belt::Belt() { EffortsRead({a, b}); }

void Belt::Configure(Diagnostics& diagnostics) {
  if (distance > radius_a + radius_b) return;
  diagnostics.Error(location(), DisplayPath(),
                    fmt::format("distance: {} m between the shafts, but the radii of the pulleys add up to "
                                "{} m; give a larger distance",
                                +distance, radius_a + radius_b));
}

void Belt::ParametersChanged() {
  const double share = std::min(std::abs(radius_a - radius_b) / distance, 1.0);
  const double wrap = std::numbers::pi - 2 * std::asin(share);
  contact_ = {
      .limit = 2 * tension * std::tanh(friction * wrap / 2), .stiffness = stiffness, .damping = damping};
}

}  // namespace davit
