#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "components/marine/laws/submergence.h"
#include "components/marine/laws/water_column.h"
#include "components/marine/sea.h"
#include "framework/latched_alarm.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// A load that hangs on a wire over the sea, passes through its surface, and lands on its bed.
class Load final : public DynamicSimComponent, public StepPointHooks, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "marine.Load",
      .text = "Load on a wire in air, in the splash zone and in water, moving vertically",
      .equations = R"(
x' = v,  x is the depth of the lowest point of the load below the mean water level; negative above it.
(mass + A)*v' = F + mass*g - F_buoyancy - F_drag - F_slam + (density*V + A)*u' - F_ground
u and u' are the downward velocity and acceleration of the water, at the middle of the submerged part, w = v - u.
## Submergence
s = x + zeta, limited to 0 .. height, is how much of the load is in the water, zeta the elevation of the surface.
f = s/height of a Box, 3*r^2 - 2*r^3 of a Sphere, (acos(1 - 2*r) - 2*(1 - 2*r)*sqrt(r - r^2))/pi of a horizontal
Cylinder, with r = s/height.  V = f*volume,  A = f*added_mass
## Forces
F_buoyancy = density*g*V
F_drag = f*(0.5*density*drag_coefficient*area*w*|w| + linear_drag*w)
F_slam = A_s*s'*w while s rises, else 0;  A_s is the slope of A over s [DNV 2017].
F_ground = ground_stiffness*depth_g*(1 + ground_damping*depth_g'), never below 0,
the sum for the bed of the sea and for a deck at the height deck.
F is positive along x. A wire pulls: F < 0.
# Assumptions and limits
- The load moves vertically and does not turn. Its horizontal drag and its swing are neglected.
- It is small compared with the waves: the water around it moves as that at one point.
- Coefficients do not depend on frequency, on the distance to surface and bed, or on the moon pool around. They are the
  user's.
- Water that enters or leaves the load is neglected: mass and volume are constant.
- The sea bed and the deck are springs without suction.
)",
  };

  Load() { EffortsRead({}); }

  void Link(System& system, Diagnostics& diagnostics) override;
  void Reset() override;
  void ParametersChanged() override;
  void EvaluateEfforts(double t) override;
  void EvaluateDiffEquations(double t) override;
  void AccountEnergy(EnergyTerms& terms) const override;
  /// The alarm tells of the start: it does not come later, but ends.
  void PostIntegrate() override { buried_.Look(buried_.is_set() && IsBuried()); }
  StepPointUse step_point_use() const override { return StepPointUse::kLook; }

 private:
  /// Deeper in the bed than it can rest.
  bool IsBuried() const;
  /// What ground at this depth does, upwards [N].
  double GroundForce(double depth, double rate) const;
  double BedDepth() const;

  TranslationalPort port{this, "port", Role::kQ, "Wire above the load"};
  Parameter mass{this, "mass", "kg", "Mass in air", 10e3, kPositive};
  Parameter volume{this, "volume", "m3", "Volume of the water that it displaces", 2, kNonNegative};
  Parameter height{this, "height", "m", "Height", 2, kPositive};
  Property<SubmergedShape> shape{this, "shape", "Outline, for the submerged part", SubmergedShape::kBox,
                                 kSubmergedShapeNames};
  Parameter added_mass{this, "added_mass", "kg", "Added mass of the submerged load", 0, kNonNegative};
  Parameter area{this, "area", "m2", "Area across the vertical", 4, kNonNegative};
  Parameter drag_coefficient{this, "drag_coefficient", "", "Quadratic drag, of area", 1, kNonNegative};
  Parameter linear_drag{this, "linear_drag", "N.s/m", "Linear drag", 0, kNonNegative};
  Parameter place_x{this, "place_x", "m", "Place in the waves, x", 0};
  Parameter place_y{this, "place_y", "m", "Place in the waves, y", 0};
  Parameter gravity{this, "gravity", "m/s2", "Acceleration of gravity", 9.81, kNonNegative};
  Parameter ground_stiffness{this, "ground_stiffness", "N/m", "Stiffness of sea bed and deck",
                             1e7,  kNonNegative};
  Parameter ground_damping{this, "ground_damping", "s/m", "Damping of both, per speed of approach",
                           0.5,  kNonNegative};
  Input deck{this, "deck", "m", "Height of a deck below the load above the mean water level; far below: none",
             -1e6};
  Input deck_rate{this, "deck_rate", "m/s", "Its rate", 0};
  StateVariable x{this, "x", "m", "Depth of the lowest point"};
  StateVariable v{this, "v", "m/s", "Velocity downwards"};
  Output wire_force{this, "wire_force", "N", "Pull of the wire"};
  Output submerged{this, "submerged", "", "Fraction of the volume that is in the water"};
  Output buoyancy{this, "buoyancy", "N", "Buoyancy"};
  Output drag{this, "drag", "N", "Drag, upwards"};
  Output slam{this, "slam", "N", "Slamming force, upwards"};
  Output through_water{this, "through_water", "m/s", "Velocity w against the water, downwards; 0 above it"};
  Output inertia_force{this, "inertia_force", "N",
                       "Force of the accelerated water: (density*V + A)*u' - A*v', downwards"};
  Output ground_force{this, "ground_force", "N", "Force of sea bed and deck"};
  Output acceleration{this, "acceleration", "m/s2", "Acceleration downwards"};

  LatchedAlarm buried_{
      this, "buried", AlarmLevel::kWarning,
      "the load starts below the sea bed, which throws it up; give a smaller <Start x=.../>"};

  const Sea* sea_ = nullptr;
  std::unique_ptr<WaterColumn> water_;  ///< remembers an interval, which is not of the state of a run
};

}  // namespace davit
