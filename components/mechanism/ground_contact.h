#pragma once

#include "components/mechanism/dynamics/loop.h"
#include "components/mechanism/mechanism_description.h"
#include "components/mechanism/vector_outputs.h"
#include "framework/parameter.h"

namespace davit {

/// A point of a body that the level ground pushes: a spring with a damper upwards, friction along the
/// ground.
class GroundContact {
 public:
  GroundContact(Component* owner, const MechanismDescription::Contact& contact);

  const multibody::Anchor& anchor() const { return anchor_; }
  /// The force of ground at height `ground` [m] on the point [N]. Friction is full at speeds far above `slip`
  /// [m/s].
  multibody::Vector3 ForceAt(const multibody::Vector3& place, const multibody::Vector3& velocity,
                             double ground, double slip) const;
  /// Writes the outputs.
  void Show(double depth, const multibody::Vector3& force) {
    depth_ = depth;
    force_.Set(force);
  }

 private:
  multibody::Anchor anchor_;
  Parameter stiffness_, damping_, friction_;
  Output depth_;
  VectorOutputs force_;
};

}  // namespace davit
