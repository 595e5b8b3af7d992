#pragma once

#include <vector>

#include "framework/system.h"
#include "results/result_writer.h"

namespace davit {

/// The columns of a result with their units and what they are, in the words of their declarations.
std::vector<ResultColumn> ResultColumnsOf(const RecordPlan& plan);

}  // namespace davit
