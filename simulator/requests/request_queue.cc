#include "simulator/requests/request_queue.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace davit {
namespace {

/// Requests that a chart may make in a step, on average.
constexpr std::size_t kShare = 16;
constexpr std::size_t kLeastCapacity = 256;

}  // namespace

void RequestQueue::Reserve(std::size_t requesters) {
  capacity_ = requesters == 0 ? 0 : std::max(kLeastCapacity, kShare * requesters);
  asked_.reserve(capacity_);
}

void RequestQueue::Begin(std::span<const Command> schedule) {
  schedule_ = schedule;
  next_ = next_event_ = 0;
  submitted_.clear();
  taken_.reset();
  brought_.clear();
  asked_.clear();
  lost_ = 0;
}

void RequestQueue::Resume(const StepGrid& grid, bool is_inside_step) {
  const auto first = [&](auto is_to_come) {
    return static_cast<std::size_t>(std::ranges::find_if(schedule_, is_to_come) - schedule_.begin());
  };
  // Writes of the step point reached act before the next step; its events have been heard.
  const std::uint64_t next = std::max<std::uint64_t>(is_inside_step ? grid.n + 1 : grid.n, 1);
  next_ = first([&](const Command& c) { return grid.NumberOf(c.time) >= next; });
  next_event_ = first([&](const Command& c) { return grid.NumberOf(c.time) > grid.n; });
}

void RequestQueue::Submit(Command command) {
  if (!brought_.empty()) {
    const StoredCommand stored = StoredCommand::Of(command);
    const auto place =
        std::ranges::find_if(brought_, [&](const StoredCommand& b) { return b.IsSame(stored); });
    if (place != brought_.end()) {
      brought_.erase(place);
      return;
    }
  }
  InsertByTime(std::move(command), submitted_);
}

bool RequestQueue::Ask(AskedRequest request) {
  if (asked_.size() == capacity_) {
    ++lost_;
    return false;
  }
  request.number = static_cast<std::uint32_t>(asked_.size());
  asked_.push_back(request);
  return true;
}

std::span<const AskedRequest> RequestQueue::SortAsked() {
  std::ranges::sort(asked_, [](const AskedRequest& a, const AskedRequest& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.number < b.number;
  });
  return asked_;
}

double RequestQueue::next_time() const {
  double next = submitted_.empty() ? std::numeric_limits<double>::infinity() : submitted_.front().time;
  if (const std::size_t first = std::min(next_, next_event_); first < schedule_.size())
    next = std::min(next, schedule_[first].time);
  return next;
}

const Command* RequestQueue::Take(const StepGrid& grid, std::size_t& next, bool is_event) {
  while (next < schedule_.size() && grid.HasReached(schedule_[next].time)) {
    const Command& command = schedule_[next++];
    if ((command.event() != nullptr) == is_event) return &command;
  }
  for (auto it = submitted_.begin(); it != submitted_.end() && grid.HasReached(it->time); ++it) {
    if ((it->event() != nullptr) != is_event) continue;
    taken_ = std::move(*it);
    submitted_.erase(it);
    return &*taken_;
  }
  return nullptr;
}

void RequestQueue::ArchiveMemory(Archive& archive, const System& system) {
  std::vector<StoredCommand> pending;
  pending.reserve(submitted_.size());
  for (const Command& command : submitted_) pending.push_back(StoredCommand::Of(command));
  archive.List(pending);
  archive(lost_);
  if (!archive.is_loading()) return;
  for (const StoredCommand& one : pending) {
    Fault fault;
    std::optional<Command> command = one.Find(system, &fault);
    if (!command) return archive.Refuse(fault.ToText());
    Submit(std::move(*command));
  }
  brought_ = std::move(pending);
}

}  // namespace davit
