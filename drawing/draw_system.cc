#include "drawing/draw_system.h"

#include "drawing/diagram.h"
#include "drawing/line_router.h"
#include "drawing/place_nodes.h"
#include "drawing/svg_writer.h"

namespace davit {

std::string DrawSystem(System& system) {
  Diagram diagram = Diagram::Of(system);
  PlaceNodes(system, diagram);
  RouteLines(diagram);
  return WriteSvg(system, diagram);
}

}  // namespace davit
