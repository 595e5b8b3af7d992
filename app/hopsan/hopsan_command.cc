#include "app/hopsan/hopsan_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>
#include <ostream>

#include "app/check_command.h"
#include "app/exit_code.h"
#include "app/hopsan_files.h"
#include "app/print_diagnostics.h"
#include "hopsan/import/hmf_import.h"
#include "hopsan/register.h"
#include "hopsan/run/hopsan_run.h"
#include "hopsan/run/validation.h"
#include "results/csv_text.h"
#include "results/csv_writer.h"
#include "session/output_paths.h"

namespace davit {
namespace {

std::optional<hopsan::HmfImport> ReadHopsan(const std::filesystem::path& file, const HopsanOptions& options,
                                            bool has_notes, CommandContext& context) {
  RegisterHopsan(context.registry);
  Diagnostics diagnostics;
  std::optional<hopsan::HmfImport> import = hopsan::ImportHmf(file, context.registry,
                                                              {.has_stubs = options.has_stubs,
                                                               .parameter_files = options.parameters,
                                                               .has_notes = has_notes,
                                                               .is_native = options.is_native,
                                                               .files = options.files.get()},
                                                              diagnostics);
  PrintDiagnostics(diagnostics, context.err);
  return import;
}

SourceLocation PlaceOf(const std::filesystem::path& file) {
  return {std::make_shared<const std::string>(file.string()), 0};
}

/// Writes a text to a file; false after printing why not.
bool WriteTextFile(const std::filesystem::path& file, const std::string& text, std::ostream& err) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (out) return true;
  err << file.string() << ": error: cannot be written; check the path\n";
  return false;
}

}  // namespace

std::shared_ptr<const SystemDescription> MakeSystemOfHopsan(const std::filesystem::path& file,
                                                            const HopsanOptions& options,
                                                            CommandContext& context) {
  const std::optional<hopsan::HmfImport> import = ReadHopsan(file, options, false, context);
  return import ? import->description : nullptr;
}

int RunHopsan(const RunOptions& run, const HopsanOptions& options, CommandContext& context) {
  const std::optional<hopsan::HmfImport> import = ReadHopsan(run.system, options, false, context);
  if (!import) return kWrongInput;
  SimulationOptions simulation_options{.load = run.load, .threads = run.threads};
  const std::unique_ptr<Simulation> simulation =
      LoadSimulation(run.system, context.registry, simulation_options, context.err, import->description);
  if (simulation == nullptr) return kWrongInput;
  Diagnostics diagnostics;
  std::vector<OutputPath> outputs;
  for (const std::filesystem::path& file : run.outputs) {
    outputs.push_back({"-o " + file.string(), file});
    if (file.extension() != ".csv")
      diagnostics.Error(PlaceOf(file), {}, "with --hopsan-names results are CSV; name a file .csv");
  }
  CheckOutputPaths(outputs, InputsOf(simulation->system(), options.files->files()), diagnostics);
  PrintDiagnostics(diagnostics, context.err);
  if (diagnostics.has_errors()) return kWrongInput;
  std::string text = "time", units = "path,unit\n";
  for (const hopsan::HopsanVariable& variable : import->variables) {
    text += ',' + variable.name;
    const std::string unit = variable.path.empty() ? "s" : simulation->Items({variable.path}).unit(0);
    units += CsvCell(variable.name) + ',' + CsvCell(unit) + '\n';
  }
  text += '\n';
  int code = kDone;
  try {
    const std::uint64_t steps = hopsan::RunAsHopsan(
        *simulation, *import, import->variables, [&](double t, std::span<const double> values) {
          fmt::format_to(std::back_inserter(text), "{}", t);
          for (const double value : values) fmt::format_to(std::back_inserter(text), ",{}", value);
          text += '\n';
        });
    if (!run.is_quiet) context.out << fmt::format("{} of {} steps\n", steps, import->steps);
  } catch (const SimulationFailure&) {
    for (const std::string& line : simulation->failure())
      context.err << run.system.string() << ": error: " << line << '\n';
    code = kRunFailed;
  }
  for (const std::filesystem::path& file : run.outputs) {
    if (!WriteTextFile(file, text, context.err)) return kWrongInput;
    if (std::filesystem::is_regular_file(file) && !WriteTextFile(UnitsFileOf(file), units, context.err))
      return kWrongInput;
  }
  return code;
}

void AddHopsanCommand(CLI::App& command, CommandContext& context) {
  struct Options {
    std::filesystem::path file;
    std::filesystem::path output;
    HopsanOptions hopsan;
  };
  command.require_subcommand(1);

  const auto convert = std::make_shared<Options>();
  CLI::App& to_system = *command.add_subcommand("convert", "Writes a Hopsan model as a system file");
  to_system.add_option("MODEL", convert->file, "Hopsan model (.hmf)")->required();
  to_system.add_option("-o,--output", convert->output, "System file (.xml)")
      ->required()
      ->type_name("SYSTEM.xml");
  AddHopsanOptions(to_system, convert->hopsan);
  to_system.add_flag("--native", convert->hopsan.is_native,
                     "Components that have a counterpart become davit's own models (levels, error "
                     "control); reports the new model and the differences for each");
  to_system
      .add_option("--params", convert->hopsan.parameters,
                  "Parameter file (.hpf) whose values replace those of the model")
      ->type_name("FILE.hpf")
      ->expected(1)
      ->take_all();
  to_system.callback([&context, convert] {
    context.exit_code = kWrongInput;
    const auto import = ReadHopsan(convert->file, convert->hopsan, true, context);
    Diagnostics diagnostics;
    CheckOutputPaths(std::vector<OutputPath>{{"-o " + convert->output.string(), convert->output}},
                     convert->hopsan.files->files(), diagnostics);
    PrintDiagnostics(diagnostics, context.err);
    if (diagnostics.has_errors() || !import ||
        !WriteTextFile(convert->output, import->description->ToXml(), context.err))
      return;
    context.out << import->report;
    context.exit_code = kDone;
  });

  const auto validate = std::make_shared<Options>();
  CLI::App& compare = *command.add_subcommand(
      "validate", "Runs a Hopsan validation set and compares with its reference: exit code 0 or 1");
  compare.add_option("SET", validate->file, "Validation set (.hvc)")->required();
  compare.callback([&context, validate] {
    RegisterHopsan(context.registry);
    Diagnostics diagnostics;
    const bool is_right = hopsan::Validate(validate->file, context.registry, context.out, diagnostics);
    PrintDiagnostics(diagnostics, context.err);
    context.exit_code = diagnostics.has_errors() ? kWrongInput : is_right ? kDone : kRunFailed;
  });
}

}  // namespace davit
