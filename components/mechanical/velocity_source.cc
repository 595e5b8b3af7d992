#include "components/mechanical/velocity_source.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace davit {

VelocitySource::VelocitySource() { EffortsRead({velocity}); }

void VelocitySource::ParametersChanged() { port->mass = std::numeric_limits<double>::infinity(); }

void VelocitySource::CheckConnections(Diagnostics& diagnostics) {
  const StateDeclaration& own = DeclarationOf(x);
  const double x_start = port->x_start;
  if (std::isnan(x_start) || !own.is_start_given || own.start[0] == x_start) return;
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format("starts at x = {} m, but {} asks for {} m; give one of them, or the same place",
                  own.start[0], port->x_start_owner->DisplayPath(), x_start));
}

void VelocitySource::Reset() {
  DynamicSimComponent::Reset();
  if (!std::isnan(port->x_start)) x.OverrideStateValue(port->x_start);
}

}  // namespace davit
