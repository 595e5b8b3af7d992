#pragma once

#include "framework/scene.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Planar slider crank with a spring and damper between the middles of crank and rod. Index 1: the
/// constraints are stated for accelerations.
class SliderCrank final : public DynamicSimComponent, public MechanismPart, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.SliderCrank",
      .text = "Crank, rod and slider as rigid bodies with constraint forces",
      .equations = R"(
Unknowns: crank angle q, slider position x, rod angle p, their velocities, constraint forces l1, l2.
J1*q'' = Q_q - (G^T l)_q,  m*x'' = Q_x - (G^T l)_x,  J2*p'' = Q_p - (G^T l)_p
0 = Phi = (x - cos p - a*cos q, -sin p - a*sin q),  G = dPhi/d(q, x, p); rod of length 1
solved as 0 = G*acc + G'*vel + 2*w*G*vel + w^2*Phi, w = stabilization [Baumgarte 1972]: Phi then
decays as (1 + w*t)*exp(-w*t) instead of growing. The equation is of index 1.
A spring k, l0 and a damper c join the middles of crank and rod, the force F pushes the slider.
The problem is the slider crank example of SUNDIALS IDA.
# Assumptions and limits
- A planar mechanism of rigid bodies, without gravity and without friction in the joints.
- The masses of crank and rod act only by their moments of inertia; the slider alone has a mass.
- With a crank longer than the rod it cannot turn full circle.
)",
  };

  void EvaluateAlgebraicEquations(double t) override;
  void DescribeScene(SceneBuilder& scene) const override;
  void AccountEnergy(EnergyTerms& terms) const override;

 private:
  /// Of the spring between the middles.
  struct SpringMotion {
    double length;
    double rate;
  };
  SpringMotion Spring() const;
  /// G*vel, 0 but for errors of the solution.
  double ErrorRate1() const;
  double ErrorRate2() const;

  Parameter a{this, "crank_length", "m", "Length of the crank; the rod has length 1 m", 0.5, kPositive};
  Parameter J1{this, "crank_inertia", "kg.m2", "Inertia of the crank", 1.0, kPositive};
  Parameter J2{this, "rod_inertia", "kg.m2", "Inertia of the rod", 2.0, kPositive};
  Parameter m{this, "slider_mass", "kg", "Mass of the slider", 1.0, kPositive};
  Parameter k{this, "stiffness", "N/m", "Spring rate", 1.0, kNonNegative};
  Parameter c{this, "damping", "N.s/m", "Damping of the spring", 1.0, kNonNegative};
  Parameter l0{this, "free_length", "m", "Length of the relaxed spring", 1.0, kPositive};
  Parameter F{this, "force", "N", "Force on the slider", 1.0};
  Parameter w{this, "stabilization", "1/s", "Rate at which errors of the constraints decay",
              Number{.value = 10, .range = kNonNegative}};
  StateVariable q{this, "q", "", "Angle of the crank (radians)", 1.5707963267948966};
  StateVariable x{this, "x", "m", "Position of the slider", 0.86602540378443865};
  StateVariable p{this, "p", "", "Angle of the rod (radians)", -0.52359877559829887};
  StateVariable vq{this, "q_dot", "1/s", "Speed of the crank"};
  StateVariable vx{this, "x_dot", "m/s", "Speed of the slider"};
  StateVariable vp{this, "p_dot", "1/s", "Speed of the rod"};
  AlgebraicVariable l1{this, "lambda_1", "N", "Force that keeps the rod on the slider, along x"};
  AlgebraicVariable l2{this, "lambda_2", "N", "Force that keeps the slider on its line"};
  Output pin_x{this, "pin_x", "m", "Pin of crank and rod, along the line of the slider", OutputUse::kDrawing};
  Output pin_z{this, "pin_z", "m", "Pin of crank and rod, across that line", OutputUse::kDrawing};
};

}  // namespace davit
