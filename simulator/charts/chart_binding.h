#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/archive.h"
#include "framework/event_receiver.h"
#include "framework/item.h"
#include "framework/system.h"
#include "simulator/charts/chart_log.h"
#include "simulator/charts/chart_outputs.h"
#include "simulator/requests/requester.h"
#include "statecharts/chart_host.h"
#include "statecharts/session_table.h"

namespace davit {

class ChartSet;

/// A chart in its place in a system: `node` is its component, which shows its states and data as outputs
/// (ChartOutputs) and takes its events.
///
/// The chart finds names in its scope first, then in what contains it, up to the whole system. What it
/// asks for goes to the ChartSet. Call sequence: Load while the system is loaded, Finish when it is built,
/// then Enter and Settle and, once a step, Step and Publish.
class ChartBinding final : public ChartHost, public EventReceiver, public Requester {
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
  void ClearOutputs() { outputs_.Clear(); }
  /// One step; signals are those of this step point.
  void Step(double t) {
    log_.BeginStep();
    table_->Step(t);
  }
  /// Whether a step would change nothing: the chart waits for an event, and there is none.
  bool IsAsleep() const { return is_default() && table_->IsAsleep(); }
  /// Makes the outputs those of the present states.
  void Publish(double t) { outputs_.Publish(table_->session(), t); }
  /// An event from another chart.
  void Deliver(Event&& event) { table_->session().Send(std::move(event)); }
  /// Reports what went wrong in the last step and was not reported by the chart itself.
  void ReportTroubles() { log_.ReportTroubles(*table_); }

  Fault CheckEvent(std::string_view event) const override;
  bool PostEvent(std::string_view event) override;

  const Component& node() const { return node_; }
  /// Where names are looked for first: the component that the chart belongs to, or the system around it.
  const Component& scope() const { return *scope_; }
  /// Whether it is the chart of a component, not a chart of a system.
  bool belongs_to_component() const { return belongs_to_component_; }
  /// Whether the system file names none, so that it is the default chart of the model.
  bool is_default() const { return text_.has_value(); }
  /// Null where it has faults.
  const Chart* chart() const { return chart_.get(); }
  /// Pre: Finish has found no fault.
  SessionTable& table() { return *table_; }
  const std::vector<Signal>& signals() const { return signals_; }
  const std::vector<Write>& writes() const { return writes_; }
  const std::vector<MessageCall>& messages() const { return messages_; }

  std::string sender() const override { return node_.DisplayPath(); }
  bool has_dwell() const override { return chart_->dwell > 0; }
  bool chooses_levels() const override { return chooses_levels_; }
  void set_chooses_levels(bool chooses) { chooses_levels_ = chooses; }
  const Item& GateItem(std::size_t gate_item) const override;

  std::uint64_t transitions() const { return log_.transitions(); }
  std::uint64_t livelocks() const { return log_.livelocks(); }
  std::uint64_t lost_events() const { return table_ == nullptr ? 0 : log_.lost_events(*table_); }
  void ResetCounters() {
    if (table_ != nullptr) log_.ResetCounters(*table_);
  }
  /// Its sessions with their queues and timers, at a step point. Loading refuses what is of another chart.
  void ArchiveMemory(Archive& archive);

 private:
  // ChartHost
  std::optional<Found> FindSignal(std::string_view path, SymbolTable& symbols) override;
  std::optional<Found> FindProperty(std::string_view path, SymbolTable& symbols) override;
  std::optional<std::uint32_t> FindMessage(std::string_view component, std::string_view message) override;
  std::optional<std::uint32_t> FindReceiver(std::string_view component) override;
  std::string Suggest(std::string_view path) const override;
  double ReadSignal(std::uint32_t handle) const override;
  bool WriteProperty(std::uint32_t handle, double value) override;
  std::string PathOf(std::uint32_t signal) const override { return signals_[signal].item.path(); }
  void SendMessage(std::uint32_t handle) override;
  bool SendEvent(std::uint32_t handle, Event&& event) override;
  const UnitSystem* units() const override;
  const FileSource* files() const override;

  std::shared_ptr<const Chart> Compile(Diagnostics& diagnostics);
  Found AddSignal(const Item& item, SymbolTable& symbols);
  /// Whether a path leads to a chart that is not loaded yet.
  bool LeadsToLaterChart(const Component& scope, std::string_view path) const;
  /// Keeps the remedy of what was not found in `scope`.
  void NoteFault(const Component& scope, std::string_view path, const Fault& fault);
  void CheckWrites(Diagnostics& diagnostics) const;

  Component& node_;
  System* system_ = nullptr;
  ChartSet* charts_ = nullptr;
  Component* scope_ = nullptr;
  std::filesystem::path file_;
  SourceLocation place_;
  std::optional<std::string> text_;  ///< of a default chart
  bool is_loaded_ = false;
  bool belongs_to_component_ = false;
  bool chooses_levels_ = false;
  bool has_open_names_ = false;  ///< some belong to charts that were not loaded
  std::string remedy_;           ///< for the name that was not found last

  std::shared_ptr<const Chart> chart_;
  std::vector<Signal> signals_;
  std::vector<Write> writes_;
  std::vector<MessageCall> messages_;
  std::vector<ChartBinding*> receivers_;
  std::unique_ptr<SessionTable> table_;
  ChartOutputs outputs_;
  ChartLog log_;
};

}  // namespace davit
