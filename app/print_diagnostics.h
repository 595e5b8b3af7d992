#pragma once

#include <iosfwd>

#include "framework/diagnostics.h"

namespace davit {

/// Writes all diagnostics, one a line, ordered by place.
void PrintDiagnostics(const Diagnostics& diagnostics, std::ostream& out);

}  // namespace davit
