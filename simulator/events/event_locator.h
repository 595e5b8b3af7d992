#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "framework/archive.h"
#include "simulator/call_watch.h"
#include "simulator/guard.h"

namespace davit {

/// Finds when the guards of an island pass zero inside the steps of its solver, and runs their reactions.
///
/// Call sequence: Start; then Find for each step of the solver. When Find returns a time, make everything
/// belong to it, call React, evaluate, call Settle; the next Find begins there. Resume after anything else
/// changed at a step point.
///
/// Values are looked at kLooks times in each step of the solver. Where the parabola through three looks in a
/// row turns towards zero, its least value is looked at too: a value that passes zero and comes back between
/// two looks is found if it is smooth over the time between them. What turns faster is missed.
///
/// A value that an event, or a write at a step point, puts beyond zero has passed zero as well: the reaction
/// of its guard follows at that time. From then on the guard of both directions is watched from the side on
/// which the value is.
class EventLocator {
 public:
  /// Events closer than this [s] are simultaneous.
  static constexpr double kSimultaneous = 1e-9;
  /// Within a step of the solver and at its end.
  static constexpr std::size_t kLooks = 4;
  /// Makes all that guards read belong to t.
  using Evaluation = std::function<void(double t)>;

  explicit EventLocator(const std::vector<Guard*>& guards = {});

  /// Observer of the calls of guards; null: none.
  void set_watch(CallWatch* watch) { watch_ = watch; }
  bool is_empty() const { return watches_.empty(); }
  /// Everything is evaluated at the start time.
  void Start();
  /// Everything is evaluated at the present time; values may have jumped.
  void Resume();
  /// The time of the first event in [from, to], infinity for none.
  double Find(double from, double to, const Evaluation& evaluate);
  /// Runs the reactions; returns what happened, for the log: one entry a guard.
  struct Happened {
    const Guard* guard;
    bool rests;
  };
  const std::vector<Happened>& React(double t);
  /// Everything is evaluated at the time of React, with what the reactions have changed.
  void Settle();
  std::uint64_t count() const { return count_; }

  // For solvers that look for events themselves. After Start; everything is evaluated at one time.
  /// How many guards are watched.
  std::size_t size() const { return watches_.size(); }
  const Guard& guard(std::size_t i) const { return *watches_[i].guard; }
  /// A value that passes zero where an event of the guard is possible; it falls, but for guards of both
  /// directions.
  double Indicator(std::size_t i) const { return Read(watches_[i]); }
  /// Whether the present values mean an event: Find, called with the time before and the present one, finds
  /// it.
  bool IsDue() const;
  /// Whether the present values mean nothing new: no event, and nothing that Find would have to remember.
  bool IsQuiet() const;

  void ArchiveMemory(Archive& archive) { archive(watches_); }

 private:
  struct Watch {
    Guard* guard;
    double sign = 1;           ///< the event is where sign*(value - level) falls below 0
    double level = 0;          ///< what counts as zero after an event: where the value was found
    double f = 0;              ///< sign*(value - level) at the beginning of the next step
    double at_event = 0;       ///< the value before the reaction
    double last_event = 0;     ///< [s]
    int quick = 0;             ///< events in close succession
    bool is_armed = false;     ///< the value was on the side where events come from
    bool has_departed = true;  ///< whether it is known to which side the value went after an event
    bool is_due = false;
    bool has_jumped = false;  ///< the value was beyond zero before the search: something has put it there

    void ArchiveMemory(Archive& archive) {
      archive(sign, level, f, at_event, last_event, quick, is_armed, has_departed, is_due, has_jumped);
    }
  };

  /// The values of all watches at a time.
  struct Look {
    double t;
    std::size_t row;  ///< of values_
  };

  double ValueOf(const Guard& guard) const { return watch_ == nullptr ? guard.Read() : ReadWatched(guard); }
  double ReadWatched(const Guard& guard) const;
  double Read(const Watch& watch) const { return watch.sign * (ValueOf(*watch.guard) - watch.level); }
  /// Looks where values go right after an event; returns until where they were looked at.
  double Depart(double from, double to, const Evaluation& evaluate);
  /// The values at `from` and kLooks times after it.
  void TakeLooks(double from, double to, const Evaluation& evaluate);
  void AddLook(double t);
  double ValueAt(const Look& look, std::size_t watch) const {
    return values_[look.row * watches_.size() + watch];
  }
  /// Guards whose values something has put beyond zero are due. Returns whether there are any.
  bool FindJumps();
  /// Adds looks where a value passes zero and comes back between two of those at hand.
  void LookForTurns(const Evaluation& evaluate);
  /// The same for one watch between three looks with values of one sign.
  void LookForTurn(std::size_t watch, std::size_t first, const Evaluation& evaluate);
  /// The last of the first events that happen at once in (from, to], where values are now those at `to`;
  /// infinity for none.
  double FindBetween(double from, double to, const Evaluation& evaluate);
  /// The first time in (a, b] at which the value has passed: it has at b.
  double Locate(const Watch& watch, double a, double fa, double b, double fb,
                const Evaluation& evaluate) const;

  CallWatch* watch_ = nullptr;
  std::vector<Watch> watches_;
  std::vector<double> at_end_;
  std::vector<Look> looks_;     ///< in the order of time
  std::vector<double> values_;  ///< row by row
  std::vector<double> found_;   ///< work space, one for each watch
  std::vector<Happened> happened_;
  std::uint64_t count_ = 0;
};

}  // namespace davit
