#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "tests/partners/partner_link.h"

namespace davit {

/// A tree on a base that does not move, computed by Simbody (Sherman, Seth, Delp, Procedia IUTAM 2, 2011).
class SimbodyTree {
 public:
  SimbodyTree(const std::vector<PartnerLink>& links, const Eigen::Vector3d& gravity);
  ~SimbodyTree();

  /// Poses, velocities, inertias and accelerations anew.
  void Realize();
  std::vector<PartnerMotion> Motions() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace davit
