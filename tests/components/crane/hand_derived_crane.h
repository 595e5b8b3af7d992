#pragma once

#include <Eigen/Core>
#include <cmath>

namespace davit {

/// Motion of the vessel that carries a crane: heave along the vertical, roll about its length, pitch across,
/// surge and sway along the axes of the earth, yaw, with their first and second derivatives. SI; angles of
/// any size.
///
/// Vessel frame: x forward, y to port, z up, at rest with that of the earth. First yaw about z, then pitch
/// about the y that yaw has turned, then roll about the x that both have: R = Rz(yaw) Ry(pitch) Rx(roll)
/// leads from the vessel to the earth. Positive roll lowers starboard, positive pitch lowers the bow.
struct BaseMotion {
  struct Degree {
    double value = 0;
    double rate = 0;
    double acceleration = 0;
  };
  Degree heave;  ///< [m]
  Degree roll;   ///< [rad]
  Degree pitch;  ///< [rad]
  Degree surge;  ///< [m]
  Degree sway;   ///< [m]
  Degree yaw;    ///< [rad]

  Eigen::Vector3d place() const { return {surge.value, sway.value, heave.value}; }
  Eigen::Vector3d velocity() const { return {surge.rate, sway.rate, heave.rate}; }
  Eigen::Vector3d acceleration() const { return {surge.acceleration, sway.acceleration, heave.acceleration}; }
};

/// The same as vectors, in the frame of the vessel.
struct BaseFrame {
  Eigen::Matrix3d to_earth = Eigen::Matrix3d::Identity();
  Eigen::Vector3d omega = Eigen::Vector3d::Zero();  ///< [rad/s]
  Eigen::Vector3d alpha = Eigen::Vector3d::Zero();  ///< [rad/s2]

  /// omega = roll' ex + pitch' (0, cos roll, -sin roll) + yaw' (-sin pitch, cos pitch sin roll,
  /// cos pitch cos roll), alpha its derivative.
  static BaseFrame Of(const BaseMotion& motion) {
    const double sr = std::sin(motion.roll.value), cr = std::cos(motion.roll.value);
    const double sp = std::sin(motion.pitch.value), cp = std::cos(motion.pitch.value);
    const double sy = std::sin(motion.yaw.value), cy = std::cos(motion.yaw.value);
    const double roll_rate = motion.roll.rate, pitch_rate = motion.pitch.rate;
    Eigen::Matrix3d turned, yawed;
    turned << cp, sp * sr, sp * cr,  //
        0, cr, -sr,                  //
        -sp, cp * sr, cp * cr;
    yawed << cy, -sy, 0, sy, cy, 0, 0, 0, 1;
    const Eigen::Vector3d x(1, 0, 0), pitch_axis(0, cr, -sr), yaw_axis(-sp, cp * sr, cp * cr);
    const Eigen::Vector3d pitch_axis_rate(0, -sr * roll_rate, -cr * roll_rate);
    const Eigen::Vector3d yaw_axis_rate(-cp * pitch_rate, -sp * pitch_rate * sr + cp * cr * roll_rate,
                                        -sp * pitch_rate * cr - cp * sr * roll_rate);
    BaseFrame frame;
    frame.to_earth = yawed * turned;
    frame.omega = roll_rate * x + pitch_rate * pitch_axis + motion.yaw.rate * yaw_axis;
    frame.alpha = motion.roll.acceleration * x + motion.pitch.acceleration * pitch_axis +
                  pitch_rate * pitch_axis_rate + motion.yaw.acceleration * yaw_axis +
                  motion.yaw.rate * yaw_axis_rate;
    return frame;
  }
};

/// A boom as a thin rod: its mass lies on its axis, so it has no moment of inertia about that axis.
struct CraneLink {
  double length = 1;   ///< from joint to joint [m]
  double mass = 1;     ///< [kg]
  double center = 0;   ///< of mass, from the inner joint [m]
  double inertia = 0;  ///< about the center of mass, across the rod [kg m2]
};

/// What a knuckle boom crane is made of.
struct CraneBody {
  double pivot_radius = 0;           ///< of the boom joint, from the slew axis [m]
  double pivot_height = 0;           ///< of the boom joint, above the foot of the pedestal [m]
  double king_inertia = 0;           ///< of what slews besides the booms, about the slew axis [kg m2]
  CraneLink boom;                    ///< first
  CraneLink knuckle;                 ///< second
  double tip_mass = 0;               ///< point mass at the tip [kg]
  double gravity = 9.81;             ///< [m/s2]
  Eigen::Vector3d foot = {0, 0, 0};  ///< of the pedestal, in the frame of the vessel [m]
};

/// Joint angles [rad] and their rates [rad/s]. Slew is positive about the upward axis, 0 looks forward; boom
/// is the elevation above the deck; knuckle is relative to the boom, 0 straight, negative folded down.
struct CranePose {
  double slew = 0, boom = 0, knuckle = 0;
  double slew_rate = 0, boom_rate = 0, knuckle_rate = 0;
};

/// Joint torques [N m].
struct JointTorques {
  double slew = 0, boom = 0, knuckle = 0;
};

/// The mass matrix [kg m2]. Slewing is across the plane of the booms, so it does not couple with the others.
struct CraneMass {
  double m00 = 0, m11 = 0, m12 = 0, m22 = 0;

  /// Joint accelerations [rad/s2] from torques.
  JointTorques Solve(const JointTorques& torques) const {
    const double determinant = m11 * m22 - m12 * m12;
    return {torques.slew / m00, (m22 * torques.boom - m12 * torques.knuckle) / determinant,
            (m11 * torques.knuckle - m12 * torques.boom) / determinant};
  }
  double KineticEnergy(const CranePose& pose) const {
    return (m00 * pose.slew_rate * pose.slew_rate + m11 * pose.boom_rate * pose.boom_rate +
            m22 * pose.knuckle_rate * pose.knuckle_rate) /
               2 +
           m12 * pose.boom_rate * pose.knuckle_rate;
  }
};

/// Mass and forces of a knuckle boom crane in one pose:  M q'' + bias = torques. Derived by hand for this one
/// machine: what the tree of bodies is compared with.
///
/// Bodies: king (turns about the slew axis), boom, knuckle boom, mass at the tip. The equations are
/// d'Alembert's principle for each body, projected on the joints (Kane 1961):
///
///     M = sum m Jv^T Jv + Jw^T I Jw,    bias = sum m Jv^T (a + g ez) + Jw^T (I alpha + w x I w)
///
/// with Jv, Jw the Jacobians of a center of mass and of a body's angular velocity w, and a, alpha the
/// accelerations that are left when q'' = 0. All is written in the frame of the king: x in the plane of the
/// booms away from the slew axis, z along that axis; a joint of a boom turns about -y. Nothing is left out:
/// centrifugal and Coriolis forces between slewing and the booms are in `bias`, and so is the motion of the
/// base.
struct CraneTerms {
  CraneMass mass;
  JointTorques bias;     ///< gravity, Coriolis and centrifugal forces, base motion
  JointTorques gravity;  ///< part of bias: what holds the crane still on a still base, in this attitude

  Eigen::Vector3d tip;           ///< in the frame of the king, from the foot of the pedestal [m]
  Eigen::Vector3d tip_earth;     ///< from the origin of the vessel at rest, in the frame of the earth [m]
  Eigen::Vector3d tip_velocity;  ///< over the earth, in its frame [m/s]
  double potential_energy = 0;   ///< of weights, 0 at the origin of the vessel at rest [J]

  /// Velocities of the tip per unit of each speed, in the frame of the earth [m/rad].
  Eigen::Vector3d by_slew, by_boom, by_knuckle;

  /// What a force on the tip, in the frame of the earth [N], does to the joints.
  JointTorques TorquesOf(const Eigen::Vector3d& on_tip) const {
    return {by_slew.dot(on_tip), by_boom.dot(on_tip), by_knuckle.dot(on_tip)};
  }
};

CraneTerms ComputeCraneTerms(const CraneBody& body, const CranePose& pose, const BaseMotion& base);

}  // namespace davit
