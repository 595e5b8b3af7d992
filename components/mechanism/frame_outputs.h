#pragma once

#include <string>

#include "components/mechanism/dynamics/loop.h"
#include "components/mechanism/shown_point.h"
#include "components/mechanism/vector_outputs.h"

namespace davit {

/// Place, direction, velocity and acceleration of a frame, seen from the earth.
///
/// The direction is given as for the base: roll about x first, then pitch about y, then yaw about z. At a
/// pitch of 90 degrees only the sum or the difference of roll and yaw has a meaning.
class FrameOutputs {
 public:
  FrameOutputs(Component* owner, const std::string& name, const std::string& text);

  void Set(const multibody::AnchorMotion& motion);
  ScenePoint scene() const { return place_.scene(); }

 private:
  ShownPoint place_;
  Output roll_, pitch_, yaw_;
  VectorOutputs velocity_, angular_velocity_, acceleration_;
};

}  // namespace davit
