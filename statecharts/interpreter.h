#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "statecharts/chart.h"
#include "statecharts/chart_observer.h"
#include "statecharts/chart_watch.h"
#include "statecharts/data_model.h"
#include "statecharts/entry_set.h"
#include "statecharts/event_queue.h"

namespace davit {

class ChartArchive;
class SessionTable;

/// One running chart: a session. It follows the algorithm of SCXML 1.0, appendix D, function by function, on
/// tables made when the chart was loaded. Made by a SessionTable, which also holds the time and the delayed
/// events.
///
/// Unless the data model is `ecmascript`, nothing is allocated after construction.
class Interpreter {
 public:
  Interpreter(std::shared_ptr<const Chart> chart, SessionTable& table);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  enum class Phase : std::uint8_t { kNotStarted, kWaiting, kRunning, kEnded };

  /// Enters the initial states; top-level `<data>` takes the values that Prepare was given.
  void Enter();
  /// The same, and runs until stable.
  void Start() {
    Enter();
    RunMacrostep();
  }
  /// Puts an event on the external queue; false where it is full.
  bool Send(Event&& event);
  /// The event of a name: a symbol where it occurs in the chart.
  Event MakeEvent(std::string_view name) const;

  /// Takes one event from the external queue and runs until stable. Pre: there is one.
  void ProcessExternalEvent();
  /// Runs until stable without an external event: eventless transitions and internal events.
  void RunMacrostep();
  /// Reads signals at a step point; returns whether one has changed.
  bool LatchSignals() { return data_model_->LatchSignals(); }
  /// Runs the <davit:during> of all active states in document order, then until stable.
  void RunDuring();
  void EndStep() { data_model_->EndStep(); }

  /// Ends the session: leaves all states. `is_cancelled`: the invoking chart has left the state.
  void ExitInterpreter(bool is_cancelled);

  const Chart& chart() const { return *chart_; }
  Phase phase() const { return phase_; }
  bool is_running() const { return phase_ == Phase::kRunning; }
  bool has_external_event() const { return !external_queue_.is_empty(); }
  bool has_room_for_event() const { return external_queue_.size() < external_queue_.capacity(); }
  /// What its histories remember.
  const HistoryValues& history() const { return history_; }
  /// The active states; after the end those at the end.
  const StateSet& configuration() const {
    return phase_ == Phase::kEnded ? last_configuration_ : configuration_;
  }
  bool IsActive(StateId state) const { return configuration().Contains(state); }
  /// Whether a top-level final state was reached.
  bool has_reached_final() const { return has_reached_final_; }
  /// Seconds since a state was entered.
  double TimeInState(StateId state) const;
  /// When a state was last entered [s].
  double EntryTime(StateId state) const { return entered_[state]; }
  /// The value of a variable (of ExpressionProgram::variables).
  double Value(Index variable) const { return data_model_->Value(variable); }
  /// What a condition read when it was last looked at. For logs: it allocates.
  std::vector<RunLog::Operand> Operands(Index condition) const { return data_model_->Operands(condition); }
  /// When an active state's davit:after or davit:holds may next let a transition through [s]; infinity for
  /// never.
  double NextTimedTransition() const;
  /// Whether an active state has eventless transitions.
  bool LooksWithoutEvents() const;
  /// Whether the last macrostep was stopped by the cap on microsteps.
  bool is_stuck() const { return is_stuck_; }
  std::uint64_t lost_events() const { return lost_events_; }
  std::uint64_t macrosteps() const { return macrosteps_; }

  /// `_sessionid`, and its number.
  std::string id() const { return "session" + std::to_string(number_); }
  std::uint32_t number() const { return number_; }
  SymbolId invoke_id() const { return invoke_id_; }
  Interpreter* parent() const { return parent_; }

 private:
  friend class SessionTable;

  /// A transition that is taken, with the state whose descendants it leaves.
  struct Enabled {
    Index transition;
    StateId domain;  ///< kNoState: targetless
  };

  /// The element in which an error has occurred.
  struct ErrorPlace {
    std::string_view element;
    int line = 0;
    int column = 0;
    Index file = 0;  ///< of Chart::files
  };
  static ErrorPlace PlaceOf(const Instruction& instruction);

  // interpreter.cc: the algorithm
  void SelectEventlessTransitions() { SelectTransitions(nullptr); }
  void SelectTransitions(const Event* event);
  Index FindEnabledTransition(const State& state, bool is_eventless);
  bool NameMatch(const Transition& transition) const;
  bool ConditionMatch(Index transition);
  bool EvaluateGuard(Index transition);
  bool IsTimeMatch(Index transition, bool is_true);
  void RemoveConflictingTransitions();
  StateId DomainOf(const Transition& transition);
  void ComputeExitSet();
  void Microstep();
  void ExitStates();
  void ExecuteTransitionContent();
  void EnterStates();
  void EnterState(StateId state);
  void EnterFinal(StateId state);
  bool IsInFinalState(StateId state) const;
  void RecordHistory(StateId state);
  void BindEvent();
  void ProcessInternalEvent();
  void FindMatches(const Event& event);
  void Prepare(std::uint32_t number, Interpreter* parent, SymbolId invoke_id, Event given);
  void ReportLivelock();

  // session_snapshot.cc
  void Archive(ChartArchive& archive);

  // executable_content.cc
  void ExecuteBlocks(IndexRange blocks);
  bool ExecuteBlock(Index block);
  bool Execute(Index begin, Index end);
  bool ExecuteSend(const Instruction& instruction);
  bool ExecuteCancel(const Cancel& cancel);
  bool ExecuteForeach(const Instruction& instruction, Index begin);
  void ExecuteLog(const Instruction& instruction);
  /// Evaluates a text; false after an error.
  bool TextOf(const TextOrExpression& source, std::string& text);
  /// `sent` is the event that could not be sent, or null.
  void RaiseError(SymbolId event, const ErrorPlace& place, std::string_view what,
                  const Event* sent = nullptr);
  void RaiseExecutionError(const ErrorPlace& place) {
    RaiseError(chart_->error_execution, place, data_model_->fault());
  }
  bool RaiseInternal(Event&& event);

  // invocations.cc
  enum class Delivery : std::uint8_t { kDelivered, kIllegal, kUnreachable };
  /// `send` is the element; of a targetexpr `kind` and `target` are its value.
  Delivery Dispatch(const davit::Send& send, SendTarget kind, std::string_view target, Event event);
  void InvokePending();
  void StartInvocation(Index invoke);
  std::shared_ptr<const Chart> FindChild(const Invoke& invoke, std::string& fault);
  void CancelInvocations(StateId state);
  void ApplyFinalize(const Event& event);
  void AutoForward(const Event& event);
  void SendDone();

  std::shared_ptr<const Chart> chart_;
  SessionTable& table_;
  ChartObserver* observer_ = nullptr;
  std::uint32_t number_ = 0;
  Interpreter* parent_ = nullptr;
  SymbolId invoke_id_ = kNoSymbol;
  SymbolId done_event_ = kNoSymbol;  ///< done.invoke.ID
  Phase phase_ = Phase::kNotStarted;
  bool has_reached_final_ = false;
  bool is_cancelled_ = false;
  bool is_stuck_ = false;
  bool has_failed_guards_ = false;
  bool has_changed_signals_ = false;
  std::uint64_t lost_events_ = 0;
  std::uint64_t macrosteps_ = 0;
  std::uint64_t generated_ids_ = 0;

  StateSet configuration_;
  StateSet last_configuration_;
  StateSet atomic_;  ///< of the chart, without histories
  StateSet states_to_invoke_;
  StateSet initialized_;  ///< states whose late data have values
  StateSet exit_set_;
  StateSet failed_guards_;  ///< by state: a condition has failed in this macrostep
  HistoryValues history_;
  EntrySet entry_set_;
  std::vector<double> entered_;
  std::vector<double> true_since_;  ///< by transition with davit:holds: NaN while its condition is false
  std::vector<Enabled> enabled_;
  std::vector<StateId> effective_targets_;
  std::vector<std::uint32_t> looked_at_;  ///< by state: number of the selection
  std::vector<std::uint8_t> was_found_;
  std::uint32_t selection_ = 0;
  std::vector<Index> dynamic_matches_;
  std::span<const Index> matches_;  ///< descriptors of the event being selected for
  bool has_history_ = false;

  EventQueue internal_queue_;
  EventQueue external_queue_;
  Event event_;  ///< being processed
  bool has_event_ = false;
  Event given_;  ///< values for top-level <data>
  Event done_data_;
  std::vector<Interpreter*> children_;  ///< by invoke; null where none was started
  std::unique_ptr<DataModel> data_model_;
};

}  // namespace davit
