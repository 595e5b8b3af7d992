#pragma once

#include <map>
#include <memory>
#include <string>

#include "statecharts/chart_observer.h"
#include "statecharts/session_table.h"
#include "studio/json_text.h"
#include "studio/lone_chart.h"

namespace davit {

/// A chart of the folder that runs alone in virtual time, one event after the other, as `davit chart run`
/// does it.
class ChartTrial final : private ChartObserver {
 public:
  static constexpr double kStep = 0.01;                 ///< of charts that read the time [s]
  static constexpr double kLongestAdvance = 3600;       ///< of one call [s]
  static constexpr std::size_t kMostSteps = 1'000'000;  ///< of one call
  static constexpr std::size_t kMostLines = 2'000;      ///< of the trace of one call

  /// Enters the initial states. Pre: `lone` has a chart.
  explicit ChartTrial(LoneChart lone);

  /// Sends an event with values: `{"name": "up", "values": {"speed": 3, "text": "a", "is_on": true}}`. Empty,
  /// or what is wrong.
  std::string Send(const Json& event);
  /// Gives a signal that the chart reads another value; a name of an option or a text where it is one. Empty,
  /// or what is wrong.
  std::string SetValue(const std::string& path, const Json& value);
  /// Lets so much time pass [s]; empty, or what is wrong.
  std::string Advance(double seconds);

  /// Active states, data, signals, events that the chart knows, and what happened since the last call:
  /// docs/studio.md.
  Json Describe();

 private:
  void OnEvent(const Interpreter& session, const Event& event) override;
  void OnTransition(const Interpreter& session, const Transition& transition) override;
  void OnExit(const Interpreter& session, StateId state) override;
  void OnEnter(const Interpreter& session, StateId state) override;
  void OnLog(const Interpreter& session, std::string_view label, std::string_view text) override;
  void OnError(const Interpreter& session, int line, std::string_view what) override;
  void OnLivelock(const Interpreter& session) override;

  void Step(double time);
  bool is_over() const { return !table_.session().is_running() || table_.is_stuck(); }
  void Note(const Interpreter& session, Json line);
  Json ValueToJson(ValueType type, double value) const;

  const LoneChart lone_;
  SessionTable table_;
  Json trace_ = Json::array();
  bool has_livelock_ = false;
};

}  // namespace davit
