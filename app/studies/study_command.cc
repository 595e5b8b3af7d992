#include "app/studies/study_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <vector>

#include "analysis/studies/study_file.h"
#include "analysis/studies/study_kinds.h"
#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "app/studies/study_run.h"

namespace davit {

namespace fs = std::filesystem;

int RunStudies(const fs::path& file, unsigned workers, bool is_resumed, CommandContext& context) {
  Diagnostics diagnostics;
  std::vector<std::unique_ptr<Study>> studies = LoadStudies(file, is_resumed, diagnostics);
  PrintDiagnostics(diagnostics, context.err);
  if (diagnostics.has_errors()) return kWrongInput;
  std::set<fs::path> systems;
  int code = kDone;
  const bool has_several = studies.size() > 1;
  for (std::unique_ptr<Study>& study : studies) {
    StudyOptions& options = study->shared();
    options.workers = workers;
    options.ranks = context.ranks;
    if (has_several)
      context.out << fmt::format("{}:{} <{}>\n", file.string(), options.place.line, study->kind().element);
    const bool is_new = systems.insert(options.system).second;
    if (!context.LoadPlugins(is_new ? options.system : fs::path())) return kWrongInput;
    context.plugins.clear();  // each once
    code = std::max(code, RunStudy(*study, false, context.registry, context.out, context.err));
    study.reset();
  }
  return code;
}

void AddStudyCommand(CLI::App& command, CommandContext& context) {
  const std::shared_ptr<Study> study =
      std::ranges::find(StudyKinds(), command.get_name(), &StudyKind::name)->make();
  const auto is_quiet = std::make_shared<bool>(false);
  AddStudyOptions(command, *study);
  command.add_flag("--quiet", *is_quiet, "Prints errors only");
  AddPluginOption(command, context);
  command.callback([&context, study, is_quiet] {
    study->shared().ranks = context.ranks;
    context.exit_code = context.LoadPlugins(study->shared().system)
                            ? RunStudy(*study, *is_quiet, context.registry, context.out, context.err)
                            : kWrongInput;
  });
}

void AddStudyFileCommand(CLI::App& command, CommandContext& context) {
  struct Options {
    fs::path file;
    unsigned workers = 0;
    bool is_resumed = false;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("STUDY", options->file, "Study file (XML)")->required();
  command
      .add_option("-j,--jobs", options->workers,
                  "Number of parallel cases; default: the number of threads of the machine")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--resume", options->is_resumed, "Keeps the rows of the tables, and runs the other cases");
  AddPluginOption(command, context);
  command.callback([&context, options] {
    context.exit_code = RunStudies(options->file, options->workers, options->is_resumed, context);
  });
}

}  // namespace davit
