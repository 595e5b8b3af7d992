#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "statecharts/chart.h"
#include "statecharts/chart_host.h"
#include "statecharts/chart_observer.h"
#include "statecharts/delayed_events.h"
#include "statecharts/event_inbox.h"
#include "statecharts/interpreter.h"

namespace davit {

class ChartArchive;

struct SessionLimits {
  int most_microsteps = 1000;         ///< in one macrostep
  int most_macrosteps = 1000;         ///< at one time, of one chart with its children
  std::size_t internal_events = 128;  ///< places of each session's queue
  std::size_t external_events = 128;
  std::size_t posted_events = 64;    ///< from other threads, between two steps
  std::size_t delayed_events = 128;  ///< of a chart with its children
  std::size_t most_sessions = 64;    ///< of a chart with its children
};

/// A chart with the child charts it invokes, their time and their delayed events.
///
///     SessionTable table(chart, host, observer, limits);
///     table.Start(0);
///     table.session().Send(table.session().MakeEvent("up"));
///     table.Step(0.01);
class SessionTable {
 public:
  /// `host` and `observer` may be null and must outlive this object.
  SessionTable(std::shared_ptr<const Chart> chart, ChartHost* host, ChartObserver* observer,
               const SessionLimits& limits = {});

  /// Looks at this chart and its children from now on; null: nobody does. It outlives its use.
  void set_watch(ChartWatch* watch) { watch_ = watch; }

  /// From any thread, at any time: an event for the next step, where it comes after the timers that are due.
  /// Returns false where there is no room.
  bool Post(const PostedEvent& event) { return inbox_.Post(event); }

  /// Enters the initial states at a time [s] and runs until all charts are stable. Again: everything starts
  /// again, and what was posted and not yet taken is dropped; session() is then another object.
  void Start(double time) {
    Enter(time);
    Settle();
  }
  /// The two halves of Start, for charts that read each other: initial states first, then conditions.
  void Enter(double time);
  void Settle();
  /// One step of a simulation: reads the signals, then due timers and queued events, each as a macrostep,
  /// then one eventless macrostep. A chart for which nothing has changed is passed over.
  void Step(double time);
  /// Whether Step would change nothing: the chart has no child charts, looks at nothing but events, and there
  /// is none.
  bool IsAsleep() const {
    return sleeps_ && sessions_.size() == 1 && inbox_.is_empty() && !has_waiting_events() && !is_stuck() &&
           delayed_.size() == 0;
  }
  /// Without reading signals: what is due at `time`, until all charts are stable. Returns false where the cap
  /// on macrosteps was reached: charts that send each other events without end. The rest waits for the next
  /// call. `macrosteps` were made at this time before.
  bool RunUntilStable(double time, int macrosteps = 0);

  /// Everything that is needed to continue, as bytes: states, histories, data, queues, timers. Empty where a
  /// chart has the data model ecmascript. Events posted and not yet taken are left out.
  std::vector<std::byte> Save();
  /// Continues from what Save gave, of the same chart with the same limits. Returns false where the bytes do
  /// not fit; the table must then be started again.
  bool Restore(std::span<const std::byte> bytes);

  /// Events that wait for their time.
  const DelayedEvents& delayed() const { return delayed_; }
  /// The chart itself.
  Interpreter& session() { return *sessions_.front(); }
  const Interpreter& session() const { return *sessions_.front(); }
  /// When something next happens without an event from outside [s]; infinity for never.
  double NextDue() const;
  /// Whether conditions depend on the time or on signals, so that only steps show when they become true.
  bool needs_steps() const;
  double time() const { return time_; }
  /// Whether a chart goes round in a loop.
  bool is_stuck() const;
  /// Whether events wait in a queue for the next step, because there were too many at one time.
  bool has_waiting_events() const;
  std::uint64_t lost_events() const;

 private:
  friend class Interpreter;

  void Archive(ChartArchive& archive);
  void Clear();
  Interpreter& Add(std::shared_ptr<const Chart> chart);
  void Begin(Interpreter& session, Interpreter* parent, SymbolId invoke_id, Event given);
  Interpreter* FindSession(std::string_view id);
  void MakeChildren(Interpreter& session);
  void TakePosted();
  /// False where `macrosteps`, counted on, has reached its cap.
  bool RunSessions(int& macrosteps);

  ChartHost* host_;
  ChartObserver* observer_;
  ChartWatch* watch_ = nullptr;
  SessionLimits limits_;
  double time_ = 0;
  bool sleeps_ = false;  ///< whether nothing but events makes the chart do anything
  std::uint32_t next_number_ = 1;
  DelayedEvents delayed_;
  EventInbox inbox_;
  std::vector<std::unique_ptr<Interpreter>> sessions_;
};

}  // namespace davit
