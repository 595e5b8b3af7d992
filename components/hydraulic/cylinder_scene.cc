#include "components/hydraulic/cylinder_scene.h"

#include <algorithm>

namespace davit {

void ShowCylinder(SceneBuilder& scene, const CylinderShape& shape) {
  using Kind = SceneItem::Kind;
  const ScenePoint end{0, 0, shape.rod_end};
  scene.Place(shape.rod, end);
  if (scene.FindPlace(shape.rod)) return;
  const double stroke = shape.stroke;
  const ScenePoint bottom{0, 0, 0}, top{0, 0, stroke}, piston_at{0, 0, shape.x};
  const double breadth = std::max(shape.bore, stroke / 12);  // a slim one would hardly be seen
  scene.Add({.name = "barrel",
             .kind = Kind::kSegment,
             .text = "Barrel",
             .points = {bottom, top},
             .width = 1.25 * breadth});
  scene.Add({.name = "piston",
             .kind = Kind::kCircle,
             .text = "Piston",
             .points = {piston_at},
             .radius = breadth / 2});
  scene.Add({.name = "rod",
             .kind = Kind::kSegment,
             .text = "Rod",
             .points = {piston_at, end},
             .width = breadth * shape.rod_diameter / shape.bore});
  for (const double reach : {1.0, 2.0}) {
    scene.Add({.name = reach < 2 ? "retracted" : "extended",
               .kind = Kind::kLimit,
               .text = "End of the rod at a stop",
               .points = {{-breadth, 0, reach * stroke}, {breadth, 0, reach * stroke}}});
  }
}

}  // namespace davit
