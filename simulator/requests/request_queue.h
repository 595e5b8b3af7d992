#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "framework/archive.h"
#include "framework/system.h"
#include "simulator/requests/requester.h"
#include "simulator/requests/stored_command.h"
#include "simulator/step_grid.h"

namespace davit {

/// Everything that a run is asked to do, whoever asks: the `<At>` of the system, commands that come during
/// the run, what charts ask for at a step point.
///
/// A request acts at the first step point that is not before its time, at the next one where that has passed.
/// At one step point come first what charts asked for, in the order of their paths, then of asking; then what
/// the system file wants, then what was submitted, each by time, equal times in the order they came. Events
/// act when charts look for them, after the step that leads to the point; writes and messages before the step
/// that leaves it.
///
/// Call sequence: Begin or Resume, then Submit and Ask as often as wanted; at each step point NextEvent until
/// there is none, SortAsked, and Next until there is none.
class RequestQueue {
 public:
  /// `requesters`: how many may ask; allocates for what they ask for in a step.
  void Reserve(std::size_t requesters);
  /// A run begins with the schedule of a system, which must outlive it; nothing else waits.
  void Begin(std::span<const Command> schedule);
  /// The same for one that restarts at the step point n, or inside the step behind it: what was due was done.
  void Resume(const StepGrid& grid, bool is_inside_step);

  /// A command that comes during the run. What LoadState has brought back is not taken a second time.
  void Submit(Command command);
  std::size_t submitted() const { return submitted_.size(); }
  /// What loading brought is not given again: from now on all that is submitted counts.
  void ForgetBrought() { brought_.clear(); }
  /// From within the run: allocates nothing. False where there is no room.
  bool Ask(AskedRequest request);

  /// What was asked for at the last step point, in its order; ClearAsked follows.
  std::span<const AskedRequest> SortAsked();
  void ClearAsked() { asked_.clear(); }
  /// Whether writes or messages, or events, are to come at all: else NextEvent or Next gives none.
  bool has_writes() const { return next_ != schedule_.size() || !submitted_.empty(); }
  bool has_events() const { return next_event_ != schedule_.size() || !submitted_.empty(); }
  /// The time of the earliest that is to come; infinity for none. It acts at the next step point where it has
  /// passed.
  double next_time() const;
  /// The next write or message that acts at the step point n of `grid`; it stays in place until the next
  /// call.
  const Command* Next(const StepGrid& grid) { return has_writes() ? Take(grid, next_, false) : nullptr; }
  /// The same for events.
  const Command* NextEvent(const StepGrid& grid) {
    return has_events() ? Take(grid, next_event_, true) : nullptr;
  }

  /// Requests of charts that found no room since Begin.
  std::uint64_t lost() const { return lost_; }
  void ArchiveMemory(Archive& archive, const System& system);

 private:
  const Command* Take(const StepGrid& grid, std::size_t& next, bool is_event);

  std::span<const Command> schedule_;
  std::size_t next_ = 0;        ///< into schedule_, of writes and messages
  std::size_t next_event_ = 0;  ///< into schedule_
  std::deque<Command> submitted_;
  std::optional<Command> taken_;        ///< of submitted_, while it acts
  std::vector<StoredCommand> brought_;  ///< of submitted_, those that loading brought and nobody gave again
  std::vector<AskedRequest> asked_;
  std::size_t capacity_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace davit
