#pragma once

#include <cmath>

namespace davit {

/// A cylinder, as the component at its rod sees it: it is whole from x = -stroke of its bond, fully extended,
/// to x = 0, and a little beyond. A class that derives from Component derives from this too.
class CylinderTravel {
 public:
  struct Travel {
    static constexpr double kRounding = 1e-9;  ///< [m]
    double stroke = 0;                         ///< [m]
    /// Of elastic stops under their greatest force [m]; 0 if they are rigid, and what is at the rod keeps to
    /// the stroke.
    double deflection = 0;
    /// So it checks where it starts.
    bool IsKeptByRod() const { return deflection == 0; }
    bool Contains(double x) const {
      return x >= -stroke - deflection - kRounding && x <= deflection + kRounding;
    }
    /// Whether the cylinder refuses to start there; NaN: it is not given.
    bool RefusesStart(double x) const { return !IsKeptByRod() && !std::isnan(x) && !Contains(x); }
  };
  virtual Travel travel() const = 0;

 protected:
  CylinderTravel() = default;
  ~CylinderTravel() = default;
  CylinderTravel(const CylinderTravel&) = default;
  CylinderTravel& operator=(const CylinderTravel&) = default;
};

}  // namespace davit
