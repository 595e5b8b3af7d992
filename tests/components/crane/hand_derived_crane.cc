#include "tests/components/crane/hand_derived_crane.h"

#include <Eigen/Geometry>
#include <cmath>

namespace davit {
namespace {

using Eigen::Vector3d;

/// Turns v, a vector of the vessel, into the frame of the king.
Vector3d IntoKing(double sine, double cosine, const Vector3d& v) {
  return {cosine * v.x() + sine * v.y(), cosine * v.y() - sine * v.x(), v.z()};
}

/// Motion of a point or body with the joints held at their rates (q'' = 0), gravity counted as acceleration.
struct Frame {
  Vector3d omega, alpha;

  Vector3d Acceleration(const Vector3d& arm) const {
    return alpha.cross(arm) + omega.cross(omega.cross(arm));
  }
};

/// -ey x arm: how the end of an arm in the plane of the booms moves with its joint.
Vector3d Lever(const Vector3d& arm) { return {-arm.z(), 0, arm.x()}; }

/// Sums over the bodies.
struct Sum {
  CraneTerms& terms;
  Vector3d up;  // of the earth, times g, in the frame of the king
  double height_energy = 0;

  /// A mass at `place` from the slew axis, whose levers about the joints are given (zero for a joint it does
  /// not follow), and its acceleration a + g ez.
  void AddMass(double mass, const Vector3d& place, const Vector3d& boom, const Vector3d& knuckle,
               const Vector3d& acceleration) {
    const Vector3d force = mass * acceleration;
    const Vector3d weight = mass * up;
    terms.mass.m00 += mass * place.x() * place.x();
    terms.mass.m11 += mass * boom.squaredNorm();
    terms.mass.m12 += mass * boom.dot(knuckle);
    terms.mass.m22 += mass * knuckle.squaredNorm();
    terms.bias.slew += place.x() * force.y();
    terms.bias.boom += boom.dot(force);
    terms.bias.knuckle += knuckle.dot(force);
    terms.gravity.slew += place.x() * weight.y();
    terms.gravity.boom += boom.dot(weight);
    terms.gravity.knuckle += knuckle.dot(weight);
    height_energy += weight.dot(place);
  }
  /// The moment of inertia of a thin rod along `axis`: I (w - (w axis) axis).
  void AddInertia(double inertia, const Vector3d& axis, const Frame& frame, bool follows_knuckle) {
    const Vector3d moment = inertia * (frame.alpha - frame.alpha.dot(axis) * axis -
                                       frame.omega.dot(axis) * frame.omega.cross(axis));
    terms.mass.m00 += inertia * axis.x() * axis.x();
    terms.mass.m11 += inertia;
    terms.bias.slew += moment.z();
    terms.bias.boom -= moment.y();
    if (!follows_knuckle) return;
    terms.mass.m12 += inertia;
    terms.mass.m22 += inertia;
    terms.bias.knuckle -= moment.y();
  }
};

}  // namespace

CraneTerms ComputeCraneTerms(const CraneBody& body, const CranePose& pose, const BaseMotion& base) {
  CraneTerms terms;
  const BaseFrame vessel = BaseFrame::Of(base);
  const double sine = std::sin(pose.slew), cosine = std::cos(pose.slew);
  const double s1 = std::sin(pose.boom), c1 = std::cos(pose.boom);
  const double s2 = std::sin(pose.boom + pose.knuckle), c2 = std::cos(pose.boom + pose.knuckle);
  Eigen::Matrix3d to_vessel;
  to_vessel << cosine, -sine, 0, sine, cosine, 0, 0, 0, 1;

  // The foot of the pedestal.
  const Vector3d earth_z = vessel.to_earth.row(2);  // in the frame of the vessel
  const Frame deck{vessel.omega, vessel.alpha};
  const Vector3d foot_acceleration =
      deck.Acceleration(body.foot) +
      vessel.to_earth.transpose() * (base.acceleration() + Vector3d(0, 0, body.gravity));
  const Vector3d a_foot = IntoKing(sine, cosine, foot_acceleration);
  const Vector3d up = body.gravity * IntoKing(sine, cosine, earth_z);

  // Each joint adds its rate about an axis that the body before it carries.
  const Vector3d z(0, 0, 1), y(0, 1, 0);
  const Vector3d base_omega = IntoKing(sine, cosine, vessel.omega);
  Frame turning;
  turning.omega = base_omega + pose.slew_rate * z;
  turning.alpha = IntoKing(sine, cosine, vessel.alpha) + base_omega.cross(pose.slew_rate * z);
  const auto after = [&](double rate) {
    return Frame{turning.omega - rate * y, turning.alpha - turning.omega.cross(rate * y)};
  };
  const Frame boom = after(pose.boom_rate);
  const Frame knuckle = after(pose.boom_rate + pose.knuckle_rate);

  const Vector3d boom_axis(c1, 0, s1), knuckle_axis(c2, 0, s2), none = Vector3d::Zero();
  const Vector3d pivot(body.pivot_radius, 0, body.pivot_height);
  const Vector3d to_boom = body.boom.center * boom_axis, to_knee = body.boom.length * boom_axis;
  const Vector3d to_knuckle = body.knuckle.center * knuckle_axis, to_tip = body.knuckle.length * knuckle_axis;
  const Vector3d knee = pivot + to_knee;
  const Vector3d a_pivot = a_foot + turning.Acceleration(pivot);
  const Vector3d a_knee = a_pivot + boom.Acceleration(to_knee);
  terms.tip = knee + to_tip;

  terms.mass.m00 = body.king_inertia;
  terms.bias.slew = body.king_inertia * turning.alpha.z();
  Sum sum{terms, up};
  sum.AddMass(body.boom.mass, pivot + to_boom, Lever(to_boom), none, a_pivot + boom.Acceleration(to_boom));
  sum.AddInertia(body.boom.inertia, boom_axis, boom, false);
  sum.AddMass(body.knuckle.mass, knee + to_knuckle, Lever(to_knee + to_knuckle), Lever(to_knuckle),
              a_knee + knuckle.Acceleration(to_knuckle));
  sum.AddInertia(body.knuckle.inertia, knuckle_axis, knuckle, true);
  sum.AddMass(body.tip_mass, terms.tip, Lever(to_knee + to_tip), Lever(to_tip),
              a_knee + knuckle.Acceleration(to_tip));

  const double foot_height = base.heave.value + earth_z.dot(body.foot);
  const double mass = body.boom.mass + body.knuckle.mass + body.tip_mass;
  terms.potential_energy = sum.height_energy + mass * body.gravity * foot_height;
  const Vector3d tip_in_vessel = body.foot + to_vessel * terms.tip;
  const Eigen::Matrix3d king_to_earth = vessel.to_earth * to_vessel;
  terms.tip_earth = base.place() + vessel.to_earth * tip_in_vessel;
  terms.by_slew = king_to_earth * z.cross(terms.tip);
  terms.by_boom = king_to_earth * Lever(to_knee + to_tip);
  terms.by_knuckle = king_to_earth * Lever(to_tip);
  terms.tip_velocity = base.velocity() + vessel.to_earth * vessel.omega.cross(tip_in_vessel) +
                       pose.slew_rate * terms.by_slew + pose.boom_rate * terms.by_boom +
                       pose.knuckle_rate * terms.by_knuckle;
  return terms;
}

}  // namespace davit
