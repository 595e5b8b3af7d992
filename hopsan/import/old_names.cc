#include "hopsan/import/old_names.h"

#include <array>
#include <utility>

namespace davit::hopsan {
namespace {

constexpr auto kTypes = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"SignalSource", "SignalConstant"},
    {"MechanicTranslationalMassWithCoulumbFriction", "MechanicTranslationalMassWithCoulombFriction"},
    {"MechanicRotationalInertiaWithCoulumbFriction", "MechanicRotationalInertiaWithCoulombFriction"},
});

struct OldName {
  std::string_view type;  ///< that it begins with; empty: any
  std::string_view old_name, name;
};

constexpr auto kNames = std::to_array<OldName>({
    {"SignalConstant", "out", "y"},
    {"MechanicForceTransformer", "in", "F"},
    {"MechanicForceTransformer", "Force", "F"},
    {"MechanicTorqueTransformer", "in", "T"},
    {"MechanicVelocityTransformer", "vin", "v"},
    {"MechanicVelocityTransformer", "xin", "x"},
    {"MechanicTranslationalMassWithCoulombFriction", "Pfs", "f_s"},
    {"MechanicTranslationalMassWithCoulombFriction", "Pfk", "f_k"},
    {"HydraulicPressureSource", "In", "p"},
    {"HydraulicMultiPressureSource", "In", "p"},
    {"HydraulicPressureSourceQ", "in", "p"},
    {"HydraulicFlowSourceQ", "in", "q"},
    {"HydraulicVariableDisplacement", "in", "eps"},
    {"HydraulicVariableDisplacement", "epsilon_p", "eps"},
    {"HydraulicVariableDisplacement", "epsilon_m", "eps"},
    {"HydraulicLaminarOrifice", "K_c", "Kc"},
    {"AeroAtmosphere", "rho", "rhoa"},
    {"AeroAtmosphere", "T", "Ta"},
    {"MechanicThetaSource", "win", "omega"},
    {"", "Pxv", "xv"},
    {"", "Pwm", "wm"},
    {"", "PVa", "Va"},
    {"", "Ppa", "pa"},
    {"", "PPin", "Pin"},
    // Files with core version 0.
    {"Signal", "StartTime", "t_start"},
    {"Signal", "StopTime", "t_end"},
    {"Signal", "StepTime", "t_step"},
    {"Signal", "Frequency", "f"},
    {"Signal", "Amplitude", "y_A"},
    {"Signal", "Offset", "y_offset"},
    {"Signal", "BaseValue", "y_0"},
    {"Hydraulic4", "Cq", "C_q"},
    {"Hydraulic3", "Cq", "C_q"},
    {"Hydraulic4", "xvmax", "x_vmax"},
    {"Hydraulic3", "xvmax", "x_vmax"},
    {"Hydraulic4", "overlap_pa", "x_pa"},
    {"Hydraulic4", "overlap_pb", "x_pb"},
    {"Hydraulic4", "overlap_at", "x_at"},
    {"Hydraulic4", "overlap_bt", "x_bt"},
    {"Hydraulic4", "omegah", "omega_h"},
    {"Hydraulic4", "deltah", "delta_h"},
    {"HydraulicTurbulentOrifice", "Cq", "C_q"},
    {"HydraulicCylinderC", "Area1", "A_1"},
    {"HydraulicCylinderC", "Area2", "A_2"},
    {"HydraulicCylinderC", "Stroke", "s_l"},
    {"HydraulicCylinderC", "DeadVolume1", "V_1"},
    {"HydraulicCylinderC", "DeadVolume2", "V_2"},
    {"HydraulicCylinderC", "Bp", "B_p"},
    {"HydraulicCylinderC", "Betae", "Beta_e"},
    {"HydraulicCylinderC", "Cip", "c_leak"},
    {"HydraulicFixedDisplacementPump", "Speed", "n_p"},
    {"HydraulicFixedDisplacementPump", "Dp", "D_p"},
    {"HydraulicFixedDisplacementPump", "Kcp", "C_lp"},
    {"HydraulicPressureReliefValve", "pref", "p_max"},
    {"HydraulicPressureReliefValve", "kcs", "k_cs"},
    {"HydraulicPressureReliefValve", "kcf", "k_cf"},
    {"HydraulicPressureReliefValve", "qnom", "q_nom"},
    {"HydraulicPressureReliefValve", "ph", "p_h"},
    {"HydraulicTankC", "P", "p"},
    {"HydraulicVolume", "Be", "Beta_e"},
    {"HydraulicVolume", "a", "alpha"},
});

}  // namespace

std::string_view PresentType(std::string_view type) {
  for (const auto& [old_type, present] : kTypes) {
    if (old_type == type) return present;
  }
  return type;
}

std::string_view PresentName(std::string_view type, std::string_view name) {
  for (const OldName& one : kNames) {
    if (one.old_name == name && type.starts_with(one.type)) return one.name;
  }
  return name;
}

std::string PresentSpelling(std::string_view name) {
  std::string spelt;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with("::")) {
      spelt += '#';
      ++i;
    } else if (name[i] != ' ') {
      spelt += name[i];
    }
  }
  const auto replace = [&](std::string_view old_end, std::string_view present) {
    if (spelt.ends_with(old_end)) spelt.replace(spelt.size() - old_end.size(), old_end.size(), present);
  };
  replace("#CharImp", "#CharImpedance");
  if (spelt == "sigma^2") spelt = "std_dev";
  return spelt;
}

}  // namespace davit::hopsan
