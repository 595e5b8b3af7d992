#include "simulator/requests/parameter_routes.h"

#include <fmt/format.h>

#include "simulator/simulation_failure.h"

namespace davit {

void ParameterRoutes::Bind(const System& system) {
  routes_.clear();
  for (const Route& route : system.sampled_routes()) {
    if (route.parameter) routes_.push_back(&route);
  }
}

void ParameterRoutes::KeepOriginals(ValueKeeper& keeper) const {
  for (const Route* route : routes_) keeper.Keep(*route->parameter);
}

void ParameterRoutes::WriteFirst(ValueWriter& writer) const {
  for (const Route* route : routes_) {
    const double value = route->from.Read();
    if (value != route->parameter->Read() && route->parameter->IsValid(value))
      writer.Write(*route->parameter, value);
  }
}

void ParameterRoutes::Write(ValueWriter& writer, double t) const {
  for (const Route* route : routes_) {
    const Item& to = *route->parameter;
    const double value = route->from.Read();
    if (value == to.Read()) continue;
    if (!to.IsValid(value)) {
      throw SimulationFailure(
          fmt::format("{}: the route from {} brings a value that {} cannot have: {} at t = {:.9g} s; limit "
                      "it, for example with a signal.Limiter",
                      to.owner().DisplayPath(), route->from.path(), to.name(), to.Check(value).ToText(), t),
          t);
    }
    writer.Write(to, value);
  }
}

}  // namespace davit
