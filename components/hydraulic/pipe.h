#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Pipe or hose between two components.
class Pipe final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "hydraulic.Pipe",
      "Pipe or hose",
      {Level::kIdeal},
      "Ideal: no loss, no inertia, no volume. The outlet offers what the inlet finds, the inlet takes\n"
      "what the outlet needs:  c_outlet = c_inlet,  Zc_outlet = Zc_inlet,  q_inlet = q_outlet,  so p is\n"
      "the same at both ends.\n"
      "The output q is positive from inlet to outlet. The inlet is a Q port, the outlet a C port.\n"};

  Pipe();

  void EvaluateEfforts(double /*t*/) override {
    outlet->c = inlet->c;
    outlet->Zc = inlet->Zc;
    outlet->p_min = inlet->p_min;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    inlet->q = outlet->q;
    q = -outlet->q;
  }

 private:
  HydraulicPort inlet{this, "inlet", Role::kQ, "End that stands on a volume, a line or a source"};
  HydraulicPort outlet{this, "outlet", Role::kC, "End that feeds a valve or another restriction"};
  Parameter inner_diameter{this,  "inner_diameter", "m", "Inner diameter; counts from Standard on",
                           0.049, kPositive};
  Parameter length{this, "length", "m", "Length; counts from Standard on", 15.0, kPositive};
  Property<int> lumps{this, "lumps", "Cells the pipe is cut into; counts at Advanced, Standard has one", 4,
                      Range{.low = 1, .high = 1000}};
  Parameter wall_thickness{this,  "wall_thickness", "m", "Thickness of the wall; counts at Advanced",
                           0.004, kPositive};
  Parameter wall_modulus{this,  "wall_modulus", "Pa", "Modulus of elasticity of the wall; counts at Advanced",
                         207e9, kPositive};
  Parameter wall_poisson_ratio{this, "wall_poisson_ratio",
                               "",   "Poisson's ratio of the wall; counts at Advanced",
                               0.3,  Range{.low = 0, .high = 0.5}};
  Parameter anchoring_factor{
      this,
      "anchoring_factor",
      "",
      "How the anchoring lets the wall widen (Wylie and Streeter): 1 with expansion joints, "
      "1 - nu/2 anchored upstream, 1 - nu^2 anchored throughout; counts at Advanced",
      0.85,
      kPositive};
  Parameter roughness{this, "roughness", "m", "Roughness of the wall; counts at Advanced",
                      5e-6, kNonNegative};
  Parameter minor_loss{this, "minor_loss",
                       "",   "Sum of the loss coefficients of bends and fittings; counts at Advanced",
                       0.0,  kNonNegative};
  Parameter density{this,  "density", "kg/m3", "Density of the oil; counts from Standard on",
                    861.8, kPositive};
  Parameter kinematic_viscosity{this,   "kinematic_viscosity",
                                "m2/s", "Kinematic viscosity of the oil; counts from Standard on",
                                32e-6,  kPositive};
  Parameter bulk_modulus{this,  "bulk_modulus", "Pa", "Bulk modulus of the oil; counts from Standard on",
                         1.6e9, kPositive};
  StartValue p_start{this, "p", "Pa", "Start pressure inside; counts from Standard on", 1e5};
  Output q{this, "q", "m3/s", "Flow from inlet to outlet"};
};

}  // namespace davit
