#include "components/mechanical/fixed.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace davit {

void Fixed::ParametersChanged() {
  for (std::size_t i = 0; i < port.size(); ++i) {
    port[i].x = position;
    port[i].v = 0;
    port[i].gives_acceleration = true;
    port[i].mass = std::numeric_limits<double>::infinity();
  }
}

void Fixed::CheckConnections(Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < port.size(); ++i) {
    const double x_start = port[i].x_start;
    if (std::isnan(x_start) || x_start == position) continue;
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("position is {} m, but {} starts where it must be {} m; give the position that fits, "
                    "or no start there",
                    static_cast<double>(position), port[i].x_start_owner->DisplayPath(), x_start));
  }
}

}  // namespace davit
