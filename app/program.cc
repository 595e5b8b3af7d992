#include "app/program.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "analysis/studies/study_names.h"
#include "app/chart_command.h"
#include "app/check_command.h"
#include "app/compare_command.h"
#include "app/console/console_command.h"
#include "app/describe_command.h"
#include "app/drawing/graph_command.h"
#include "app/fmi/fmu_command.h"
#include "app/fmi/ssp_command.h"
#include "app/hopsan/hopsan_command.h"
#include "app/list_command.h"
#include "app/live/serve_command.h"
#include "app/plot_command.h"
#include "app/proof/bench_command.h"
#include "app/run_command.h"
#include "app/schema_command.h"
#include "app/size_command.h"
#include "app/studies/collect_command.h"
#include "app/studies/energy_command.h"
#include "app/studies/spectrum_command.h"
#include "app/studies/study_command.h"
#include "app/studio/studio_command.h"
#include "app/whole/new_model_command.h"
#include "app/whole/reference_command.h"
#include "framework/nearest_name.h"
#include "framework/version.h"

namespace davit {
namespace {

struct CommandRow {
  const char* name;
  const char* text;
  void (*add)(CLI::App& command, CommandContext& context);
};

constexpr CommandRow RowOf(const StudyName& kind) { return {kind.name, kind.text, AddStudyCommand}; }

constexpr CommandRow kCommandRows[] = {
    {"run", "Runs a system, an FMU alone, or a system of FMUs (.ssp)", AddRunCommand},
    {"serve", "Runs a system that browsers and CDP Studio clients show and control", AddServeCommand},
    {"console", "Runs a system step by step with commands at a prompt", AddConsoleCommand},
    {"studio", "Draws, checks and runs the systems of a folder in a browser", AddStudioCommand},
    {"check", "Checks a system as run does before the first step, with its start values", AddCheckCommand},
    {"list", "Lists the models", AddListCommand},
    {"describe", "Describes a model or an FMU: ports, parameters, equations", AddDescribeCommand},
    {"plot", "Draws signals of one or more results", AddPlotCommand},
    {"graph", "Draws a system: components, ports, islands", AddGraphCommand},
    {"compare", "Compares two results or two versions of a system: 0 same, 1 different", AddCompareCommand},
    RowOf(kSweepName),
    RowOf(kOptimizeName),
    RowOf(kFitName),
    RowOf(kSensitivityName),
    RowOf(kLevelsName),
    RowOf(kFaultsName),
    {"study",
     "Runs the studies of a file: sweeps, optimisations, fits, sensitivities, levels, faults, linear models, "
     "frequency responses",
     AddStudyFileCommand},
    {"collect", "Joins the tables of the shards of a sweep", AddCollectCommand},
    {"bench", "Runs the test cases of a bench file: 0 all passed, 1 one failed", AddBenchCommand},
    {"chart", "Checks, draws or runs a statechart (SCXML) alone", AddChartCommand},
    {"new-model",
     "Writes the project of a plug-in with a model, a test and an example, or adds a model to one",
     AddNewModelCommand},
    {"schema", "Writes the XML schema (XSD) of system files, with all models", AddSchemaCommand},
    {"fmu", "Functional mock-up units (FMI)", AddFmuCommand},
    {"ssp", "Systems of FMUs (SSP)", AddSspCommand},
    {"hopsan", "Hopsan models: converts and validates them", AddHopsanCommand},
    RowOf(kLinearizeName),
    RowOf(kFrequencyName),
    {"spectrum", "Amplitudes, densities and transfer functions of the signals of a result",
     AddSpectrumCommand},
    {"energy", "Balance of energy of a run: sources, stores, losses by component and by cause",
     AddEnergyCommand},
    {"size", "Chooses a standard hose, pump or cylinder", AddSizeCommand},
    {"reference", "Writes the reference of commands and models as Markdown", AddReferenceCommand},
};

}  // namespace

std::unique_ptr<CLI::App> MakeProgram(CommandContext& context) {
  auto program = std::make_unique<CLI::App>("davit: simulates machines described in XML", "davit");
  program->set_version_flag("--version", std::string("davit ") + kVersion);
  program->require_subcommand(1);
  program->footer(
      "Help for one command: davit COMMAND --help. Exit codes: 0 done, 1 run failed, 2 wrong input.");
  for (const CommandRow& row : kCommandRows) row.add(*program->add_subcommand(row.name, row.text), context);
  return program;
}

namespace {

/// The message about a word of the command line that is not a command or an option; empty if there is none.
std::string ExplainUnknownWord(const CLI::App& program) {
  const CLI::App* app = &program;  // in the end the innermost command that was given
  std::string path = app->get_name();
  for (; !app->get_subcommands().empty(); path += ' ' + app->get_name()) app = app->get_subcommands().back();
  const std::vector<std::string> unknown = app->remaining();
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  auto word = std::ranges::find_if(unknown, is_option);
  const bool has_commands = !app->get_subcommands([](const CLI::App*) { return true; }).empty();
  if (word == unknown.end() && has_commands) word = unknown.begin();
  if (word == unknown.end()) return {};

  const std::string name = word->substr(0, word->find('='));
  std::vector<std::string> candidates;
  if (is_option(name)) {
    for (const CLI::Option* option : app->get_options())
      for (const std::string& known : option->get_lnames()) candidates.push_back("--" + known);
  } else {
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; }))
      candidates.push_back(command->get_name());
  }
  const auto near = FindNearest(name, candidates);
  return fmt::format("{}: error: no {} {}; {}\n", path, is_option(name) ? "option" : "command", Quoted(name),
                     near ? fmt::format("did you mean {}?", Quoted(*near)) : path + " --help lists them");
}

}  // namespace

int RunCommandLine(int argc, const char* const* argv, CommandContext& context) {
  const std::unique_ptr<CLI::App> program = MakeProgram(context);
  try {
    program->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string unknown = error.get_exit_code() == 0 ? "" : ExplainUnknownWord(*program);
    if (unknown.empty()) return program->exit(error) == 0 ? kDone : kWrongInput;
    context.err << unknown;
    return kWrongInput;
  }
  return context.exit_code;
}

}  // namespace davit
