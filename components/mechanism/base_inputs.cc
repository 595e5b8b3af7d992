#include "components/mechanism/base_inputs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace davit {

using multibody::Matrix3;
using multibody::Vector3;

BaseInputs::Degree::Degree(Component* owner, Text name, Text unit, Text rate_name, Text rate_unit,
                           Text acceleration_name, Text acceleration_unit, Text text)
    : value(owner, name, unit, text),
      rate(owner, rate_name, rate_unit, "Its rate"),
      acceleration(owner, acceleration_name, acceleration_unit, "Its acceleration") {}

BaseInputs::BaseInputs(Component* owner)
    : degrees_{Degree(owner, "surge", "m", "surge_rate", "m/s", "surge_acceleration", "m/s2", "Base along x"),
               Degree(owner, "sway", "m", "sway_rate", "m/s", "sway_acceleration", "m/s2", "Base along y"),
               Degree(owner, "heave", "m", "heave_rate", "m/s", "heave_acceleration", "m/s2", "Base along z"),
               Degree(owner, "roll", "rad", "roll_rate", "rad/s", "roll_acceleration", "rad/s2",
                      "Base about x, first"),
               Degree(owner, "pitch", "rad", "pitch_rate", "rad/s", "pitch_acceleration", "rad/s2",
                      "Base about y, second"),
               Degree(owner, "yaw", "rad", "yaw_rate", "rad/s", "yaw_acceleration", "rad/s2",
                      "Base about z, third")} {}

bool BaseInputs::IsAnySet() const {
  return std::ranges::any_of(degrees_, [](const Degree& degree) {
    return degree.value != 0 || degree.rate != 0 || degree.acceleration != 0;
  });
}

multibody::MovingBase BaseInputs::Motion(double gravity) const {
  const auto& [surge, sway, heave, roll, pitch, yaw] = degrees_;
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  const Matrix3 Rx = Eigen::AngleAxisd(roll.value, x).toRotationMatrix();
  const Matrix3 Ry = Eigen::AngleAxisd(pitch.value, y).toRotationMatrix();
  const Matrix3 Rz = Eigen::AngleAxisd(yaw.value, z).toRotationMatrix();
  const Matrix3 R = Rz * Ry * Rx;
  // In the world: the axis of pitch is turned by yaw, that of roll by both.
  const Vector3 pitch_axis = Rz * y, roll_axis = Rz * Ry * x;
  const Vector3 w_yaw = yaw.rate * z, w_pitch = w_yaw + pitch.rate * pitch_axis;
  const Vector3 w = w_pitch + roll.rate * roll_axis;
  const Vector3 w_rate = yaw.acceleration * z + pitch.acceleration * pitch_axis +
                         pitch.rate * w_yaw.cross(pitch_axis) + roll.acceleration * roll_axis +
                         roll.rate * w_pitch.cross(roll_axis);
  const Vector3 v(surge.rate, sway.rate, heave.rate);
  const Vector3 a(surge.acceleration, sway.acceleration, heave.acceleration);
  // The acceleration of a frame is that of the point at its origin less w x v.
  return {.pose = {R, {surge.value, sway.value, heave.value}},
          .velocity = {w, v},
          .acceleration = {w_rate, a - w.cross(v)},
          .gravity = {0, 0, -gravity}};
}

}  // namespace davit
