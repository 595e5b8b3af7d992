#pragma once

#include <string>
#include <vector>

#include "analysis/linear/linearize.h"
#include "analysis/linear/modes.h"

namespace davit {

/// The text of a JSON file: `states`, `inputs`, `outputs` (paths), `A`, `B`, `C`, `D` (rows), `eigenvalues`
/// ([re, im], 1/s) and their `modes`; units, the operating point, and with lines `delays` and their matrices.
/// All in SI.
/// `modes` are those of `closed`: the model itself, or with Pade approximants in place of its delays.
std::string LinearModelJson(const Linearization& linearization, const std::vector<LinearMode>& modes,
                            const LinearModel& closed);

}  // namespace davit
