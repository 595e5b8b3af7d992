#pragma once

#include <filesystem>
#include <vector>

#include "analysis/linear/linearize.h"
#include "analysis/linear/modes.h"

namespace davit {

/// A MATLAB file (v5) with the matrices A, B, C, D, the texts `states`, `inputs` and `outputs` as rows of
/// characters and `eigenvalues` as a complex column; of a model with lines also `delays`, `delay_times`,
/// B_delay, D_delay, C_delay, D_input and D_wave. All in SI. Throws std::runtime_error where it cannot be
/// written.
void SaveLinearModelMat(const Linearization& linearization, const std::vector<LinearMode>& modes,
                        const std::filesystem::path& path);

}  // namespace davit
