#pragma once

#include <iosfwd>
#include <string>

#include "statecharts/chart_observer.h"
#include "statecharts/session_table.h"

namespace davit {

/// The active states of a session, nested as in the chart: `valve(level(ideal) mode(on))`.
std::string ConfigurationText(const Interpreter& session);
/// The ids of the active states without states in them, in document order, with a space between.
std::string AtomicStatesText(const Interpreter& session);

/// Prints what charts do, one macrostep after the other:
///
///     0.5 s  event up
///       take  standard -> advanced: up (line 12)
///       exit  standard
///       enter advanced
///       now   valve(level(advanced) mode(on))
class ChartTrace final : public ChartObserver {
 public:
  /// Errors and livelocks go to `err`, also when `is_quiet`.
  ChartTrace(std::ostream& out, std::ostream& err, bool is_quiet)
      : out_(out), err_(err), is_quiet_(is_quiet) {}

  /// The table whose time is printed; before its first use.
  void Watch(const SessionTable& table) { table_ = &table; }

  void OnEvent(const Interpreter& session, const Event& event) override;
  void OnTransition(const Interpreter& session, const Transition& transition) override;
  void OnExit(const Interpreter& session, StateId state) override;
  void OnEnter(const Interpreter& session, StateId state) override;
  void OnMacrostepEnd(const Interpreter& session) override;
  void OnLog(const Interpreter& session, std::string_view label, std::string_view text) override;
  void OnError(const Interpreter& session, int line, std::string_view what) override;
  void OnLivelock(const Interpreter& session) override;

 private:
  void BeginMacrostep(const Interpreter& session);
  void Flush();
  void AddState(const Interpreter& session, std::string_view what, StateId state);

  std::ostream& out_;
  std::ostream& err_;
  bool is_quiet_;
  const SessionTable* table_ = nullptr;
  const Interpreter* open_ = nullptr;  ///< whose macrostep is being printed
  std::string line_;                   ///< states that are left or entered
  std::string_view line_kind_;
};

}  // namespace davit
