#include "simulator/charts/chart_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "framework/aspect.h"
#include "framework/counted.h"
#include "framework/nearest_name.h"
#include "framework/property.h"
#include "framework/syntax/value_unit.h"
#include "framework/xml/xml_file.h"
#include "simulator/charts/chart_set.h"
#include "statecharts/chart_label.h"
#include "statecharts/chart_loader.h"

namespace davit {
namespace {

constexpr std::size_t kNoOutput = std::numeric_limits<std::size_t>::max();
constexpr std::uint64_t kNeverPublished = std::numeric_limits<std::uint64_t>::max();
constexpr int kMostErrorLines = 100;  // of one chart in a run
/// Default charts have no delays, and in a step as many events as their component has aspects and modes.
constexpr SessionLimits kDefaultChartLimits{.internal_events = 8,
                                            .external_events = 64,
                                            .posted_events = 16,
                                            .delayed_events = 4,
                                            .most_sessions = 2};
constexpr int kMostLines = 100;  // of one chart in a step

ValueType TypeOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kCondition: return ValueType::kBoolean;
    case ValueKind::kOption: return ValueType::kString;
    default: return ValueType::kNumber;
  }
}

/// Nothing of an item that is no number, or that takes any unit.
std::optional<Dimension> DimensionOfItem(const Item& item, const System& system) {
  if (TypeOf(item.value_kind()) != ValueType::kNumber) return std::nullopt;
  const std::string unit = item.unit();
  return unit == kAnyUnit ? std::nullopt : DimensionOf(unit, system.units());
}

/// The options of an item as symbols.
std::vector<SymbolId> SymbolsOf(const Item& item, SymbolTable& symbols) {
  std::vector<SymbolId> all;
  for (const std::string_view option : item.options()) all.push_back(symbols.Add(option));
  return all;
}

}  // namespace

ChartBinding::ChartBinding(Component& node) : node_(node) {
  node.mutable_declarations().event_receiver = this;
}

void ChartBinding::Load(System& system, ChartSet& charts, Component& scope, const std::filesystem::path& file,
                        const SourceLocation& place, Diagnostics& diagnostics) {
  system_ = &system;
  charts_ = &charts;
  scope_ = &scope;
  file_ = file;
  place_ = place;
  belongs_to_component_ = !IsContainer(scope);
  charts.Add(*this);
  Diagnostics found;
  chart_ = Compile(found);
  is_loaded_ = true;
  if (!has_open_names_) diagnostics.Add(found);
  if (chart_ != nullptr) MakeOutputs(diagnostics);
}

void ChartBinding::LoadDefault(System& system, ChartSet& charts, Component& scope, std::string text,
                               const std::filesystem::path& file, Diagnostics& diagnostics) {
  text_ = std::move(text);
  is_default_ = true;
  Load(system, charts, scope, file, node_.location(), diagnostics);
}

std::shared_ptr<const Chart> ChartBinding::Compile(Diagnostics& diagnostics) {
  has_open_names_ = false;
  signals_.clear();
  writes_.clear();
  messages_.clear();
  receivers_.clear();
  TextResult text = text_ ? TextResult{*text_, {}} : ReadTextFrom(system_->files(), file_, "chart");
  if (!text.fault.empty()) {
    diagnostics.Error(place_, node_.DisplayPath(), text.fault);
    return nullptr;
  }
  ChartLoadOptions options;
  options.host = this;
  options.symbols = charts_->symbols();
  options.cache = std::make_shared<ChartCache>();
  options.cache->open.insert(std::filesystem::weakly_canonical(file_));
  return LoadChartText(std::move(text.text), file_, options, diagnostics);
}

const UnitSystem* ChartBinding::units() const { return system_ == nullptr ? nullptr : &system_->units(); }

const FileSource* ChartBinding::files() const { return system_ == nullptr ? nullptr : system_->files(); }

void ChartBinding::Finish(Diagnostics& diagnostics) {
  if (!is_loaded_ || table_ != nullptr) return;
  if (has_open_names_) chart_ = Compile(diagnostics);
  if (chart_ == nullptr) return;
  CheckWrites(diagnostics);
  gate_.set_time(chart_->dwell);
  for (Write& write : writes_) {
    if (write.target.is_behaviour()) write.gate_item = gate_.AddItem(write.target.owner());
  }
  table_ =
      std::make_unique<SessionTable>(chart_, this, this, is_default_ ? kDefaultChartLimits : SessionLimits{});
}

void ChartBinding::CheckWrites(Diagnostics& diagnostics) const {
  for (const Instruction& instruction : chart_->instructions) {
    if (instruction.op != Op::kAssign) continue;
    const Index property = chart_->assignments[instruction.index].property;
    if (property == kNoIndex) continue;
    Fault fault;
    if (!System::MayWrite(writes_[chart_->properties[property].handle].target, &fault)) {
      diagnostics.Error(chart_->At(instruction.line), node_.DisplayPath(), fault);
    }
  }
}

std::size_t ChartBinding::AddOutput(std::string name, std::string text, std::string_view unit) {
  outputs_.push_back(0);
  OutputDeclaration output;
  output.label = {node_.Keep(std::move(name)), unit, node_.Keep(std::move(text))};
  output.value = &outputs_.back();
  output.is_primary = !is_default_;
  node_.mutable_declarations().outputs.push_back(output);
  return outputs_.size() - 1;
}

void ChartBinding::MakeOutputs(Diagnostics& diagnostics) {
  const Chart& chart = *chart_;
  state_outputs_.assign(chart.states.size(), kNoOutput);
  time_outputs_.assign(chart.states.size(), kNoOutput);
  data_outputs_.assign(chart.program.variables.size(), kNoOutput);
  std::vector<OutputDeclaration>& outputs = node_.mutable_declarations().outputs;
  for (std::size_t i = 0; i < chart.program.variables.size(); ++i) {
    const ExpressionVariable& variable = chart.program.variables[i];
    const bool is_text = variable.type == ValueType::kString && variable.choices.empty();
    if (is_text) continue;
    const auto item = std::ranges::find(chart.data, i, &DataItem::variable);
    const bool is_taken = variable.name == "region" || variable.name == "state" || variable.name == "time" ||
                          std::ranges::any_of(node_.declarations().properties, [&](const PropertyBase* p) {
                            return p->label().name == variable.name;
                          });
    if (is_taken) {
      diagnostics.Warning(chart.At(item->line, item->file), node_.DisplayPath(),
                          fmt::format("the data '{}' cannot be seen outside the chart, where the name has "
                                      "another meaning; choose another name",
                                      variable.name));
      continue;
    }
    data_outputs_[i] = AddOutput(variable.name, "Data of the chart", kAnyUnit);
    if (variable.type == ValueType::kBoolean) outputs.back().kind = ValueKind::kCondition;
    if (variable.choices.empty()) continue;
    std::vector<std::string> options;
    options.reserve(variable.choices.size());
    for (const SymbolId choice : variable.choices) options.emplace_back(charts_->symbols()->Text(choice));
    outputs.back().kind = ValueKind::kOption;
    outputs.back().options = node_.KeepOptions(options);
  }
  regions_.push_back({0, AddOutput("region", "Position of the active state", "")});
  for (StateId state = 1; state < chart.states.size(); ++state) {
    if (!chart.names[state].has_own_id || chart.IsHistory(state)) continue;
    const std::string& id = chart.names[state].id;
    state_outputs_[state] = AddOutput("state." + id, "Whether the state is active", "");
    outputs.back().kind = ValueKind::kCondition;
    if (chart.states[state].kind == StateKind::kCompound)
      regions_.push_back({state, AddOutput("region." + id, "Position of the active state in it", "")});
    if (is_default_) continue;  // it would have to run in each step for that
    time_outputs_[state] = AddOutput("time." + id, "Time since the state was entered", "s");
    outputs.back().is_primary = false;
  }
}

bool ChartBinding::LeadsToLaterChart(const Component& scope, std::string_view path) const {
  const auto* chart =
      dynamic_cast<const ChartBinding*>(system_->OwnerOf(scope, path).declarations().event_receiver);
  return chart != nullptr && chart != this && !chart->is_loaded_;
}

void ChartBinding::NoteFault(const Component& scope, std::string_view path, const Fault& fault) {
  // A short name is one of the component's own, a path begins in what contains the component.
  const bool is_short = path.find('.') == std::string_view::npos;
  const bool is_meant = is_short ? &scope == scope_ : IsContainer(scope);
  if (is_meant && remedy_.empty()) remedy_ = fault.remedy;
}

std::string ChartBinding::Suggest(std::string_view /*path*/) const {
  return remedy_.empty() ? "write component.signal" : remedy_;
}

ChartHost::Found ChartBinding::AddSignal(const Item& item, SymbolTable& symbols) {
  signals_.push_back({item, SymbolsOf(item, symbols)});
  return {static_cast<std::uint32_t>(signals_.size() - 1), TypeOf(item.value_kind()), signals_.back().options,
          DimensionOfItem(item, *system_)};
}

std::optional<ChartHost::Found> ChartBinding::FindSignal(std::string_view path, SymbolTable& symbols) {
  remedy_.clear();
  for (const Component* scope = scope_; scope != nullptr; scope = scope->parent()) {
    Fault fault;
    if (const auto variable = system_->FindVariable(*scope, path, &fault))
      return AddSignal(*variable, symbols);
    Fault no_property;
    const auto setting = system_->FindSetting(*scope, path, &no_property);
    if (setting && setting->property() != nullptr && setting->value_kind() != ValueKind::kText) {
      return AddSignal(*setting, symbols);
    }
    if (LeadsToLaterChart(*scope, path)) {
      has_open_names_ = true;
      return Found{0, ValueType::kAnyType, {}};
    }
    NoteFault(*scope, path, fault);
  }
  return std::nullopt;
}

std::optional<ChartHost::Found> ChartBinding::FindProperty(std::string_view path, SymbolTable& symbols) {
  remedy_.clear();
  for (const Component* scope = scope_; scope != nullptr; scope = scope->parent()) {
    Fault fault;
    const std::optional<Item> target = system_->FindSetting(*scope, path, &fault);
    if (!target) {
      NoteFault(*scope, path, fault);
      continue;
    }
    if (target->is_structural() || target->value_kind() == ValueKind::kText) {
      remedy_ = "it is fixed during a run: set it in the system file";
      return std::nullopt;
    }
    writes_.push_back({*target, SymbolsOf(*target, symbols)});
    return Found{static_cast<std::uint32_t>(writes_.size() - 1), TypeOf(target->value_kind()),
                 writes_.back().options, DimensionOfItem(*target, *system_)};
  }
  return std::nullopt;
}

std::optional<std::uint32_t> ChartBinding::FindMessage(std::string_view component, std::string_view message) {
  remedy_.clear();
  for (const Component* scope = scope_; scope != nullptr; scope = scope->parent()) {
    Fault fault;
    if (const auto found = system_->FindMessage(*scope, component, message, &fault)) {
      messages_.push_back(*found);
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    if (IsContainer(*scope) && remedy_.empty()) remedy_ = fault.remedy;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> ChartBinding::FindReceiver(std::string_view component) {
  for (const Component* scope = scope_; scope != nullptr; scope = scope->parent()) {
    Fault fault;
    const Component* found = system_->FindComponent(*scope, component, &fault);
    if (found == nullptr) continue;
    auto* chart = dynamic_cast<ChartBinding*>(found->declarations().event_receiver);
    if (chart == nullptr) return std::nullopt;
    receivers_.push_back(chart);
    return static_cast<std::uint32_t>(receivers_.size() - 1);
  }
  return std::nullopt;
}

double ChartBinding::ReadSignal(std::uint32_t handle) const {
  const Signal& signal = signals_[handle];
  const double value = signal.item.Read();
  if (signal.options.empty()) return value;
  const bool is_option = value >= 0 && value < static_cast<double>(signal.options.size());
  return is_option ? signal.options[static_cast<std::size_t>(value)] : kNoSymbol;
}

bool ChartBinding::WriteProperty(std::uint32_t handle, double value) {
  Write& write = writes_[handle];
  if (!write.options.empty()) {
    const auto option = std::ranges::find(write.options, static_cast<SymbolId>(value));
    if (option == write.options.end()) return false;
    value = static_cast<double>(option - write.options.begin());
  }
  return write.target.IsValid(value) && charts_->Ask(*this, write, value);
}

void ChartBinding::SendMessage(std::uint32_t handle) { charts_->Ask(*this, messages_[handle]); }

bool ChartBinding::SendEvent(std::uint32_t handle, Event&& event) {
  return charts_->Send(*this, *receivers_[handle], std::move(event));
}

const Item& ChartBinding::GateItem(std::size_t gate_item) const {
  // Only switches have items, and these are numbered in the order of the writes.
  return std::ranges::find_if(
             writes_,
             [&](const Write& write) { return write.target.is_behaviour() && write.gate_item == gate_item; })
      ->target;
}

void ChartBinding::ClearOutputs() { std::ranges::fill(outputs_, 0); }

void ChartBinding::Enter(double t) {
  past_lost_ = lost_events();
  gate_.Reset();
  table_->Enter(t);
  reported_lost_ = table_->lost_events();
  past_lost_ -= reported_lost_;
  published_ = kNeverPublished;
  was_stuck_ = false;
}

void ChartBinding::Publish(double t) {
  const Interpreter& session = table_->session();
  if (session.macrosteps() != published_) {
    published_ = session.macrosteps();
    for (StateId state = 1; state < state_outputs_.size(); ++state) {
      if (state_outputs_[state] == kNoOutput) continue;
      const bool is_active = session.IsActive(state);
      outputs_[state_outputs_[state]] = is_active ? 1 : 0;
      if (!is_active && time_outputs_[state] != kNoOutput) outputs_[time_outputs_[state]] = 0;
    }
    for (const Region& region : regions_) {
      const IndexRange children = chart_->states[region.state].children;
      double position = -1;
      for (Index i = children.begin; i < children.end && position < 0; ++i) {
        if (session.IsActive(chart_->state_lists[i])) position = i - children.begin;
      }
      outputs_[region.output] = position;
    }
    for (Index i = 0; i < data_outputs_.size(); ++i) {
      if (data_outputs_[i] == kNoOutput) continue;
      double value = session.Value(i);
      const std::vector<SymbolId>& choices = chart_->program.variables[i].choices;
      if (!choices.empty())
        value =
            static_cast<double>(std::ranges::find(choices, static_cast<SymbolId>(value)) - choices.begin());
      outputs_[data_outputs_[i]] = value;
    }
  }
  session.configuration().ForEach([&](StateId state) {
    if (time_outputs_[state] != kNoOutput) outputs_[time_outputs_[state]] = t - session.EntryTime(state);
  });
}

Fault ChartBinding::CheckEvent(std::string_view event) const {
  if (chart_ == nullptr) return {};  // its faults are reported
  std::vector<std::string> known;
  for (const std::string& descriptor : chart_->descriptor_texts) {
    const bool is_taken = descriptor.empty() || event == descriptor ||
                          (event.starts_with(descriptor) && event.substr(descriptor.size()).starts_with('.'));
    if (is_taken && !event.empty()) {
      charts_->symbols()->Add(event);
      return {};
    }
    known.push_back(descriptor);
  }
  return {"the chart takes no event " + Quoted(event), SuggestName("it takes", event, known)};
}

bool ChartBinding::PostEvent(std::string_view event) {
  PostedEvent posted;
  posted.name = charts_->FindEvent(event);
  return posted.name != kNoSymbol && table_->Post(posted);
}

std::uint64_t ChartBinding::lost_events() const {
  return past_lost_ + (table_ == nullptr ? 0 : table_->lost_events());
}

void ChartBinding::ArchiveMemory(Archive& archive) {
  archive(transitions_, livelocks_, past_lost_, reported_lost_, error_lines_, was_stuck_, gate_);
  std::string sessions;
  if (!archive.is_loading()) {
    const std::vector<std::byte> bytes = table_->Save();
    if (bytes.empty()) {
      throw std::runtime_error(
          fmt::format("{}: its chart runs a script (datamodel=\"ecmascript\"), whose variables cannot be "
                      "saved, so there is "
                      "no snapshot of this system; write the chart with datamodel=\"davit\"",
                      node_.DisplayPath()));
    }
    sessions.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  archive(sessions);
  if (!archive.is_loading() || !archive.is_good()) return;
  if (!table_->Restore(std::as_bytes(std::span(sessions)))) return archive.Refuse("it is of another chart");
  published_ = kNeverPublished;
}

void ChartBinding::ResetCounters() {
  transitions_ = livelocks_ = 0;
  past_lost_ = table_ == nullptr ? 0 : 0 - table_->lost_events();
  error_lines_ = 0;
}

RunLog* ChartBinding::LogFor(RunLog::Severity severity) const {
  RunLog* log = node_.run_log();
  return log != nullptr && log->Keeps(severity) ? log : nullptr;
}

void ChartBinding::Log(RunLog::Severity severity, const Interpreter& session, std::string text,
                       RunLog::Kind kind) const {
  if (session.parent() != nullptr)
    text = fmt::format("in {}: {}", session.chart().symbols->Text(session.invoke_id()), text);
  if (RunLog* log = node_.run_log()) log->Write(severity, node_.DisplayPath(), text, kind);
}

bool ChartBinding::TakesLine(const Interpreter& session) {
  if (LogFor(severity()) == nullptr || lines_in_step_ > kMostLines) return false;
  if (++lines_in_step_ <= kMostLines) return true;
  Log(severity(), session, "further actions of the chart in this step are not logged");
  return false;
}

void ChartBinding::OnTransition(const Interpreter& session, const Transition& transition) {
  ++transitions_;
  if (!TakesLine(session)) return;
  const Chart& chart = session.chart();
  std::string text = chart.names[transition.source].id;
  for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
    text += (i == transition.targets.begin ? " -> " : " ") + chart.names[chart.state_lists[i]].id;
  }
  const std::string trigger = TriggerText(chart, transition);
  if (!trigger.empty()) text += ": " + trigger;
  if (transition.cond != kNoIndex) {
    const std::string operands = session.Operands(transition.cond);
    if (!operands.empty()) text += " with " + operands;
  }
  Log(severity(), session, std::move(text), RunLog::Kind::kTransition);
}

void ChartBinding::OnLog(const Interpreter& session, std::string_view label, std::string_view text) {
  if (!TakesLine(session)) return;
  Log(severity(), session, fmt::format("{}{}{}", label, label.empty() || text.empty() ? "" : ": ", text));
}

void ChartBinding::OnError(const Interpreter& session, int line, std::string_view what) {
  if (LogFor(RunLog::Severity::kWarning) == nullptr || error_lines_ > kMostErrorLines) return;
  const bool is_last = ++error_lines_ > kMostErrorLines;
  Log(RunLog::Severity::kWarning, session,
      is_last    ? std::string("further errors of the chart are not logged")
      : line > 0 ? fmt::format("{}:{}: {}", session.chart().file.string(), line, what)
                 : std::string(what));
}

void ChartBinding::OnLivelock(const Interpreter& session) {
  ++livelocks_;
  if (was_stuck_ || LogFor(RunLog::Severity::kWarning) == nullptr) return;
  was_stuck_ = true;
  std::string active;
  session.configuration().ForEach([&](StateId state) {
    if (session.chart().IsAtomic(state)) active += " " + session.chart().names[state].id;
  });
  Log(RunLog::Severity::kWarning, session,
      "livelock: eventless transitions never settle, now in" + active +
          "; give an eventless transition a condition that becomes false");
}

void ChartBinding::ReportTroubles() {
  if (!table_->is_stuck()) was_stuck_ = false;
  const std::uint64_t lost = table_->lost_events();
  if (lost == reported_lost_) return;
  if (LogFor(RunLog::Severity::kWarning) != nullptr && error_lines_ <= kMostErrorLines) {
    Log(RunLog::Severity::kWarning, table_->session(),
        Counted(lost - reported_lost_, "event") + " lost: the queues are full");
  }
  reported_lost_ = lost;
}

}  // namespace davit
