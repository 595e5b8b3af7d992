#pragma once

#include <cstdint>
#include <vector>

#include "analysis/study/objective.h"

namespace davit {

/// Methods that go from one point to better ones, by NLopt.
enum class LocalMethod : std::uint8_t {
  kNelderMead,  ///< simplex; no constraints
  kBobyqa,      ///< quadratic models within bounds (Powell 2009); no constraints
  kCobyla,      ///< linear models; constraints
  kSlsqp,       ///< sequential quadratic programming with central differences; constraints
};

bool TakesConstraints(LocalMethod method);

/// Searches from `start`, a point of the unit cube, until a step changes no coordinate by more than
/// `tolerance`; kSlsqp and kCobyla until a search from there, with differences of a tenth of the width or a
/// tenth of the first step, ends at the same point, too. Returns false where that does not come, because
/// smaller steps find no better point. The result is objective.best(). Throws SearchEnded.
bool SearchLocally(Objective& objective, LocalMethod method, const std::vector<double>& start,
                   double tolerance);

}  // namespace davit
