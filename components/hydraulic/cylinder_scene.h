#pragma once

#include "framework/scene.h"

namespace davit {

/// What a cylinder shows of itself. All refers to members of the component.
struct CylinderShape {
  const PortBase& rod;    ///< port at the end of the rod
  double bore;            ///< [m]
  double rod_diameter;    ///< [m]
  double stroke;          ///< [m]
  const Output& x;        ///< of the piston, 0 fully retracted [m]
  const Output& rod_end;  ///< from the bottom of the barrel, stroke + x [m]
};

/// Places the end of the rod, and shows barrel, piston, rod and the ends of the stroke, upright from the
/// origin, unless the component at the rod says where it is and so shows the cylinder itself.
void ShowCylinder(SceneBuilder& scene, const CylinderShape& shape);

}  // namespace davit
