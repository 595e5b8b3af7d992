#pragma once

#include <algorithm>

#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/volume_waves.h"
#include "components/mechanical/cylinder_travel.h"
#include "framework/archive.h"
#include "framework/scene.h"
#include "simulator/energy_account.h"
#include "simulator/tlm_component.h"

namespace davit {

/// Double acting cylinder with one rod, TLM variant (wave variables): a C component at all ports.
class CylinderC final : public TlmComponent,
                        public MechanismPart,
                        public CylinderTravel,
                        public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.CylinderC",
      .text = "Double acting hydraulic cylinder, TLM variant (wave variables)",
      .equations = R"(
Ap = pi/4*bore^2,  Ar = Ap - pi/4*rod^2;  x = 0 fully retracted, x = stroke fully extended, v = x'
V_A = dead_volume + Ap*x,  V_B = dead_volume + Ar*(stroke - x)
oil_A' = q_a - q_l,  oil_B' = q_b + q_l,  q_l = leakage*(P_A - P_B);  q_a, q_b into the chambers
With free_air or another compressibility: (oil - V)/V and beta by the laws of hydraulic.Volume.
P = beta*(oil - V)/V, oil [m3] counted at gauge pressure 0
A chamber is a hydraulic.VolumeC of two ports, outside and piston: Zc = beta*h/(V*(1 - filter)).
Rod, v and x positive into the cylinder:  c = Ap*c_A - Ar*c_B + c_stop,
Zc = Ap^2*Zc_A + Ar^2*Zc_B + viscous_friction + Zc_stop
Stop, d beyond it:  F = k*d + b*d', never pulling;  k = max_pressure*Ap/stop_deflection,
b = 2*stop_damping_ratio*sqrt(k*m). It is part of the wave (trapezoidal rule) and does not ring.
m = rod_mass + mass of the component at the rod. A stiffness that the TimeStep h cannot resolve is
replaced by a softer one: k <= 0.1*m/h^2 of a stop; beta*A^2/V <= 0.1*m/h^2 of a chamber.
# Assumptions and limits
- One pressure in each chamber, except for the waves between port and piston. Piston and rod are rigid.
- Friction is viscous, without sticking; leakage is laminar and internal. The ports have no loss.
- Cavitation: if P would fall below vapour_pressure, it stays there and a cavity opens, shared by
  both ports of the chamber, as in hydraulic.VolumeC.
- Stops and chambers that are too stiff for the TimeStep are softened; a shorter TimeStep avoids this.
- p_a and p_b belong to the same time as the pressures of the ports: P is extrapolated by half a step
  with the flows of the last.
)",
  };

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void InitializeWaves() override;
  bool SettleWaves() override;
  void RestartWaves(bool has_moved) override;
  void SimulateOneTimestep(double t) override;
  static constexpr bool kPostIntegratesWhenAsked = true;  // for the alarms
  void PostIntegrate() override {
    alarms.Look(std::max<double>(p_a, p_b),
                OilAlarms::IsVoid(void_a, dead_volume) || OilAlarms::IsVoid(void_b, dead_volume));
  }
  void ArchiveMemory(Archive& archive) override { archive(chamber_a_, chamber_b_, motion_); }
  /// Barrel, piston and rod, upright from the origin, where no other component places the end of the rod.
  void DescribeScene(SceneBuilder& scene) const override;
  Travel travel() const override { return {stroke, stop_deflection}; }
  void AccountEnergy(EnergyTerms& terms) const override;

 private:
  static constexpr std::size_t kOutside = 0, kPiston = 1;  // ports of a chamber

  struct Chamber {
    ChamberWaves waves;
    BodyOffer to_piston;
    double P = 0;          ///< pressure in the middle of the step [Pa]
    double stiffness = 0;  ///< beta/V [Pa/m3]

    void ArchiveMemory(Archive& archive) { archive(waves, to_piston, P, stiffness); }
  };
  /// Where the piston is in the middle of the step, and what flows.
  struct Motion {
    double x = 0;
    double v = 0;
    double q_a = 0;
    double q_b = 0;

    void ArchiveMemory(Archive& archive) { archive(x, v, q_a, q_b); }
  };

  void ShowMotion() {
    x = -rod->x;
    v = -rod->v;
    rod_end = stroke + x;
  }
  double VolumeA(double displacement) const { return dead_volume + piston_area_ * displacement; }
  double VolumeB(double displacement) const { return dead_volume + ring_area_ * (stroke - displacement); }
  /// The smallest volume behind 1 m2 whose stiffness the TimeStep resolves [m3/m4]; proportional to
  /// the area squared.
  double SmallestVolume() const;
  /// The volume that gives way: that of the chamber, or what the TimeStep resolves.
  double SoftVolume(double volume, double smallest_volume) const;
  double StiffnessOf(double volume, double smallest_volume) const;
  double MovingMass() const { return rod->mass + rod_mass; }
  /// Mean flow from A to B through the leakage during the next step [m3/s].
  double LeakFlow() const;
  /// Writes the waves that belong to `motion_` and the oil.
  void Offer();
  /// The motion half a step ago, from that now.
  Motion MotionBefore() const;
  bool IsBeyondStop(double displacement) const { return !(displacement >= 0 && displacement <= stroke); }
  double StopStiffness() const;
  /// Pre: the motion is beyond a stop.
  PortWave StopWave(const Motion& motion) const;
  void WarnOfSoftening() const;

  HydraulicPort a{this, "a", Role::kC, "Piston side"};
  HydraulicPort b{this, "b", Role::kC, "Rod side"};
  TranslationalPort rod{this, "rod", Role::kC, "End of the rod"};
  Parameter bore{this, "bore", "m", "Diameter of the piston", 0.283, kPositive, Tunability::kStructural};
  Parameter rod_diameter{this, "rod", "m", "Diameter of the rod", 0.141, kPositive, Tunability::kStructural};
  Parameter stroke{this, "stroke", "m", "Distance between the stops",
                   Number{.value = 2.0, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter rod_mass{this, "rod_mass", "kg", "Mass of piston and rod",
                     Number{.value = 500.0, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter dead_volume{this, "dead_volume", "m3", "Dead volume at each end of the stroke",
                        Number{.value = 1e-3, .range = kPositive, .tunability = Tunability::kStructural}};
  OilParameters oil{this, {}, Tunability::kStructural};
  Property<OilLaw> compressibility{this, "compressibility", "How the bulk modulus depends on the pressure",
                                   OilLaw::kConstant, kOilLawNames};
  Parameter filter{this, "filter", "", "Fraction of the last wave that is kept; damps waves in the chambers",
                   Number{.value = 0.1,
                          .range = Range{.low = 0, .high = 1, .high_open = true},
                          .tunability = Tunability::kStructural}};
  Parameter viscous_friction{this, "viscous_friction", "N.s/m", "Viscous friction of the seals",
                             Number{.value = 49050.0, .range = kNonNegative}};
  Parameter leakage{this, "leakage", "m3/s/Pa", "Conductance of the gap at the piston", 0.0, kNonNegative};
  Parameter max_pressure{this, "max_pressure", "Pa", "Design pressure of the end stops", 350e5, kPositive};
  Parameter stop_deflection{this, "stop_deflection", "m", "Deflection of a stop under the maximum pressure",
                            Number{.value = 1e-3, .range = kPositive}};
  Parameter stop_damping_ratio{this, "stop_damping_ratio", "",
                               "Damping ratio of a stop with the moving mass; below 1 the rod bounces",
                               Number{.value = 1.0, .range = Range{.low = 0.5}}};
  StartValue x_start{
      this, "x", "m",
      "Start displacement, handed to the component at the rod; without it that component sets its own",
      Number{.value = 0.0}};
  StartValue p_a_start{this, "p_a", "Pa", "Start pressure of chamber A", 5e5};
  StartValue p_b_start{this, "p_b", "Pa", "Start pressure of chamber B", 1e5};
  StateVariable oil_a{this, "oil_a", "m3", "Oil in A, counted at zero pressure", 0, 1e-2};
  StateVariable oil_b{this, "oil_b", "m3", "Oil in B, counted at zero pressure", 0, 1e-2};
  Output p_a{this, "p_a", "Pa", "Pressure in chamber A"};
  Output p_b{this, "p_b", "Pa", "Pressure in chamber B"};
  Output void_a{this, "void_a", "m3", "Cavity (vapour) volume in chamber A"};
  Output void_b{this, "void_b", "m3", "Cavity (vapour) volume in chamber B"};
  Output x{this, "x", "m", "Displacement at the start of the step, 0 fully retracted"};
  Output v{this, "v", "m/s", "Velocity at the start of the step, positive in extension"};
  Output rod_end{this, "rod_end", "m", "End of the rod, from the bottom of the barrel", OutputUse::kDrawing};

  // Side by side with the outputs: what each step reads.
  Chamber chamber_a_, chamber_b_;
  Motion motion_;           // that the waves now offered belong to
  double piston_area_ = 0;  // Ap [m2]
  double ring_area_ = 0;    // Ar [m2]
  double vapour_ = 0;       ///< gauge vapour pressure [Pa]
  double stiffness_ = 0;    ///< of the oil without gas [Pa]
  bool has_gas_ = false;

  OilCompression compression_;
  OilAlarms alarms{this};
};

}  // namespace davit
