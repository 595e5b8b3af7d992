#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expressions/expression_program.h"
#include "expressions/symbol_table.h"
#include "framework/diagnostics.h"
#include "statecharts/chart_event.h"
#include "statecharts/state_set.h"

namespace davit {

using Index = std::uint32_t;
inline constexpr Index kNoIndex = UINT32_MAX;

/// [begin, end) of some list of the chart.
struct IndexRange {
  Index begin = 0;
  Index end = 0;
  bool is_empty() const { return begin == end; }
  Index size() const { return end - begin; }
};

enum class StateKind : std::uint8_t {
  kAtomic,
  kCompound,  ///< the `<scxml>` element as well
  kParallel,
  kFinal,
  kShallowHistory,
  kDeepHistory,
};

enum class DataModelKind : std::uint8_t { kDavit, kNull, kEcmascript };

/// One `<state>`, `<parallel>`, `<final>`, `<history>` or the `<scxml>`. The states are listed in document
/// order, so the proper descendants of state s are [s + 1, end).
struct State {
  StateKind kind = StateKind::kAtomic;
  StateId parent = kNoState;
  StateId end = 0;
  IndexRange children;                ///< of Chart::state_lists, without histories
  IndexRange histories;               ///< of Chart::state_lists
  IndexRange transitions;             ///< of Chart::transitions
  Index initial = kNoIndex;           ///< the transition of a compound's `<initial>`, or a history's default
  StateId next_eventless = kNoState;  ///< this state or its nearest ancestor with eventless transitions
  StateId next_event = kNoState;      ///< the same with transitions that name events
  IndexRange onentry;                 ///< of Chart::blocks
  IndexRange onexit;                  ///< of Chart::blocks
  IndexRange during;                  ///< of Chart::blocks: <davit:during>
  IndexRange invokes;                 ///< of Chart::invokes
  IndexRange data;                    ///< of Chart::data
  Index done_data = kNoIndex;         ///< of Chart::payloads
  SymbolId done_event = kNoSymbol;    ///< done.state.ID
};

/// A `<transition>`, an `<initial>`, or the default of a `<history>`.
struct Transition {
  StateId source = 0;
  StateId domain = kNoState;  ///< whose proper descendants are left; kNoState: targetless, or see below
  bool is_internal = false;
  bool has_history_target = false;  ///< the domain is only known when it is taken
  IndexRange targets;               ///< of Chart::state_lists
  IndexRange events;                ///< of Chart::descriptor_lists; empty: eventless
  Index cond = kNoIndex;            ///< of Chart::expressions
  Index block = kNoIndex;           ///< of Chart::blocks
  IndexRange entry;                 ///< of Chart::entry_steps, where it is the same each time
  bool has_fixed_entry = false;
  double after = 0;  ///< davit:after: least time in the source state [s]
  double holds = 0;  ///< davit:holds: how long the condition must have been true [s]
  int line = 0;
  Index file = 0;       ///< of Chart::files
  IndexRange segments;  ///< of Chart::segments, where it leads through connectors; else empty
};

/// A connector of Harel: <davit:choice> (C) or <davit:select> (S). No state: transitions that lead to it are
/// expanded to one for each branch when the chart is loaded. For drawings.
struct Connector {
  std::string id;
  bool is_selection = false;
  StateId parent = 0;
};

/// A piece of a transition that leads through connectors: from the source to the first connector, or from a
/// connector to the next one or to the targets. For drawings.
struct Segment {
  Index connector = kNoIndex;  ///< of Chart::connectors, where it begins; kNoIndex: at the source
  Index number = 0;            ///< of the branch of the connector, or of the transition of the source; from 1
  std::string guard;
  IndexRange actions;  ///< of Chart::instructions
};

/// A state to enter; the default entry runs the content of its `<initial>`.
struct EntryStep {
  StateId state = 0;
  bool is_default = false;
};

/// The elements of executable content; `index` is a place in the list named here.
enum class Op : std::uint8_t {
  kRaise,       ///< index: a symbol
  kSend,        ///< index: Chart::sends
  kCancel,      ///< index: Chart::cancels
  kJumpUnless,  ///< index: an expression; jump: where to continue
  kJump,        ///< jump: where to continue
  kForeach,     ///< index: Chart::loops; the body lies between this instruction and jump
  kAssign,      ///< index: Chart::assignments
  kLog,         ///< index: Chart::logs
  kScript,      ///< index: an expression
};

struct Instruction {
  Op op = Op::kJump;
  Index index = 0;
  Index jump = 0;
  int line = 0;
  int column = 0;
  Index file = 0;  ///< of Chart::files
};

struct ChartExpression {
  std::string text;  ///< as written; for messages and for Duktape
  int line = 0;
  IndexRange code;                      ///< of ExpressionProgram::code; data model davit
  ValueType type = ValueType::kNumber;  ///< data model davit
};

/// A `<data>`.
struct DataItem {
  std::string id;
  Index value = kNoIndex;  ///< an expression
  std::string content;     ///< text, or the markup, of its child or of its `src`
  std::string fault;       ///< why `src` could not be read
  bool has_content = false;
  SymbolId symbol = kNoSymbol;
  StateId owner = 0;
  Index variable = kNoIndex;  ///< of ExpressionProgram::variables
  int line = 0;
  Index file = 0;  ///< of Chart::files
};

/// A value of the system that the chart sets.
struct ChartProperty {
  std::string path;
  ValueType type = ValueType::kNumber;
  std::uint32_t handle = 0;  ///< of the ChartHost
};

/// Where an `<assign>` writes to, and what.
struct AssignElement {
  std::string location;
  Index value = kNoIndex;     ///< an expression
  std::string content;        ///< where it has children instead of `expr`
  Index variable = kNoIndex;  ///< data model davit: of ExpressionProgram::variables
  Index property = kNoIndex;  ///< data model davit: of Chart::properties
};

/// A name with its value: `<param>`, or an element of a namelist.
struct NamedValue {
  std::string name;
  SymbolId symbol = kNoSymbol;
  Index value = kNoIndex;    ///< an expression
  bool is_location = false;  ///< a `location`: it must exist
};

/// Data that goes with an event or to a child chart: `<param>`s, a namelist, or a `<content>`.
struct Payload {
  std::vector<NamedValue> values;
  Index content_value = kNoIndex;  ///< <content expr=>
  std::string content;             ///< text or markup of `<content>`
  bool has_content = false;
  bool is_markup = false;
};

/// A text that is given in the chart or is an expression: event and eventexpr, target and targetexpr, ...
struct TextOrExpression {
  std::string text;
  Index value = kNoIndex;  ///< an expression
  bool is_given = false;
};

/// Where a `<send>` goes to.
enum class SendTarget : std::uint8_t {
  kSelf,       ///< the external queue of the session itself
  kInternal,   ///< `#_internal`
  kParent,     ///< `#_parent`
  kOther,      ///< by name when it is sent: `#_scxml_ID`, `#_INVOKEID`
  kComponent,  ///< a message to a component of the system
  kChart,      ///< an event to another chart of the system
};

struct Send {
  TextOrExpression event;
  TextOrExpression target;
  TextOrExpression type;
  TextOrExpression delay;
  double delay_seconds = 0;  ///< of a `delay` that is given in the chart
  SymbolId event_symbol = kNoSymbol;
  SymbolId id = kNoSymbol;
  std::string id_location;
  SendTarget kind = SendTarget::kOther;
  std::uint32_t receiver = 0;  ///< kComponent, kChart: handle of the ChartHost
  bool has_known_type = true;
  Payload payload;
};

struct Cancel {
  TextOrExpression id;
  SymbolId symbol = kNoSymbol;
};

struct Loop {
  Index array = kNoIndex;  ///< an expression
  std::string item;
  std::string index;
};

struct Log {
  std::string label;
  Index value = kNoIndex;  ///< an expression
};

struct Chart;

struct Invoke {
  TextOrExpression type;
  TextOrExpression source;
  SymbolId id = kNoSymbol;
  std::string id_location;
  bool forwards = false;  ///< autoforward
  bool has_known_type = true;
  Payload payload;                  ///< `<param>`s and the namelist: values for the child's `<data>`
  Payload content;                  ///< `<content>`: the child itself
  SymbolId done_event = kNoSymbol;  ///< done.invoke.ID
  Index finalize = kNoIndex;        ///< of Chart::blocks
  bool has_finalize = false;
  std::shared_ptr<const Chart> child;  ///< where it is known when the chart is loaded
  StateId owner = 0;
  int line = 0;
};

/// What names in a chart are called in messages and drawings; not used in a step.
struct StateName {
  std::string id;
  bool has_own_id = false;  ///< or one made up from the line
  int line = 0;
  Index file = 0;  ///< of Chart::files
};

/// A chart compiled into lists; constant after loading, so any number of sessions can share it.
struct Chart {
  std::string name;
  std::filesystem::path file;
  DataModelKind data_model = DataModelKind::kDavit;
  bool has_late_binding = false;
  double dwell = 0;  ///< davit:dwell: least time between switches of levels that the chart asks for [s]
  SourceLocation location;
  std::vector<SourceLocation> files;  ///< the chart itself and, from 1, the files that <davit:include> names

  std::vector<State> states;
  std::vector<StateName> names;
  std::vector<Transition> transitions;
  std::vector<StateId> state_lists;
  std::vector<Index> descriptor_lists;
  std::vector<EntryStep> entry_steps;
  std::vector<IndexRange> blocks;  ///< of instructions
  std::vector<Instruction> instructions;
  std::vector<ChartExpression> expressions;
  std::vector<DataItem> data;
  std::vector<AssignElement> assignments;
  std::vector<Payload> payloads;
  std::vector<Send> sends;
  std::vector<Cancel> cancels;
  std::vector<Loop> loops;
  std::vector<Log> logs;
  std::vector<Invoke> invokes;
  std::vector<Connector> connectors;
  std::vector<Segment> segments;
  Index script = kNoIndex;  ///< `<script>` children of `<scxml>`, one block
  ExpressionProgram program;
  std::vector<ChartProperty> properties;

  std::shared_ptr<SymbolTable> symbols;
  std::unordered_map<std::string, StateId> state_of_id;
  /// Event descriptors without their `.*`; the empty one is `*`.
  std::unordered_map<std::string_view, Index> descriptors;
  std::deque<std::string> descriptor_texts;
  /// By symbol: [begin, end) of descriptor_matches, sorted.
  std::vector<IndexRange> matches_of_symbol;
  std::vector<Index> descriptor_matches;
  std::size_t most_matches = 1;  ///< of one event

  bool has_eventless_transitions = false;
  bool has_timed_transitions = false;  ///< davit:after or davit:holds
  bool has_timed_conditions = false;   ///< conditions that read the time
  bool has_during = false;             ///< <davit:during>

  SymbolId error_execution = kNoSymbol;
  SymbolId error_communication = kNoSymbol;
  SymbolId error_platform = kNoSymbol;

  bool IsDescendant(StateId state, StateId ancestor) const {
    return state > ancestor && state < states[ancestor].end;
  }
  bool IsHistory(StateId state) const { return states[state].kind >= StateKind::kShallowHistory; }
  bool IsAtomic(StateId state) const {
    return states[state].kind == StateKind::kAtomic || states[state].kind == StateKind::kFinal;
  }
  /// `/valve/level/ideal`
  std::string PathOf(StateId state) const;
  /// The place of a line of the chart, or of one of its files, for a message.
  SourceLocation At(int line, Index in = 0) const { return {files[in].file, line}; }
};

}  // namespace davit
