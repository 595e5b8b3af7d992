#include "components/hydraulic/laws/pipe_friction.h"

#include "components/hydraulic/laws/circle_area.h"

namespace davit {

PipeFriction::PipeFriction(const PipeFrictionData& data)
    : wall_(data.wall), relative_roughness_(data.roughness / data.diameter) {
  const double area = CircleArea(data.diameter);
  const double radius = data.diameter / 2;
  const double inertance = data.density * data.length / area;
  Re_per_flow_ = data.diameter / (area * data.kinematic_viscosity);
  laminar_resistance_ = 8 * (data.kinematic_viscosity / (radius * radius)) * inertance;
  turbulent_loss_ = inertance / (2 * data.diameter * area);
}

}  // namespace davit
