#include "session/cause_log.h"

#include <algorithm>
#include <functional>

namespace davit {
namespace {

/// Kinds of subjects do not meet: an item may be called as a chart.
std::string WriteOf(std::string_view item) { return std::string("write ").append(item); }
std::string ChangeOf(std::string_view item) { return std::string("change ").append(item); }
std::string TransitionOf(std::string_view chart) { return std::string("chart ").append(chart); }
std::string EventOf(std::string_view chart, std::string_view event) {
  return std::string("event ").append(chart).append(" ").append(event);
}

}  // namespace

std::string CauseLog::SubjectOf(const RunLog::Entry& entry) {
  switch (entry.kind) {
    case RunLog::Kind::kNote: return entry.cause.item.empty() ? std::string() : WriteOf(entry.cause.item);
    case RunLog::Kind::kLevel:
    case RunLog::Kind::kMode:
    case RunLog::Kind::kAlarm: return ChangeOf(entry.cause.item);
    case RunLog::Kind::kTransition: return TransitionOf(entry.path);
    case RunLog::Kind::kMessage:
      return entry.cause.event.empty() ? WriteOf(entry.path) : EventOf(entry.path, entry.cause.event);
  }
  return {};
}

void CauseLog::Add(const RunLog::Entry& entry) {
  const std::string subject = SubjectOf(entry);
  if (subject.empty()) return;
  auto place = records_.find(subject);
  if (place == records_.end()) {
    if (records_.size() >= kMostSubjects) return;
    place = records_.emplace(subject, std::deque<Record>()).first;
  }
  const RunLog::Cause& cause = entry.cause;
  place->second.push_back({.number = count_++,
                           .time = entry.time,
                           .kind = entry.kind,
                           .path = std::string(entry.path),
                           .text = std::string(entry.text),
                           .item = std::string(cause.item),
                           .sender = std::string(cause.sender),
                           .event = std::string(cause.event),
                           .targets = {cause.targets.begin(), cause.targets.end()},
                           .operands = {cause.operands.begin(), cause.operands.end()}});
  if (place->second.size() > kMostAlike) place->second.pop_front();
}

void CauseLog::Truncate(std::uint64_t count) {
  for (auto& [subject, records] : records_) {
    while (!records.empty() && records.back().number >= count) records.pop_back();
  }
  count_ = std::min(count_, count);
}

void CauseLog::Clear(std::uint64_t count) {
  records_.clear();
  count_ = count;
}

template <class Wanted>
const CauseLog::Record* CauseLog::Find(const std::string& subject, std::uint64_t before,
                                       const Wanted& wanted) const {
  const auto found = records_.find(subject);
  if (found == records_.end()) return nullptr;
  for (auto record = found->second.rbegin(); record != found->second.rend(); ++record) {
    if (record->number < before && wanted(*record)) return &*record;
  }
  return nullptr;
}

const CauseLog::Record* CauseLog::FindWrite(std::string_view item, std::uint64_t before) const {
  return Find(WriteOf(item), before, [](const Record&) { return true; });
}

const CauseLog::Record* CauseLog::FindChange(std::string_view item, std::uint64_t before, double time) const {
  return Find(ChangeOf(item), before, [&](const Record& record) { return record.time <= time; });
}

const CauseLog::Record* CauseLog::FindTransition(std::string_view chart, std::string_view state,
                                                 std::uint64_t before, double time) const {
  return Find(TransitionOf(chart), before, [&](const Record& record) {
    return record.time <= time &&
           (state.empty() || std::ranges::find(record.targets, state) != record.targets.end());
  });
}

const CauseLog::Record* CauseLog::FindEvent(std::string_view chart, std::string_view event,
                                            std::uint64_t before) const {
  const auto any = [](const Record&) { return true; };
  const Record* const own = Find(EventOf(chart, event), before, any);
  const Record* const all = Find(EventOf({}, event), before, any);
  if (own == nullptr || all == nullptr) return own == nullptr ? all : own;
  return own->number > all->number ? own : all;
}

std::vector<const CauseLog::Record*> CauseLog::WritesBefore(std::uint64_t before) const {
  std::vector<const Record*> writes;
  for (auto place = records_.lower_bound(std::string_view("write ")); place != records_.end(); ++place) {
    if (!place->first.starts_with("write ")) break;
    for (const Record& record : place->second) {
      if (record.number < before) writes.push_back(&record);
    }
  }
  std::ranges::sort(writes, std::greater<>(), &Record::number);
  return writes;
}

}  // namespace davit
