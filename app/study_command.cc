#include "app/study_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/study/study_file.h"
#include "analysis/study/study_text.h"
#include "app/exit_code.h"
#include "app/fit_command.h"
#include "app/optimize_command.h"
#include "app/print_diagnostics.h"
#include "app/sensitivity_command.h"
#include "app/sweep_command.h"
#include "framework/nearest_name.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// Makes options of the elements of a study file.
class StudyReader {
 public:
  StudyReader(fs::path file, unsigned workers, bool is_resumed, RankChannel* ranks, Diagnostics& diagnostics)
      : file_(std::move(file)),
        folder_(file_.parent_path()),
        workers_(workers),
        is_resumed_(is_resumed),
        ranks_(ranks),
        diagnostics_(diagnostics) {}

  SweepOptions Sweep(const StudyElement& element) {
    SweepOptions options;
    Begin(element, options.study);
    options.output = Path(element.Get("output"));
    options.is_resumed = is_resumed_;
    if (element.Has("cases")) options.cases = Path(element.Get("cases"));
    if (element.Has("plot")) options.plot = Path(element.Get("plot"));
    if (element.Has("samples")) options.samples = Whole(element, "samples", 1);
    if (element.Has("seed")) options.seed = Whole(element, "seed", 0);
    options.keeps_curves = IsTrue(element, "keep");
    if (element.Has("signals")) options.study.load.signals = {element.Get("signals")};
    if (element.Has("interval")) options.study.load.interval = element.Get("interval");
    const std::size_t sampling = Choice(element, "sampling", {"lhs", "sobol", "random"});
    options.sampling = static_cast<Sampling>(sampling);
    return options;
  }

  OptimizeOptions Optimize(const StudyElement& element) {
    OptimizeOptions options;
    Begin(element, options.study);
    if (element.Has("output")) options.output = Path(element.Get("output"));
    options.is_resumed = is_resumed_ && options.output;
    if (element.Has("plot")) options.plot = Path(element.Get("plot"));
    if (element.Has("start_from")) options.start_from = Path(element.Get("start_from"));
    if (element.Has("budget")) options.budget = Whole(element, "budget", 1);
    if (element.Has("seed")) options.seed = Whole(element, "seed", 0);
    if (element.Has("tolerance")) options.tolerance = Number(element, "tolerance");
    const std::vector<std::string> methods(kOptimizationMethods.begin(), kOptimizationMethods.end());
    options.method = static_cast<OptimizationMethod>(Choice(element, "method", methods));
    for (const StudyElement& child : element.children) {
      if (child.name == "Minimize" || child.name == "Maximize")
        options.goals.push_back({child.Get("expr"), child.name == "Maximize", child.place});
      if (child.name == "SubjectTo") options.constraints.push_back({child.Get("constraint"), child.place});
    }
    return options;
  }

  SensitivityOptions Sensitivity(const StudyElement& element) {
    SensitivityOptions options;
    Begin(element, options.study);
    if (element.Has("output")) options.output = Path(element.Get("output"));
    if (element.Has("curves")) options.curves = Path(element.Get("curves"));
    if (element.Has("plot")) options.plot = Path(element.Get("plot"));
    if (element.Has("step")) options.step = Number(element, "step");
    if (element.Has("sobol")) options.sobol = Whole(element, "sobol", 2);
    if (element.Has("morris")) options.morris = Whole(element, "morris", 2);
    if (element.Has("seed")) options.seed = Whole(element, "seed", 0);
    options.method =
        static_cast<SensitivityMethod>(Choice(element, "method", {"auto", "variational", "differences"}));
    for (const StudyElement& child : element.children) {
      const std::string name = child.Has("name") ? child.Get("name") + "=" : "";
      const std::string values = child.Has("values") ? "=" + child.Get("values") : "";
      if (child.name == "Of") options.of.push_back({name + child.Get("expr"), child.place});
      if (child.name == "To") options.study.vary.push_back({child.Get("path") + values, child.place});
    }
    return options;
  }

  FitOptions Fit(const StudyElement& element) {
    FitOptions options;
    Begin(element, options.study);
    ReadData(element, options);
    if (element.Has("output")) options.output = Path(element.Get("output"));
    if (element.Has("plot")) options.plot = Path(element.Get("plot"));
    if (element.Has("offset")) options.offset = element.Get("offset");
    if (element.Has("rounds"))
      options.search.most_rounds =
          static_cast<int>(std::min<std::uint64_t>(Whole(element, "rounds", 1), 10'000));
    const std::vector<std::string> losses(kLosses.begin(), kLosses.end());
    options.search.loss = static_cast<Loss>(Choice(element, "loss", losses));
    if (element.Has("loss_scale")) options.search.scale = Number(element, "loss_scale");
    for (const StudyElement& child : element.children) {
      if (child.name != "Match") continue;
      std::string text = child.Get("path") + "=" + child.Get("column");
      if (child.Has("weight")) text += ":" + child.Get("weight");
      options.matches.push_back({text, child.place});
    }
    return options;
  }

 private:
  void Begin(const StudyElement& element, StudyOptions& study) {
    study.system = Path(element.Get("system"));
    study.file = file_;
    study.workers = workers_;
    study.ranks = ranks_;
    study.is_steady = IsTrue(element, "steady");
    if (element.Has("stop")) study.stop = element.Get("stop");
    for (const StudyElement& child : element.children) {
      if (child.name == "Vary")
        study.vary.push_back({child.Get("path") + "=" + child.Get("values"), child.place});
      if (child.name == "Measure")
        study.measures.push_back({child.Get("name") + "=" + child.Get("expr"), child.place});
      if (child.name == "Set") study.load.set.push_back(child.Get("path") + "=" + child.Get("value"));
      if (child.name == "Level") study.load.level.push_back(child.Get("path") + "=" + child.Get("level"));
      if (child.name == "At")
        study.load.at.push_back(child.Get("time") + ":" + child.Get("path") + "=" + child.Get("value"));
    }
  }

  /// The attribute data, or elements <Data> with the values that differ between them.
  void ReadData(const StudyElement& element, FitOptions& options) {
    if (element.Has("data")) options.data.push_back(Path(element.Get("data")));
    std::map<std::string, std::vector<const StudyElement*>> settings;  // by path
    for (const StudyElement& child : element.children) {
      if (child.name != "Data") continue;
      options.data.push_back(Path(child.Get("file")));
      for (const StudyElement& set : child.children) settings[set.Get("path")].push_back(&set);
    }
    if (options.data.empty())
      diagnostics_.Error(element.place, {},
                         "<Fit> has no data; write <Fit data=\"...\", or add <Data file=\"...\"/>");
    for (const auto& [path, sets] : settings) {
      VariationText text{path + "=", sets.front()->place};
      for (const StudyElement* set : sets) text.text += (set == sets.front() ? "" : ",") + set->Get("value");
      if (sets.size() == options.data.size()) {
        options.per_data.push_back(std::move(text));
      } else {
        diagnostics_.Error(text.place, {},
                           path + " must be set once in each <Data>, or for all of them in <Fit>");
      }
    }
  }

  fs::path Path(const std::string& text) const { return folder_ / text; }
  void Fail(const StudyElement& element, std::string_view attribute, std::string_view remedy) {
    diagnostics_.Error(element.place, {},
                       fmt::format("{}: {} is wrong; {}", attribute, Quoted(element.Get(attribute)), remedy));
  }
  double Number(const StudyElement& element, std::string_view attribute) {
    double number = 0;
    const std::string text = element.Get(attribute);
    if (text.empty() || ParseLeadingNumber(text, number) != text.size() || !(number > 0))
      Fail(element, attribute, "write a number above 0");
    return number;
  }
  std::uint64_t Whole(const StudyElement& element, std::string_view attribute, std::uint64_t least) {
    const std::string text = element.Get(attribute);
    constexpr std::size_t kMostDigits = 15;
    const bool is_whole = !text.empty() && text.size() <= kMostDigits &&
                          text.find_first_not_of("0123456789") == std::string::npos;
    const std::uint64_t number = is_whole ? std::stoull(text) : 0;
    if (!is_whole || number < least)
      Fail(element, attribute, fmt::format("write a whole number from {}", least));
    return number;
  }
  bool IsTrue(const StudyElement& element, std::string_view attribute) {
    return Choice(element, attribute, {"false", "true"}) == 1;
  }
  /// The place of the value among `choices`; the first where it is not given.
  std::size_t Choice(const StudyElement& element, std::string_view attribute,
                     const std::vector<std::string>& choices) {
    if (!element.Has(attribute)) return 0;
    const auto found = std::ranges::find(choices, element.Get(attribute));
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
    Fail(element, attribute, SuggestName("use", element.Get(attribute), choices));
    return 0;
  }

  fs::path file_;
  fs::path folder_;
  unsigned workers_;
  bool is_resumed_;
  RankChannel* ranks_;
  Diagnostics& diagnostics_;
};

}  // namespace

int RunStudy(const fs::path& file, unsigned workers, bool is_resumed, CommandContext& context) {
  Diagnostics diagnostics;
  const std::vector<StudyElement> studies = LoadStudyFile(file, diagnostics);
  StudyReader reader(file, workers, is_resumed, context.ranks, diagnostics);
  std::vector<SweepOptions> sweeps;
  std::vector<OptimizeOptions> searches;
  std::vector<FitOptions> fits;
  std::vector<SensitivityOptions> sensitivities;
  for (const StudyElement& study : studies) {
    if (study.name == "Sweep") sweeps.push_back(reader.Sweep(study));
    if (study.name == "Optimize") searches.push_back(reader.Optimize(study));
    if (study.name == "Fit") fits.push_back(reader.Fit(study));
    if (study.name == "Sensitivity") sensitivities.push_back(reader.Sensitivity(study));
  }
  PrintDiagnostics(diagnostics, context.err);
  if (diagnostics.has_errors()) return kWrongInput;
  std::set<std::string> systems;
  std::size_t sweep = 0, search = 0, fit = 0, sensitivity = 0;
  int code = kDone;
  for (const StudyElement& study : studies) {
    if (studies.size() > 1)
      context.out << fmt::format("{}:{} <{}>\n", file.string(), study.place.line, study.name);
    if (!context.LoadPlugins(systems.insert(study.Get("system")).second
                                 ? file.parent_path() / study.Get("system")
                                 : fs::path()))
      return kWrongInput;
    context.plugins.clear();  // each once
    const int one =
        study.name == "Sweep" ? RunSweep(sweeps[sweep++], context.registry, context.out, context.err)
        : study.name == "Optimize"
            ? RunOptimize(searches[search++], context.registry, context.out, context.err)
        : study.name == "Fit"
            ? RunFit(fits[fit++], context.registry, context.out, context.err)
            : RunSensitivity(sensitivities[sensitivity++], context.registry, context.out, context.err);
    code = std::max(code, one);
  }
  return code;
}

void AddStudyCommand(CLI::App& program, CommandContext& context) {
  CLI::App& command =
      *program.add_subcommand("study", "Runs the sweeps, optimisations, fits and sensitivities of a file");
  struct Options {
    fs::path file;
    unsigned workers = 0;
    bool is_resumed = false;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("STUDY", options->file, "Study file (XML)")->required();
  command
      .add_option("-j,--jobs", options->workers,
                  "Cases at a time; as many as the machine has threads if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--resume", options->is_resumed, "Keeps what the tables have, and runs the other cases");
  AddPluginOption(command, context);
  command.callback([&context, options] {
    context.exit_code = RunStudy(options->file, options->workers, options->is_resumed, context);
  });
}

}  // namespace davit
