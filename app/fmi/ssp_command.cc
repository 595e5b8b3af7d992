#include "app/fmi/ssp_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <memory>
#include <ostream>
#include <vector>

#include "app/exit_code.h"
#include "app/fmi/fmu_command.h"
#include "app/print_diagnostics.h"
#include "fmi/ssp/ssp_export.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "session/output_paths.h"

namespace davit {
namespace {

int ExportParts(FmuExportOptions& options, CommandContext& context) {
  Diagnostics diagnostics = PrepareExport(options, context);
  try {
    SspExportSummary summary;
    if (!diagnostics.has_errors()) summary = ExportSsp(options, context.registry, diagnostics);
    PrintDiagnostics(diagnostics, context.err);
    if (diagnostics.has_errors()) return kWrongInput;
    context.out << fmt::format("{}: {} ({}), {}\n", options.output.string(),
                               Counted(summary.components.size(), "FMU"), fmt::join(summary.components, ", "),
                               Counted(summary.connections, "connection"));
    return kDone;
  } catch (const std::exception& fault) {
    context.err << fmt::format("{}: error: {}\n", options.system.string(), Explain(fault));
    return kRunFailed;
  }
}

}  // namespace

void AddSspCommand(CLI::App& command, CommandContext& context) {
  command.require_subcommand(1);
  CLI::App& exported = *command.add_subcommand(
      "export",
      "Exports each part of a system, cut at its lines, as an FMU, with an SSD that connects the FMUs");
  const auto options = std::make_shared<FmuExportOptions>();
  exported.add_option("SYSTEM", options->system, "System file (XML)")->required();
  exported.add_option("-o,--output", options->output, "The archive")->type_name("X.ssp")->required();
  AddFmiVersionOption(exported, options->version);
  AddParameterOptions(exported, options->load);
  AddPluginOption(exported, context);
  exported.callback([&context, options] {
    const bool is_right = context.LoadPlugins(options->system);
    context.exit_code = is_right ? ExportParts(*options, context) : kWrongInput;
  });
}

}  // namespace davit
