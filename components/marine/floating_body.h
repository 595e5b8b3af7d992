#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "components/marine/laws/hull.h"
#include "components/marine/motion_outputs.h"
#include "components/marine/motion_source.h"
#include "framework/tree/item_element.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// A vessel that yields to the loads on it.
class FloatingBody final : public DynamicSimComponent, public ItemTaker, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "marine.FloatingBody",
      .text = "Motion of a vessel that yields to its load",
      .equations = R"(
eta = eta_0 + s,  (M + A)*s'' + B*s' + C*s + r = -J^T*w
eta_0 is the motion of the nearest marine.Vessel or marine.RecordedMotion, in the same system or in one above; 0 without
one. s is by how much the vessel yields. The waves act as on the vessel without load, so without load s = 0.
w is the force fx, fy, fz and the moment mx, my, mz of the vessel on its load, in the axes of the vessel
and about the point x, y, z: the outputs of a Reaction of mechanism.Mechanism. J turns rates of roll, pitch and yaw into
angular velocity, with R = Rz(yaw)*Ry(pitch)*Rx(roll).
The outputs have the names of the inputs that move the base of a mechanism.Mechanism.
## Matrices
M is Mass, A AddedMass at infinite frequency, B Damping, C Stiffness (hydrostatic, and mooring). Each element is a row:
  <Mass degree="heave" heave="4000 t" pitch="2e6 kg.m"/>
  <Stiffness degree="roll" roll="4e8 N.m/rad"/>
Missing entries are 0. An entry on one side of the diagonal counts for both. A degree of freedom without a mass has s = 0.
## Radiation
  <Radiation force="heave" motion="heave" a="-0.5 1 -1 0" b="1e6 0" c="1 0"/>
r_i = c*z,  z' = a*z + b*s_j', with a row by row, all numbers in SI, and i and j the degrees of freedom force and motion.
## Coupling
Accelerations s'' are unknowns of the solver, so a mechanism may be heavy compared with the vessel. Routes to and from it
need hold="none"; without it the load is that of the last communication point, which is stable only if it is light.
# Assumptions and limits
- Small motions: the matrices are constant, in axes that do not turn with the vessel, about the origin of the responses.
- The matrices and responses are those of the vessel without the load, in the pose and at the draught of the responses.
- No viscous roll damping but that in B; no drift, and no mooring but that in C: without stiffness, surge, sway and yaw drift.
- Radiation has to be passive, which only its stability is checked for.
- A marine.MotionReferenceUnit measures s only if it is routed to it.
)",
  };

  FloatingBody();

  std::vector<std::string> ItemKinds() const override { return HullElements(); }
  std::string_view ExampleItems() const override {
    return "<Mass degree=\"heave\" heave=\"4000 t\"/>\n"
           "<AddedMass degree=\"heave\" heave=\"5000 t\"/>\n"
           "<Damping degree=\"heave\" heave=\"3e6 N.s/m\"/>\n"
           "<Stiffness degree=\"heave\" heave=\"1.2e7 N/m\"/>\n";
  }
  void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& registry,
                 Diagnostics& diagnostics) override;
  const std::vector<ItemElement>& items() const override { return items_; }
  void Configure(Diagnostics& diagnostics) override;
  void Link(System& system, Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void EvaluateEfforts(double t) override;
  void EvaluateAlgebraicEquations(double t) override;
  double NextBreakTime(double t) const override;
  /// Of the motion s. What the load gives to the motion in the waves, w*eta_0', is work of the waves.
  void AccountEnergy(EnergyTerms& terms) const override;

 private:
  /// How far one degree of freedom yields.
  struct Shift {
    Shift(DynamicSimComponent* owner, Text name, Text rate_name, Text acceleration_name, bool is_turn);

    StateVariable value, rate;
    AlgebraicVariable acceleration;
  };

  Hull::Vector Values() const;
  Hull::Vector Rates() const;
  /// -J' w: what stands on the vessel does to its six coordinates.
  Hull::Vector LoadOnCoordinates() const;

  Input fx{this, "fx", "N", "Force of the vessel on its load, along x"};
  Input fy{this, "fy", "N", "Along y"};
  Input fz{this, "fz", "N", "Along z"};
  Input mx{this, "mx", "N.m", "Moment on it about x"};
  Input my{this, "my", "N.m", "About y"};
  Input mz{this, "mz", "N.m", "About z"};
  Parameter x{this, "x", "m", "Place where the force acts, forward of the origin", 0};
  Parameter y{this, "y", "m", "To port", 0};
  Parameter z{this, "z", "m", "Above it", 0};
  MotionOutputs motion_{this, WrittenBy::kEfforts};
  Output kinetic_energy{this, "kinetic_energy", "J", "(M + A)*s'^2/2"};
  Output potential_energy{this, "potential_energy", "J", "C*s^2/2"};
  std::array<Shift, 6> shifts_;
  StateVariableArray radiation{this, "radiation", "", "States z of the radiation", 0.0};

  std::vector<ItemElement> items_;
  Hull hull_;
  const MotionSource* source_ = nullptr;
  std::function<MotionSource::Motion(double)> waves_;  ///< empty without a source
  /// Of the last EvaluateEfforts; not of the state of a run.
  std::unique_ptr<MotionSource::Motion> total_ = std::make_unique<MotionSource::Motion>();
};

}  // namespace davit
