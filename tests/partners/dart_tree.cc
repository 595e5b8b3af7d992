#include "tests/partners/dart_tree.h"

#include <Eigen/Geometry>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <iostream>

namespace davit {
namespace {

namespace dynamics = dart::dynamics;
using Joint = PartnerLink::Joint;

Eigen::Isometry3d PoseOf(const Eigen::Matrix3d& R, const Eigen::Vector3d& p) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = R;
  pose.translation() = p;
  return pose;
}

Eigen::VectorXd VectorOf(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

struct DartTree::Parts {
  dynamics::SkeletonPtr skeleton = dynamics::Skeleton::create();
  std::vector<dynamics::BodyNode*> bodies;

  template <class JointType>
  JointType* Add(dynamics::BodyNode* carrier, const dynamics::Inertia& inertia) {
    const auto [joint, body] = skeleton->createJointAndBodyNodePair<JointType>(carrier);
    body->setInertia(inertia);
    bodies.push_back(body);
    return joint;
  }

  dynamics::Joint* AddJoint(const PartnerLink& link, dynamics::BodyNode* carrier,
                            const dynamics::Inertia& inertia) {
    switch (link.joint) {
      case Joint::kFixed: return Add<dynamics::WeldJoint>(carrier, inertia);
      case Joint::kRevolute: {
        auto* joint = Add<dynamics::RevoluteJoint>(carrier, inertia);
        joint->setAxis(link.axis);
        return joint;
      }
      case Joint::kPrismatic: {
        auto* joint = Add<dynamics::PrismaticJoint>(carrier, inertia);
        joint->setAxis(link.axis);
        return joint;
      }
      case Joint::kCylindrical: {  // of DART's joints, only that of a screw combines these, and it is one
                                   // speed
        const auto [slide, nothing] = skeleton->createJointAndBodyNodePair<dynamics::PrismaticJoint>(carrier);
        nothing->setInertia({0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Zero()});
        slide->setAxis(link.axis);
        slide->setTransformFromParentBodyNode(PoseOf(link.R, link.p));
        slide->setPosition(0, link.q[1]);
        slide->setVelocity(0, link.u[1]);
        auto* joint = Add<dynamics::RevoluteJoint>(nothing, inertia);
        joint->setAxis(link.axis);
        return joint;
      }
      case Joint::kUniversal: {
        auto* joint = Add<dynamics::UniversalJoint>(carrier, inertia);
        joint->setAxis1(link.axis);
        joint->setAxis2(link.second_axis);
        return joint;
      }
      case Joint::kSpherical: return Add<dynamics::BallJoint>(carrier, inertia);
      case Joint::kPlanar: {
        auto* joint = Add<dynamics::PlanarJoint>(carrier, inertia);
        joint->setArbitraryPlane(link.second_axis, link.third_axis);
        return joint;
      }
      case Joint::kFree: return Add<dynamics::FreeJoint>(carrier, inertia);
    }
    return nullptr;
  }

  void Add(const PartnerLink& link) {
    dynamics::BodyNode* carrier = link.carrier < 0 ? nullptr : bodies[static_cast<std::size_t>(link.carrier)];
    dynamics::Joint* joint = AddJoint(link, carrier, {link.mass, link.centre, link.inertia});
    const std::vector<double>&q = link.q, &u = link.u;
    if (link.joint == Joint::kCylindrical) {
      joint->setPosition(0, q[0]);
      joint->setVelocity(0, u[0]);
      return;
    }
    joint->setTransformFromParentBodyNode(PoseOf(link.R, link.p));
    if (link.joint == Joint::kSpherical || link.joint == Joint::kFree) {
      const std::size_t at = link.joint == Joint::kFree ? 3 : 0;  // of the quaternion
      const Eigen::Matrix3d R = Eigen::Quaterniond(q[at], q[at + 1], q[at + 2], q[at + 3]).toRotationMatrix();
      const Eigen::Vector3d w(u[at], u[at + 1], u[at + 2]);
      if (at == 0) {
        joint->setPositions(dynamics::BallJoint::convertToPositions(R));
        joint->setVelocities(w);
      } else {
        joint->setPositions(dynamics::FreeJoint::convertToPositions(PoseOf(R, {q[0], q[1], q[2]})));
        Eigen::VectorXd in_body(6);  // DART's velocity is in the body
        in_body << w, R.transpose() * Eigen::Vector3d(u[0], u[1], u[2]);
        joint->setVelocities(in_body);
      }
    } else {
      joint->setPositions(VectorOf(q));
      joint->setVelocities(VectorOf(u));
    }
  }
};

DartTree::DartTree(const std::vector<PartnerLink>& links, const Eigen::Vector3d& gravity)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.skeleton->setGravity(gravity);
  // DART writes about names that it has to find, and about bodies without mass.
  std::streambuf* const out = std::cout.rdbuf(nullptr);
  std::streambuf* const error = std::cerr.rdbuf(nullptr);
  for (const PartnerLink& link : links) p.Add(link);
  std::cout.rdbuf(out);
  std::cerr.rdbuf(error);
  for (std::size_t i = 0; i < links.size(); ++i) {
    p.bodies[i]->setExtForce(links[i].force, Eigen::Vector3d::Zero(), false, true);
    p.bodies[i]->addExtTorque(links[i].moment, false);
  }
}

DartTree::~DartTree() = default;

void DartTree::Realize() {
  parts_->skeleton->setPositions(parts_->skeleton->getPositions());  // what was computed is out of date
  parts_->skeleton->computeForwardDynamics();
}

std::vector<PartnerMotion> DartTree::Motions() const {
  std::vector<PartnerMotion> motions;
  motions.reserve(parts_->bodies.size());
  for (const dynamics::BodyNode* body : parts_->bodies) {
    const Eigen::Isometry3d& pose = body->getWorldTransform();
    const Eigen::Vector6d& reaction = body->getBodyForce();
    motions.push_back({pose.translation(), body->getLinearAcceleration(), body->getAngularAcceleration(),
                       pose.linear() * reaction.head<3>(), pose.linear() * reaction.tail<3>()});
  }
  return motions;
}

}  // namespace davit
