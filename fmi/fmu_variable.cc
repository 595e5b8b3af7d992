#include "fmi/fmu_variable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "fmi/fmu_events.h"
#include "fmi/ports/wave_port.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "simulator/charts/chart_binding.h"
#include "simulator/charts/chart_set.h"

namespace davit {
namespace {

/// The words of `texts`, each with whether anything has matched it.
class Globs {
 public:
  Globs(std::string option, const std::vector<std::string>& texts) : option_(std::move(option)) {
    constexpr std::string_view kSeparators = " \t\r\n,";
    for (std::string_view rest : texts) {
      for (;;) {
        rest.remove_prefix(std::min(rest.find_first_not_of(kSeparators), rest.size()));
        if (rest.empty()) break;
        globs_.push_back({std::string(rest.substr(0, rest.find_first_of(kSeparators)))});
        rest.remove_prefix(std::min(rest.find_first_of(kSeparators), rest.size()));
      }
    }
  }

  bool is_given() const { return !globs_.empty(); }

  bool Matches(std::string_view path) {
    bool is_match = false;
    for (Glob& glob : globs_) {
      if (!MatchesGlob(path, glob.text)) continue;
      glob.has_matched = true;
      is_match = true;
    }
    return is_match;
  }

  void Report(std::string_view what, Diagnostics& diagnostics) const {
    for (const Glob& glob : globs_) {
      if (glob.has_matched) continue;
      const SourceLocation place{std::make_shared<const std::string>(option_ + " " + glob.text), 0};
      diagnostics.Error(
          place, {},
          fmt::format("matches nothing that can be {}; davit run SYSTEM -o x.csv lists signals, davit "
                      "describe MODEL inputs and parameters",
                      what));
    }
  }

 private:
  struct Glob {
    std::string text;
    bool has_matched = false;
  };
  std::string option_;
  std::vector<Glob> globs_;
};

FmuType TypeOf(const Item& item) {
  switch (item.value_kind()) {
    case ValueKind::kInteger: return FmuType::kInteger;
    case ValueKind::kCondition: return FmuType::kBoolean;
    case ValueKind::kOption: return FmuType::kEnumeration;
    case ValueKind::kText: return FmuType::kString;
    case ValueKind::kNumber: break;
  }
  return FmuType::kReal;
}

/// One path of the system: what is read there, and what can be set there.
struct Candidate {
  std::optional<Item> signal;
  std::optional<Item> setting;

  const Item& item() const { return signal ? *signal : *setting; }
};

std::string NameOfVariable(const Item& item) {
  if (item.kind() != Item::Kind::kDerivative) return item.path();
  constexpr std::string_view kEnd = ".ddt";
  return "der(" + item.path().substr(0, item.path().size() - kEnd.size()) + ")";
}

/// A parameter that a route writes is none for the master.
bool IsSetting(const Item& item) {
  switch (item.kind()) {
    case Item::Kind::kParameter: return !item.parameter()->is_routed;
    case Item::Kind::kProperty:
    case Item::Kind::kLevel:
    case Item::Kind::kAspect:
    case Item::Kind::kStart: return true;
    default: return false;
  }
}

class VariableLister {
 public:
  VariableLister(Simulation& simulation, const FmuSelection& selection)
      : simulation_(simulation),
        inputs_("--inputs", selection.inputs),
        outputs_("--outputs", selection.outputs),
        parameters_("--parameters", selection.parameters) {
    for (const Item& column : simulation.system().record_plan().columns) recorded_.insert(column.path());
    for (const Command& command : simulation.system().schedule()) {
      if (const Assignment* const write = command.write()) written_.insert(write->item.path());
    }
    for (const ChartBinding* chart : simulation.manager().charts().charts()) {
      for (const ChartBinding::Write& write : chart->writes()) written_.insert(write.target.path());
    }
  }

  std::vector<FmuVariable> List(Diagnostics& diagnostics) {
    System& system = simulation_.system();
    for (Component* component : system.components()) {
      if (IsSettingOfRun(*component) || component->parent() == &simulation_.manager()) continue;
      if (const auto* const port = dynamic_cast<const WavePort*>(component)) {
        AddPort(*component, *port);
      } else {
        AddItems(*component);
      }
    }
    DropNamesOfPorts();
    AddEvents();
    inputs_.Report(
        "an input: an input without a route, a live parameter, a level, an aspect or an event of charts",
        diagnostics);
    outputs_.Report("an output", diagnostics);
    parameters_.Report("a parameter", diagnostics);
    if (diagnostics.has_errors()) return {};
    KeepStarts();
    return std::move(variables_);
  }

 private:
  void AddItems(Component& component) {
    std::vector<Candidate> candidates;
    std::unordered_map<std::string, std::size_t> by_path;
    for (const Item& item : simulation_.system().ItemsOf(component)) {
      const auto [known, is_new] = by_path.try_emplace(item.path(), candidates.size());
      if (is_new) candidates.emplace_back();
      Candidate& candidate = candidates[known->second];
      std::optional<Item>& place = item.is_signal() ? candidate.signal : candidate.setting;
      if (!place) place = item;
    }
    for (const Candidate& candidate : candidates) Add(candidate);
  }

  /// All that crosses the border is there, whatever the options are.
  void AddPort(const Component& component, const WavePort& port) {
    for (const WavePort::Variable& wanted : port.variables()) {
      Fault fault;
      const std::string path = component.path() + "." + wanted.item;
      System& system = simulation_.system();
      const std::optional<Item> item = system.FindVariable(system.root(), path, &fault);
      if (!item) continue;
      FmuVariable variable{
          port.NameOutside() + "." + wanted.member, item, {path, FmuType::kReal, FmuWrite::kNever}};
      variable.text = item->text();
      if (wanted.is_input) {
        MakeInput(variable);
      } else {
        MakeResult(variable, FmuCausality::kOutput, std::nullopt);
      }
      of_ports_.insert(variable.name);
      variables_.push_back(std::move(variable));
    }
  }

  /// A port that is not exposed is named by its path, as its own variables are.
  void DropNamesOfPorts() {
    std::erase_if(variables_, [&](const FmuVariable& variable) {
      return of_ports_.contains(variable.name) && variable.name == variable.entry.path;
    });
  }

  void AddEvents() {
    const std::vector<std::string> wanted = ListChartEvents(simulation_.manager());
    for (const std::string& event : ListAllChartEvents(simulation_.manager())) {
      const std::string name = "event(" + event + ")";
      const bool is_wanted =
          inputs_.is_given() ? inputs_.Matches(name) : std::ranges::count(wanted, event) > 0;
      if (!is_wanted) continue;
      FmuVariable variable{
          name, std::nullopt, {event, FmuType::kInteger, FmuWrite::kLive, FmuSource::kEvent}};
      variable.causality = FmuCausality::kInput;
      variable.variability = FmuVariability::kDiscrete;
      variable.initial = FmuInitial::kNone;
      variable.start = 0;
      variable.text = "Counter: adding 1 sends the event " + event + " to the charts";
      variables_.push_back(std::move(variable));
    }
  }

  void Add(const Candidate& candidate) {
    const Item& item = candidate.item();
    Fault fault;
    const std::optional<Item> setting =
        simulation_.system().FindSetting(simulation_.system().root(), item.path(), &fault);
    const bool is_live = setting && System::MayWrite(*setting, &fault) && setting->is_writable();
    const bool is_input = item.causality() == Item::Causality::kInput;
    const bool is_setting = IsSetting(item);
    const bool is_recorded = recorded_.contains(item.path());
    // A master that sets all inputs in each step would undo what the system writes.
    const bool is_written_input = is_input && written_.contains(item.path());
    const bool may_be_input = is_input || (is_setting && is_live && TypeOf(item) != FmuType::kString);
    const bool may_be_output = item.is_signal() && (!is_input || is_written_input);
    // No equation reads it, whatever happens: an option that is fixed after loading rules it out.
    const bool is_unused = item.kind() == Item::Kind::kInput && item.input()->when.is_ruled_out();
    if (is_unused && !(inputs_.is_given() && inputs_.Matches(item.path()))) return;

    FmuVariable variable{NameOfVariable(item), item, {item.path(), TypeOf(item), FmuWrite::kNever}};
    variable.text = item.text();
    if (may_be_input && (inputs_.is_given() ? inputs_.Matches(item.path()) : is_input && !is_written_input)) {
      MakeInput(variable);
    } else if (may_be_output && IsOutput(item, is_setting, is_recorded)) {
      MakeResult(variable, FmuCausality::kOutput, setting);
    } else if (is_setting || (is_input && !is_written_input)) {
      if (parameters_.is_given() && !parameters_.Matches(item.path())) return;
      MakeParameter(variable, is_live);
    } else if (item.is_primary() || is_written_input || item.kind() == Item::Kind::kDerivative) {
      MakeResult(variable, FmuCausality::kLocal, setting);
    } else {
      return;
    }
    variables_.push_back(std::move(variable));
  }

  /// A parameter that is recorded stays a parameter: it can be read, too. What changes by itself during the
  /// run is no parameter in the sense of FMI: levels and aspects, and what charts or `<At>` write.
  bool IsOutput(const Item& item, bool is_setting, bool is_recorded) {
    if (outputs_.is_given()) return outputs_.Matches(item.path());
    return is_recorded && (!is_setting || item.is_behaviour() || written_.contains(item.path()));
  }

  static bool IsContinuous(const FmuVariable& variable) { return variable.entry.type == FmuType::kReal; }

  void TakeStart(FmuVariable& variable, const Item& item) {
    if (variable.entry.type == FmuType::kString) {
      variable.start_text = item.ReadText();
    } else {
      variable.start = item.Read();
    }
  }

  void MakeInput(FmuVariable& variable) {
    const bool is_signal = variable.item->kind() == Item::Kind::kInput;
    variable.causality = FmuCausality::kInput;
    variable.variability =
        is_signal && IsContinuous(variable) ? FmuVariability::kContinuous : FmuVariability::kDiscrete;
    variable.initial = FmuInitial::kNone;
    variable.entry.write = FmuWrite::kLive;
    TakeStart(variable, *variable.item);
  }

  void MakeParameter(FmuVariable& variable, bool is_live) {
    variable.causality = FmuCausality::kParameter;
    variable.variability = is_live ? FmuVariability::kTunable : FmuVariability::kFixed;
    variable.initial = FmuInitial::kExact;
    variable.entry.write = is_live ? FmuWrite::kLive : FmuWrite::kLoad;
    TakeStart(variable, *variable.item);
  }

  /// What the system computes; where it begins with a value that can be set, that is the start value.
  void MakeResult(FmuVariable& variable, FmuCausality causality, const std::optional<Item>& setting) {
    const bool is_written = variable.item->kind() == Item::Kind::kParameter ||
                            variable.item->kind() == Item::Kind::kInput;  // between two steps
    const bool is_continuous = IsContinuous(variable) && !is_written;
    variable.causality = causality;
    variable.variability = is_continuous ? FmuVariability::kContinuous : FmuVariability::kDiscrete;
    variable.initial = FmuInitial::kCalculated;
    if (variable.entry.type != FmuType::kReal || !setting) return;
    const bool is_start = setting->kind() == Item::Kind::kStart;
    if (!is_start && setting->kind() != Item::Kind::kState && setting->kind() != Item::Kind::kInput) return;
    if (variable.item->kind() == Item::Kind::kDerivative) return;
    variable.entry.write = is_start ? FmuWrite::kLoad : FmuWrite::kStart;
    variable.initial = FmuInitial::kExact;
    if (setting->kind() == Item::Kind::kState) variable.nominal = setting->state()->nominal;
    TakeStart(variable, *setting);
  }

  /// A start value that the run does not keep is a guess: `approx`.
  void KeepStarts() {
    simulation_.Initialize();
    for (FmuVariable& variable : variables_) {
      if (variable.start && !std::isfinite(*variable.start)) DropStart(variable);
      const bool is_result =
          variable.causality == FmuCausality::kOutput || variable.causality == FmuCausality::kLocal;
      if (is_result && variable.start && variable.item->Read() != *variable.start)
        variable.initial = FmuInitial::kApprox;
    }
    // A parameter without a finite value means that there is no limit; XML has no word for it.
    std::erase_if(variables_, [](const FmuVariable& variable) {
      return variable.entry.type != FmuType::kString && !variable.start &&
             (variable.causality == FmuCausality::kParameter || variable.causality == FmuCausality::kInput);
    });
  }

  static void DropStart(FmuVariable& variable) {
    variable.start.reset();
    variable.initial = FmuInitial::kCalculated;
    variable.entry.write = FmuWrite::kNever;
  }

  Simulation& simulation_;
  Globs inputs_, outputs_, parameters_;
  std::unordered_set<std::string> recorded_;
  std::unordered_set<std::string> written_;   ///< by charts and `<At>`
  std::unordered_set<std::string> of_ports_;  ///< names of their variables
  std::vector<FmuVariable> variables_;
};

}  // namespace

std::vector<FmuVariable> ListFmuVariables(Simulation& simulation, const FmuSelection& selection,
                                          Diagnostics& diagnostics) {
  return VariableLister(simulation, selection).List(diagnostics);
}

}  // namespace davit
