#pragma once

#include <numbers>

#include "components/mechanism/dynamics/spanned_joint.h"
#include "tests/components/crane/hand_derived_crane.h"

namespace davit {

constexpr double kDegree = std::numbers::pi / 180;

/// The textbook crane of 10 t that the check values of the tests belong to.
inline CraneBody TextbookCrane(double payload = 10000) {
  CraneBody body;
  body.pivot_radius = 0.6;
  body.pivot_height = 4;
  body.king_inertia = 2e4;
  body.boom = {.length = 10, .mass = 5000, .center = 4.5, .inertia = 5000 * 100 / 12.0};
  body.knuckle = {.length = 7, .mass = 2500, .center = 3, .inertia = 2500 * 49 / 12.0};
  body.tip_mass = payload;
  return body;
}

inline multibody::SpannedJoint TextbookBoomMount() {
  return {-multibody::Vector3::UnitY(), {0.9, 0, -2.6}, {3.6, 0, -0.55}};
}
/// The foot is 6.2 m out on the boom, the joint at 10 m.
inline multibody::SpannedJoint TextbookKnuckleMount() {
  return {-multibody::Vector3::UnitY(), {6.2 - 10, 0, -0.75}, {1.15, 0, -0.75}};
}

}  // namespace davit
