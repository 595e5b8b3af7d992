#include "components/mechanism/frame_outputs.h"

#include <algorithm>
#include <cmath>

namespace davit {

FrameOutputs::FrameOutputs(Component* owner, const std::string& name, const std::string& text)
    : place_(owner, name, text, OutputUse::kResult),
      roll_(owner, owner->Keep(name + "_roll"), "rad", owner->Keep(text + ": turned about x, first")),
      pitch_(owner, owner->Keep(name + "_pitch"), "rad", owner->Keep(text + ": turned about y, second")),
      yaw_(owner, owner->Keep(name + "_yaw"), "rad", owner->Keep(text + ": turned about z, third")),
      velocity_(owner, name, "v", "m/s", text + ": velocity"),
      angular_velocity_(owner, name, "w", "rad/s", text + ": angular velocity"),
      acceleration_(owner, name, "a", "m/s2", text + ": acceleration") {}

void FrameOutputs::Set(const multibody::AnchorMotion& motion) {
  const multibody::Matrix3& R = motion.pose.R;
  place_.Set(motion.pose.p);
  roll_ = std::atan2(R(2, 1), R(2, 2));
  pitch_ = std::asin(std::clamp(-R(2, 0), -1.0, 1.0));
  yaw_ = std::atan2(R(1, 0), R(0, 0));
  velocity_.Set(motion.v);
  angular_velocity_.Set(motion.w);
  acceleration_.Set(motion.a);
}

}  // namespace davit
