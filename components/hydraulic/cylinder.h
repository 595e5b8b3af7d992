#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Double acting cylinder with one rod.
class Cylinder final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "hydraulic.Cylinder",
      "Double acting hydraulic cylinder",
      {Level::kIdeal},
      "Ap = pi/4*bore^2,  Ar = Ap - pi/4*rod^2\n"
      "Ideal:  q_a = Ap*v,  q_b = Ar*v,  F = p_a*Ap - p_b*Ar - F_stop\n"
      "x = 0 fully retracted, x = stroke fully extended, v = x'. q_a is positive into A, q_b out of B,\n"
      "F pushes.\n"
      "Stops elastic:  x > stroke: F_stop = k*(x - stroke) + c*max(0, v);  x < 0: F_stop = k*x + c*min(0, "
      "v)\n"
      "                k = max_pressure*Ap/stop_deflection,  g = 9.81 m/s2\n"
      "                c = 2*stop_damping_ratio*sqrt(max_pressure*Ap/g*k)\n"
      "so a stop yields by stop_deflection under the force of max_pressure on the piston.\n"
      "Stops rigid:  F_stop = 0; 0 <= x <= stroke are travel limits of the component at the rod, which "
      "finds\n"
      "the impact inside the step and goes on with v = -stop_restitution*v.\n"
      "The rod is a C port: c = F, Zc = 0; its x and v count into the cylinder, that is against\n"
      "extension. The component at the rod owns x and v and moves rod_mass along; the weight of the rod\n"
      "is not considered.\n"
      "Chambers are neither compressible nor throttled at Ideal: a and b must stand on volumes.\n"};

  enum class Stops : std::uint8_t { kElastic, kRigid };
  static constexpr std::array<std::string_view, 2> kStopsNames{"elastic", "rigid"};

  Cylinder();

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;

  /// Force [N] on the rod, positive in extension, at the pressures [Pa] and the motion [m, m/s].
  double Force(double p_A, double p_B, double displacement, double velocity) const {
    return p_A * piston_area_ - p_B * ring_area_ - StopForce(displacement, velocity);
  }
  /// Force [N] of the elastic end stops, positive against extension; 0 where they are rigid.
  double StopForce(double displacement, double velocity) const {
    if (displacement > stroke) {
      return stop_stiffness_ * (displacement - stroke) + stop_damping_ * (velocity > 0 ? velocity : 0);
    }
    if (displacement < 0)
      return stop_stiffness_ * displacement + stop_damping_ * (velocity < 0 ? velocity : 0);
    return 0;
  }

  void EvaluateEfforts(double /*t*/) override {
    x = -rod->x;
    v = -rod->v;
    p_a = a->c;
    p_b = b->c;
    force = Force(p_a, p_b, x, v);
    rod->c = force;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    q_a = piston_area_ * v;
    q_b = ring_area_ * v;
    a->q = -q_a;
    b->q = q_b;
  }

 private:
  HydraulicPort a{this, "a", Role::kQ, "Piston side"};
  HydraulicPort b{this, "b", Role::kQ, "Rod side"};
  TranslationalPort rod{this, "rod", Role::kC, "End of the rod"};
  Parameter bore{this, "bore", "m", "Diameter of the piston", 0.283, kPositive, Tunability::kStructural};
  Parameter rod_diameter{this, "rod", "m", "Diameter of the rod", 0.141, kPositive, Tunability::kStructural};
  Parameter stroke{
      this, "stroke", "m", "Distance between the stops", 2.0, kPositive, Tunability::kStructural};
  Parameter rod_mass{this, "rod_mass", "kg", "Mass of piston and rod", 500.0, kNonNegative};
  Property<Stops> stops{this, "stops", "Whether the end stops yield", Stops::kElastic, kStopsNames};
  Parameter stop_restitution{this, "stop_restitution",
                             "",   "Share of the velocity kept at a stop; counts with stops rigid",
                             0.0,  kUnitInterval};
  Parameter max_pressure{this, "max_pressure", "Pa", "Pressure the end stops are made for", 350e5, kPositive};
  Parameter stop_deflection{this, "stop_deflection", "m", "How far a stop yields under the maximum pressure",
                            1e-3, kPositive};
  Parameter stop_damping_ratio{
      this, "stop_damping_ratio",
      "",   "Damping ratio of a stop, for the mass whose weight the maximum pressure carries",
      0.1,  kNonNegative};
  Parameter port_a_diameter{
      this,  "port_a_diameter",
      "m",   "Diameter of the port of A (32 to 40 mm suit 500 l/min); counts from Standard on",
      0.010, kPositive};
  Parameter port_b_diameter{
      this,  "port_b_diameter",
      "m",   "Diameter of the port of B (32 to 40 mm suit 500 l/min); counts from Standard on",
      0.010, kPositive};
  Parameter port_discharge_coefficient{this,
                                       "port_discharge_coefficient",
                                       "",
                                       "Discharge coefficient of the ports (0.611 sharp, 1 rounded); "
                                       "counts from Standard on",
                                       1.0,
                                       kPositive};
  Parameter dead_volume{this, "dead_volume",
                        "m3", "Oil at each end that the piston leaves; counts from Standard on",
                        1e-3, kPositive};
  Parameter bulk_modulus{this,  "bulk_modulus", "Pa", "Bulk modulus of the oil; counts from Standard on",
                         1.6e9, kPositive};
  Parameter density{this,  "density", "kg/m3", "Density of the oil; counts from Standard on",
                    861.8, kPositive};
  Parameter viscous_friction{this,    "viscous_friction",
                             "N.s/m", "Viscous friction of the seals; counts at Standard",
                             49050.0, kNonNegative};
  Parameter outer_diameter{
      this,      "outer_diameter",       "m", "Outer diameter of the barrel; counts at Advanced", 0.343,
      kPositive, Tunability::kStructural};
  Parameter wall_modulus{this,  "wall_modulus",
                         "Pa",  "Modulus of elasticity of the barrel; counts at Advanced",
                         180e9, kPositive};
  Parameter wall_poisson_ratio{this, "wall_poisson_ratio",
                               "",   "Poisson's ratio of the barrel; counts at Advanced",
                               0.3,  Range{.low = 0, .high = 0.5}};
  Parameter seal_gap{this, "seal_gap",  "m", "Clearance of the sealing gaps; counts at Advanced",
                     1e-5, kNonNegative};
  Parameter piston_land{this, "piston_land", "m", "Length of the gap at the piston; counts at Advanced",
                        0.2,  kPositive};
  Parameter rod_land{this, "rod_land", "m", "Length of the gap at the rod; counts at Advanced",
                     0.1,  kPositive};
  Parameter kinematic_viscosity{this,   "kinematic_viscosity",
                                "m2/s", "Kinematic viscosity of the oil; counts at Advanced",
                                32e-6,  kPositive};
  Parameter coulomb_friction{this,   "coulomb_friction",
                             "N",    "Sliding friction of the seals; counts at Advanced",
                             3000.0, kNonNegative};
  Parameter static_friction{this,   "static_friction",
                            "N",    "Break-away friction of the seals; counts at Advanced",
                            4500.0, kNonNegative};
  Parameter stribeck_velocity{
      this,  "stribeck_velocity",
      "m/s", "Velocity at which sliding has mostly replaced sticking; counts at Advanced",
      0.01,  kPositive};
  Parameter bristle_stiffness{
      this, "bristle_stiffness", "N/m", "Stiffness of the seals; counts at Advanced", 1e7, kPositive};
  Parameter bristle_damping{this, "bristle_damping", "N.s/m", "Damping of the seals; counts at Advanced",
                            1e5,  kNonNegative};
  Parameter lugre_viscous_friction{this,    "lugre_viscous_friction",
                                   "N.s/m", "Viscous part of the LuGre friction; counts at Advanced",
                                   2e4,     kNonNegative};
  StartValue x_start{
      this, "x", "m",
      "Start displacement, handed to the component at the rod; without it that component's own counts", 0.0};
  StartValue p_a_start{this, "p_a", "Pa", "Start pressure of chamber A; counts from Standard on", 5e5};
  StartValue p_b_start{this, "p_b", "Pa", "Start pressure of chamber B; counts from Standard on", 1e5};
  Output p_a{this, "p_a", "Pa", "Pressure in chamber A", WrittenBy::kEfforts};
  Output p_b{this, "p_b", "Pa", "Pressure in chamber B", WrittenBy::kEfforts};
  Output q_a{this, "q_a", "m3/s", "Flow into A"};
  Output q_b{this, "q_b", "m3/s", "Flow out of B"};
  Output x{this, "x", "m", "Displacement, 0 fully retracted", WrittenBy::kEfforts};
  Output v{this, "v", "m/s", "Velocity, positive in extension", WrittenBy::kEfforts};
  Output force{this, "force", "N", "Force of the rod, positive in pushing", WrittenBy::kEfforts};

  double piston_area_ = 0;     // Ap [m2]
  double ring_area_ = 0;       // Ar [m2]
  double stop_stiffness_ = 0;  // [N/m]; 0 where they are rigid
  double stop_damping_ = 0;    // [N s/m]
};

}  // namespace davit
