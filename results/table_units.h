#pragma once

#include "results/result_table.h"

namespace davit {

/// Each column in the unit that engineers read its values in (FindDisplayUnit, by the largest of them), which
/// becomes its unit. Pre: all are in SI.
void ConvertToDisplayUnits(ResultTable& table);

/// Each column in SI, which becomes its unit: the reverse of ConvertToDisplayUnits, and what makes results of
/// other programs comparable. A column in a unit that davit cannot read stays as it is.
void ConvertToSi(ResultTable& table);

}  // namespace davit
