#pragma once

#include <Eigen/Core>
#include <cmath>

namespace davit {

/// Motion of the vessel that carries a crane: heave along the vertical, roll about its length, pitch across,
/// with their first and second derivatives. SI; angles of any size.
///
/// Vessel frame: x forward, y to port, z up, at rest with that of the earth. First pitch about y, then roll
/// about the x that pitch has turned: R = Ry(pitch) Rx(roll) leads from the vessel to the earth. Positive
/// roll lowers starboard, positive pitch lowers the bow.
struct BaseMotion {
  struct Degree {
    double value = 0;
    double rate = 0;
    double acceleration = 0;
  };
  Degree heave;  ///< [m]
  Degree roll;   ///< [rad]
  Degree pitch;  ///< [rad]
};

/// The same as vectors, in the frame of the vessel.
struct BaseFrame {
  Eigen::Matrix3d to_earth = Eigen::Matrix3d::Identity();
  Eigen::Vector3d omega = Eigen::Vector3d::Zero();  ///< [rad/s]
  Eigen::Vector3d alpha = Eigen::Vector3d::Zero();  ///< [rad/s2]

  /// omega = (roll', pitch' cos roll, -pitch' sin roll), alpha its derivative.
  static BaseFrame Of(const BaseMotion& motion) {
    const double sr = std::sin(motion.roll.value), cr = std::cos(motion.roll.value);
    const double sp = std::sin(motion.pitch.value), cp = std::cos(motion.pitch.value);
    const double roll_rate = motion.roll.rate, pitch_rate = motion.pitch.rate;
    BaseFrame frame;
    frame.to_earth << cp, sp * sr, sp * cr,  //
        0, cr, -sr,                          //
        -sp, cp * sr, cp * cr;
    frame.omega << roll_rate, pitch_rate * cr, -pitch_rate * sr;
    frame.alpha << motion.roll.acceleration, motion.pitch.acceleration * cr - pitch_rate * roll_rate * sr,
        -motion.pitch.acceleration * sr - pitch_rate * roll_rate * cr;
    return frame;
  }
};

}  // namespace davit
