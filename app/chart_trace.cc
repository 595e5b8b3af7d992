#include "app/chart_trace.h"

#include <fmt/format.h>

#include <ostream>

#include "statecharts/chart_label.h"

namespace davit {
namespace {

void AppendConfiguration(const Interpreter& session, StateId state, std::string& text) {
  const Chart& chart = session.chart();
  const IndexRange children = chart.states[state].children;
  bool is_first = true;
  for (Index i = children.begin; i < children.end; ++i) {
    const StateId child = chart.state_lists[i];
    if (!session.IsActive(child)) continue;
    if (!is_first) text += ' ';
    is_first = false;
    text += chart.names[child].id;
    if (chart.states[child].children.is_empty()) continue;
    text += '(';
    AppendConfiguration(session, child, text);
    text += ')';
  }
}

}  // namespace

std::string ConfigurationText(const Interpreter& session) {
  std::string text;
  AppendConfiguration(session, 0, text);
  return text;
}

std::string AtomicStatesText(const Interpreter& session) {
  std::string text;
  session.configuration().ForEach([&](StateId state) {
    if (!session.chart().IsAtomic(state)) return;
    if (!text.empty()) text += ' ';
    text += session.chart().names[state].id;
  });
  return text;
}

void ChartTrace::BeginMacrostep(const Interpreter& session) {
  if (open_ == &session) return;
  Flush();
  open_ = &session;
  const bool is_child = session.parent() != nullptr;
  const std::string name =
      is_child ? fmt::format("  in {}", session.chart().symbols->Text(session.invoke_id())) : std::string();
  out_ << fmt::format("{:.9g} s{}\n", table_ == nullptr ? 0.0 : table_->time(), name);
}

void ChartTrace::Flush() {
  if (line_.empty()) return;
  out_ << fmt::format("  {:<5}{}\n", line_kind_, line_);
  line_.clear();
}

void ChartTrace::OnEvent(const Interpreter& session, const Event& event) {
  if (is_quiet_) return;
  BeginMacrostep(session);
  Flush();
  out_ << fmt::format("  event {} ({})\n", event.Name(*session.chart().symbols), ToText(event.type));
}

void ChartTrace::OnTransition(const Interpreter& session, const Transition& transition) {
  if (is_quiet_) return;
  BeginMacrostep(session);
  Flush();
  const Chart& chart = session.chart();
  std::string targets;
  for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
    targets += " " + chart.names[chart.state_lists[i]].id;
  }
  const std::string label = TransitionText(chart, transition);
  out_ << fmt::format("  take  {}{}{}{} (line {})\n", chart.names[transition.source].id,
                      targets.empty() ? "" : " ->" + targets, label.empty() ? "" : ": ", label,
                      transition.line);
}

void ChartTrace::AddState(const Interpreter& session, std::string_view what, StateId state) {
  if (is_quiet_) return;
  BeginMacrostep(session);
  if (line_kind_ != what) Flush();
  line_kind_ = what;
  line_ += " " + session.chart().names[state].id;
}

void ChartTrace::OnExit(const Interpreter& session, StateId state) { AddState(session, "exit", state); }
void ChartTrace::OnEnter(const Interpreter& session, StateId state) { AddState(session, "enter", state); }

void ChartTrace::OnMacrostepEnd(const Interpreter& session) {
  // A macrostep in which nothing happened is not shown.
  if (is_quiet_ || open_ != &session) return;
  Flush();
  out_ << fmt::format("  now   {}\n", ConfigurationText(session));
  open_ = nullptr;
}

void ChartTrace::OnLog(const Interpreter& session, std::string_view label, std::string_view text) {
  if (is_quiet_) return;
  BeginMacrostep(session);
  Flush();
  out_ << fmt::format("  log   {}{}{}\n", label, label.empty() || text.empty() ? "" : ": ", text);
}

void ChartTrace::OnError(const Interpreter& session, int line, std::string_view what) {
  if (is_quiet_) return;
  BeginMacrostep(session);
  Flush();
  out_ << fmt::format("  error {}{}\n", what, line > 0 ? fmt::format(" (line {})", line) : std::string());
}

void ChartTrace::OnLivelock(const Interpreter& session) {
  if (!is_quiet_) Flush();
  open_ = nullptr;
  err_ << fmt::format(
      "{}: error: livelock: eventless transitions never settle, now in {}; give an eventless transition a "
      "condition "
      "that becomes false\n",
      session.chart().file.string(), ConfigurationText(session));
}

}  // namespace davit
