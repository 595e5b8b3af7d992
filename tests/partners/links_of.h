#pragma once

#include <vector>

#include "tests/components/mechanism/dynamics/random_tree.h"
#include "tests/partners/simbody_tree.h"

namespace davit::multibody {

/// The same tree for Simbody, without what acts along its joints.
std::vector<SimbodyLink> LinksOf(const RandomTree& random);

}  // namespace davit::multibody
