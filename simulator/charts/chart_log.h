#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/archive.h"
#include "framework/component.h"
#include "framework/run_log.h"
#include "statecharts/chart_observer.h"
#include "statecharts/interpreter.h"
#include "statecharts/session_table.h"

namespace davit {

/// Counts what the chart of a component does, and writes it to the run log: transitions, texts of `<log>`,
/// errors, livelocks and lost events. Lines are limited, so that a chart that goes round in a loop does not
/// fill the log.
class ChartLog final : public ChartObserver {
 public:
  explicit ChartLog(const Component& node) : node_(node) {}
  ChartLog(const ChartLog&) = delete;
  ChartLog& operator=(const ChartLog&) = delete;

  /// Of the lines on transitions and of `<log>`.
  void set_severity(RunLog::Severity severity) { severity_ = severity; }
  void BeginStep() { lines_in_step_ = 0; }
  /// Reports what went wrong in the last step and was not reported by the chart itself.
  void ReportTroubles(const SessionTable& table);
  /// The chart of `sender` sends it an event, which arrives at the next step point.
  void ReportSent(const Component& sender, std::string_view event) const;
  /// The table has started again; before, `lost` events of this run were lost.
  void Restart(const SessionTable& table, std::uint64_t lost);

  std::uint64_t transitions() const { return transitions_; }
  std::uint64_t livelocks() const { return livelocks_; }
  std::uint64_t lost_events(const SessionTable& table) const { return past_lost_ + table.lost_events(); }
  void ResetCounters(const SessionTable& table);
  void ArchiveMemory(Archive& archive) {
    archive(transitions_, livelocks_, past_lost_, reported_lost_, error_lines_, was_stuck_);
  }

 private:
  // ChartObserver
  void OnEvent(const Interpreter& /*session*/, const Event& event) override { event_ = event.name; }
  void OnTransition(const Interpreter& session, const Transition& transition) override;
  void OnLog(const Interpreter& session, std::string_view label, std::string_view text) override;
  void OnError(const Interpreter& session, int line, std::string_view what) override;
  void OnLivelock(const Interpreter& session) override;

  /// Whether one more line on what the chart does is to be written down in this step.
  bool TakesLine(const Interpreter& session);
  /// Whether the run log keeps such lines.
  bool Keeps(RunLog::Severity severity) const;
  void Write(RunLog::Severity severity, const Interpreter& session, std::string text,
             RunLog::Kind kind = RunLog::Kind::kNote, const RunLog::Cause& cause = {}) const;

  const Component& node_;
  RunLog::Severity severity_ = RunLog::Severity::kInfo;
  std::uint64_t transitions_ = 0;
  std::uint64_t livelocks_ = 0;
  std::uint64_t past_lost_ = 0;      ///< before the last start
  std::uint64_t reported_lost_ = 0;  ///< of the inbox and of this run
  SymbolId event_ = kNoSymbol;       ///< that was taken last
  int error_lines_ = 0;
  int lines_in_step_ = 0;  ///< of transitions and logs
  bool was_stuck_ = false;
};

}  // namespace davit
