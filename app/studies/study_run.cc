#include "app/studies/study_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <utility>

#include "app/command_context.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/print_diagnostics.h"
#include "app/progress_bar.h"
#include "app/studies/study_report.h"
#include "framework/exception_text.h"
#include "framework/xml/schedule_reader.h"
#include "results/output_failure.h"

namespace davit {
namespace {

/// `--loss-scale`.
std::string LongNameOf(const StudyOption& option) {
  std::string name = "--" + option.name;
  std::ranges::replace(name, '_', '-');
  return name;
}

/// As it is typed, with an example in quotes where a shell needs them.
std::string SpellOnCommandLine(const StudyOption& option, std::string_view example) {
  std::string name = option.letter != 0 ? std::string{'-', option.letter} : LongNameOf(option);
  if (example.empty()) return name;
  const bool is_plain = example.find_first_of(" ()<>;") == std::string_view::npos;
  return is_plain ? fmt::format("{} {}", name, example) : fmt::format("{} '{}'", name, example);
}

/// With the names of other options as they are typed.
std::string TextOnCommandLine(const StudyOption& option) {
  std::string text;
  bool is_name = false;
  for (const char c : option.Text()) {
    if (c == '`') {
      is_name = !is_name;
      if (is_name) text += "--";
    } else {
      text += is_name && c == '_' ? '-' : c;
    }
  }
  return text;
}

void AddStudyOption(CLI::App& command, const StudyOption& option, StudyOptions& options) {
  const std::string name = SpellOnCommandLine(option, {});
  const auto store = [&option, &options, name](const std::string& text) {
    if (const Fault fault = option.Store(options, {text, OptionPlace(name, text)}))
      throw CLI::ValidationError(LongNameOf(option), fault.ToText());
  };
  const std::string names = (option.letter != 0 ? name + "," : "") + LongNameOf(option);
  if (option.kind == StudyOption::Kind::kFlag) {
    command.add_flag_callback(
        names, [store] { store("true"); }, TextOnCommandLine(option));
    return;
  }
  command
      .add_option_function<std::vector<std::string>>(
          names, [store](const std::vector<std::string>& texts) { std::ranges::for_each(texts, store); },
          TextOnCommandLine(option))
      ->type_name(option.Form())
      ->expected(1)
      ->required(option.is_required)
      ->multi_option_policy(option.is_repeated ? CLI::MultiOptionPolicy::TakeAll
                                               : CLI::MultiOptionPolicy::Throw);
}

/// What a study shows while it goes on: a line with the time left; Ctrl-C, which gives up the cases that run.
class StudyWatch {
 public:
  StudyWatch(std::ostream& err, bool is_quiet)
      : bar_(err, !is_quiet && isatty(STDERR_FILENO) == 1),
        interrupt_({[this](int /*signal*/) {
                      stop_.request_stop();
                      static constexpr std::string_view kText =
                          "interrupted: the cases that run are given up; a second signal ends the program "
                          "immediately\n";
                      [[maybe_unused]] const ssize_t written =
                          write(STDERR_FILENO, kText.data(), kText.size());
                    },
                    [] {}}) {}
  ~StudyWatch() { bar_.Clear(); }
  StudyWatch(const StudyWatch&) = delete;
  StudyWatch& operator=(const StudyWatch&) = delete;

  StudyCalls calls() {
    return {.stop = stop_.get_token(),
            .progress = [this](std::uint64_t done, std::uint64_t all, const std::string& what) {
              bar_.Show(all > 0 ? static_cast<double>(done) / static_cast<double>(all) : 1,
                        what.empty() ? fmt::format("{} of {} cases", done, all) : what);
            }};
  }

 private:
  std::stop_source stop_;
  ProgressBar bar_;
  Interrupt interrupt_;
};

}  // namespace

void AddStudyOptions(CLI::App& command, Study& study) {
  StudyOptions& options = study.shared();
  options.spell = SpellOnCommandLine;
  command.add_option("SYSTEM", options.system, "System file (XML) or Hopsan model (.hmf)")->required();
  bool has_load_options = false;
  for (const StudyOption& option : study.kind().options) {
    if (!option.is_of_system) {
      AddStudyOption(command, option, options);
    } else if (!std::exchange(has_load_options, true)) {
      // Of a study with another meaning of `at`, without.
      if (study.kind().Get("at").is_of_system) {
        AddLoadOptions(command, options.simulation.load);
      } else {
        AddSystemOptions(command, options.simulation.load);
      }
    }
  }
}

int RunStudy(Study& study, bool is_quiet, const Registry& registry, std::ostream& out, std::ostream& err) {
  Diagnostics diagnostics;
  study.Check(registry, diagnostics);
  PrintDiagnostics(diagnostics, err);
  if (diagnostics.has_errors()) return kWrongInput;
  int code = kDone;
  std::string fault;
  try {
    StudyWatch watch(err, is_quiet);
    study.Run(watch.calls());
  } catch (const OutputFailure& failure) {
    fault = failure.what();
    code = failure.is_of_path() && !study.has_run() ? kWrongInput : kRunFailed;
  } catch (const std::exception& failure) {
    fault = Explain(failure);
    code = kRunFailed;
  }
  for (const std::string& warning : study.warnings()) err << warning << '\n';
  if (study.has_result()) code = std::max(code, ReportStudy(study, is_quiet, out, err));
  if (!study.fault().empty()) {
    fault = study.fault();
    code = kRunFailed;
  }
  if (!fault.empty()) err << "error: " << fault << '\n';
  return code;
}

}  // namespace davit
