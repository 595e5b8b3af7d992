#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "components/hydraulic/laws/pump_law.h"

namespace davit {

/// Measured losses of an axial piston pump.
struct PumpData {
  double V_rev;            ///< displacement per REVOLUTION [m3]
  bool is_closed_circuit;  ///< made for closed circuits
  double G;                ///< conductance of all leakage [m3/s/Pa]
  double cc, cp, cn;       ///< of TorqueLoss

  /// Displacement [m3/rad].
  double V() const { return V_rev / (2 * std::numbers::pi); }
  TorqueLoss torque_loss() const { return {.cc = cc, .cp = cp, .cn = cn}; }
};

/// Measured losses of an axial piston motor.
struct MotorData {
  double V_rev;       ///< displacement per REVOLUTION [m3]
  double Gp, Gn;      ///< of FlowLoss
  double cc, cp, cn;  ///< of TorqueLoss

  double V() const { return V_rev / (2 * std::numbers::pi); }
  FlowLoss flow_loss() const { return {.Gp = Gp, .Gn = Gn}; }
  TorqueLoss torque_loss() const { return {.cc = cc, .cp = cp, .cn = cn}; }
};

/// Yu Li, Component-based Modelling and Simulation for Marine Crane System Design, MSc thesis, NTNU 2016,
/// tables 3-3 and 3-4 (after P. Beater).
inline constexpr std::array<PumpData, 9> kAxialPistonPumps{{
    {30e-6, false, 1.492e-12, 8.4088, 6.1968e-7, 5.5188e-3},
    {43e-6, false, 3.466e-12, 4.7536, 5.5081e-7, 4.5970e-3},
    {50e-6, true, 2.833e-12, 1.5121, 1.5611e-7, 3.4818e-2},
    {75e-6, false, 3.112e-12, 5.4443, 1.4415e-7, 3.3614e-2},
    {100e-6, true, 5.201e-12, 3.7904, 7.7440e-7, 9.2407e-2},
    {100e-6, false, 8.017e-12, 5.0966, 5.4058e-7, -1.3992e-2},
    {105e-6, true, 5.03e-12, 5.1283, 3.6003e-7, 7.2576e-2},
    {130e-6, false, 7.786e-12, -0.25540, 1.5723e-7, 8.9084e-2},
    {160e-6, false, 1.426e-11, 7.8071, 6.9808e-7, 3.9299e-2},
}};
inline constexpr std::array<MotorData, 3> kAxialPistonMotors{{
    {35e-6, 1.0565e-12, 3.0393e-8, -0.28465, 3.7989e-7, 2.1217e-2},
    {50e-6, 1.2798e-12, 5.9098e-8, 4.0394, 5.5825e-7, 5.5243e-2},
    {75e-6, 1.5489e-12, 3.6158e-8, 5.7974, 4.7399e-7, 4.1173e-2},
}};

/// Where the losses of a pump come from: given as they are, from efficiencies at a rated point, or usual
/// efficiencies of a kind of pump.
enum class PumpKind : std::uint8_t { kOwn, kRated, kGear, kVane, kPiston };
inline constexpr std::array<std::string_view, 5> kPumpKindNames{"own", "rated", "gear", "vane", "piston"};

struct PumpEfficiency {
  double volumetric;
  double hydromechanical;
};
/// Usual efficiencies at rated pressure and speed of gear, vane and piston pumps, from kGear on: the middle
/// of the ranges in A. Esposito, Fluid Power with Applications: volumetric 0.80 to 0.90, 0.82 to 0.92, 0.90
/// to 0.98, hydromechanical 0.90 to 0.95 for all. The ranges are not verified in the book.
inline constexpr std::array<PumpEfficiency, 3> kUsualEfficiencies{
    {{0.85, 0.925}, {0.87, 0.925}, {0.94, 0.925}}};
/// Pre: kind is kGear, kVane or kPiston.
constexpr PumpEfficiency UsualEfficiency(PumpKind kind) {
  return kUsualEfficiencies[static_cast<std::size_t>(kind) - static_cast<std::size_t>(PumpKind::kGear)];
}

/// What a machine does at the speed omega > 0 [rad/s] and the pressure difference dp > 0 [Pa].
struct MachinePoint {
  double q;           ///< of a pump that it gives, of a motor that it takes [m3/s]
  double T;           ///< of a pump that it takes, of a motor that it gives [N m]
  double volumetric;  ///< efficiencies
  double hydromechanical;

  double Total() const { return volumetric * hydromechanical; }
};
inline MachinePoint PumpAt(const PumpData& pump, double omega, double dp) {
  const double q_ideal = pump.V() * omega, T_ideal = pump.V() * dp;
  const double q = q_ideal - pump.G * dp;
  const double T = T_ideal + pump.torque_loss().At(dp, omega);
  return {q, T, q / q_ideal, T_ideal / T};
}

}  // namespace davit
