#pragma once

#include <array>
#include <iosfwd>
#include <memory>
#include <string_view>

#include "app/chart_command.h"
#include "statecharts/chart_loader.h"

namespace davit {

/// The chart of a command, without a system around it. Null after printing what is wrong on `err`.
std::shared_ptr<const Chart> LoadChartFor(const ChartOptions& options, std::ostream& err);

constexpr std::string_view ToText(DataModelKind kind) {
  constexpr std::array<std::string_view, 3> kNames{"davit", "null", "ecmascript"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace davit
