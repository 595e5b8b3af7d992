#include "simulator/charts/chart_log.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "framework/counted.h"
#include "statecharts/chart_label.h"

namespace davit {
namespace {

constexpr int kMostErrorLines = 100;  // of one chart in a run
constexpr int kMostLines = 100;       // of one chart in a step

}  // namespace

bool ChartLog::Keeps(RunLog::Severity severity) const {
  const RunLog* log = node_.run_log();
  return log != nullptr && log->Keeps(severity);
}

void ChartLog::Write(RunLog::Severity severity, const Interpreter& session, std::string text,
                     RunLog::Kind kind, const RunLog::Cause& cause) const {
  if (session.parent() != nullptr)
    text = fmt::format("in {}: {}", session.chart().symbols->Text(session.invoke_id()), text);
  if (RunLog* log = node_.run_log()) log->Write(severity, node_.DisplayPath(), text, kind, cause);
}

bool ChartLog::TakesLine(const Interpreter& session) {
  if (!Keeps(severity_) || lines_in_step_ > kMostLines) return false;
  if (++lines_in_step_ <= kMostLines) return true;
  Write(severity_, session, "further actions of the chart in this step are not logged");
  return false;
}

void ChartLog::OnTransition(const Interpreter& session, const Transition& transition) {
  ++transitions_;
  if (!TakesLine(session)) return;
  const Chart& chart = session.chart();
  std::string text = chart.names[transition.source].id;
  std::vector<std::string_view> targets;
  for (Index i = transition.targets.begin; i < transition.targets.end; ++i) {
    targets.emplace_back(chart.names[chart.state_lists[i]].id);
    text.append(targets.size() == 1 ? " -> " : " ").append(targets.back());
  }
  const std::string trigger = TriggerText(chart, transition);
  if (!trigger.empty()) text += ": " + trigger;
  std::vector<RunLog::Operand> operands;
  if (transition.cond != kNoIndex) operands = session.Operands(transition.cond);
  const bool has_event = !transition.events.is_empty() && event_ != kNoSymbol;
  Write(severity_, session, std::move(text), RunLog::Kind::kTransition,
        {.event = has_event ? std::string_view(chart.symbols->Text(event_)) : std::string_view(),
         .targets = targets,
         .operands = operands});
}

void ChartLog::OnLog(const Interpreter& session, std::string_view label, std::string_view text) {
  if (!TakesLine(session)) return;
  Write(severity_, session, fmt::format("{}{}{}", label, label.empty() || text.empty() ? "" : ": ", text));
}

void ChartLog::OnError(const Interpreter& session, int line, std::string_view what) {
  if (!Keeps(RunLog::Severity::kWarning) || error_lines_ > kMostErrorLines) return;
  const bool is_last = ++error_lines_ > kMostErrorLines;
  Write(RunLog::Severity::kWarning, session,
        is_last    ? std::string("further errors of the chart are not logged")
        : line > 0 ? fmt::format("{}:{}: {}", session.chart().file.string(), line, what)
                   : std::string(what));
}

void ChartLog::OnLivelock(const Interpreter& session) {
  ++livelocks_;
  if (was_stuck_ || !Keeps(RunLog::Severity::kWarning)) return;
  was_stuck_ = true;
  std::string active;
  session.configuration().ForEach([&](StateId state) {
    if (session.chart().IsAtomic(state)) active += " " + session.chart().names[state].id;
  });
  Write(RunLog::Severity::kWarning, session,
        "livelock: eventless transitions never settle, now in" + active +
            "; give an eventless transition a condition that becomes false");
}

void ChartLog::ReportSent(const Component& sender, std::string_view event) const {
  if (!Keeps(RunLog::Severity::kDetail)) return;
  node_.run_log()->Write(RunLog::Severity::kDetail, node_.DisplayPath(), fmt::format("event {}", event),
                         RunLog::Kind::kMessage, {.sender = sender.DisplayPath(), .event = event});
}

void ChartLog::ReportTroubles(const SessionTable& table) {
  if (!table.is_stuck()) was_stuck_ = false;
  const std::uint64_t lost = table.lost_events();
  if (lost == reported_lost_) return;
  if (Keeps(RunLog::Severity::kWarning) && error_lines_ <= kMostErrorLines) {
    Write(RunLog::Severity::kWarning, table.session(),
          Counted(lost - reported_lost_, "event") + " lost: the queues are full");
  }
  reported_lost_ = lost;
}

void ChartLog::Restart(const SessionTable& table, std::uint64_t lost) {
  reported_lost_ = table.lost_events();
  past_lost_ = lost - reported_lost_;
  was_stuck_ = false;
}

void ChartLog::ResetCounters(const SessionTable& table) {
  transitions_ = livelocks_ = 0;
  past_lost_ = 0 - table.lost_events();
  error_lines_ = 0;
}

}  // namespace davit
