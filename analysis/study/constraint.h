#pragma once

#include <string>
#include <vector>

#include "analysis/study/measure_set.h"
#include "analysis/study/objective.h"
#include "framework/diagnostics.h"

namespace davit {

/// Reads `EXPR <= EXPR` or `EXPR >= EXPR`: both sides become measures, `constraint1` and `limit1`, and a
/// constraint of the layout. Faults go to `diagnostics` at `place`.
void AddConstraint(const std::string& text, const SourceLocation& place,
                   std::vector<MeasureDefinition>& measures, Objective::Layout& layout,
                   Diagnostics& diagnostics);

/// Both sides of each constraint must have one dimension; a bare number fits to anything. `compiled` are the
/// measures `definitions`.
void CheckConstraints(const Objective::Layout& layout, const std::vector<MeasureDefinition>& definitions,
                      const MeasureSet& compiled, Diagnostics& diagnostics);

}  // namespace davit
