#pragma once

#include <optional>

#include "components/mechanism/dynamics/loop.h"
#include "components/mechanism/mechanism_description.h"
#include "components/mechanism/vector_outputs.h"
#include "framework/parameter.h"

namespace davit {

/// A point of a body that the level ground or a deck pushes: a spring with a damper along z, friction across
/// it. Places, velocities and forces are in the axes of what the deck is fixed to: the earth or the base.
class GroundContact {
 public:
  GroundContact(Component* owner, const MechanismDescription::Contact& contact);

  const multibody::Anchor& anchor() const { return anchor_; }
  bool is_on_base() const { return is_on_base_; }
  /// How far a place is below the deck, or below the ground, which is at the height `ground` [m].
  double DepthOf(const multibody::Vector3& place, double ground) const {
    return (deck_height_ ? double{*deck_height_} : ground) - place.z();
  }
  /// The force on the point [N]. Friction is full at speeds far above `slip` [m/s].
  multibody::Vector3 ForceAt(const multibody::Vector3& place, const multibody::Vector3& velocity,
                             double ground, double slip) const;
  /// Writes the outputs.
  void Show(double depth, const multibody::Vector3& force) {
    depth_ = depth;
    force_.Set(force);
  }

 private:
  multibody::Anchor anchor_;
  bool is_on_base_;
  std::optional<Parameter> deck_height_;
  Parameter stiffness_, damping_, friction_;
  Output depth_;
  VectorOutputs force_;
};

}  // namespace davit
