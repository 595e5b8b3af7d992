#include "statecharts/interpreter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "statecharts/chart_tables.h"
#include "statecharts/session_table.h"
#include "statecharts/state_tree.h"
#include "statecharts/time_text.h"

namespace davit {
namespace {

constexpr double kNotTrue = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Interpreter::Interpreter(std::shared_ptr<const Chart> chart, SessionTable& table)
    : chart_(std::move(chart)),
      table_(table),
      observer_(table.observer_),
      configuration_(chart_->states.size()),
      last_configuration_(chart_->states.size()),
      atomic_(chart_->states.size()),
      states_to_invoke_(chart_->states.size()),
      initialized_(chart_->states.size()),
      exit_set_(chart_->states.size()),
      failed_guards_(chart_->transitions.size()),
      entry_set_(*chart_),
      entered_(chart_->states.size(), 0),
      true_since_(chart_->transitions.size(), kNotTrue),
      looked_at_(chart_->states.size(), 0),
      was_found_(chart_->states.size(), 0),
      internal_queue_(table.limits_.internal_events),
      external_queue_(table.limits_.external_events),
      children_(chart_->invokes.size(), nullptr) {
  history_.sets.resize(chart_->states.size());
  history_.known.Resize(chart_->states.size());
  std::size_t atomic_states = 0;
  for (StateId state = 1; state < chart_->states.size(); ++state) {
    if (chart_->IsAtomic(state)) {
      atomic_.Insert(state);
      ++atomic_states;
    }
    if (!chart_->IsHistory(state)) continue;
    has_history_ = true;
    history_.sets[state].Resize(chart_->states.size());
  }
  enabled_.reserve(atomic_states + 1);
  effective_targets_.reserve(chart_->states.size());
  dynamic_matches_.reserve(chart_->most_matches + 1);
}

void Interpreter::Prepare(std::uint32_t number, Interpreter* parent, SymbolId invoke_id, Event given) {
  number_ = number;
  parent_ = parent;
  invoke_id_ = invoke_id;
  given_ = std::move(given);
  phase_ = Phase::kWaiting;
  has_reached_final_ = is_cancelled_ = is_stuck_ = has_event_ = false;
  configuration_.Clear();
  last_configuration_.Clear();
  states_to_invoke_.Clear();
  initialized_.Clear();
  history_.known.Clear();
  std::ranges::fill(true_since_, kNotTrue);
  internal_queue_.Clear();
  external_queue_.Clear();
  done_data_ = Event();
  if (data_model_ && chart_->data_model != DataModelKind::kEcmascript) return;
  SessionView view{chart_.get(), &configuration_, entered_.data(), &table_.time_, table_.host_, {}, number};
  view.id = id();
  data_model_ = MakeDataModel(view);
}

void Interpreter::Enter() {
  phase_ = Phase::kRunning;
  data_model_->Initialize();
  data_model_->SetEvent(nullptr);
  data_model_->LatchSignals();
  const IndexRange top = chart_->states[0].data;
  for (Index i = 0; i < chart_->data.size(); ++i) {
    const bool is_top = i >= top.begin && i < top.end;
    if (chart_->has_late_binding && !is_top) continue;
    if (!data_model_->InitializeData(i, is_top ? &given_ : nullptr))
      RaiseExecutionError({"data", chart_->data[i].line, 0, chart_->data[i].file});
  }
  if (chart_->script != kNoIndex) ExecuteBlock(chart_->script);
  enabled_.assign(1, {chart_->states[0].initial, 0});
  ExecuteTransitionContent();
  EnterStates();
}

bool Interpreter::Send(Event&& event) {
  if (external_queue_.Push(std::move(event))) return true;
  ++lost_events_;
  if (observer_ != nullptr) observer_->OnError(*this, 0, "an event is lost: the external queue is full");
  return false;
}

Event Interpreter::MakeEvent(std::string_view name) const {
  Event event(chart_->symbols->Find(name));
  if (event.name == kNoSymbol) event.Details().name = name;
  return event;
}

double Interpreter::TimeInState(StateId state) const { return table_.time_ - entered_[state]; }

double Interpreter::NextTimedTransition() const {
  double next = std::numeric_limits<double>::infinity();
  if (!chart_->has_timed_transitions || phase_ != Phase::kRunning) return next;
  const auto look = [&](StateId state) {
    const IndexRange transitions = chart_->states[state].transitions;
    for (Index i = transitions.begin; i < transitions.end; ++i) {
      const Transition& transition = chart_->transitions[i];
      if (!transition.events.is_empty()) continue;
      const double after = entered_[state] + transition.after;
      const double held = true_since_[i] + transition.holds;
      for (const double due : {transition.after > 0 ? after : kNotTrue, held}) {
        if (due > table_.time_ + kTimeTolerance) next = std::min(next, due);
      }
    }
  };
  configuration_.ForEach(look);
  return next;
}

bool Interpreter::LooksWithoutEvents() const {
  const std::span<const std::uint64_t> active = configuration_.words(), atomic = atomic_.words();
  for (std::size_t i = 0; i < active.size(); ++i) {
    for (std::uint64_t word = active[i] & atomic[i]; word != 0; word &= word - 1) {
      const std::size_t leaf = i * 64 + static_cast<std::size_t>(std::countr_zero(word));
      if (chart_->states[leaf].next_eventless != kNoState) return true;
    }
  }
  return false;
}

void Interpreter::RunMacrostep() {
  ++macrosteps_;  // also where the event before it has ended the session
  if (!is_running()) return;
  is_stuck_ = false;
  if (has_failed_guards_) failed_guards_.Clear();
  has_failed_guards_ = false;
  int microsteps = 0;
  do {
    for (;;) {
      if (chart_->has_eventless_transitions) SelectEventlessTransitions();
      if (!chart_->has_eventless_transitions || enabled_.empty()) {
        if (internal_queue_.is_empty()) break;
        ProcessInternalEvent();
      } else {
        Microstep();
      }
      if (!is_running()) return;
      if (++microsteps >= table_.limits_.most_microsteps) return ReportLivelock();
    }
    InvokePending();
  } while (!internal_queue_.is_empty());
  if (observer_ != nullptr) observer_->OnMacrostepEnd(*this);
}

void Interpreter::RunDuring() {
  if (!chart_->has_during || !is_running() || is_stuck_) return;
  bool has_run = false;
  configuration_.ForEach([&](StateId state) {
    const IndexRange blocks = chart_->states[state].during;
    if (blocks.is_empty()) return;
    has_run = true;
    ExecuteBlocks(blocks);
  });
  if (has_run) RunMacrostep();
}

void Interpreter::BindEvent() {
  // The other data models look at `event_` itself.
  if (!has_event_ || chart_->data_model == DataModelKind::kEcmascript) data_model_->SetEvent(&event_);
  has_event_ = true;
}

void Interpreter::ProcessInternalEvent() {
  internal_queue_.Pop(event_);
  BindEvent();
  if (observer_ != nullptr) observer_->OnEvent(*this, event_);
  SelectTransitions(&event_);
  if (!enabled_.empty()) Microstep();
}

void Interpreter::ProcessExternalEvent() {
  external_queue_.Pop(event_);
  BindEvent();
  if (observer_ != nullptr) observer_->OnEvent(*this, event_);
  if (!chart_->invokes.empty()) {
    ApplyFinalize(event_);
    AutoForward(event_);
  }
  SelectTransitions(&event_);
  if (!enabled_.empty()) Microstep();
  RunMacrostep();
}

void Interpreter::ReportLivelock() {
  is_stuck_ = true;
  if (observer_ != nullptr) observer_->OnLivelock(*this);
}

void Interpreter::ExitInterpreter(bool is_cancelled) {
  if (phase_ == Phase::kWaiting) phase_ = Phase::kEnded;
  if (phase_ != Phase::kRunning) return;
  is_cancelled_ = is_cancelled;
  last_configuration_ = configuration_;
  configuration_.ForEachReverse([this](StateId state) {
    if (observer_ != nullptr) observer_->OnExit(*this, state);
    ExecuteBlocks(chart_->states[state].onexit);
    CancelInvocations(state);
    configuration_.Erase(state);
  });
  phase_ = Phase::kEnded;
  table_.delayed_.CancelAll(number_);
  if (!is_cancelled) SendDone();
  if (observer_ != nullptr) observer_->OnMacrostepEnd(*this);
}

void Interpreter::FindMatches(const Event& event) {
  if (event.name != kNoSymbol && event.name < chart_->matches_of_symbol.size()) {
    const IndexRange range = chart_->matches_of_symbol[event.name];
    matches_ = std::span(chart_->descriptor_matches).subspan(range.begin, range.size());
    return;
  }
  dynamic_matches_.clear();
  AppendMatches(*chart_, event.Name(*chart_->symbols), dynamic_matches_);
  matches_ = dynamic_matches_;
}

void Interpreter::SelectTransitions(const Event* event) {
  enabled_.clear();
  if (event != nullptr) FindMatches(*event);
  if (++selection_ == 0) {  // wraps around after 2^32 selections
    std::ranges::fill(looked_at_, 0);
    ++selection_;
  }
  const bool is_eventless = event == nullptr;
  const std::span<const std::uint64_t> active = configuration_.words();
  const std::span<const std::uint64_t> atomic = atomic_.words();
  const auto next = is_eventless ? &State::next_eventless : &State::next_event;
  for (std::size_t i = 0; i < active.size(); ++i) {
    for (std::uint64_t word = active[i] & atomic[i]; word != 0; word &= word - 1) {
      const auto leaf = static_cast<StateId>(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      StateId state = chart_->states[leaf].*next;
      while (state != kNoState) {
        const State& own = chart_->states[state];
        if (looked_at_[state] != selection_) {
          looked_at_[state] = selection_;
          const Index found = FindEnabledTransition(own, is_eventless);
          was_found_[state] = found != kNoIndex ? 1 : 0;
          if (found != kNoIndex) enabled_.push_back({found, kNoState});
        }
        if (was_found_[state] != 0 || own.parent == kNoState) break;
        state = chart_->states[own.parent].*next;
      }
    }
  }
  if (!enabled_.empty()) RemoveConflictingTransitions();
}

Index Interpreter::FindEnabledTransition(const State& state, bool is_eventless) {
  for (Index i = state.transitions.begin; i < state.transitions.end; ++i) {
    const Transition& transition = chart_->transitions[i];
    if (transition.events.is_empty() != is_eventless) continue;
    if (!is_eventless && !NameMatch(transition)) continue;
    const bool is_free = transition.cond == kNoIndex && !chart_->has_timed_transitions;
    if (is_free || ConditionMatch(i)) return i;
  }
  return kNoIndex;
}

bool Interpreter::NameMatch(const Transition& transition) const {
  for (Index i = transition.events.begin; i < transition.events.end; ++i) {
    for (const Index match : matches_) {
      if (chart_->descriptor_lists[i] == match) return true;
    }
  }
  return false;
}

bool Interpreter::ConditionMatch(Index index) {
  ChartWatch* const watch = table_.watch_;
  if (watch == nullptr) return EvaluateGuard(index);
  const Transition& transition = chart_->transitions[index];
  if (transition.cond == kNoIndex && transition.after == 0 && transition.holds == 0) return true;
  const std::optional<bool> decided = watch->DecideGuard(*this, index);
  const bool is_true = decided ? *decided : EvaluateGuard(index);
  watch->OnGuard(*this, index, is_true);
  return is_true;
}

bool Interpreter::EvaluateGuard(Index index) {
  const Transition& transition = chart_->transitions[index];
  bool is_true = true;
  if (transition.cond != kNoIndex && !data_model_->EvaluateCondition(transition.cond, is_true)) {
    is_true = false;
    // An eventless condition is looked at again after each error event: once a macrostep is enough.
    if (!failed_guards_.Contains(index)) {
      failed_guards_.Insert(index);
      has_failed_guards_ = true;
      RaiseExecutionError({"transition", transition.line, 0, transition.file});
    }
  }
  return chart_->has_timed_transitions ? IsTimeMatch(index, is_true) : is_true;
}

bool Interpreter::IsTimeMatch(Index index, bool is_true) {
  const Transition& transition = chart_->transitions[index];
  if (transition.holds > 0) {
    if (!is_true) true_since_[index] = kNotTrue;
    if (is_true && std::isnan(true_since_[index])) true_since_[index] = table_.time_;
    if (!(table_.time_ - true_since_[index] >= transition.holds - kTimeTolerance)) return false;
  }
  return is_true && TimeInState(transition.source) >= transition.after - kTimeTolerance;
}

StateId Interpreter::DomainOf(const Transition& transition) {
  if (!transition.has_history_target || transition.targets.is_empty()) return transition.domain;
  effective_targets_.clear();
  AppendEffectiveTargets(*chart_, transition, history_, effective_targets_);
  return GetTransitionDomain(*chart_, transition, effective_targets_);
}

void Interpreter::RemoveConflictingTransitions() {
  for (Enabled& enabled : enabled_) enabled.domain = DomainOf(chart_->transitions[enabled.transition]);
  if (enabled_.size() == 1) return ComputeExitSet();
  // Exit sets are what is active below a domain, and domains lie beside or inside each other: so two sets
  // meet if and only if one domain lies in the other.
  std::size_t kept = 0;
  exit_set_.Clear();
  for (std::size_t i = 0; i < enabled_.size(); ++i) {
    const Enabled t1 = enabled_[i];
    bool is_preempted = false;
    if (t1.domain != kNoState && exit_set_.ContainsAny(t1.domain + 1, chart_->states[t1.domain].end)) {
      const StateId source1 = chart_->transitions[t1.transition].source;
      const auto intersects = [&](const Enabled& t2) {
        return t2.domain != kNoState &&
               (t1.domain == t2.domain || chart_->IsDescendant(t1.domain, t2.domain) ||
                chart_->IsDescendant(t2.domain, t1.domain));
      };
      const auto wins = [&](const Enabled& t2) {
        return chart_->IsDescendant(source1, chart_->transitions[t2.transition].source);
      };
      const auto begin = enabled_.begin();
      const auto end = begin + static_cast<std::ptrdiff_t>(kept);
      is_preempted = std::any_of(begin, end, [&](const Enabled& t2) { return intersects(t2) && !wins(t2); });
      if (!is_preempted) kept = static_cast<std::size_t>(std::remove_if(begin, end, intersects) - begin);
    }
    if (is_preempted) continue;
    enabled_[kept++] = t1;
    if (t1.domain != kNoState)
      exit_set_.InsertRange(configuration_, t1.domain + 1, chart_->states[t1.domain].end);
  }
  const bool is_smaller = kept < enabled_.size();
  enabled_.erase(enabled_.begin() + static_cast<std::ptrdiff_t>(kept), enabled_.end());
  if (is_smaller) ComputeExitSet();
}

void Interpreter::ComputeExitSet() {
  exit_set_.Clear();
  for (const Enabled& enabled : enabled_) {
    if (enabled.domain == kNoState) continue;
    exit_set_.InsertRange(configuration_, enabled.domain + 1, chart_->states[enabled.domain].end);
  }
}

void Interpreter::Microstep() {
  if (observer_ != nullptr) {
    for (const Enabled& enabled : enabled_)
      observer_->OnTransition(*this, chart_->transitions[enabled.transition]);
  }
  if (table_.watch_ != nullptr) {
    for (const Enabled& enabled : enabled_) table_.watch_->OnTaken(*this, enabled.transition);
  }
  ExitStates();
  ExecuteTransitionContent();
  EnterStates();
}

void Interpreter::ExitStates() {
  if (has_history_) exit_set_.ForEach([this](StateId state) { RecordHistory(state); });
  exit_set_.ForEachReverse([this](StateId state) {
    if (observer_ != nullptr) observer_->OnExit(*this, state);
    const State& own = chart_->states[state];
    if (!own.onexit.is_empty()) ExecuteBlocks(own.onexit);
    if (!own.invokes.is_empty()) CancelInvocations(state);
    if (chart_->has_timed_transitions) {
      for (Index i = own.transitions.begin; i < own.transitions.end; ++i) true_since_[i] = kNotTrue;
    }
    configuration_.Erase(state);
  });
}

void Interpreter::RecordHistory(StateId state) {
  const State& own = chart_->states[state];
  for (Index i = own.histories.begin; i < own.histories.end; ++i) {
    const StateId history = chart_->state_lists[i];
    const bool is_deep = chart_->states[history].kind == StateKind::kDeepHistory;
    StateSet& values = history_.sets[history];
    values.Clear();
    for (StateId below = state + 1; below < own.end; ++below) {
      const bool is_meant = is_deep ? chart_->IsAtomic(below) : chart_->states[below].parent == state;
      if (is_meant && configuration_.Contains(below)) values.Insert(below);
    }
    history_.known.Insert(history);
  }
}

void Interpreter::ExecuteTransitionContent() {
  for (const Enabled& enabled : enabled_) {
    const Index block = chart_->transitions[enabled.transition].block;
    if (block != kNoIndex) ExecuteBlock(block);
  }
}

void Interpreter::EnterStates() {
  entry_set_.Clear();
  for (const Enabled& enabled : enabled_) {
    if (enabled.domain == kNoState) continue;
    const Transition& transition = chart_->transitions[enabled.transition];
    if (transition.has_fixed_entry) {
      entry_set_.AddSteps(
          std::span(chart_->entry_steps).subspan(transition.entry.begin, transition.entry.size()));
    } else {
      entry_set_.AddTransition(transition, enabled.domain, &history_);
    }
  }
  bool has_ended = false;
  entry_set_.states().ForEach([&](StateId state) {
    EnterState(state);
    has_ended |= chart_->states[state].kind == StateKind::kFinal && chart_->states[state].parent == 0;
  });
  if (table_.watch_ != nullptr) table_.watch_->OnConfiguration(*this);
  if (!has_ended) return;
  has_reached_final_ = true;
  ExitInterpreter(false);
}

void Interpreter::EnterState(StateId state) {
  const State& own = chart_->states[state];
  configuration_.Insert(state);
  entered_[state] = table_.time_;
  if (observer_ != nullptr) observer_->OnEnter(*this, state);
  if (table_.watch_ != nullptr) table_.watch_->OnEntered(*this, state);
  if (!own.invokes.is_empty()) states_to_invoke_.Insert(state);
  if (chart_->has_late_binding && !initialized_.Contains(state)) {
    initialized_.Insert(state);
    for (Index i = own.data.begin; i < own.data.end; ++i) {
      if (!data_model_->InitializeData(i, nullptr))
        RaiseExecutionError({"data", chart_->data[i].line, 0, chart_->data[i].file});
    }
  }
  if (!own.onentry.is_empty()) ExecuteBlocks(own.onentry);
  if (entry_set_.IsDefaultEntry(state)) {
    const Index block = chart_->transitions[own.initial].block;
    if (block != kNoIndex) ExecuteBlock(block);
  }
  if (const Index history = entry_set_.HistoryContent(state); history != kNoIndex) {
    const Index block = chart_->transitions[history].block;
    if (block != kNoIndex) ExecuteBlock(block);
  }
  if (own.kind == StateKind::kFinal) EnterFinal(state);
}

void Interpreter::EnterFinal(StateId state) {
  const State& own = chart_->states[state];
  Event done(own.parent == 0 ? kNoSymbol : chart_->states[own.parent].done_event, EventType::kPlatform);
  if (own.done_data != kNoIndex && !data_model_->MakePayload(chart_->payloads[own.done_data], done)) {
    RaiseExecutionError({"donedata", chart_->names[state].line, 0, chart_->names[state].file});
  }
  if (own.parent == 0) {
    done_data_ = std::move(done);
    return;
  }
  RaiseInternal(std::move(done));
  const StateId grandparent = chart_->states[own.parent].parent;
  if (chart_->states[grandparent].kind == StateKind::kParallel && IsInFinalState(grandparent)) {
    RaiseInternal(Event(chart_->states[grandparent].done_event, EventType::kPlatform));
  }
}

bool Interpreter::IsInFinalState(StateId state) const {
  const State& own = chart_->states[state];
  const auto children = std::span(chart_->state_lists).subspan(own.children.begin, own.children.size());
  switch (own.kind) {
    case StateKind::kCompound:
      return std::ranges::any_of(children, [this](StateId child) {
        return chart_->states[child].kind == StateKind::kFinal && configuration_.Contains(child);
      });
    case StateKind::kParallel:
      return std::ranges::all_of(children, [this](StateId child) { return IsInFinalState(child); });
    default: return false;
  }
}

}  // namespace davit
