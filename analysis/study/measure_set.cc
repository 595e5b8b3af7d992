#include "analysis/study/measure_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <utility>

#include "expressions/expression_compiler.h"
#include "framework/nearest_name.h"
#include "framework/syntax/value_unit.h"
#include "framework/units/quantity.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/guard.h"
#include "simulator/network/network.h"
#include "simulator/recorder.h"

namespace davit {

/// Signals of expressions, each once.
class MeasureSignals final : public ExpressionHost {
 public:
  explicit MeasureSignals(System& system) : system_(system) {}

  std::optional<Found> FindSignal(std::string_view name, SymbolTable& /*symbols*/) override {
    Fault ignored;
    const std::optional<Item> item = system_.FindVariable(system_.root(), name, &ignored);
    if (!item) return std::nullopt;
    plan.columns.push_back(*item);
    Found found{.handle = static_cast<std::uint32_t>(plan.columns.size() - 1)};
    if (item->unit() != kAnyUnit) found.dimension = DimensionOf(item->unit(), system_.units());
    return found;
  }
  std::string Suggest(std::string_view /*name*/) const override { return {}; }  // MeasureParser has found all
  const UnitSystem* units() const override { return &system_.units(); }

  RecordPlan plan;

 private:
  System& system_;
};

/// Counts the guards of components that trigger.
class MeasureEvents final : public StepObserver {
 public:
  explicit MeasureEvents(SimulatorManager& manager) : manager_(manager) {}
  void Watch(std::span<const MeasureCall> calls) {
    for (const MeasureCall& call : calls) {
      if (call.kind == MeasureKind::kEvents) counts_.emplace(call.component, 0);
    }
  }
  void OnStart(double /*t*/) override {}
  void OnContinue(double /*start*/, double /*before*/, double /*t*/) override {}
  void OnStep(double /*t*/) override { has_counted_ = false; }
  /// The islands still have all events of the step.
  void OnEvent(double /*t*/, double /*step_end*/, std::span<const std::uint32_t> /*columns*/,
               std::span<const double> /*values*/) override {
    if (std::exchange(has_counted_, true)) return;
    for (const auto& island : manager_.network().islands) {
      for (const IslandStepper::EventLog::Entry& entry : island->event_log().entries) Count(*entry.guard);
    }
  }
  void Begin() {
    has_counted_ = false;
    for (auto& [component, count] : counts_) count = 0;
  }
  std::uint64_t CountOf(const Component* component) const { return counts_.at(component); }
  bool is_empty() const { return counts_.empty(); }

 private:
  void Count(const Guard& guard) {
    for (auto& [component, count] : counts_) {
      for (const Component* part = &guard.owner(); part != nullptr; part = part->parent()) {
        if (part == component) ++count;
      }
    }
  }

  SimulatorManager& manager_;
  std::map<const Component*, std::uint64_t> counts_;
  bool has_counted_ = false;
};

namespace {

Fault FaultOfName(std::string_view name, std::span<const MeasureExpression> measures) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (name.empty() || !is_letter(name.front()) || !std::ranges::all_of(name, is_part))
    return {Quoted(name) + " is not a name of a measure",
            "use letters, digits and _, as in peak=max(load.x)"};
  if (const std::vector<std::string> taken = MeasureNames(); std::ranges::find(taken, name) != taken.end())
    return {Quoted(name) + " is a function", "give the measure another name"};
  if (std::ranges::find(measures, name, &MeasureExpression::name) != measures.end())
    return {"two measures are named " + Quoted(name), "give each a unique name"};
  return {};
}

/// An observer is not told of events in the middle of a longer TimeStep.
Fault FaultOfEvents(std::span<const MeasureCall> calls, SimulatorManager& manager) {
  const auto is_count = [](const MeasureCall& call) { return call.kind == MeasureKind::kEvents; };
  if (manager.network().rates.size() <= 1 || std::ranges::none_of(calls, is_count)) return {};
  return {"events() counts in systems with one TimeStep only",
          "give all components the same TimeStep, or measure a signal that the event changes"};
}

}  // namespace

/// The expressions of all measures, compiled, and what watches the run for them.
class MeasureSet::Program {
 public:
  Program(SimulatorManager& manager, System& system)
      : signals(system),
        compiler(program, symbols, {.host = &signals, .is_strict = true}),
        parser(system, compiler, program),
        events(manager),
        manager_(manager) {}
  ~Program() {
    if (recorder == nullptr) return;
    manager_.RemoveObserver(recorder.get());
    manager_.RemoveObserver(&events);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  void Watch() {
    compiler.Link();
    for (const MeasureCall& call : calls()) accumulators.emplace_back(call.kind, call.argument);
    events.Watch(calls());
    memory.resize(program.memory_size());
    std::ranges::copy(program.constants, memory.begin());
    stack.resize(program.stack_size);
    signals.plan.intervals = {0};
    recorder = std::make_unique<Recorder>(signals.plan);
    recorder->AddSink([this](double t, std::span<const double> values) { Take(t, values); });
    manager_.AddObserver(recorder.get());
    if (!events.is_empty()) manager_.AddObserver(&events);
  }

  double Compute(CodeRange range, double t) {
    const ExpressionValue value = Evaluate(program, range, memory, {.time = t}, stack);
    return value.is_valid ? value.value : std::numeric_limits<double>::quiet_NaN();
  }

  void Take(double t, std::span<const double> values) {
    for (std::size_t i = 0; i < program.signals.size(); ++i)
      memory[program.first_signal() + i] = values[program.signals[i].handle];
    for (std::size_t i = 0; i < accumulators.size(); ++i) {
      const CodeRange range = calls()[i].range;
      if (range.begin != range.end) accumulators[i].Add(t, Compute(range, t));
    }
  }

  SymbolTable symbols;
  MeasureSignals signals;
  ExpressionProgram program;
  ExpressionCompiler compiler;
  MeasureParser parser;
  MeasureEvents events;
  std::unique_ptr<Recorder> recorder;
  std::vector<double> memory, stack;
  std::vector<MeasureAccumulator> accumulators;  ///< by call

  std::span<const MeasureCall> calls() const { return parser.calls(); }
  std::span<const MeasureExpression> measures() const { return parser.measures(); }

 private:
  SimulatorManager& manager_;
};

MeasureSet::MeasureSet(Simulation& simulation, std::span<const MeasureDefinition> definitions,
                       Diagnostics& diagnostics)
    : simulation_(simulation),
      program_(std::make_unique<Program>(simulation.manager(), simulation.system())) {
  Program& p = *program_;
  bool is_good = true;
  for (const MeasureDefinition& definition : definitions) {
    first_channels_.push_back(p.calls().size());
    Fault fault = FaultOfName(definition.name, p.measures());
    const std::size_t known = p.calls().size();
    const Fault of_text = p.parser.Add(definition.name, definition.text);
    if (!fault) fault = of_text;
    if (!fault) fault = FaultOfEvents(p.calls().subspan(known), simulation.manager());
    if (fault) diagnostics.Error(definition.place, {}, fault);
    is_good = is_good && !fault;
    const std::optional<Dimension>& dimension = p.measures().back().dimension;
    units_.push_back(dimension ? SiUnitOf(*dimension, simulation.system().units()) : std::string());
  }
  first_channels_.push_back(p.calls().size());
  if (is_good) p.Watch();
}

MeasureSet::~MeasureSet() = default;

void MeasureSet::Begin() {
  for (MeasureAccumulator& accumulator : program_->accumulators) accumulator.Begin();
  program_->events.Begin();
}

MeasuredValues MeasureSet::Finish() {
  Program& p = *program_;
  const std::size_t first = p.program.first_variable();
  MeasuredValues measured;
  for (std::size_t i = 0; i < p.calls().size(); ++i) {
    const MeasureCall& call = p.calls()[i];
    MeasureAccumulator::Result result;
    if (call.kind == MeasureKind::kEvents) {
      result.value = static_cast<double>(p.events.CountOf(call.component));
    } else {
      result = p.accumulators[i].Finish();
    }
    if (!result.fault.empty())
      measured.faults.push_back(fmt::format("{}: {} {}", call.text, call.signal, result.fault));
    p.memory[first + call.variable] = result.value;
  }
  for (const MeasureExpression& measure : p.measures()) {
    const double value = p.Compute(measure.range, simulation_.time());
    if (std::isnan(value) && measured.faults.empty())
      measured.faults.push_back(measure.name + ": the expression has no finite value");
    p.memory[first + measure.variable] = value;
    measured.values.push_back(value);
  }
  return measured;
}

std::vector<Item> MeasureSet::signals() const { return program_->signals.plan.columns; }

MeasuredValues MeasureSet::Replay(
    std::span<const double> times,
    const std::function<void(std::size_t i, std::span<double> values)>& row_at) {
  for (MeasureAccumulator& accumulator : program_->accumulators) accumulator.Begin();
  std::vector<double> values(program_->signals.plan.columns.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    row_at(i, values);
    program_->Take(times[i], values);
  }
  return Finish();
}

std::size_t MeasureSet::channels() const { return program_->calls().size(); }

std::pair<std::size_t, std::size_t> MeasureSet::ChannelsOf(std::size_t definition) const {
  const std::size_t first = first_channels_[definition];
  return {first, first_channels_[definition + 1] - first};
}

void MeasureSet::ReadChannels(std::span<double> values) {
  Program& p = *program_;
  for (std::size_t i = 0; i < p.program.signals.size(); ++i)
    p.memory[p.program.first_signal() + i] = p.signals.plan.columns[p.program.signals[i].handle].Read();
  for (std::size_t i = 0; i < p.calls().size(); ++i)
    values[i] = p.Compute(p.calls()[i].range, simulation_.time());
}

MeasuredValues MeasureSet::ReplayChannels(
    std::span<const double> times,
    const std::function<void(std::size_t i, std::span<double> values)>& row_at) {
  Program& p = *program_;
  for (MeasureAccumulator& accumulator : p.accumulators) accumulator.Begin();
  std::vector<double> values(p.accumulators.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    row_at(i, values);
    for (std::size_t k = 0; k < values.size(); ++k) p.accumulators[k].Add(times[i], values[k]);
  }
  return Finish();
}

bool MeasureSet::counts_events() const { return !program_->events.is_empty(); }

std::vector<std::optional<Dimension>> MeasureSet::dimensions() const {
  std::vector<std::optional<Dimension>> dimensions;
  dimensions.reserve(program_->measures().size());
  for (const MeasureExpression& measure : program_->measures()) dimensions.push_back(measure.dimension);
  return dimensions;
}

}  // namespace davit
