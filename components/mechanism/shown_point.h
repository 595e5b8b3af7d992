#pragma once

#include <Eigen/Core>
#include <string>

#include "framework/scene.h"
#include "framework/signal.h"

namespace davit {

/// A point of a mechanism in the frame of the earth, as three outputs NAME_x, NAME_y, NAME_z.
class ShownPoint {
 public:
  ShownPoint(Component* owner, const std::string& name, const std::string& text,
             OutputUse use = OutputUse::kDrawing)
      : x_(owner, owner->Keep(name + "_x"), "m", owner->Keep(text + ", forward in the frame of the earth"),
           use),
        y_(owner, owner->Keep(name + "_y"), "m", owner->Keep(text + ", to port"), use),
        z_(owner, owner->Keep(name + "_z"), "m", owner->Keep(text + ", upwards"), use) {}

  void Set(const Eigen::Vector3d& place) {
    x_ = place.x();
    y_ = place.y();
    z_ = place.z();
  }
  ScenePoint scene() const { return {x_, y_, z_}; }

 private:
  Output x_, y_, z_;
};

}  // namespace davit
