#include "app/program.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/chart_command.h"
#include "app/check_command.h"
#include "app/collect_command.h"
#include "app/compare_command.h"
#include "app/describe_command.h"
#include "app/fmu_command.h"
#include "app/frequency_command.h"
#include "app/graph_command.h"
#include "app/hopsan_command.h"
#include "app/linearize_command.h"
#include "app/list_command.h"
#include "app/new_model_command.h"
#include "app/plot_command.h"
#include "app/reference_command.h"
#include "app/run_command.h"
#include "app/schema_command.h"
#include "app/serve_command.h"
#include "app/size_command.h"
#include "app/spectrum_command.h"
#include "app/studio_command.h"
#include "app/study_command.h"
#include "framework/version.h"

namespace davit {

std::unique_ptr<CLI::App> MakeProgram(CommandContext& context) {
  auto program = std::make_unique<CLI::App>("davit: simulates machines described in XML", "davit");
  program->set_version_flag("--version", std::string("davit ") + kVersion);
  program->require_subcommand(1);
  program->footer(
      "Help for one command: davit COMMAND --help. Exit codes: 0 done, 1 run failed, 2 wrong input.");
  AddRunCommand(*program, context);
  AddServeCommand(*program, context);
  AddStudioCommand(*program, context);
  AddCheckCommand(*program, context);
  AddListCommand(*program, context);
  AddDescribeCommand(*program, context);
  AddPlotCommand(*program, context);
  AddGraphCommand(*program, context);
  AddCompareCommand(*program, context);
  AddStudyCommands(*program, context);
  AddCollectCommand(*program, context);
  AddChartCommand(*program, context);
  AddNewModelCommand(*program, context);
  AddSchemaCommand(*program, context);
  AddFmuCommand(*program, context);
  AddHopsanCommand(*program, context);
  AddLinearizeCommand(*program, context);
  AddFrequencyCommand(*program, context);
  AddSpectrumCommand(*program, context);
  AddSizeCommand(*program, context);
  AddReferenceCommand(*program, context);
  return program;
}

int RunCommandLine(int argc, const char* const* argv, CommandContext& context) {
  const std::unique_ptr<CLI::App> program = MakeProgram(context);
  try {
    program->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program->exit(error) == 0 ? kDone : kWrongInput;
  }
  return context.exit_code;
}

}  // namespace davit
