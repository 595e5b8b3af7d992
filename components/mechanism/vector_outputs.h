#pragma once

#include <Eigen/Core>
#include <string>

#include "framework/component.h"
#include "framework/signal.h"

namespace davit {

/// A vector as three outputs, such as NAME_vx, NAME_vy, NAME_vz.
class VectorOutputs {
 public:
  /// `symbol` is `v` for these names; it may be empty.
  VectorOutputs(Component* owner, const std::string& name, const std::string& symbol, Text unit,
                const std::string& text, OutputUse use = OutputUse::kResult)
      : x_(owner, owner->Keep(name + "_" + symbol + "x"), unit, owner->Keep(text + ", x"), use),
        y_(owner, owner->Keep(name + "_" + symbol + "y"), unit, owner->Keep(text + ", y"), use),
        z_(owner, owner->Keep(name + "_" + symbol + "z"), unit, owner->Keep(text + ", z"), use) {}

  void Set(const Eigen::Vector3d& value) {
    x_ = value.x();
    y_ = value.y();
    z_ = value.z();
  }

 private:
  Output x_, y_, z_;
};

}  // namespace davit
