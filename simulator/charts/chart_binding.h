#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/archive.h"
#include "framework/event_receiver.h"
#include "framework/item.h"
#include "framework/run_log.h"
#include "framework/system.h"
#include "simulator/requests/requester.h"
#include "statecharts/chart_host.h"
#include "statecharts/chart_observer.h"
#include "statecharts/session_table.h"

namespace davit {

class ChartSet;

/// A chart in its place in a system: `node` is its component, which shows its states and data as outputs and
/// takes its events.
///
///     state.ID   1 while the state is active, else 0
///     region     the position of the active state among those directly in the chart, from 0
///     region.ID  the same of the states in the state ID; -1 while that is not active
///     time.ID    seconds since the state was entered; 0 while it is not active
///     NAME       the <data> of that name: a number, a condition (0 or 1), or the position of its choice
///
/// The chart finds names in its scope first, then in what contains it, up to the whole system. What it
/// asks for goes to the ChartSet. Call sequence: Load while the system is loaded, Finish when it is built,
/// then Enter and Settle and, once a step, Step and Publish.
class ChartBinding final : public ChartHost, public ChartObserver, public EventReceiver, public Requester {
 public:
  /// A value that it may set.
  struct Write {
    Item target;
    std::vector<SymbolId> options;  ///< of a level or an enumeration, by its number
    std::size_t gate_item = 0;      ///< of a level or an aspect: in the gate
  };
  /// A value that conditions read.
  struct Signal {
    Item item;
    std::vector<SymbolId> options;  ///< of a level or an enumeration, by its number
  };

  explicit ChartBinding(Component& node);
  ChartBinding(const ChartBinding&) = delete;
  ChartBinding& operator=(const ChartBinding&) = delete;

  /// Reads the chart and makes the outputs of the node. `place` is where the system names the file.
  void Load(System& system, ChartSet& charts, Component& scope, const std::filesystem::path& file,
            const SourceLocation& place, Diagnostics& diagnostics);
  /// The same with a default chart, whose text is at hand; `file` is the name in messages. Its outputs are
  /// not recorded by a glob, and its transitions are not logged: they mirror what the log has.
  void LoadDefault(System& system, ChartSet& charts, Component& scope, std::string text,
                   const std::filesystem::path& file, Diagnostics& diagnostics);
  /// Looks up what could not be known while charts further down were not loaded; allocates all memory. May be
  /// called again: then it does nothing.
  void Finish(Diagnostics& diagnostics);

  /// Starts again at a time [s]: initial states, which others may then see; afterwards Settle.
  void Enter(double t);
  void Settle() { table_->Settle(); }
  /// As if there were no states: before the first chart enters its own.
  void ClearOutputs();
  /// One step; signals are those of this step point.
  void Step(double t) {
    lines_in_step_ = 0;
    table_->Step(t);
  }
  /// Whether a step would change nothing: the chart waits for an event, and there is none.
  bool IsAsleep() const { return is_default_ && table_->IsAsleep(); }
  /// Makes the outputs those of the present states.
  void Publish(double t);
  /// An event from another chart.
  void Deliver(Event&& event) { table_->session().Send(std::move(event)); }
  /// Reports what went wrong in the last step and was not reported by the chart itself.
  void ReportTroubles();

  Fault CheckEvent(std::string_view event) const override;
  bool PostEvent(std::string_view event) override;

  const Component& node() const { return node_; }
  /// Where names are looked for first: the component that the chart belongs to, or the system around it.
  const Component& scope() const { return *scope_; }
  /// Whether it is the chart of a component, not a chart of a system.
  bool belongs_to_component() const { return belongs_to_component_; }
  /// Whether the system file names none, so that it is the default chart of the model.
  bool is_default() const { return is_default_; }
  /// Null where it has faults.
  const Chart* chart() const { return chart_.get(); }
  /// Pre: Finish has found no fault.
  SessionTable& table() { return *table_; }
  const std::vector<Signal>& signals() const { return signals_; }
  const std::vector<Write>& writes() const { return writes_; }
  const std::vector<MessageCall>& messages() const { return messages_; }

  std::string sender() const override { return node_.DisplayPath(); }
  bool has_dwell() const override { return chart_->dwell > 0; }
  const Item& GateItem(std::size_t gate_item) const override;

  std::uint64_t transitions() const { return transitions_; }
  std::uint64_t livelocks() const { return livelocks_; }
  std::uint64_t lost_events() const;
  void ResetCounters();
  /// Its sessions with their queues and timers, at a step point. Loading refuses what is of another chart.
  void ArchiveMemory(Archive& archive);

 private:
  struct Region {
    StateId state;
    std::size_t output;
  };

  // ChartHost
  std::optional<Found> FindSignal(std::string_view path, SymbolTable& symbols) override;
  std::optional<Found> FindProperty(std::string_view path, SymbolTable& symbols) override;
  std::optional<std::uint32_t> FindMessage(std::string_view component, std::string_view message) override;
  std::optional<std::uint32_t> FindReceiver(std::string_view component) override;
  std::string Suggest(std::string_view path) const override;
  double ReadSignal(std::uint32_t handle) const override;
  bool WriteProperty(std::uint32_t handle, double value) override;
  void SendMessage(std::uint32_t handle) override;
  bool SendEvent(std::uint32_t handle, Event&& event) override;
  const UnitSystem* units() const override;
  const FileSource* files() const override;

  // ChartObserver
  void OnTransition(const Interpreter& session, const Transition& transition) override;
  void OnLog(const Interpreter& session, std::string_view label, std::string_view text) override;
  void OnError(const Interpreter& session, int line, std::string_view what) override;
  void OnLivelock(const Interpreter& session) override;

  std::shared_ptr<const Chart> Compile(Diagnostics& diagnostics);
  Found AddSignal(const Item& item, SymbolTable& symbols);
  /// Whether a path leads to a chart that is not loaded yet.
  bool LeadsToLaterChart(const Component& scope, std::string_view path) const;
  /// Keeps the remedy of what was not found in `scope`.
  void NoteFault(const Component& scope, std::string_view path, const Fault& fault);
  void MakeOutputs(Diagnostics& diagnostics);
  std::size_t AddOutput(std::string name, std::string text, std::string_view unit);
  void CheckWrites(Diagnostics& diagnostics) const;
  /// Whether one more line on what the chart does is to be written down in this step.
  bool TakesLine(const Interpreter& session);
  /// Of the lines on what the chart does.
  RunLog::Severity severity() const {
    return is_default_ ? RunLog::Severity::kDetail : RunLog::Severity::kInfo;
  }
  /// The run log, where it keeps such lines; else null.
  RunLog* LogFor(RunLog::Severity severity) const;
  void Log(RunLog::Severity severity, const Interpreter& session, std::string text,
           RunLog::Kind kind = RunLog::Kind::kNote) const;

  Component& node_;
  System* system_ = nullptr;
  ChartSet* charts_ = nullptr;
  Component* scope_ = nullptr;
  std::filesystem::path file_;
  SourceLocation place_;
  std::optional<std::string> text_;  ///< of a default chart
  bool is_loaded_ = false;
  bool is_default_ = false;
  bool belongs_to_component_ = false;
  bool has_open_names_ = false;  ///< some belong to charts that were not loaded
  std::string remedy_;           ///< for the name that was not found last

  std::shared_ptr<const Chart> chart_;
  std::vector<Signal> signals_;
  std::vector<Write> writes_;
  std::vector<MessageCall> messages_;
  std::vector<ChartBinding*> receivers_;
  std::unique_ptr<SessionTable> table_;

  std::deque<double> outputs_;
  std::vector<std::size_t> state_outputs_;  ///< by state; kNoOutput
  std::vector<std::size_t> time_outputs_;   ///< by state; kNoOutput
  std::vector<Region> regions_;
  std::vector<std::size_t> data_outputs_;  ///< by variable; kNoOutput
  std::uint64_t published_ = 0;            ///< macrosteps

  std::uint64_t transitions_ = 0;
  std::uint64_t livelocks_ = 0;
  std::uint64_t past_lost_ = 0;      ///< before the last start
  std::uint64_t reported_lost_ = 0;  ///< of the inbox and of this run
  int error_lines_ = 0;
  int lines_in_step_ = 0;  ///< of transitions and logs
  bool was_stuck_ = false;
};

}  // namespace davit
