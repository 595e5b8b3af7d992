#pragma once

#include <iosfwd>

#include "analysis/studies/frequency_study.h"
#include "analysis/studies/linearization_study.h"

namespace davit {

/// Prints eigenvalues, zeros and margins, of a root locus for each value; what failed goes to `err`. Returns
/// the exit code: 1 where a value has no model.
int ReportLinearization(const LinearizationStudy& study, bool is_quiet, std::ostream& out, std::ostream& err);

/// Prints a line for each frequency and output.
int ReportFrequencies(const FrequencyStudy& study, bool is_quiet, std::ostream& out);

}  // namespace davit
