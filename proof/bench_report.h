#pragma once

#include <string>
#include <vector>

#include "proof/bench_file.h"
#include "proof/bench_run.h"
#include "proof/coverage_file.h"

namespace davit {

/// The result of a bench as JUnit XML, as continuous integration reads it: a `<testcase>` for each case, with
/// a `<failure>` for expectations that were not met and an `<error>` for a case that did not run to its end.
std::string JunitReport(const Bench& bench, const std::vector<CaseReport>& reports);

/// The result as one HTML page without scripts: requirements with their expectations, pictures of those that
/// were not met (gnuplot), and coverage where it was counted. Throws std::runtime_error where a picture
/// cannot be drawn.
std::string HtmlReport(const Bench& bench, const std::vector<CaseReport>& reports,
                       const CoverageMap& coverage);

/// A line for each case, and below it what was not met.
std::string TextReport(const std::vector<CaseReport>& reports, bool is_quiet);

}  // namespace davit
