#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace spdlog {
class logger;
}

namespace davit {

/// The event log of a run: switches, transitions, events, alarms, requests, each with the simulated time.
class RunLog {
 public:
  /// kDetail is what happens often and follows from the rest: modes of components, events of their
  /// equations, transitions of default charts, writes that charts ask for. kInfo is what a user wants to see:
  /// switches of levels, transitions of the charts of the system, requests from outside.
  enum class Severity : std::uint8_t { kDetail, kInfo, kWarning, kError };
  /// What a line tells of.
  enum class Kind : std::uint8_t {
    kNote,        ///< none of the following
    kLevel,       ///< a level or an aspect was switched
    kMode,        ///< a mode has changed
    kTransition,  ///< a chart has taken a transition
    kAlarm,       ///< an alarm was set, acknowledged or cleared
    kMessage,     ///< a message was sent to a component, or an event to charts
  };
  /// A line and its parts. The texts live as long as the call that gets them.
  struct Entry {
    Severity severity;
    Kind kind;
    double time;            ///< simulated [s]
    std::string_view path;  ///< of a component: `/crane/boom`; may be empty
    std::string_view text;
    std::string_view line;  ///< `t = 1.25 s: /crane/boom: text`
  };

  /// Lines below `threshold` are dropped. The lines go to stderr.
  explicit RunLog(Severity threshold);
  /// The lines go to `sink` (for embedding and tests).
  RunLog(Severity threshold, std::function<void(Severity, std::string_view line)> sink);
  RunLog(Severity threshold, std::function<void(const Entry& entry)> sink);
  ~RunLog();

  /// The time that following lines carry [s].
  void set_time(double t) { time_ = t; }
  /// Whether lines of `severity` are kept: else a text need not be made.
  bool Keeps(Severity severity) const { return severity >= threshold_; }
  /// Writes `t = 1.25 s: /path: text`.
  void Write(Severity severity, std::string_view path, std::string_view text, Kind kind = Kind::kNote);

 private:
  Severity threshold_;
  double time_ = 0;
  std::shared_ptr<spdlog::logger> logger_;
  std::function<void(const Entry&)> sink_;
};

}  // namespace davit
