#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <vector>

#include "framework/component.h"
#include "framework/tree/item_element.h"

namespace davit {

/// The coefficients of a hull afloat, for small motions in the order of kVesselDegrees:
///   (mass + added_mass) s'' + damping s' + stiffness s + radiation = Q
struct Hull {
  using Matrix = Eigen::Matrix<double, 6, 6>;
  using Vector = Eigen::Matrix<double, 6, 1>;

  /// A force C z by the waves that a motion radiates: z' = A z + B s'.
  struct Radiation {
    std::size_t force = 0, motion = 0;  ///< degrees of freedom
    Eigen::MatrixXd A;                  ///< [1/s]
    Eigen::VectorXd B, C;
  };

  Matrix mass = Matrix::Zero(), added_mass = Matrix::Zero(), damping = Matrix::Zero(),
         stiffness = Matrix::Zero();
  std::array<bool, 6> is_free{};  ///< the degrees that have a mass
  std::vector<Radiation> radiation;
};

/// The names of the elements that describe a hull: Mass, AddedMass, Damping, Stiffness, Radiation.
std::vector<std::string> HullElements();

/// Reads the elements of a hull. What no passive hull afloat can have is reported: matrices that are not
/// symmetric or not positive, and radiation that grows.
Hull ReadHull(const std::vector<ItemElement>& items, const Component& component, const UnitSystem& units,
              Diagnostics& diagnostics);

}  // namespace davit
