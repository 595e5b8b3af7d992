#pragma once

#include "framework/latched_alarm.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Elastic wire with its own mass, hanging vertically between a point above and a load below.
class Wire final : public DynamicSimComponent, public StepPointHooks, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "marine.Wire",
      .text = "Elastic wire with its own mass, paid out by a drum",
      .equations = R"(
L = length + radius*angle - sheave_parts*x_sheave,  l = L/n,  m = mass_per_length*l,  n = elements
x_k' = v_k,  m*v_k' = T_k - T_(k-1) + m*gravity*(1 - density*area/mass_per_length),  k = 1 .. n
T_k = (axial_stiffness*(s_k - l_k) + d*axial_damping*s_k')/l_k, never below 0, and 0 while s_k < l_k: a slack part does not push
d rises from 0 to 1 up to the strain 1e-4, so that a part that becomes taut is not caught by a jump of its tension.
s_k = x_(k+1) - x_k is the length of a part. The lumps are in the middle of the elements, so l_0 = l_n = l/2, the others are l.
x_k is the depth below the place of the top at displacement 0. The ends are at x_0 = x_top, x_(n+1) = distance - x_load, as
displacements are positive into the wire.
c_top = -T_0,  c_load = -T_n,  c_drum = -radius*T_0,  c_sheave = sheave_parts*T_0,  Zc = 0
angle and w are positive into the wire: at port a of an inertia or a gear a positive turn winds the wire in.
sheave is a sheave that moves in the wire between drum and top: pushed into the wire by the rod of a compensator, it takes up
sheave_parts times its way. Open, it does not move.
At the start the lumps are where the wire hangs at rest below a fixed top, with start_load at its end.
# Assumptions and limits
- The wire is straight and vertical, and its drag in the water is neglected.
- Its elements are paid out all alike: the momentum of the wire that drum and sheave add is neglected.
- density is that of the water around it, 0 in air, for the whole wire.
- The radius of the drum does not grow with layers. Sheaves have no friction.
- n lumps represent frequencies up to about n/4 times the first one of the wire alone within 3 %.
)",
  };

  Wire();

  void Configure(Diagnostics& diagnostics) override;
  void Reset() override;
  void EvaluateEfforts(double t) override;
  void EvaluateDiffEquations(double t) override;
  void PostIntegrate() override;
  StepPointUse step_point_use() const override { return StepPointUse::kLook; }
  void AccountEnergy(EnergyTerms& terms) const override;

 private:
  static constexpr double kFullyDamped = 1e-4;    // strain
  static constexpr double kOverstretched = 0.05;  // strain; steel breaks before

  /// A part between two neighbours.
  struct Part {
    double length;   ///< without load [m]
    double elastic;  ///< the same, at least a thousandth of the wire: what its stiffness follows from
    double stretch;
    double rate;  ///< at which its ends part [m/s]
  };

  double FreeLength() const { return length + radius * drum->angle - sheave_parts * sheave->x; }
  /// Of the part below lump k, without load [m].
  double PartLength(std::size_t k, double free) const;
  Part PartAt(std::size_t k, double free) const;
  double Tension(const Part& part) const;
  double LeastLength() const { return 1e-3 * length; }
  double WeightOfMetre() const { return gravity * (mass_per_length - density * area); }

  TranslationalPort top{this, "top", Role::kC, "Point above, such as the tip of a crane"};
  TranslationalPort load{this, "load", Role::kC, "Load below"};
  RotationalPort drum{this, "drum", Role::kC, "Drum", Connecting::kOptional};
  TranslationalPort sheave{this, "sheave", Role::kC, "Movable sheave, such as the rod of a compensator",
                           Connecting::kOptional};
  Property<int> elements{
      this, "elements", "Number of lumps",
      Number{.value = 10, .range = Range{.low = 1, .high = 500}, .tunability = Tunability::kStructural}};
  Parameter length{this, "length", "m", "Length without load with the drum at angle 0", 100, kPositive};
  Parameter distance{this, "distance", "m", "Distance of the ends with both displacements at 0", 0};
  Parameter radius{this, "radius", "m", "Radius of the drum", 0.5, kNonNegative};
  Parameter sheave_parts{this, "sheave_parts", "", "Parts of the wire that the movable sheave takes up",
                         2,    kNonNegative};
  Parameter axial_stiffness{this, "axial_stiffness", "N", "Force over strain: modulus times metallic area",
                            5e7,  kPositive};
  Parameter axial_damping{this, "axial_damping", "N.s", "Force over rate of strain", 1e5, kNonNegative};
  Parameter mass_per_length{this, "mass_per_length", "kg/m", "Mass of a metre", 5, kPositive};
  Parameter area{this, "area", "m2", "Cross-section that displaces water", 8e-4, kNonNegative};
  Parameter density{this, "density",   "kg/m3", "Density of the water around the wire; 0: air",
                    0,    kNonNegative};
  Parameter gravity{this, "gravity", "m/s2", "Acceleration of gravity", 9.81, kNonNegative};
  StartValue start_load{this, "start_load", "N", "Load at the end of the wire at the start", 0};
  StateVariableArray x{this, "x", "m", "Displacement of the lumps downwards", 0, 0.0, 1.0};
  StateVariableArray v{this, "v", "m/s", "Velocity of the lumps downwards", 0, 0.0, 1.0};
  Output tension_top{this, "tension_top", "N", "Tension at the top", WrittenBy::kEfforts};
  Output tension_load{this, "tension_load", "N", "Tension at the load", WrittenBy::kEfforts};
  Output free_length{this, "free_length", "m", "Length without load", WrittenBy::kEfforts};
  LatchedAlarm overstretched_{
      this, "overstretched", AlarmLevel::kWarning,
      "the wire is stretched by more than 5 %: it is shorter than its path, or far overloaded"};
};

}  // namespace davit
