#pragma once

#include "components/mechanical/wire_drive.h"
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
L = length + (s_d - sheave_parts*x_sheave)/falls,  s_d' = r*w,  l = L/n,  m = mass_per_length*l,  n = elements
x_k' = v_k,  m*v_k' = T_k - T_(k-1) + m*gravity*(1 - density*area/mass_per_length),  k = 1 .. n
T_k = (axial_stiffness*(s_k - l_k) + d*axial_damping*s_k')/l_k, never below 0, and 0 while s_k < l_k: a slack part does not push
d rises from 0 to 1 up to the strain 1e-4, so that a part that becomes taut is not caught by a jump of its tension.
s_k = x_(k+1) - x_k is the length of a part. The lumps are in the middle of the elements, so l_0 = l_n = l/2, the others are l.
x_k is the depth below the place of the top at displacement 0. The ends are at x_0 = x_top, x_(n+1) = distance - x_load, as
displacements are positive into the wire.
c_top = -falls*T_0,  c_load = -falls*T_n,  c_drum = -r*T_d,  c_sheave = sheave_parts*T_d,  Zc = 0
angle and w are positive into the wire: at port a of an inertia or a gear a positive turn winds the wire in.
sheave is a sheave that moves in the wire between drum and top: pushed into the wire by the rod of a compensator, it takes up
sheave_parts times its way. Open, it does not move.
At the start the lumps are where the wire hangs at rest below a fixed top, with start_load at its end.
## Drum with layers
r = radius - layer_height/(2*pi*turns_per_layer)*angle
Each layer that is wound in adds its height, and
torque times speed is the power of the wire. From a tenth of radius on it is constant.
## Reeving and friction of the sheaves
falls parts of the wire hang side by side between top and load, each as above with the tensions T_k as their means. The wire runs over
sheaves to the first of them, and over a sheave between each two:
T_d = e^sheaves*F_1,  F_(k+1) = F_k/e,  e = sheave_efficiency^tanh(u/stick_velocity)
F_k is the tension of a fall at the top, T_0 the mean of all falls, u = r*w - sheave_parts*v_sheave what is paid out per second. The load moves by 1/falls of it.
# Assumptions and limits
- The wire is straight and vertical, and its drag in the water is neglected.
- Its elements and falls are paid out all alike: the momentum of the wire that drum and sheave add is neglected.
- density is that of the water around it, 0 in air, for the whole wire.
- Layers form a mean spiral: the radius does not jump from one to the next. The inertia of the drum is constant.
- The friction of the sheaves follows what is paid out: with drum and movable sheave at rest, they run freely.
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

  /// Of each fall.
  double FreeLength() const {
    return length + drive_.PaidOut(drum->angle) / drive_.fall_count() -
           sheave_parts * sheave->x / drive_.fall_count();
  }
  /// Of all falls [m/s].
  double PaidOutRate() const { return drive_.RadiusAt(drum->angle) * drum->w - sheave_parts * sheave->v; }
  double DrumTension() const { return tension_top * drive_.DrumShare(PaidOutRate()); }
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
  Parameter length{this, "length", "m", "Length of a fall without load with the drum at angle 0",
                   100,  kPositive};
  Parameter distance{this, "distance", "m", "Distance of the ends with both displacements at 0", 0};
  WireDrive drive_{this, 0.5};
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
  Output tension_top{this, "tension_top", "N", "Tension at the top, mean of the falls", WrittenBy::kEfforts};
  Output tension_load{this, "tension_load", "N", "Tension at the load, mean of the falls",
                      WrittenBy::kEfforts};
  Output free_length{this, "free_length", "m", "Length of a fall without load", WrittenBy::kEfforts};
  LatchedAlarm overstretched_{
      this, "overstretched", AlarmLevel::kWarning,
      "the wire is stretched by more than 5 %: it is shorter than its path, or far overloaded"};
};

}  // namespace davit
