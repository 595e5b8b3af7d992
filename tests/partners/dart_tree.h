#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "tests/partners/partner_link.h"

namespace davit {

/// A tree on a base that does not move, computed by DART (Lee et al., Journal of Open Source Software 3,
/// 2018).
class DartTree {
 public:
  DartTree(const std::vector<PartnerLink>& links, const Eigen::Vector3d& gravity);
  ~DartTree();

  /// Poses, velocities, inertias and accelerations anew.
  void Realize();
  std::vector<PartnerMotion> Motions() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace davit
