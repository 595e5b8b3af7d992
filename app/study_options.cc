#include "app/study_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <thread>

#include "app/check_command.h"
#include "app/exit_code.h"
#include "app/print_diagnostics.h"
#include "framework/exception_text.h"
#include "framework/xml/schedule_reader.h"
#include "results/output_failure.h"

namespace davit {

void AddStudyOptions(CLI::App& command, StudyOptions& options, const std::string& vary,
                     const std::string& name) {
  command.add_option("SYSTEM", options.system, "System file (XML) or model of Hopsan (.hmf)")->required();
  AddTexts(command, name, options.vary, vary)->type_name("PATH=VALUES");
  command.add_option("--stop", options.stop, "Time at which each run ends, e.g. '50 s'")->type_name("T");
  AddLoadOptions(command, options.load);
  command.add_flag("--steady", options.is_steady,
                   "Each run starts in steady state: searches for the equilibrium at StartTime");
  command
      .add_option("-j,--jobs", options.workers,
                  "Cases at a time, each on one thread; as many as the machine has if not given. "
                  "Results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--quiet", options.is_quiet, "Prints errors only");
}

CLI::Option* AddTexts(CLI::App& command, const std::string& name, std::vector<VariationText>& texts,
                      const std::string& description) {
  return command
      .add_option_function<std::vector<std::string>>(
          name,
          [name, &texts](const std::vector<std::string>& given) {
            for (const std::string& text : given) texts.push_back({text, OptionPlace(name, text)});
          },
          description)
      ->expected(1)
      ->take_all();
}

void AddMeasureOption(CLI::App& command, StudyOptions& options) {
  AddTexts(command, "--measure", options.measures,
           "NAME=EXPR: a column of the table: max(x) min(x) mean(x) rms(x) final(x) integral(x) at(x, T) "
           "crossing(x, VALUE) rise_time(x) settling_time(x, SHARE) overshoot(x) events(COMPONENT), and "
           "arithmetic with them; may be given several times")
      ->type_name("NAME=EXPR");
}

std::vector<MeasureDefinition> ReadMeasureOptions(const std::vector<VariationText>& texts,
                                                  Diagnostics& diagnostics) {
  std::vector<MeasureDefinition> definitions;
  for (const VariationText& measure : texts) {
    const std::string& text = measure.text;
    const std::size_t equals = text.find('=');
    const bool is_comparison = equals != std::string::npos && text.substr(equals).starts_with("==");
    if (equals == std::string::npos || equals == 0 || is_comparison) {
      diagnostics.Error(measure.place, {}, "it has no name; write NAME=EXPR, as in 'peak=max(load.x)'");
    } else {
      definitions.push_back({text.substr(0, equals), text.substr(equals + 1), measure.place});
    }
  }
  return definitions;
}

CaseSetup MakeCaseSetup(const StudyOptions& options) {
  CaseSetup setup{.system = options.system};
  setup.options.load = options.load;
  if (options.stop) setup.options.load.set.push_back("SimulatorManager.StopTime=" + *options.stop);
  setup.options.is_steady = options.is_steady;
  setup.ranks = options.ranks;
  setup.options.log = [](RunLog::Severity, std::string_view) {};  // what matters is in the result of the case
  return setup;
}

std::unique_ptr<Simulation> LoadStudySystem(const StudyOptions& options, const Registry& registry,
                                            std::ostream& err) {
  std::unique_ptr<Simulation> simulation =
      LoadSimulation(options.system, registry, MakeCaseSetup(options).options, err);
  if (simulation == nullptr || simulation->manager().autostart()) return simulation;
  err << options.system.string()
      << ": error: /SimulatorManager: Autostart is false, and nobody can send the message Start; give --set "
         "SimulatorManager.Autostart=true\n";
  return nullptr;
}

std::vector<std::filesystem::path> StudyInputs(const StudyOptions& options, const Simulation& simulation,
                                               const std::vector<std::filesystem::path>& tables) {
  std::vector<std::filesystem::path> inputs = InputsOf(simulation.system(), tables);
  if (!options.file.empty()) inputs.push_back(options.file);
  return inputs;
}

unsigned WorkersOf(const StudyOptions& options) {
  if (options.workers > 0) return options.workers;
  return options.ranks != nullptr ? 1 : std::max(1U, std::thread::hardware_concurrency());
}

StudyWatch::StudyWatch(std::ostream& err, bool is_quiet, std::uint64_t cases)
    : bar_(err, !is_quiet && isatty(STDERR_FILENO) == 1),
      cases_(cases),
      interrupt_({[this](int /*signal*/) {
                    stop_.request_stop();
                    static constexpr std::string_view kText =
                        "interrupted: the cases that run are given up; a second signal ends the program "
                        "immediately\n";
                    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
                  },
                  [] {}}) {}

void StudyWatch::Show(std::uint64_t done, const std::string& what) {
  bar_.Show(cases_ > 0 ? static_cast<double>(done) / static_cast<double>(cases_) : 1,
            what.empty() ? fmt::format("{} of {} cases", done, cases_) : what);
}

int ExecuteStudy(const Diagnostics& diagnostics, std::ostream& err, const std::function<int()>& execute,
                 const std::function<bool()>& has_rows) {
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;
  try {
    return execute();
  } catch (const OutputFailure& fault) {
    err << "error: " << fault.what() << '\n';
    return fault.is_of_path() && !has_rows() ? kWrongInput : kRunFailed;
  } catch (const std::exception& fault) {
    err << "error: " << Explain(fault) << '\n';
    return kRunFailed;
  }
}

}  // namespace davit
