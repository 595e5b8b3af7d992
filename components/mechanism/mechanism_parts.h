#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "components/mechanical/cylinder_travel.h"
#include "components/mechanism/dynamics/loop_derivatives.h"
#include "components/mechanism/dynamics/loop_dynamics.h"
#include "components/mechanism/dynamics/state_derivatives.h"
#include "components/mechanism/frame_outputs.h"
#include "components/mechanism/ground_contact.h"
#include "components/mechanism/hanging_load.h"
#include "components/mechanism/mechanism.h"
#include "components/mechanism/mechanism_description.h"
#include "components/mechanism/shown_point.h"
#include "components/mechanism/vector_outputs.h"
#include "framework/domains/rotational.h"
#include "framework/domains/translational.h"
#include "framework/system.h"

namespace davit {

/// The items and the dynamics of a Mechanism, from its description.
struct Mechanism::Parts {
  static constexpr std::size_t kMostDifferentiated = 300;

  /// What is at a port, if it is a cylinder; found by CheckConnections.
  struct ConnectedCylinder {
    const Component* component = nullptr;
    CylinderTravel::Travel travel;
    /// It has said itself that its start is beyond its stroke; one error is enough.
    bool IsReported(const TranslationalBond& bond) const {
      return component != nullptr && travel.RefusesStart(bond.x_start);
    }
  };
  struct JointPort {
    std::size_t position;
    std::size_t speed;
    double lower, upper;
    std::unique_ptr<RotationalPort> turn;  ///< one of the two
    std::unique_ptr<TranslationalPort> slide;
    ConnectedCylinder cylinder = {};
  };
  struct MountPort {
    MountPort(Mechanism* owner, const MechanismDescription::Mount& mount);

    MechanismDescription::Mount mount;
    std::optional<multibody::JointPath> over;  ///< what spans one joint
    std::optional<std::size_t> on_speed;       ///< its force is one along this speed
    multibody::SpannedJoint::Point point{};    ///< of that
    TranslationalPort port;
    Output length;
    Output force;
    std::optional<Output> lever;    ///< of what spans one joint
    std::deque<ShownPoint> points;  ///< of the path
    ConnectedCylinder cylinder;

    /// Whether the component at the port says how long it is at the start.
    bool IsClosedAtStart() const;
    /// A cylinder without `shortest` has no length of its own.
    bool LacksShortest() const;
    /// Why it cannot have the length that the cylinder says, its ends being `now` apart [m]. `over_a_turn`:
    /// of a mount over one joint that is free to turn.
    std::string WhyOpen(double now, const std::optional<multibody::SpannedJoint::Range>& over_a_turn) const;
  };
  struct JointReaction {
    JointReaction(Mechanism* owner, const MechanismDescription::Reaction& reaction);

    MechanismDescription::Reaction reaction;
    VectorOutputs force, moment;
  };
  /// Of a body: where its joint and its centre of mass are.
  struct BodyPoints {
    BodyPoints(Mechanism* owner, const std::string& name);

    ShownPoint joint, centre;
  };

  struct JointHolding {
    JointHolding(Mechanism* owner, const MechanismDescription::Holding& holding, multibody::JointKind joint);

    std::size_t body;
    Output force;
  };

  struct LoopEnds {
    LoopEnds(Mechanism* owner, const std::string& name);

    ShownPoint at_a, at_b;
  };

  Parts(Mechanism* owner, MechanismDescription description, const LoadAspects* aspects);
  void AddBody(Mechanism* owner, const MechanismDescription::Body& body,
               const multibody::BodyTree::Link& link);

  MechanismDescription description;
  multibody::BodyTree tree;
  multibody::TreeDynamics dynamics;
  multibody::LoopDynamics closed;

  std::deque<StateVariable> positions, speeds;  ///< in the order of the tree
  std::deque<Parameter> masses;                 ///< one for each body
  std::deque<Parameter> frictions;              ///< one for each joint port
  std::deque<JointPort> joint_ports;
  std::deque<MountPort> mount_ports;
  std::deque<FrameOutputs> frames;  ///< of those of the description, in their order
  std::deque<GroundContact> contacts;
  std::deque<JointReaction> reactions;
  std::deque<BodyPoints> points;
  std::deque<LoopEnds> loop_ends;
  std::deque<HangingLoad> loads;
  std::deque<JointHolding> holdings;
  std::optional<ShownPoint> base_point;

  /// Nothing if there are too many speeds for matrices of all of them.
  std::optional<multibody::LoopDerivatives> partials;
  std::optional<multibody::StateDerivatives> states;
  std::vector<multibody::LoopDerivatives::PathLoad> path_loads;
  /// Of one load on a wire.
  struct LoadSlopes {
    HangingLoad::Slopes slopes;
    multibody::TreeDerivatives::PointRows tip;
  };
  std::deque<LoadSlopes> load_slopes;
  Eigen::RowVectorXd by_place, by_speed;  ///< of one force
  const System* system = nullptr;
  bool knows_partials = false;    ///< of all that is read inside of steps
  bool has_reader_inside = true;  ///< of outputs that only show something
  bool is_trial = false;          ///< nobody looks at outputs

  /// Of the last evaluation.
  HangingLoad::Base BaseNow(double gravity) const;
  HangingLoad::Tip TipOf(const HangingLoad& load) const;
  /// As the base sees it.
  HangingLoad::Tip InBase(const HangingLoad::Tip& tip) const;
  HangingLoad::Tip PointOf(const GroundContact& contact) const;
  /// As what the deck is fixed to sees it.
  HangingLoad::Tip OverDeck(const GroundContact& contact, const HangingLoad::Tip& point) const {
    return contact.is_on_base() ? InBase(point) : point;
  }
  bool HasLoadOnWire() const { return !loads.empty() && loads.front().is_on_wire(); }

  // Of one evaluation.
  double time = 0;
  bool is_accelerated = false;  ///< nothing moves freely that has no mass
  multibody::MovingBase base;
  std::vector<double> q, u, q_closed, u_closed, q_rate, u_rate, tau, rotor_inertia;
  std::vector<multibody::Wrench> wrenches, through_joints;
  std::vector<multibody::Wrench> from_outside;    ///< of the wrenches those that the base does not balance
  std::vector<multibody::Wrench> beyond_outside;  ///< through the joints, if nothing else pushed
};

}  // namespace davit
