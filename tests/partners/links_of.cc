#include "tests/partners/links_of.h"

#include <span>

namespace davit::multibody {

std::vector<PartnerLink> LinksOf(const RandomTree& random) {
  std::vector<PartnerLink> links;
  links.reserve(random.tree.size());
  for (std::size_t i = 0; i < random.tree.size(); ++i) {
    const BodyTree::Link& link = random.tree[i];
    const auto copied = [](std::span<const double> values) {
      return std::vector<double>(values.begin(), values.end());
    };
    links.push_back({.carrier = link.carrier == BodyTree::kBase ? -1 : static_cast<int>(link.carrier),
                     .R = link.at.R,
                     .p = link.at.p,
                     .joint = static_cast<PartnerLink::Joint>(link.joint.kind()),
                     .axis = link.joint.axis(),
                     .second_axis = link.joint.second_axis(),
                     .third_axis = link.joint.third_axis(),
                     .mass = link.body.mass,
                     .centre = link.body.centre,
                     .inertia = link.body.inertia,
                     .q = copied(random.tree.PositionsOf(i, std::span<const double>(random.q))),
                     .u = copied(random.tree.SpeedsOf(i, std::span<const double>(random.u))),
                     .moment = random.wrenches[i].moment,
                     .force = random.wrenches[i].force});
  }
  return links;
}

}  // namespace davit::multibody
