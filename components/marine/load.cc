#include "components/marine/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  const double surface = water_->Elevation(t);
  const double wet = std::clamp(x + surface, 0.0, static_cast<double>(height));
  const Submergence in = SubmergenceOf(shape, wet / height);
  const double density = sea_->water_density();
  double inertia = mass, push = 0;
  drag = 0;
  slam = 0;
  through_water = 0;
  buoyancy = 0;
  if (in.fraction > 0) {
    const WaterColumn::Motion water = water_->At(t, wet / 2 - x);
    const double w = v + water.velocity;
    through_water = w;
    const double A = in.fraction * added_mass;
    // The surface itself moves with the water at it, so s' is about w there.
    const double rise = in.slope > 0 ? w : 0.0;
    buoyancy = density * gravity * in.fraction * volume;
    drag = in.fraction * (density / 2 * drag_coefficient * area * std::abs(w) * w + linear_drag * w);
    slam = rise > 0 ? in.slope / height * added_mass * rise * w : 0.0;
    inertia += A;
    push = -(density * in.fraction * volume + A) * water.acceleration;
  }
  ground_force = GroundForce(BedDepth(), v) + GroundForce(x + deck, v + deck_rate);
  submerged = in.fraction;
  wire_force = -port->F();
  acceleration = (mass * gravity + port->F() - buoyancy - drag - slam + push - ground_force) / inertia;
  inertia_force = push - (inertia - mass) * acceleration;
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
