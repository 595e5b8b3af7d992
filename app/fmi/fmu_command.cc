#include "app/fmi/fmu_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "app/exit_code.h"
#include "app/fmu_files.h"
#include "app/interfaces.h"
#include "app/print_diagnostics.h"
#include "fmi/fmu_check.h"
#include "fmi/fmu_export.h"
#include "fmi/import/fmu_component.h"
#include "fmi/import/lone_fmu.h"
#include "fmi/ssp/ssp_system.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "framework/xml/system_loader.h"
#include "session/output_paths.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

struct FmuExportCommand {
  FmuExportOptions options;
  std::string kind = "cs";
};

int ExportSystem(FmuExportCommand& command, CommandContext& context) {
  FmuExportOptions& options = command.options;
  options.has_model_exchange = command.kind.find("me") != std::string::npos;
  options.has_co_simulation = command.kind.find("cs") != std::string::npos;
  Diagnostics diagnostics = PrepareExport(options, context);
  try {
    FmuExportSummary summary;
    if (!diagnostics.has_errors()) summary = ExportFmu(options, context.registry, diagnostics);
    PrintDiagnostics(diagnostics, context.err);
    if (diagnostics.has_errors()) return kWrongInput;
    context.out << fmt::format(
        "{}: FMI {}.0 {}; {}, {}, {}, {}{}\n", options.output.string(),
        options.version == FmiVersion::k2 ? 2 : 3,
        KindsOf(options.has_co_simulation, options.has_model_exchange), Counted(summary.inputs, "input"),
        Counted(summary.outputs, "output"), Counted(summary.parameters, "parameter"),
        Counted(summary.locals, "local variable"),
        options.has_model_exchange ? ", " + Counted(summary.states, "continuous state") : "");
    if (summary.ports > 0) context.out << Counted(summary.ports, "wave port") << '\n';
    if (!summary.hopsan_ports.empty())
      context.out << fmt::format("portspecs for Hopsan: {}\n", summary.hopsan_ports);
    if (!summary.has_variable_steps) {
      context.out << "communication steps must be whole multiples of the TimeStep: the system has fixed-step "
                     "components\n";
    }
    return kDone;
  } catch (const std::exception& fault) {
    context.err << fmt::format("{}: error: {}\n", options.system.string(), Explain(fault));
    return kRunFailed;
  }
}

void AddFmuExport(CLI::App& fmu, CommandContext& context) {
  CLI::App& command = *fmu.add_subcommand("export", "Exports a system as an FMU; no compiler is needed");
  const auto options = std::make_shared<FmuExportCommand>();
  command.add_option("SYSTEM", options->options.system, "System file (XML)")->required();
  command.add_option("-o,--output", options->options.output, "The FMU")->type_name("X.fmu")->required();
  AddFmiVersionOption(command, options->options.version);
  command
      .add_option("--kind", options->kind,
                  "cs: co-simulation, the system with its solvers (default); me: model exchange, the "
                  "equations for the "
                  "solver of another tool; systems of differential equations only")
      ->type_name("cs|me|cs,me")
      ->check(CLI::Validator(
          [](const std::string& kind) {
            const bool is_known = kind == "cs" || kind == "me" || kind == "cs,me" || kind == "me,cs";
            return is_known ? "" : fmt::format("'{}' is not a kind of FMU; write cs, me or cs,me", kind);
          },
          ""));
  command
      .add_option_function<std::string>(
          "--platform",
          [](const std::string& platform) {
            if (platform == "linux64" || platform == "x86_64-linux") return;
            throw CLI::ValidationError(
                "--platform",
                fmt::format("an FMU of davit has no binary for '{}', but only for Linux on x86-64 (linux64); "
                            "leave --platform out (docs/fmi.md#what-cannot-be-exported)",
                            platform));
          })
      ->group("");  // not in --help: other exporters have it, and there is nothing to choose yet
  const auto add_globs = [&](const char* name, std::vector<std::string>& texts, const char* text) {
    command.add_option(name, texts, text)->type_name("GLOBS")->expected(1)->take_all();
  };
  add_globs(
      "--inputs", options->options.selection.inputs,
      "What is set between steps: inputs, live parameters, levels, aspects; default: inputs without a route");
  add_globs("--outputs", options->options.selection.outputs,
            "What is an output; default: what <Record> names");
  add_globs("--parameters", options->options.selection.parameters, "What is a parameter; default: all");
  AddParameterOptions(command, options->options.load);
  AddPluginOption(command, context);
  command
      .add_option("--name", options->options.name, "Name of the library inside; default: that of the system")
      ->type_name("ID");
  command.add_flag_callback(
      "--no-reference", [options] { options->options.has_reference = false; },
      "Leaves out the results of the default experiment, which takes the time of a run");
  command.callback([&context, options] {
    const bool is_right = context.LoadPlugins(options->options.system);
    context.exit_code = is_right ? ExportSystem(*options, context) : kWrongInput;
  });
}

struct FmuCheckCommand {
  fs::path file;
  std::string kind;
  std::optional<double> relative, absolute;

  std::optional<ComparisonTolerances> tolerances() const {
    if (!relative && !absolute) return std::nullopt;
    ComparisonTolerances given;
    given.relative = relative.value_or(given.relative);
    given.absolute = absolute.value_or(given.absolute);
    return given;
  }
};

void PrintDifferences(const Comparison& comparison, std::ostream& out) {
  for (const SignalComparison& signal : comparison.signals) {
    if (signal.is_same) continue;
    if (!signal.has_worst) {
      out << fmt::format("{}: the run has no such signal\n", signal.name);
    } else {
      out << fmt::format("{}: at {:.9g} s the reference is {:.9g}, the run {:.9g}\n", signal.name,
                         signal.time, signal.a, signal.b);
    }
  }
}

int Check(const FmuCheckCommand& command, CommandContext& context) {
  Diagnostics diagnostics;
  try {
    const FmuCheck check = CheckFmu(command.file, command.tolerances(), diagnostics, command.kind == "me");
    PrintDiagnostics(diagnostics, context.err);
    if (diagnostics.has_errors()) return kWrongInput;
    const FmuDescription& description = check.description;
    context.out << fmt::format("{}: FMI {}.0 {}, {}, made by {}\n", command.file.string(),
                               description.version == FmiVersion::k2 ? 2 : 3,
                               check.kind == FmuKind::kModelExchange ? "model exchange" : "co-simulation",
                               Counted(description.variables.size(), "variable"),
                               description.tool.empty() ? "a tool that is not named" : description.tool);
    context.out << fmt::format("binaries for {}\n", fmt::join(check.platforms, ", "));
    context.out << fmt::format("{} from {} s to {} s\n", Counted(check.steps, "step"), description.start,
                               description.stop);
    if (!check.not_finite.empty()) {
      context.err << fmt::format("{}: error: {}\n", command.file.string(), check.not_finite);
      return kRunFailed;
    }
    if (!check.has_reference) {
      context.out << "it has no reference results\n";
      return kDone;
    }
    context.out << fmt::format(
        "reference results of {} at {}: {}\n", Counted(check.comparison.signals.size(), "signal"),
        Counted(check.rows, "time"), check.comparison.is_same ? "the same" : "different");
    PrintDifferences(check.comparison, context.out);
    return check.comparison.is_same ? kDone : kRunFailed;
  } catch (const std::exception& fault) {
    PrintDiagnostics(diagnostics, context.err);
    const std::string text = Explain(fault);
    const bool is_failure = dynamic_cast<const FmuFailure*>(&fault) != nullptr;  // of a call
    context.err << (text.starts_with("error: ") ? command.file.string() + ": " : "")
                << (is_failure ? command.file.string() + ": error: " : "") << text << '\n';
    return kWrongInput;
  }
}

void AddFmuCheck(CLI::App& fmu, CommandContext& context) {
  CLI::App& command =
      *fmu.add_subcommand("check",
                          "Runs an FMU through its default experiment, and compares it with its reference "
                          "results, if any. Its code runs with your rights");
  const auto check = std::make_shared<FmuCheckCommand>();
  command.add_option("FMU", check->file, "An FMU, by any tool")->required();
  command
      .add_option("--kind", check->kind,
                  "FMU kind to run: cs, co-simulation; me, model exchange; default: cs if available")
      ->type_name("cs|me")
      ->check(CLI::IsMember({"cs", "me"}));
  command
      .add_option("--rtol", check->relative,
                  "Relative tolerance (default: 1e-9; model exchange without --rtol and --atol: 1e-3 of the "
                  "largest value of each signal)")
      ->type_name("R");
  command.add_option("--atol", check->absolute, "Absolute tolerance (default: 1e-12)")->type_name("A");
  command.callback([&context, check] { context.exit_code = Check(*check, context); });
}

}  // namespace

namespace {

/// Null after printing what is wrong.
std::unique_ptr<LoneFmu> ReadFmu(const fs::path& file, const FmuOptions& options, std::ostream& err) {
  FileDescribed::Attributes attributes;
  if (!options.kind.empty()) attributes.emplace("kind", options.kind);
  if (!options.locals.empty()) attributes.emplace("locals", options.locals);
  Diagnostics diagnostics;
  auto fmu = std::make_unique<LoneFmu>(file, attributes, diagnostics);
  PrintDiagnostics(diagnostics, err);
  return diagnostics.has_errors() ? nullptr : std::move(fmu);
}

/// The library that runs systems in FMUs: beside the program, or where `cmake --install` puts it.
fs::path FindFmuRuntime() {
  std::error_code fault;
  const fs::path folder = fs::read_symlink("/proc/self/exe", fault).parent_path();
  constexpr std::string_view kName = "davit_fmu_runtime.so";
  for (const char* place : {".", "../lib/x86_64-linux-gnu/davit", "../lib/davit"}) {
    fs::path file = (folder / place / kName).lexically_normal();
    if (fs::exists(file, fault)) return file;
  }
  return folder / kName;
}

}  // namespace

Diagnostics PrepareExport(FmuExportOptions& options, CommandContext& context) {
  options.runtime = FindFmuRuntime();
  options.plugins = context.loaded_plugins;
  Diagnostics diagnostics;
  const std::vector<OutputPath> outputs{{"-o " + options.output.string(), options.output}};
  CheckOutputPaths(outputs, InputsOf(options.system, context.registry, options.load), diagnostics);
  Diagnostics ignored;  // the export reports them
  const std::unique_ptr<System> system = LoadSystem(options.system, context.registry, {}, ignored);
  if (system == nullptr) return diagnostics;
  for (const Component* component : system->components()) {
    if (dynamic_cast<const FmuComponent*>(component) != nullptr)
      diagnostics.Error(
          component->location(), component->DisplayPath(),
          "an exported system cannot contain an FMU; remove it, and connect both FMUs in the tool that "
          "runs them");
    if (IsInterface(*component))
      diagnostics.Error(component->location(), component->DisplayPath(),
                        "an exported system cannot contain an interface; remove it, and give the FMU inputs "
                        "and outputs in its place (--inputs, --outputs)");
  }
  return diagnostics;
}

void AddFmiVersionOption(CLI::App& command, FmiVersion& version) {
  command
      .add_option_function<std::string>(
          "--fmi",
          [&version](const std::string& text) {
            if (text != "2" && text != "2.0" && text != "3" && text != "3.0") {
              throw CLI::ValidationError("--fmi",
                                         fmt::format("davit does not export FMI '{}'; write 2 or 3", text));
            }
            version = text.front() == '2' ? FmiVersion::k2 : FmiVersion::k3;
          },
          "Version of FMI (default: 2)")
      ->type_name("2|3");
}

int DescribeFmu(const fs::path& file, const FmuOptions& options, DescribeFormat format, std::ostream& out,
                std::ostream& err) {
  const std::unique_ptr<LoneFmu> fmu = ReadFmu(file, options, err);
  if (fmu == nullptr) return kWrongInput;
  WriteModelDescription(fmu->Describe(), format, out);
  return kDone;
}

std::shared_ptr<const SystemDescription> MakeSystemOfFmu(const fs::path& file, const FmuOptions& options,
                                                         std::ostream& err) {
  const std::unique_ptr<LoneFmu> fmu = ReadFmu(file, options, err);
  if (fmu == nullptr) return nullptr;
  Diagnostics diagnostics;
  std::shared_ptr<const SystemDescription> system = fmu->MakeSystem(options.input, diagnostics);
  PrintDiagnostics(diagnostics, err);
  return diagnostics.has_errors() ? nullptr : system;
}

std::shared_ptr<const SystemDescription> MakeSystemOfSsp(const fs::path& file, LoadOptions& load,
                                                         std::ostream& err) {
  Diagnostics diagnostics;
  SspSystem system = ReadSsp(file, diagnostics);
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return nullptr;
  load.set.insert(load.set.begin(), system.settings.begin(), system.settings.end());
  return std::move(system.description);
}

void RegisterFmuModels(Registry& registry) { RegisterFmi(registry); }

void AddFmuCommand(CLI::App& command, CommandContext& context) {
  command.require_subcommand(1);
  AddFmuExport(command, context);
  AddFmuCheck(command, context);
}

}  // namespace davit
