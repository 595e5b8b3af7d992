#include "server/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace davit {
namespace {

constexpr std::uint32_t kCodeAlarmSet = 1;
constexpr std::uint32_t kCodeAlarmCleared = 2;
constexpr std::uint32_t kCodeAlarmAcknowledged = 4;

template <class T>
void Trim(std::deque<T>& queue, std::size_t most) {
  while (queue.size() > most) queue.pop_front();
}

/// As on the command line: `crane.boom` for `/crane/boom`.
std::string PathBelowRoot(std::string_view display_path) {
  std::string path(display_path.substr(display_path.starts_with('/') ? 1 : 0));
  std::ranges::replace(path, '/', '.');
  return path;
}

}  // namespace

std::string_view ToText(RunLog::Severity severity) {
  switch (severity) {
    case RunLog::Severity::kDetail: return "detail";
    case RunLog::Severity::kInfo: return "info";
    case RunLog::Severity::kWarning: return "warning";
    case RunLog::Severity::kError: return "error";
  }
  return {};
}

std::string_view ToText(LiveEvent::Kind kind) {
  switch (kind) {
    case LiveEvent::Kind::kAlarm: return "alarm";
    case LiveEvent::Kind::kLevel: return "level";
    case LiveEvent::Kind::kTransition: return "transition";
    case LiveEvent::Kind::kLog: return "log";
  }
  return {};
}

std::uint32_t StatusOf(AlarmLevel level, bool is_set, bool is_acknowledged) {
  constexpr std::uint32_t kSet[] = {0x1, 0x10, 0x100, 0x800};
  constexpr std::uint32_t kUnacknowledged[] = {0x10000, 0x100000, 0x1000000, 0x8000000};
  const auto place = static_cast<std::size_t>(level);
  return (is_set ? kSet[place] : 0) | (is_acknowledged ? 0 : kUnacknowledged[place]);
}

LogLine ReadLogLine(RunLog::Severity severity, std::string_view line) {
  LogLine read;
  read.severity = severity;
  constexpr std::string_view kBegin = "t = ";
  constexpr std::string_view kTimeEnd = " s: ";
  if (const std::size_t end = line.find(kTimeEnd);
      line.starts_with(kBegin) && end != std::string_view::npos) {
    std::from_chars(line.data() + kBegin.size(), line.data() + end, read.time);
    line.remove_prefix(end + kTimeEnd.size());
  }
  for (const std::string_view word : {"warning: ", "error: "}) {
    if (severity >= RunLog::Severity::kWarning && line.starts_with(word)) line.remove_prefix(word.size());
  }
  const std::size_t end = line.find(": ");
  if (line.starts_with('/') && end != std::string_view::npos) {
    read.path = line.substr(0, end);
    line.remove_prefix(end + 2);
  }
  read.text = line;
  return read;
}

EventLog::EventLog(const NodeTree& tree) : tree_(tree) {
  for (const NodeTree::LiveChart& chart : tree.charts()) transitions_[chart.chart->node().DisplayPath()];
}

void EventLog::Add(const RunNote& note) {
  switch (note.kind) {
    case RunNote::Kind::kBegin: return;
    case RunNote::Kind::kLine: {
      LogLine line = ReadLogLine(note.severity, note.line);
      line.wall = note.wall;
      return AddLine(std::move(line));
    }
    case RunNote::Kind::kAlarm: {
      const NodeTree::LiveAlarm& alarm = tree_.alarms()[note.alarm];
      LiveEvent event;
      event.kind = LiveEvent::Kind::kAlarm;
      event.time = note.time;
      event.wall = note.wall;
      event.node = alarm.node;
      event.path = tree_.PathOf(*tree_.Find(alarm.node));
      event.text = alarm.alarm->label().text;
      event.is_set = note.is_set;
      event.is_acknowledged = note.is_acknowledged;
      event.code = note.is_set && !note.is_acknowledged ? kCodeAlarmSet
                   : note.is_acknowledged               ? kCodeAlarmAcknowledged
                                                        : kCodeAlarmCleared;
      event.status = StatusOf(alarm.alarm->level(), note.is_set, note.is_acknowledged);
      return AddEvent(std::move(event));
    }
  }
}

void EventLog::AddLine(LogLine line) {
  const auto transitions = transitions_.find(line.path);
  const bool has_arrow = line.text.find(" -> ") != std::string::npos && !line.text.starts_with("by ");
  const bool is_level = line.text.starts_with("level ");
  const bool is_transition = has_arrow && !is_level && transitions != transitions_.end();
  if (is_transition) {
    transitions->second.push_back(line);
    Trim(transitions->second, kMostTransitions);
  }
  const bool is_shown = line.severity >= RunLog::Severity::kInfo;
  const bool is_alarm = line.text.starts_with("alarm ");  // there is an event of its own
  const bool is_switch =
      has_arrow && is_shown && !line.text.starts_with("method ") && (is_level || !is_transition);
  if (!is_alarm && (line.severity > RunLog::Severity::kInfo || (is_shown && is_transition) || is_switch)) {
    LiveEvent event;
    event.kind = line.severity > RunLog::Severity::kInfo ? LiveEvent::Kind::kLog
                 : is_transition                         ? LiveEvent::Kind::kTransition
                                                         : LiveEvent::Kind::kLevel;
    event.time = line.time;
    event.wall = line.wall;
    const LiveNode* node = tree_.FindDisplayPath(line.path);
    event.node = node == nullptr ? NodeTree::kApplicationNode : node->id;
    event.path = PathBelowRoot(line.path);
    event.text = line.text;
    AddEvent(std::move(event));
  }
  line.number = next_line_++;
  auto& queue = is_shown ? lines_ : details_;
  queue.push_back(std::move(line));
  Trim(queue, is_shown ? kMostLines : kMostDetails);
}

void EventLog::AddEvent(LiveEvent event) {
  event.number = next_event_++;
  events_.push_back(std::move(event));
  Trim(events_, kMostEvents);
}

void EventLog::AddDropped(std::uint64_t lines) {
  if (lines == 0) return;
  LogLine line;
  line.severity = RunLog::Severity::kWarning;
  line.text = fmt::format("{} lines were left out: too many came at once; --log FILE has all", lines);
  AddLine(std::move(line));
}

const std::deque<LogLine>* EventLog::FindTransitions(std::string_view path) const {
  const auto found = transitions_.find(path);
  return found == transitions_.end() ? nullptr : &found->second;
}

std::vector<const LogLine*> EventLog::LinesAfter(std::uint64_t after, std::size_t most) const {
  std::vector<const LogLine*> found;
  auto line = std::ranges::lower_bound(lines_, after, {}, &LogLine::number);
  auto detail = std::ranges::lower_bound(details_, after, {}, &LogLine::number);
  while (found.size() < most && (line != lines_.end() || detail != details_.end())) {
    const bool takes_line =
        detail == details_.end() || (line != lines_.end() && line->number < detail->number);
    found.push_back(takes_line ? &*line++ : &*detail++);
  }
  return found;
}

}  // namespace davit
