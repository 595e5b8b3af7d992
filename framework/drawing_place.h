#pragma once

namespace davit {

/// Where a drawing shows a component: `<Place>` of a system file. Units are those of the drawing, x to the
/// right and y down; the middle of the symbol lies there.
struct DrawingPlace {
  double x = 0;
  double y = 0;
  int rotation = 0;          ///< clockwise [deg]: 0, 90, 180 or 270
  bool is_mirrored = false;  ///< left and right change sides, before the rotation
};

}  // namespace davit
