#pragma once

#include <array>
#include <iosfwd>
#include <memory>
#include <string_view>

#include "app/chart_options.h"
#include "framework/xml/file_source.h"
#include "session/absent_system.h"
#include "statecharts/chart_loader.h"

namespace davit {

/// A chart, with a substitute for the system it belongs to.
struct LoadedChart {
  std::unique_ptr<const DiskFiles> files;  ///< that it is made of
  std::unique_ptr<AbsentSystem> system;
  std::shared_ptr<const Chart> chart;  ///< null where it has faults
};

/// Null, and a line on `err`, if there is none of this name.
const ModelEntry* FindModel(std::string_view name, const Registry& registry, std::ostream& err);

/// The chart of a command, without a system around it. Prints what is wrong on `err`.
LoadedChart LoadChartFor(const ChartOptions& options, std::ostream& err);

constexpr std::string_view ToText(DataModelKind kind) {
  constexpr std::array<std::string_view, 3> kNames{"davit", "null", "ecmascript"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace davit
