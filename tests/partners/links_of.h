#pragma once

#include <vector>

#include "tests/components/mechanism/dynamics/random_tree.h"
#include "tests/partners/partner_link.h"

namespace davit::multibody {

/// The same tree for another program, without what acts along its joints.
std::vector<PartnerLink> LinksOf(const RandomTree& random);

}  // namespace davit::multibody
