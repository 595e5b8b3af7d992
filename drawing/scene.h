#pragma once

#include <string>

#include "framework/system.h"

namespace davit {

/// What the components of a system show of their mechanism (MechanismPart), as JSON:
///
///     {"views": ["side", "top"], "items": [{"component": "crane", "name": "boom", "kind": "segment",
///       "text": "Boom", "points": [[X, Y, Z], ...], "width": 0.4, "radius": 1.0, "view": "side"}]}
///
/// X, Y and Z are numbers [m] or paths of signals in m, in the frame of the earth, z upwards. From the side x
/// is to the right and z up; from above x is to the right and y up. `width`, `radius`, `depth`, `barrel` [m]
/// and `force` (a path) are left out where they say nothing, and so is `view` where the item is seen in both.
/// Where nothing shows itself, both lists are empty. Pre: the system is loaded without errors.
std::string DescribeScene(System& system);

}  // namespace davit
