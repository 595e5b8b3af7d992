#pragma once

#include "framework/domain.h"

// The nodes of Hopsan: what a power port of a `hopsan.*` component reads and writes. All in SI; pressures are
// absolute. The node of a connection is one, so a value that a Q component writes is read by the C component
// and by every sensor at once. Flow and velocity are positive out of the Q and into the C component:
// intensity = c + Zc * flow, but the Q component writes the intensity that counts (it may cavitate).

namespace davit::hopsan {

/// p and q: `Pressure`, `Flow`.
struct HydraulicNode : Bond {
  double q = 0;    ///< flow into the C component [m3/s]
  double p = 1e5;  ///< absolute pressure [Pa]
  HydraulicNode() { c = p; }
  static const Domain kDomain;
};

/// As HydraulicNode, with the flow of energy.
struct PneumaticNode : Bond {
  double q = 0;        ///< flow of energy into the C component [W]
  double p = 1e5;      ///< absolute pressure [Pa]
  double mdot = 0;     ///< flow of mass into the C component [kg/s]
  double rho = 1.225;  ///< density [kg/m3]
  double T = 293;      ///< temperature [K]
  PneumaticNode() { c = p; }
  static const Domain kDomain;
};

/// v, F, x and me: `Velocity`, `Force`, `Position`, `EquivalentMass`.
struct MechanicNode : Bond {
  double v = 0;   ///< velocity into the C component [m/s]
  double F = 0;   ///< force [N]
  double x = 0;   ///< position [m]
  double me = 1;  ///< equivalent mass [kg]
  static const Domain kDomain;
};

/// w, T, a and Je: `AngularVelocity`, `Torque`, `Angle`, `EquivalentInertia`.
struct RotationalNode : Bond {
  double w = 0;   ///< angular velocity into the C component [rad/s]
  double T = 0;   ///< torque [N.m]
  double a = 0;   ///< angle [rad]
  double Je = 0;  ///< equivalent inertia [kg.m2]
  static const Domain kDomain;
};

/// u and i: `Voltage`, `Current`.
struct ElectricNode : Bond {
  double i = 0;  ///< current into the C component [A]
  double u = 0;  ///< voltage [V]
  static const Domain kDomain;
};

/// Two signals through one node: the type WriteRead writes the first and reads the second.
struct SignalNode2D : Bond {
  double first = 0, second = 0;
  static const Domain kDomain;
};

inline constexpr Domain HydraulicNode::kDomain{
    .name = "hopsan_hydraulic",
    .effort = {.name = "p", .unit = "Pa", .scale = 1e5},
    .variables = {{.name = "Flow", .unit = "m3/s", .of = OfBond<&HydraulicNode::q>},
                  {.name = "Pressure", .unit = "Pa", .of = OfBond<&HydraulicNode::p>}},
    .bond = BondType::Of<HydraulicNode>(),
    .impedance_unit = "Pa.s/m3",
    .color = "#1565c0",
    .c_example = "hopsan.HydraulicVolume",
    .q_example = "hopsan.HydraulicLaminarOrifice",
};

inline constexpr Domain PneumaticNode::kDomain{
    .name = "hopsan_pneumatic",
    .effort = {.name = "p", .unit = "Pa", .scale = 1e5},
    .variables = {{.name = "EnergyFlow", .unit = "W", .of = OfBond<&PneumaticNode::q>},
                  {.name = "Pressure", .unit = "Pa", .of = OfBond<&PneumaticNode::p>},
                  {.name = "MassFlow", .unit = "kg/s", .of = OfBond<&PneumaticNode::mdot>},
                  {.name = "Density", .unit = "kg/m3", .of = OfBond<&PneumaticNode::rho>},
                  {.name = "Temperature", .unit = "K", .of = OfBond<&PneumaticNode::T>}},
    .bond = BondType::Of<PneumaticNode>(),
    .impedance_unit = "Pa/W",
    .color = "#00838f",
};

inline constexpr Domain MechanicNode::kDomain{
    .name = "hopsan_mechanic",
    .effort = {.name = "f", .unit = "N", .scale = 1e3},
    .variables = {{.name = "Velocity", .unit = "m/s", .of = OfBond<&MechanicNode::v>},
                  {.name = "Force", .unit = "N", .of = OfBond<&MechanicNode::F>},
                  {.name = "Position", .unit = "m", .of = OfBond<&MechanicNode::x>},
                  {.name = "EquivalentMass", .unit = "kg", .of = OfBond<&MechanicNode::me>}},
    .bond = BondType::Of<MechanicNode>(),
    .impedance_unit = "N.s/m",
    .color = "#2e7d32",
    .c_example = "hopsan.MechanicTranslationalSpring",
    .q_example = "hopsan.MechanicTranslationalMass",
};

inline constexpr Domain RotationalNode::kDomain{
    .name = "hopsan_rotational",
    .effort = {.name = "t", .unit = "N.m", .scale = 1e2},
    .variables = {{.name = "AngularVelocity", .unit = "rad/s", .of = OfBond<&RotationalNode::w>},
                  {.name = "Torque", .unit = "N.m", .of = OfBond<&RotationalNode::T>},
                  {.name = "Angle", .unit = "rad", .of = OfBond<&RotationalNode::a>},
                  {.name = "EquivalentInertia", .unit = "kg.m2", .of = OfBond<&RotationalNode::Je>}},
    .bond = BondType::Of<RotationalNode>(),
    .impedance_unit = "N.m.s/rad",
    .color = "#6a1b9a",
    .c_example = "hopsan.MechanicTorsionalSpring",
    .q_example = "hopsan.MechanicRotationalInertia",
};

inline constexpr Domain ElectricNode::kDomain{
    .name = "hopsan_electric",
    .effort = {.name = "e", .unit = "V", .scale = 1},
    .variables = {{.name = "Current", .unit = "A", .of = OfBond<&ElectricNode::i>},
                  {.name = "Voltage", .unit = "V", .of = OfBond<&ElectricNode::u>}},
    .bond = BondType::Of<ElectricNode>(),
    .impedance_unit = "V/A",
    .color = "#ef6c00",
    .c_example = "hopsan.ElectricGround",
    .q_example = "hopsan.ElectricResistor",
};

inline constexpr Domain SignalNode2D::kDomain{
    .name = "hopsan_signal_2d",
    .effort = {.name = "e", .unit = "", .scale = 1},
    .variables = {{.name = "Value1", .unit = "", .of = OfBond<&SignalNode2D::first>},
                  {.name = "Value2", .unit = "", .of = OfBond<&SignalNode2D::second>}},
    .bond = BondType::Of<SignalNode2D>(),
    .impedance_unit = "",
    .c_example = "hopsan.Signal2DWriteRead",
    .q_example = "hopsan.Signal2DReadWrite",
};

}  // namespace davit::hopsan
