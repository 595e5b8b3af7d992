#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/command_context.h"
#include "framework/registry.h"

namespace davit {

struct ChartOptions {
  const Registry* registry = nullptr;  ///< of the models that charts may belong to
  std::filesystem::path chart;
  std::string data_model;  ///< of charts that name none: davit (where this is empty), null or ecmascript
  std::string model =
      {};  ///< of the component that it belongs to; empty: the `name` of the chart, if it is one
};

/// FILE, --model and --datamodel, for commands that load a chart. `options` outlives the command.
void AddChartOptions(CLI::App& command, CommandContext& context, ChartOptions& options);

struct ChartRunOptions {
  ChartOptions load;
  std::vector<std::string> events;              ///< `[T:]NAME [KEY=VALUE]...`
  std::optional<std::filesystem::path> script;  ///< one event a line; `-` is standard input
  bool is_until_final = false;
  std::string max_time;   ///< virtual time, such as `10s`
  std::string step;       ///< TimeStep where conditions depend on the time
  bool is_quiet = false;  ///< prints the last configuration only
};

}  // namespace davit
