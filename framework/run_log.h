#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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
  /// What a guard has read.
  struct Operand {
    std::string name = {};    ///< as the guard has it; of In('state') the state
    std::string value = {};   ///< empty: it is In('state')
    std::string before = {};  ///< of a signal: when the chart looked at it before
    std::string path = {};    ///< of a signal: of its item, from below the root; else empty
  };
  /// What has brought about what a line tells of, as far as whoever writes it knows. The line says it in
  /// words: nobody writes it twice.
  struct Cause {
    std::string_view item = {};    ///< path of what was written or has changed: `pump.level`
    std::string_view sender = {};  ///< who has asked: `/detail`, `stdin:3`; empty: the system file, or nobody
    std::string_view event = {};   ///< that was sent, or has triggered a transition
    std::span<const std::string_view> targets = {};  ///< states that a transition leads to
    std::span<const Operand> operands = {};          ///< of the guard of a transition
  };
  /// A line and its parts. The texts live as long as the call that gets them.
  struct Entry {
    Severity severity;
    Kind kind;
    double time;            ///< simulated [s]
    std::string_view path;  ///< of a component: `/crane/boom`; may be empty
    std::string_view text;
    std::string_view line;  ///< `t = 1.25 s: /crane/boom: text`
    const Cause& cause;
  };
  using Sink = std::function<void(const Entry& entry)>;

  /// Lines below `threshold` are dropped. The lines go to stderr.
  explicit RunLog(Severity threshold);
  /// The lines go to `sink` (for embedding and tests).
  RunLog(Severity threshold, std::function<void(Severity, std::string_view line)> sink);
  RunLog(Severity threshold, Sink sink);
  ~RunLog();

  /// The time that following lines carry [s].
  void set_time(double t) { time_ = t; }
  /// Whether lines of `severity` are kept: else a text need not be made.
  bool Keeps(Severity severity) const { return severity >= threshold_ || watcher_ != nullptr; }
  /// Writes `t = 1.25 s: /path: by SENDER: text with OPERANDS`.
  void Write(Severity severity, std::string_view path, std::string_view text, Kind kind, const Cause& cause);
  void Write(Severity severity, std::string_view path, std::string_view text, Kind kind = Kind::kNote) {
    Write(severity, path, text, kind, Cause());
  }
  /// Takes all lines, whatever their severity, also while others do not get them; empty: nobody.
  void set_watcher(Sink watcher) { watcher_ = std::move(watcher); }
  /// While the past is computed once more, its lines are known already: the watcher alone gets them.
  void set_muted(bool is_muted) { is_muted_ = is_muted; }

 private:
  Severity threshold_;
  bool is_muted_ = false;
  double time_ = 0;
  std::shared_ptr<spdlog::logger> logger_;
  Sink sink_;
  Sink watcher_;
};

}  // namespace davit
