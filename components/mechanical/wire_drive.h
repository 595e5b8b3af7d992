#pragma once

#include "components/mechanical/wire_laws.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Parameters of what drives a wire: its drum, its sheaves and its falls.
class WireDrive {
 public:
  WireDrive(DynamicSimComponent* owner, double usual_radius)
      : radius(owner, "radius", "m", "Radius of the drum at angle 0", usual_radius, kNonNegative),
        layer_height(owner, "layer_height", "m",
                     "Height of a layer on the drum, such as the diameter of the wire; 0: constant radius", 0,
                     kNonNegative),
        turns_per_layer(owner, "turns_per_layer", "", "Turns of a layer on the drum", 20, kPositive),
        falls(
            owner, "falls", "Parts of the wire between tip and hook block",
            Number{.value = 1, .range = Range{.low = 1, .high = 100}, .tunability = Tunability::kStructural}),
        sheaves(
            owner, "sheaves", "Sheaves between drum and falls",
            Number{.value = 1, .range = Range{.low = 0, .high = 100}, .tunability = Tunability::kStructural}),
        efficiency(owner, "sheave_efficiency", "", "Tension behind a sheave over that before it", 1,
                   Range{.low = 0, .high = 1, .low_open = true}),
        stick_velocity(owner, "stick_velocity", "m/s", "Speed of the wire below which friction fades", 0.01,
                       kPositive) {}

  double RadiusAt(double angle) const { return Spiral().RadiusAt(angle); }
  double PaidOut(double angle) const { return Spiral().PaidOut(angle); }
  /// Of the tension at the drum over the mean of the falls, while the wire is paid out at `rate`.
  double DrumShare(double rate) const {
    return Tackle{falls, sheaves, efficiency, stick_velocity}.DrumShare(rate);
  }
  double fall_count() const { return static_cast<double>(static_cast<int>(falls)); }
  bool has_friction() const { return efficiency < 1; }

 private:
  DrumSpiral Spiral() const { return {radius, DrumSpiral::Growth(layer_height, turns_per_layer)}; }

  Parameter radius, layer_height, turns_per_layer;
  Property<int> falls, sheaves;
  Parameter efficiency, stick_velocity;
};

}  // namespace davit
