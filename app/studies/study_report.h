#pragma once

#include <iosfwd>

#include "analysis/studies/study.h"

namespace davit {

/// Prints what a study has found. Returns its exit code: 1 where that is not what it was to find. `is_quiet`:
/// only what is wrong with a sweep.
int ReportStudy(const Study& study, bool is_quiet, std::ostream& out, std::ostream& err);

}  // namespace davit
