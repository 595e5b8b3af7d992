#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "proof/chart_coverage.h"

namespace davit {

/// Coverage of charts, by path or name.
using CoverageMap = std::map<std::string, ChartCounts>;

/// As JSON: for all charts together and for each in `charts` the keys `states`, `transitions`, `guards` and
/// `pairs` with `covered`, `total`, `percent` and `missed`; those of a chart also have `counts`.
std::string CoverageJson(const CoverageMap& coverage);
/// The charts of a file that CoverageJson has written.
CoverageMap LoadCoverage(const std::filesystem::path& file, Diagnostics& diagnostics);

/// A table: a row for each chart and one for all.
std::string CoverageTable(const CoverageMap& coverage);
/// The elements of one kind that were never exercised: `safety moment_limit/1`.
std::vector<std::string> MissedElements(const CoverageMap& coverage, const CoverageKind& kind);

/// What coverage must be: `transitions=100%`.
struct CoverageDemand {
  const CoverageKind* kind = nullptr;
  double percent = 0;
};
/// Nothing after an error. `option`: `--require`.
std::vector<CoverageDemand> ReadCoverageDemands(const std::vector<std::string>& texts,
                                                std::string_view option, Diagnostics& diagnostics);
/// A line for each demand that is not met: `transitions: 84 % of 38, 100 % required; missed safety ready/1`.
std::vector<std::string> UnmetDemands(const CoverageMap& coverage,
                                      const std::vector<CoverageDemand>& demands);

}  // namespace davit
