#include "components/mechanism/dynamics/spatial.h"

#include <Eigen/Geometry>

namespace davit::multibody {

Matrix3 TurnedAboutAxes(const Vector3& angles) {
  return (Eigen::AngleAxisd(angles.z(), Vector3::UnitZ()) * Eigen::AngleAxisd(angles.y(), Vector3::UnitY()) *
          Eigen::AngleAxisd(angles.x(), Vector3::UnitX()))
      .toRotationMatrix();
}

}  // namespace davit::multibody
