#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "components/mechanism/dynamics/body_tree.h"
#include "components/mechanism/dynamics/tree_dynamics.h"

namespace davit::multibody {

/// A tree with a state, forces and a moving base, all of them random and of the size of a machine.
struct RandomTree {
  BodyTree tree;
  MovingBase base;
  std::vector<double> q, u, tau, rotor_inertia;
  std::vector<Wrench> wrenches;

  /// `is_chain`: each body is carried by the one before.
  RandomTree(std::size_t bodies, unsigned seed, bool is_chain = false);
};

/// Numbers from one seed.
class Draw {
 public:
  explicit Draw(unsigned seed) : generator_(seed) {}

  double Number(double low, double high) {
    return low + (high - low) * static_cast<double>(generator_() - decltype(generator_)::min()) /
                     static_cast<double>(decltype(generator_)::max() - decltype(generator_)::min());
  }
  std::size_t Index(std::size_t size) { return generator_() % size; }
  Vector3 Vector(double size);
  Vector3 Direction();
  Matrix3 Rotation();
  /// Positive definite, and such that its principal moments are those of a body.
  RigidBody Body();

 private:
  std::mt19937 generator_;
};

}  // namespace davit::multibody
