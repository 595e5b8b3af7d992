#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/run_log.h"
#include "simulator/requests/request_queue.h"
#include "simulator/run/run_settings.h"

namespace davit {

class ChartSet;
class ValueWriter;

/// Does what the request queue holds for a step point, and logs each as the `<At>` that repeats it.
///
/// Call sequence: at each step point Events, then Requests before the next step.
class RequestRunner {
 public:
  /// `root` has the run log. All must outlive the runner.
  RequestRunner(const Component& root, const RunSettings& settings, RequestQueue& queue, ValueWriter& writer,
                ChartSet& charts)
      : root_(root), settings_(settings), queue_(queue), writer_(writer), charts_(charts) {}

  /// Events that are due at the step point t of the grid go to their charts. Returns whether there were any.
  bool Events(const StepGrid& grid, double t);
  /// What charts have asked for, switches after their dwell time, then writes and messages that are due.
  void Requests(const StepGrid& grid, double t);
  /// Only what charts have asked for.
  void Asked(double t);

  /// Since the last Reset.
  std::uint64_t count() const { return count_; }
  void Reset() { count_ = 0; }

 private:
  void Run(const AskedRequest& request, double t);
  /// Whether charts are not asked about its level and aspects.
  bool IsScheduled(const Component& component) const;
  void Write(const Requester& sender, const Item& item, double value, double t);
  void Post(const EventPost& event, const std::string& sender, double t);
  bool KeepsLog(RunLog::Severity severity) const;
  /// The element that repeats the request ends the line. What charts ask for is a detail: their transitions
  /// are logged.
  void Log(RunLog::Severity severity, std::string_view path, std::string_view line,
           const RunLog::Cause& cause, RunLog::Kind kind = RunLog::Kind::kNote) const;

  const Component& root_;
  const RunSettings& settings_;
  RequestQueue& queue_;
  ValueWriter& writer_;
  ChartSet& charts_;
  std::uint64_t count_ = 0;
};

}  // namespace davit
