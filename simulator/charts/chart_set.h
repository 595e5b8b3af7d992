#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expressions/symbol_table.h"
#include "framework/diagnostics.h"
#include "simulator/charts/chart_binding.h"
#include "simulator/requests/request_queue.h"
#include "statecharts/chart_event.h"

namespace davit {

/// The charts of a system with what they say to each other and to the system.
///
/// In a step all charts run in tree order. Nothing that they do is seen before all have run: outputs change
/// afterwards, events arrive at the next step point, writes and messages go to the request queue; each kind
/// in the order of the senders' paths, then of sending.
class ChartSet {
 public:
  ChartSet() : symbols_(std::make_shared<SymbolTable>()) {}

  /// In tree order, while the system is loaded.
  void Add(ChartBinding& chart) { charts_.push_back(&chart); }
  /// When all are loaded; once more does nothing. What charts ask for goes to `queue`, which must outlive
  /// them.
  void Finish(RequestQueue& queue, Diagnostics& diagnostics);

  /// Whether charts have sent events to each other that arrive with the next Step.
  bool has_events() const { return !events_.empty(); }
  bool is_empty() const { return charts_.empty(); }
  const std::vector<ChartBinding*>& charts() const { return charts_; }
  /// The chart of a component, or null.
  ChartBinding* Find(const Component& node) const;
  const std::shared_ptr<SymbolTable>& symbols() const { return symbols_; }
  /// An event's symbol; kNoSymbol where it occurs in no chart. From any thread, after Finish.
  SymbolId FindEvent(std::string_view event) const;

  /// All charts start again: first all enter their initial states, then, when all events of the start have
  /// been sent, they evaluate their conditions.
  void Enter(double t);
  void Settle(double t);
  void Step(double t);

  // For the charts. False where there is no room.
  bool Ask(ChartBinding& sender, const ChartBinding::Write& write, double value);
  bool Ask(ChartBinding& sender, const MessageCall& message);
  bool Send(const ChartBinding& sender, ChartBinding& receiver, Event&& event);

  std::uint64_t transitions() const;  ///< without default charts, which mirror modes
  std::uint64_t livelocks() const;
  std::uint64_t lost_events() const;
  void ResetCounters();
  /// All charts at a step point. Events that charts have sent go to the queues of
  /// their receivers, as the next step would do.
  void ArchiveMemory(Archive& archive);

 private:
  struct SentEvent {
    std::uint32_t rank = 0;
    std::uint32_t number = 0;
    ChartBinding* receiver = nullptr;
    Event event;
  };
  void DeliverEvents();

  std::shared_ptr<SymbolTable> symbols_;
  std::vector<ChartBinding*> charts_;
  std::unordered_map<const ChartBinding*, std::uint32_t> ranks_;
  std::map<std::string, SymbolId, std::less<>> events_by_name_;
  RequestQueue* queue_ = nullptr;
  std::size_t capacity_ = 0;
  std::vector<SentEvent> events_;
  std::vector<SentEvent> arriving_;
  std::vector<ChartBinding*> awake_;  ///< work space of Step
};

}  // namespace davit
