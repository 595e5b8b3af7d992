#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/mechanism/base_inputs.h"
#include "components/mechanism/dynamics/tree_derivatives.h"
#include "components/mechanism/ground_contact.h"
#include "components/mechanism/mechanism_elements.h"
#include "framework/scene.h"
#include "framework/tree/item_element.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/partial_derivatives.h"
#include "simulator/sparing_evaluations.h"

namespace davit {

struct LoadAspects;

/// Rigid bodies with joints, described in the system file; cylinders, motors and springs connect to it.
class Mechanism : public DynamicSimComponent,
                  public ItemTaker,
                  public ElementsDescribed,
                  public MechanismPart,
                  public EnergyAccount,
                  public SparingEvaluations {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanism.Mechanism",
      .text = "Rigid bodies with joints and loops, as elements of the system file",
      .equations = R"(
elements inside, in any order (docs/mechanisms.md):
  <Body name= on= at= turned= joint= axis= second_axis= mass= centre= inertia= friction= start= lower= upper=/>
      a body and the joint that carries it on another body, or on the base
  <Urdf src= on= at= turned=/>                     the bodies of a URDF file, its first link fixed to a body
  <Frame name= on= at= turned=/>                   a frame whose place, direction and motion are outputs
  <Mount name= a= a_at= b= b_at= shortest=/>       a port for a cylinder between two points
  <Mount name= a= a_at= via= b= b_at=/>            the same for a wire over the frames that via= names
  <Loop name= a= a_at= b= b_at= joint= axis=/>     closes a loop by a joint, or with distance= by a rod
  <Contact name= on= at= stiffness= damping= friction=/>   a point that the level ground pushes
  <Contact name= on= at= deck_height= deck_on=/>   the same for a deck, over the earth or on the base
  <Reaction name= of=/>                            force and moment of a joint, a loop or the base
  <Holding name= of=/>                             what holds the joint of a body against the weights
  <Rename name= of=/>                              another name for an item
joint: fixed, revolute, prismatic, cylindrical, universal, spherical, planar, free.
## Equations
u' = M^-1*(tau - h + J'*lambda) by the articulated-body algorithm, without forming M
[Featherstone 2008];  q' = N(q)*u.
Implicit methods get the derivatives of u' and q' in closed form [Carpentier 2018].
lambda closes the loops:  phi'' = 0  for each of their equations phi = 0. q and u are first projected to phi = phi' = 0;
q' and u' have the terms  -loop_decay*(q - q_projected)  and  -loop_decay*(u - u_projected).
tau_k = F - friction*u_k of a joint with one speed, F the force or torque at its port.
The base moves by surge .. yaw, with R = Rz(yaw)*Ry(pitch)*Rx(roll). Give rates and accelerations that match.
## Ports
Port of a revolute joint:  angle = -q,  w = -u.  Port of a prismatic joint:  x = -q,  v = -u
Port of a mount:  x = l0 - l,  v = -l'
l is the distance of the ends of a mount, along its frames of via, l0 its attribute shortest. F > 0 pushes the ends apart. Masses and inertias
that components at ports move along are added. Limits of joints, and those that a component at a mount sets, are elastic
stops here:  F_stop = stop_stiffness*depth*(1 + stop_damping*depth')
A revolute joint has angle_stop_stiffness instead.
## Contacts
F_z = stiffness*depth*(1 + damping*depth'), never below 0;  F_xy = -friction*F_z*v_xy/sqrt(v_xy^2 + slip_speed^2)
v_xy is the velocity of the point along the ground, depth how far it is below the height ground, or below deck_height.
With deck_on="base" the deck moves with the base: depth, v_xy and F are in its frame, and -F acts on the base.
## Start
Loops, and mounts and prismatic joints whose cylinder has a start displacement, are closed before the run. The search begins at the
attribute start of each joint and moves them as little as it takes. What a Start element gives stays.
# Assumptions and limits
- Bodies are rigid, and joints have no play. Their friction is viscous.
- The motion of the base is given. A Reaction of the base moves a marine.FloatingBody that moves the base.
- Ports belong to joints of one speed and to mounts.
- Gravity is constant and acts along -z.
)",
  };

  Mechanism();
  ~Mechanism() override;

  std::vector<std::string> ItemKinds() const override;
  std::span<const ElementKind> InnerElements() const override { return MechanismElements(); }
  std::string_view ExampleItems() const override {
    return "<Body name=\"boom\" joint=\"revolute\" axis=\"0 -1 0\" mass=\"500 kg\" centre=\"2 0 0 m\" "
           "inertia=\"10 700 700 kg.m2\" start=\"30 deg\"/>\n"
           "<Mount name=\"lift\" a=\"base\" a_at=\"1 0 -1 m\" b=\"boom\" b_at=\"1.5 0 0 m\"/>\n"
           "<Frame name=\"tip\" on=\"boom\" at=\"4 0 0 m\"/>\n";
  }
  void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& registry,
                 Diagnostics& diagnostics) override;
  const std::vector<ItemElement>& items() const override { return items_; }
  std::vector<std::string> refused_items() const override;
  std::string RemedyForElement(std::string_view kind) const override;
  std::string RemedyForDomain(const Domain& other) const override;

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Link(System& system, Diagnostics& diagnostics) override;
  void AspectsChanged(AspectSwitch& change) override;
  void Reset() override;
  void EvaluateEfforts(double t) override;
  void EvaluateDiffEquations(double t) override;
  bool WritePartials(PartialDerivatives& partials) const override;
  void DescribeScene(SceneBuilder& scene) const override;
  void AccountEnergy(EnergyTerms& terms) const override;
  void SetTrial(bool is_trial) override;

 protected:
  /// Makes `<Load>` elements usable. `aspects` must outlive this.
  void CarryLoads(const LoadAspects* aspects) { load_aspects_ = aspects; }
  /// The largest value of `share` of a load: its mass, that of all bodies, the acceleration and the speed of
  /// its tip, the angle of its wire.
  double SwingOfLoads() const;
  double DragOfLoads() const;
  /// The largest share of its weight of a load that a deck and the water carry.
  double CarriedOfLoads() const;

 private:
  struct Parts;

  /// The positions and speeds of the states.
  void ReadStates();
  /// Something wrong with the start, and where.
  struct StartFault {
    SourceLocation location;
    std::string text;
  };
  /// Closes loops and mounts from the start values. Gives what does not close; nothing if all do.
  std::optional<StartFault> Assemble();
  void FindCylinders();
  /// The cylinders at mounts and prismatic joints, after Assemble.
  void CheckCylinders(Diagnostics& diagnostics) const;
  /// Gives items the names that the elements say.
  void RenameItems(Diagnostics& diagnostics);
  /// Two items of one name, which can come from two elements.
  void CheckNames(Diagnostics& diagnostics);
  /// Writes into the ports what mass each of them feels.
  void ShowFeltMasses();
  /// How an elastic stop beyond limits pushes back, positive along -x, and the derivatives of that.
  struct StopPush {
    double force = 0, by_x = 0, by_v = 0;
  };
  StopPush StopAt(double x, double lower, double upper, double v, double stiffness) const;
  /// Of the force at a mount over the x and v of its bond.
  StopPush MountSlopes(std::size_t i) const;
  /// Of the length of a mount.
  double SecondRate(std::size_t i) const;
  /// On its point, by the place and velocity of that, all in the world [N].
  multibody::Vector3 ContactForce(const GroundContact& contact, const multibody::Vector3& place,
                                  const multibody::Vector3& velocity) const;
  multibody::TreeDerivatives::PointForce ContactSlopes(const GroundContact& contact) const;
  void AddForcesOfPorts() const;
  void WriteStates(PartialDerivatives& partials) const;
  void WriteJoints(PartialDerivatives& partials) const;
  void WriteMounts(PartialDerivatives& partials) const;
  /// Whether a route reads an output that ShowOutputs writes.
  bool HasReaderInside() const;
  /// Whether nobody reads, inside of steps, an output whose partial derivatives are not known.
  bool KnowsPartials() const;
  /// What the ports and limits of joints do: forces and masses along the speeds.
  void CollectJointForces();
  /// The masses at mounts over one joint.
  void AddMountMasses();
  /// What the ports of mounts do: wrenches on bodies, and masses along the mounts.
  void CollectMountForces();
  /// What the ground and decks do.
  void CollectContactForces();
  /// What loads on wires do, and what happens to them.
  void CollectLoadForces();
  /// Hangs the loads on their wires, as on a base at rest.
  void HangLoads();
  void WriteLoads(PartialDerivatives& partials) const;
  /// Makes the closed positions and speeds of those of the states, and moves the bodies there. Gives the
  /// largest error of a loop before; nothing where nothing resists a speed.
  std::optional<double> CloseLoops();
  /// Outputs that no equation of the mechanism reads, after the accelerations are known.
  void ShowOutputs();
  void ShowLoads();
  void ShowEnergies();
  void ShowHoldings();
  void ShowReactions();
  /// What the base does to all that stands on it, in the world and about the origin of the base, as of the
  /// last evaluation.
  multibody::Wrench ReactionOfBase() const;

  Parameter gravity_{this, "gravity", "m/s2", "Acceleration of gravity, along -z", 9.81, kNonNegative};
  Parameter loop_decay_{this, "loop_decay", "1/s", "How fast errors of the loops decay", 100, kPositive};
  Parameter stop_stiffness_{this,  "stop_stiffness",
                            "N/m", "Stiffness of the limits of mounts and prismatic joints",
                            1e8,   kPositive};
  Parameter angle_stop_stiffness_{
      this, "angle_stop_stiffness", "N.m/rad", "Stiffness of the limits of revolute joints", 1e7, kPositive};
  Parameter stop_damping_{this, "stop_damping", "s/m", "Damping of these stops, per speed of approach",
                          1,    kNonNegative};
  Parameter ground_{this, "ground", "m", "Height of the ground that contacts touch", 0};
  Parameter slip_speed_{this,  "slip_speed",
                        "m/s", "Speed above which the friction of contacts is nearly full",
                        0.01,  kPositive};
  BaseInputs base_{this};
  Output kinetic_energy_{this, "kinetic_energy", "J", "Kinetic energy of the bodies"};
  Output potential_energy_{this, "potential_energy", "J",
                           "Potential energy of the bodies; 0 with their centres of mass at height 0"};
  Output loop_error_{this, "loop_error", "",
                     "Largest error of an equation of the loops: a distance in m, or the sine of an angle"};
  std::vector<ItemElement> items_;
  const LoadAspects* load_aspects_ = nullptr;
  std::unique_ptr<Parts> parts_;
};

}  // namespace davit
