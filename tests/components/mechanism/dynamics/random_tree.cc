#include "tests/components/mechanism/dynamics/random_tree.h"

#include <Eigen/Geometry>

namespace davit::multibody {

Vector3 Draw::Vector(double size) {
  const double x = Number(-size, size), y = Number(-size, size);
  return {x, y, Number(-size, size)};
}

Vector3 Draw::Direction() {
  Vector3 direction = Vector(1);
  while (direction.norm() < 0.1) direction = Vector(1);
  return direction.normalized();
}

Matrix3 Draw::Rotation() {
  const Vector3 axis = Direction();
  return Eigen::AngleAxisd(Number(-3, 3), axis).toRotationMatrix();
}

RigidBody Draw::Body() {
  const double mass = Number(1, 5);
  const Vector3 centre = Vector(0.5);
  // Of a box with these edges.
  const double a = Number(0.1, 1), b = Number(0.1, 1), c = Number(0.1, 1);
  const Vector3 moments = mass / 12 * Vector3(b * b + c * c, a * a + c * c, a * a + b * b);
  const Matrix3 R = Rotation();
  return {.mass = mass, .centre = centre, .inertia = R * moments.asDiagonal() * R.transpose()};
}

RandomTree::RandomTree(std::size_t bodies, unsigned seed, bool is_chain) {
  Draw draw(seed);
  for (std::size_t i = 0; i < bodies; ++i) {
    const std::size_t chosen = is_chain || i == 0 ? i : draw.Index(i + 1);
    const std::size_t carrier = chosen == 0 ? BodyTree::kBase : chosen - 1;
    const auto kind = static_cast<JointKind>(draw.Index(kJointKindNames.size()));
    const Pose at{draw.Rotation(), draw.Vector(1)};
    const Vector3 axis = draw.Direction();
    Vector3 second = draw.Direction();
    while (axis.cross(second).norm() < 0.1) second = draw.Direction();
    tree.Add(carrier, at, Joint(kind, axis, second), draw.Body());
  }
  const auto fill = [&](std::vector<double>& values, std::size_t size, double low, double high) {
    values.resize(size);
    for (double& value : values) value = draw.Number(low, high);
  };
  fill(q, tree.positions(), -1, 1);
  fill(u, tree.speeds(), -1, 1);
  fill(tau, tree.speeds(), -20, 20);
  fill(rotor_inertia, tree.speeds(), 0, 1);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const Joint& joint = tree[i].joint;
    if (!joint.has_quaternion()) continue;
    Eigen::Map<Eigen::Vector4d> quaternion(&q[tree[i].position_begin + joint.quaternion_begin()]);
    while (quaternion.norm() < 0.1) quaternion.setConstant(draw.Number(-1, 1));
    quaternion.normalize();
  }
  wrenches.reserve(bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    const Vector3 moment = draw.Vector(10);
    wrenches.push_back({moment, draw.Vector(10)});
  }
  base = {.pose = {draw.Rotation(), draw.Vector(2)},
          .velocity = {draw.Vector(1), draw.Vector(1)},
          .acceleration = {draw.Vector(1), draw.Vector(1)},
          .gravity = draw.Vector(9.81)};
}

}  // namespace davit::multibody
