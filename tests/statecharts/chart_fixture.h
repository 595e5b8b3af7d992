#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "statecharts/chart_loader.h"
#include "statecharts/session_table.h"

namespace davit {

/// Remembers what charts report.
class RecordingObserver final : public ChartObserver {
 public:
  void OnEvent(const Interpreter& session, const Event& event) override {
    events.emplace_back(event.Name(*session.chart().symbols));
  }
  void OnLog(const Interpreter& /*session*/, std::string_view label, std::string_view text) override {
    logs.push_back(std::string(label) + (label.empty() ? "" : "=") + std::string(text));
  }
  void OnError(const Interpreter& /*session*/, int /*line*/, std::string_view what) override {
    errors.emplace_back(what);
  }
  void OnLivelock(const Interpreter& /*session*/) override { ++livelocks; }

  std::vector<std::string> events;
  std::vector<std::string> logs;
  std::vector<std::string> errors;
  int livelocks = 0;
};

/// All diagnostics of a chart, one a line.
inline std::string FaultsOf(const std::string& text, ChartHost* host = nullptr) {
  Diagnostics diagnostics;
  ChartLoadOptions options;
  options.host = host;
  LoadChartText(text, "chart.scxml", options, diagnostics);
  std::string faults;
  for (const Diagnostic& diagnostic : diagnostics.SortedByPlace()) faults += ToText(diagnostic) + "\n";
  return faults;
}

/// `content` in an <scxml> of the data model davit.
inline std::string ChartText(const std::string& content, const std::string& attributes = "") {
  return "<scxml xmlns='http://www.w3.org/2005/07/scxml' xmlns:davit='urn:davit:chart:1' version='1.0' " +
         attributes + ">" + content + "</scxml>";
}

/// A chart that runs.
class RunningChart {
 public:
  explicit RunningChart(const std::string& text, ChartHost* host = nullptr,
                        const SessionLimits& limits = {}) {
    Diagnostics diagnostics;
    ChartLoadOptions options;
    options.host = host;
    const auto chart = LoadChartText(text, "chart.scxml", options, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      if (diagnostic.severity == Severity::kError) ADD_FAILURE() << ToText(diagnostic);
    }
    if (chart == nullptr) throw std::runtime_error("the chart has errors");
    table_ = std::make_unique<SessionTable>(chart, host, &observer, limits);
    table_->Start(0);
  }

  SessionTable& table() { return *table_; }
  Interpreter& session() { return table_->session(); }
  void Send(const std::string& event) {
    session().Send(session().MakeEvent(event));
    table_->RunUntilStable(table_->time());
  }
  /// Active states without states in them, with a space between.
  std::string Active() {
    std::string ids;
    session().configuration().ForEach([&](StateId state) {
      if (!session().chart().IsAtomic(state)) return;
      ids += (ids.empty() ? "" : " ") + session().chart().names[state].id;
    });
    return ids;
  }

  RecordingObserver observer;

 private:
  std::unique_ptr<SessionTable> table_;
};

}  // namespace davit
