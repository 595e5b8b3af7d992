#include "tests/partners/simbody_tree.h"

#include <Simbody.h>

#include <Eigen/Geometry>

namespace davit {
namespace {

SimTK::Vec3 ToSimbody(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Eigen::Vector3d FromSimbody(const SimTK::Vec3& v) { return {v[0], v[1], v[2]}; }
SimTK::Rotation ToSimbody(const Eigen::Matrix3d& R) {
  SimTK::Mat33 matrix;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) matrix(i, j) = R(i, j);
  }
  return SimTK::Rotation(matrix);
}

/// The frame in which Simbody's joint has its axes: columns x, y, z.
Eigen::Matrix3d AxesOf(const PartnerLink& link) {
  using Joint = PartnerLink::Joint;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  switch (link.joint) {
    case Joint::kRevolute:
    case Joint::kCylindrical:
    case Joint::kPlanar: axes << link.second_axis, link.third_axis, link.axis; break;
    case Joint::kPrismatic:
    case Joint::kUniversal: axes << link.axis, link.second_axis, link.third_axis; break;
    default: break;
  }
  return axes;
}

}  // namespace

struct SimbodyTree::Parts {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::Force::DiscreteForces discrete{forces, matter};
  std::vector<SimTK::MobilizedBody> bodies;
  SimTK::State state;

  void Add(const PartnerLink& link) {
    using Joint = PartnerLink::Joint;
    // About the origin.
    const Eigen::Vector3d& c = link.centre;
    const Eigen::Matrix3d I =
        link.inertia + link.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
    const SimTK::Body::Rigid rigid(
        SimTK::MassProperties(link.mass, ToSimbody(link.centre),
                              SimTK::Inertia(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2))));
    SimTK::MobilizedBody& carrier = link.carrier < 0 ? static_cast<SimTK::MobilizedBody&>(matter.Ground())
                                                     : bodies[static_cast<std::size_t>(link.carrier)];
    const Eigen::Matrix3d axes = AxesOf(link);
    const SimTK::Transform in(ToSimbody(Eigen::Matrix3d(link.R * axes)), ToSimbody(link.p));
    const SimTK::Transform out(ToSimbody(axes));
    const auto add = [&](auto body) { bodies.push_back(body); };
    switch (link.joint) {
      case Joint::kFixed: return add(SimTK::MobilizedBody::Weld(carrier, in, rigid, out));
      case Joint::kRevolute: return add(SimTK::MobilizedBody::Pin(carrier, in, rigid, out));
      case Joint::kPrismatic: return add(SimTK::MobilizedBody::Slider(carrier, in, rigid, out));
      case Joint::kCylindrical: return add(SimTK::MobilizedBody::Cylinder(carrier, in, rigid, out));
      case Joint::kUniversal: return add(SimTK::MobilizedBody::Universal(carrier, in, rigid, out));
      case Joint::kSpherical: return add(SimTK::MobilizedBody::Ball(carrier, in, rigid, out));
      case Joint::kPlanar: return add(SimTK::MobilizedBody::Planar(carrier, in, rigid, out));
      case Joint::kFree: return add(SimTK::MobilizedBody::Free(carrier, in, rigid, out));
    }
  }

  /// The same pose and speed, through Simbody's own coordinates.
  void SetState(const PartnerLink& link, const SimTK::MobilizedBody& body) {
    using Joint = PartnerLink::Joint;
    const auto set = [&](int k, double position, double speed) {
      body.setOneQ(state, k, position);
      body.setOneU(state, k, speed);
    };
    if (link.joint == Joint::kPlanar) {
      set(0, link.q[2], link.u[2]);
      set(1, link.q[0], link.u[0]);
      set(2, link.q[1], link.u[1]);
    } else if (link.joint == Joint::kSpherical || link.joint == Joint::kFree) {
      const std::size_t at = link.joint == Joint::kFree ? 3 : 0;  // of the quaternion
      for (std::size_t k = 0; k < 4; ++k) body.setOneQ(state, static_cast<int>(k), link.q[at + k]);
      const Eigen::Quaterniond turn(link.q[at], link.q[at + 1], link.q[at + 2], link.q[at + 3]);
      // Simbody's angular velocity is in the carrier.
      const Eigen::Vector3d w = turn * Eigen::Vector3d(link.u[at], link.u[at + 1], link.u[at + 2]);
      for (int k = 0; k < 3; ++k) body.setOneU(state, k, w[k]);
      for (std::size_t k = 0; k < at; ++k) {
        body.setOneQ(state, static_cast<int>(4 + k), link.q[k]);
        body.setOneU(state, static_cast<int>(3 + k), link.u[k]);
      }
    } else {
      for (std::size_t k = 0; k < link.u.size(); ++k) set(static_cast<int>(k), link.q[k], link.u[k]);
    }
  }
};

SimbodyTree::SimbodyTree(const std::vector<PartnerLink>& links, const Eigen::Vector3d& gravity)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  SimTK::Force::Gravity(p.forces, p.matter, ToSimbody(gravity));
  for (const PartnerLink& link : links) p.Add(link);
  p.state = p.system.realizeTopology();
  p.system.realizeModel(p.state);
  for (std::size_t i = 0; i < links.size(); ++i) p.SetState(links[i], p.bodies[i]);
  p.system.realize(p.state, SimTK::Stage::Velocity);
  for (std::size_t i = 0; i < links.size(); ++i) {
    p.discrete.setOneBodyForce(p.state, p.bodies[i],
                               SimTK::SpatialVec(ToSimbody(links[i].moment), ToSimbody(links[i].force)));
  }
}

SimbodyTree::~SimbodyTree() = default;

void SimbodyTree::Realize() {
  parts_->state.invalidateAllCacheAtOrAbove(SimTK::Stage::Position);
  parts_->system.realize(parts_->state, SimTK::Stage::Acceleration);
}

std::vector<PartnerMotion> SimbodyTree::Motions() const {
  const Parts& p = *parts_;
  SimTK::Vector_<SimTK::SpatialVec> reactions;
  p.matter.calcMobilizerReactionForces(p.state, reactions);
  std::vector<PartnerMotion> motions;
  motions.reserve(p.bodies.size());
  for (const SimTK::MobilizedBody& body : p.bodies) {
    // At Simbody's frame of the joint in the body, which has our origin.
    const SimTK::SpatialVec& reaction = reactions[static_cast<int>(body.getMobilizedBodyIndex())];
    motions.push_back({FromSimbody(body.getBodyOriginLocation(p.state)),
                       FromSimbody(body.getBodyOriginAcceleration(p.state)),
                       FromSimbody(body.getBodyAngularAcceleration(p.state)), FromSimbody(reaction[0]),
                       FromSimbody(reaction[1])});
  }
  return motions;
}

}  // namespace davit
