#include "app/chart_options.h"

#include <CLI/CLI.hpp>

namespace davit {

void AddChartOptions(CLI::App& command, CommandContext& context, ChartOptions& options) {
  options.registry = &context.registry;
  AddPluginOption(command, context);
  command.add_option("FILE", options.chart, "Statechart (SCXML)")->required();
  command
      .add_option("--model", options.model,
                  "Model of the component that owns the chart and defines its short names, for example "
                  "hydraulic.Cylinder; not needed if the chart has the name of the model")
      ->type_name("MODEL");
  command
      .add_option("--datamodel", options.data_model,
                  "Data model of charts that name none: davit, null or ecmascript")
      ->type_name("NAME")
      ->check(CLI::IsMember({"davit", "null", "ecmascript"}));
}

}  // namespace davit
