#pragma once

#include <string>
#include <vector>

#include "framework/scene.h"
#include "framework/system.h"

namespace davit {

/// One thing of the scene, and the component that shows it.
struct ShownItem {
  const Component* component;
  SceneItem item;
};

/// What the components of a system show of their mechanism (MechanismPart). Coordinates are numbers [m] or
/// paths of signals in m, in the frame of the earth, z upwards. Mechanisms at the origin are set beside each
/// other. A surface without a mechanism is left out. Pre: the system is loaded without errors.
std::vector<ShownItem> CollectScene(System& system);

/// The paths of all coordinates and forces, each once.
std::vector<std::string> SignalsOf(const std::vector<ShownItem>& scene);

/// CollectScene as JSON:
///
///     {"views": ["side", "top"], "items": [{"component": "crane", "name": "boom", "kind": "segment",
///       "text": "Boom", "points": [[X, Y, Z], ...], "width": 0.4, "radius": 1.0, "view": "side"}]}
///
/// X, Y and Z are numbers or paths. From the side x
/// is to the right and z up; from above x is to the right and y up. `width`, `radius`, `depth`, `barrel` [m]
/// and `force` (a path) are left out where they say nothing, and so is `view` where the item is seen in both.
/// A surface has no points, and `waves`: amplitude, frequency, number, direction and phase of each
/// (SceneWave). Where nothing shows itself, both lists are empty.
std::string DescribeScene(System& system);

}  // namespace davit
