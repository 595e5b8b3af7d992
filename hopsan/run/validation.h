#pragma once

#include <filesystem>
#include <ostream>

#include "framework/diagnostics.h"
#include "framework/registry.h"

namespace davit::hopsan {

/// Runs what a validation file of Hopsan (.hvc) names and compares as Hopsan does: at each logged row the
/// reference is interpolated linearly; a point fails where |1 - value/reference| is above the tolerance, but
/// not where |value| < 1e-100 or |reference| < 1e-10. A line for each variable goes to `out`. Returns whether
/// all variables agree; faults of the files go to `diagnostics`.
bool Validate(const std::filesystem::path& file, const Registry& registry, std::ostream& out,
              Diagnostics& diagnostics);

}  // namespace davit::hopsan
