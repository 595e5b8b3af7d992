#include "components/mechanism/ground_contact.h"

#include <algorithm>
#include <cmath>

namespace davit {

using multibody::Vector3;

GroundContact::GroundContact(Component* owner, const MechanismDescription::Contact& contact)
    : anchor_(contact.at),
      is_on_base_(contact.is_deck_on_base),
      stiffness_(owner, owner->Keep(contact.name + "_stiffness"), "N/m",
                 owner->Keep(contact.text + ": stiffness of the ground"), contact.stiffness, kPositive),
      damping_(owner, owner->Keep(contact.name + "_damping"), "s/m",
               owner->Keep(contact.text + ": damping of the ground, per speed of approach"), contact.damping,
               kNonNegative),
      friction_(owner, owner->Keep(contact.name + "_friction"), "",
                owner->Keep(contact.text + ": coefficient of friction"), contact.friction, kNonNegative),
      depth_(owner, owner->Keep(contact.name + "_depth"), "m",
             owner->Keep(contact.text + ": depth in the ground; negative above it")),
      force_(owner, contact.name, "f", "N", contact.text + ": force of the ground") {
  if (contact.deck_height)
    deck_height_.emplace(owner, owner->Keep(contact.name + "_deck_height"), "m",
                         owner->Keep(contact.text + ": height of the deck"), *contact.deck_height);
}

Vector3 GroundContact::ForceAt(const Vector3& place, const Vector3& velocity, double ground,
                               double slip) const {
  const double depth = DepthOf(place, ground);
  Vector3 force = Vector3::Zero();
  if (depth > 0) {
    const double normal = stiffness_ * depth * std::max(0.0, 1 - damping_ * velocity.z());
    const double speed = std::sqrt(velocity.x() * velocity.x() + velocity.y() * velocity.y() + slip * slip);
    const double drag = friction_ * normal / speed;
    force = {-drag * velocity.x(), -drag * velocity.y(), normal};
  }
  return force;
}

}  // namespace davit
