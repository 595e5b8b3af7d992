#include "components/marine/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "components/marine/laws/sinking_body.h"

namespace davit {

void Load::Link(System& /*system*/, Diagnostics& diagnostics) { sea_ = Sea::Find(*this, diagnostics); }

void Load::Reset() {
  DynamicSimComponent::Reset();
  buried_.Reset();
  buried_.Look(IsBuried(), [this] {
    return fmt::format("it starts at a depth of {:.4g} m, the bed is at {:.4g} m", static_cast<double>(x),
                       sea_->waves().depth());
  });
}

bool Load::IsBuried() const { return BedDepth() > mass * gravity / ground_stiffness + 0.1; }

void Load::ParametersChanged() {
  port->mass = mass;
  if (sea_ != nullptr) water_ = std::make_unique<WaterColumn>(sea_->waves(), place_x, place_y);
}

void Load::EvaluateEfforts(double /*t*/) {
  port->x = -x;
  port->v = -v;
}

double Load::BedDepth() const { return x - sea_->waves().depth(); }

double Load::GroundForce(double depth, double rate) const {
  if (!(depth > 0)) return 0;
  return std::max(0.0, ground_stiffness * depth * (1 + ground_damping * rate));
}

void Load::EvaluateDiffEquations(double t) {
  const SinkingBody body{.shape = shape,
                         .volume = volume,
                         .height = height,
                         .added_mass = added_mass,
                         .drag_area = drag_coefficient * area,
                         .linear_drag = linear_drag};
  const double depth = x + water_->Elevation(t), wet = WaterOnBody::Wet(body, depth);
  const WaterColumn::Motion water = wet > 0 ? water_->At(t, wet / 2 - x) : WaterColumn::Motion{};
  const WaterOnBody on(body, depth, {0, 0, -v},
                       {{0, 0, water.velocity}, {0, 0, water.acceleration}, sea_->water_density()}, gravity);
  through_water = -on.through.z();
  buoyancy = on.buoyancy;
  drag = on.drag.z();
  slam = on.slam.z();
  ground_force = GroundForce(BedDepth(), v) + GroundForce(x + deck, v + deck_rate);
  submerged = on.fraction;
  wire_force = -port->F();
  const double push = -on.carried.z();
  acceleration =
      (mass * gravity + port->F() - buoyancy - drag - slam + push - ground_force) / (mass + on.added_mass);
  inertia_force = push - on.added_mass * acceleration;
  x.ddt = v;
  v.ddt = acceleration;
}

void Load::AccountEnergy(EnergyTerms& terms) const {
  terms.Stored("kinetic", mass * v * v / 2);
  terms.Stored("potential", -mass * gravity * x);
  const auto add_ground = [&](double depth, double rate) {
    const double elastic = ground_stiffness * std::max(0.0, depth);
    terms.Stored("ground", elastic * depth / 2);
    terms.Lost("ground", (GroundForce(depth, rate) - elastic) * rate);
  };
  add_ground(BedDepth(), v);
  add_ground(x + deck, v + deck_rate);
  terms.In("deck", GroundForce(x + deck, v + deck_rate) * deck_rate);
  // Drag and slamming lose what they do on the way through the water; the moving water does the rest.
  const double resistance = drag + slam;
  terms.Lost("drag", resistance * through_water);
  terms.In("sea", resistance * (through_water - v) + (inertia_force - buoyancy) * v);
}

}  // namespace davit
