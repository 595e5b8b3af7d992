#include "app/studies/collect_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>

#include "analysis/study/case_list.h"
#include "analysis/study/study_table.h"
#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "results/csv_writer.h"
#include "results/output_file.h"
#include "session/output_paths.h"

namespace davit {

namespace fs = std::filesystem;

int RunCollect(const CollectOptions& options, std::ostream& out, std::ostream& err) {
  Diagnostics diagnostics;
  const fs::path& output = options.output;
  const StudyRows joined = JoinStudyRows(options.tables, "--resume", diagnostics);
  CheckOutputPaths(std::vector<OutputPath>{{"-o " + output.string(), output}}, options.tables, diagnostics);
  if (options.cases && !joined.rows.empty() && joined.rows.rbegin()->first > *options.cases)
    diagnostics.Error({}, {},
                      fmt::format("--cases {}: the tables have a case {}; give the number of all cases",
                                  *options.cases, joined.rows.rbegin()->first));
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;
  try {
    OutputFile file(output);
    std::string text = joined.head + '\n';
    for (const auto& [number, row] : joined.rows) text += row + '\n';
    file.Write(text);
    file.Close();
    const fs::path units = UnitsFileOf(options.tables.front());
    std::error_code ignored;
    if (fs::is_regular_file(units, ignored) && file.is_regular())
      fs::copy_file(units, UnitsFileOf(output), fs::copy_options::overwrite_existing);
  } catch (const std::exception& fault) {
    err << "error: " << Explain(fault) << '\n';
    return kRunFailed;
  }
  out << fmt::format("{}: {} of {}\n", output.string(), Counted(joined.rows.size(), "case"),
                     Counted(options.tables.size(), "table"));
  const MissingCases missing = FindMissingCases(joined, options.cases);
  if (missing.count == 0) return kDone;
  err << fmt::format("{}: {} missing, the first of them is {}; continue the shards with --resume{}\n",
                     options.is_partial ? "warning" : "error", Counted(missing.count, "case"), missing.first,
                     options.is_partial ? "" : ", or accept it with --partial");
  return options.is_partial ? kDone : kRunFailed;
}

void AddCollectCommand(CLI::App& collect, CommandContext& context) {
  const auto options = std::make_shared<CollectOptions>();
  collect.add_option("TABLE", options->tables, "Tables (.csv)")->required();
  collect.add_option("-o,--output", options->output, "Table (.csv)")->type_name("FILE")->required();
  collect
      .add_option(
          "--cases", options->cases,
          "Number of cases of the study; without it, missing cases after the last one are not noticed")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, CaseList::kMostCases));
  collect.add_flag(
      "--partial", options->is_partial,
      "Reports missing cases as a warning; otherwise the exit code is 1 after writing the table");
  collect.callback(
      [&context, options] { context.exit_code = RunCollect(*options, context.out, context.err); });
}

}  // namespace davit
