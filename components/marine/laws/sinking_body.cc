#include "components/marine/laws/sinking_body.h"

#include <algorithm>

namespace davit {

WaterOnBody::WaterOnBody(const SinkingBody& body, double depth, const Eigen::Vector3d& velocity,
                         const WaterAround& water, double gravity) {
  const Submergence in = SubmergenceOf(body.shape, Wet(body, depth) / body.height);
  if (!(in.fraction > 0)) return;
  fraction = in.fraction;
  added_mass = fraction * body.added_mass;
  through = velocity - water.velocity;
  buoyancy = water.density * gravity * fraction * body.volume;
  drag = -fraction * (water.density / 2 * body.drag_area * through.norm() + body.linear_drag) * through;
  // The surface itself moves with the water at it, so the depth grows about as fast as the body sinks through
  // it.
  slam = -in.slope / body.height * body.added_mass * std::max(0.0, -through.z()) * through;
  carried = (water.density * fraction * body.volume + added_mass) * water.acceleration;
}

}  // namespace davit
