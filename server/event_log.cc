#include "server/event_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

std::string_view ToText(RunLog::Kind kind) {
  switch (kind) {
    case RunLog::Kind::kNote: return "note";
    case RunLog::Kind::kLevel: return "level";
    case RunLog::Kind::kMode: return "mode";
    case RunLog::Kind::kTransition: return "transition";
    case RunLog::Kind::kAlarm: return "alarm";
    case RunLog::Kind::kMessage: return "message";
  }
  return {};
}

std::string_view ToText(LiveEvent::Kind kind) {
  switch (kind) {
    case LiveEvent::Kind::kAlarm: return "alarm";
    case LiveEvent::Kind::kLevel: return "level";
    case LiveEvent::Kind::kTransition: return "transition";
    case LiveEvent::Kind::kMessage: return "message";
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

EventLog::EventLog(const NodeTree& tree) : tree_(tree) {
  for (const NodeTree::LiveChart& chart : tree.charts()) transitions_[chart.chart->node().DisplayPath()];
}

void EventLog::Add(const RunNote& note) {
  switch (note.kind) {
    case RunNote::Kind::kBegin: {
      ++run_;
      branch_.clear();
      return;
    }
    case RunNote::Kind::kBranch: branch_ = note.text; return;
    case RunNote::Kind::kLine: {
      return AddLine({.time = note.time,
                      .wall = note.wall,
                      .severity = note.severity,
                      .kind = note.line_kind,
                      .path = note.path,
                      .text = note.text});
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
      event.is_repeated = note.is_repeated;
      event.code = note.is_set && !note.is_acknowledged ? kCodeAlarmSet
                   : note.is_acknowledged               ? kCodeAlarmAcknowledged
                                                        : kCodeAlarmCleared;
      event.status = StatusOf(alarm.alarm->level(), note.is_set, note.is_acknowledged);
      return AddEvent(std::move(event));
    }
  }
}

std::optional<LiveEvent::Kind> EventLog::EventOf(const LogLine& line) {
  if (line.kind == RunLog::Kind::kAlarm || line.severity < RunLog::Severity::kInfo) return std::nullopt;
  if (line.severity > RunLog::Severity::kInfo) return LiveEvent::Kind::kLog;
  switch (line.kind) {
    case RunLog::Kind::kLevel: return LiveEvent::Kind::kLevel;
    case RunLog::Kind::kTransition: return LiveEvent::Kind::kTransition;
    case RunLog::Kind::kMessage: return LiveEvent::Kind::kMessage;
    default: return std::nullopt;
  }
}

void EventLog::AddLine(LogLine line) {
  if (line.kind == RunLog::Kind::kTransition) {
    if (const auto chart = transitions_.find(line.path); chart != transitions_.end()) {
      chart->second.push_back(line);
      Trim(chart->second, kMostTransitions);
    }
  }
  if (const auto kind = EventOf(line)) {
    LiveEvent event;
    event.kind = *kind;
    event.time = line.time;
    event.wall = line.wall;
    const LiveNode* node = tree_.FindDisplayPath(line.path);
    event.node = node == nullptr ? NodeTree::kApplicationNode : node->id;
    event.path = PathBelowRoot(line.path);
    event.text = line.text;
    AddEvent(std::move(event));
  }
  line.number = next_line_++;
  line.run = run_;
  std::deque<LogLine>& queue = QueueOf(line);
  queue.push_back(std::move(line));
  Trim(queue, &queue == &details_ ? kMostDetails : &queue == &notes_ ? kMostNotes : kMostChanges);
}

std::deque<LogLine>& EventLog::QueueOf(const LogLine& line) {
  if (line.severity < RunLog::Severity::kInfo) return details_;
  const bool is_note = line.kind == RunLog::Kind::kNote || line.kind == RunLog::Kind::kMessage;
  return is_note && line.severity == RunLog::Severity::kInfo ? notes_ : changes_;
}

std::uint64_t EventLog::first_line() const {
  std::uint64_t first = 0;
  for (const auto* queue : {&changes_, &notes_}) {
    // A queue that is full has lost lines, up to its first one.
    const std::size_t most = queue == &notes_ ? kMostNotes : kMostChanges;
    if (queue->size() == most) first = std::max(first, queue->front().number);
  }
  return first;
}

void EventLog::AddEvent(LiveEvent event) {
  event.number = next_event_++;
  event.run = run_;
  event.branch = branch_;
  events_.push_back(std::move(event));
  Trim(events_, kMostEvents);
}

void EventLog::AddDropped(std::uint64_t lines) {
  if (lines == 0) return;
  LogLine line;
  line.severity = RunLog::Severity::kWarning;
  line.text = fmt::format("{} lines were skipped: too many came in a short time; --log FILE has all", lines);
  AddLine(std::move(line));
}

const std::deque<LogLine>* EventLog::FindTransitions(std::string_view path) const {
  const auto found = transitions_.find(path);
  return found == transitions_.end() ? nullptr : &found->second;
}

std::vector<const LogLine*> EventLog::LinesAfter(std::uint64_t after, std::size_t most) const {
  std::vector<const LogLine*> found;
  const std::array queues{&changes_, &notes_, &details_};
  std::array<std::deque<LogLine>::const_iterator, 3> next;
  std::ranges::transform(queues, next.begin(), [after](const auto* queue) {
    return std::ranges::lower_bound(*queue, after, {}, &LogLine::number);
  });
  while (found.size() < most) {
    const LogLine* first = nullptr;
    std::size_t from = 0;
    for (std::size_t i = 0; i < queues.size(); ++i) {
      if (next[i] == queues[i]->end() || (first != nullptr && first->number < next[i]->number)) continue;
      first = &*next[i];
      from = i;
    }
    if (first == nullptr) break;
    found.push_back(first);
    ++next[from];
  }
  return found;
}

}  // namespace davit
