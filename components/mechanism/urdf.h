#pragma once

#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/tree/item_element.h"

namespace davit {

/// The items with each `<Urdf>` replaced by `<Body>` elements, one for each link of its robot
/// (http://wiki.ros.org/urdf/XML). A body has the name of its link, with `_` for what a name may not have,
/// and the joint that carries the link; the first link is fixed to `on`. The places of its elements are those
/// of the URDF file.
///
/// Warnings name what is left out: mimic, Coulomb friction. Shapes, meshes and extensions of programs
/// are ignored.
std::vector<ItemElement> WithUrdfBodies(const std::vector<ItemElement>& items, std::string_view path,
                                        Diagnostics& diagnostics);

}  // namespace davit
