#include "simulator/event_locator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulator/dynamic_sim_component.h"
#include "simulator/evaluation_failure.h"

namespace davit {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNever = std::numeric_limits<double>::infinity();
/// Events of one guard closer than this [s] ...
constexpr double kQuick = 1e-7;
/// ... and as many in a row are taken for a sequence without end.
constexpr int kMostQuick = 6;

/// How exactly an event at about t is located [s].
double Resolution(double t) { return 1e-12 + 4 * kEpsilon * std::abs(t); }

}  // namespace

EventLocator::EventLocator(const std::vector<Guard*>& guards) : at_end_(guards.size()) {
  for (Guard* guard : guards) watches_.push_back({.guard = guard});
  happened_.reserve(guards.size());
}

void EventLocator::Start() {
  for (Watch& watch : watches_) {
    const double value = watch.guard->Read();
    watch = {.guard = watch.guard};
    const Guard::Direction direction = watch.guard->direction();
    if (direction == Guard::Direction::kRising || (direction == Guard::Direction::kBoth && value < 0)) {
      watch.sign = -1;
    }
    watch.f = watch.sign * value;
    watch.is_armed = watch.f >= 0;
    watch.has_departed = direction != Guard::Direction::kBoth || value != 0;
    watch.last_event = -kNever;
  }
  count_ = 0;
}

void EventLocator::Resume() {
  for (Watch& watch : watches_) {
    watch.f = Read(watch);
    watch.is_armed = watch.is_armed || watch.f > 0;
  }
}

double EventLocator::Depart(double from, double to, const Evaluation& evaluate) {
  const auto waits = [](const Watch& watch) { return !watch.has_departed; };
  if (std::none_of(watches_.begin(), watches_.end(), waits)) return from;
  double reached = from;
  const double first = std::max(1e-10, 4 * Resolution(from));
  std::vector<double>& before = at_end_;
  std::fill(before.begin(), before.end(), 0.0);
  for (double delay = first; from + delay < to; delay *= 4) {
    evaluate(from + delay);
    reached = from + delay;
    bool is_waiting = false;
    for (std::size_t i = 0; i < watches_.size(); ++i) {
      Watch& watch = watches_[i];
      const double f = Read(watch);
      if (watch.has_departed) continue;
      // Twice the same side: once may be rounding.
      if (f * before[i] > 0) {
        watch.has_departed = true;
        watch.is_armed = f > 0;
        if (f < 0 && watch.guard->can_rest()) {  // a limit that the value must not stay beyond
          watch.is_due = true;
        } else if (f < 0) {  // it passes
          watch.level = 0;
          if (watch.guard->direction() == Guard::Direction::kBoth) {
            watch.sign = -watch.sign;
            watch.is_armed = true;
          }
        }
      }
      before[i] = f;
      is_waiting = is_waiting || !watch.has_departed;
    }
    for (Watch& watch : watches_) watch.f = Read(watch);
    if (!is_waiting) break;
  }
  return reached;
}

double EventLocator::Find(double from, double to, const Evaluation& evaluate) {
  for (Watch& watch : watches_) {
    watch.is_due = watch.is_armed && watch.has_departed && watch.f < 0;
    if (watch.is_due) return from;
  }
  const double begin = from;
  from = Depart(from, to, evaluate);
  for (const Watch& watch : watches_) {
    if (watch.is_due) return begin;
  }
  if (!(from < to)) return kNever;
  const double middle = from + (to - from) / 2;
  for (const double b : {middle, to}) {
    if (!(from < b)) continue;
    evaluate(b);
    for (std::size_t i = 0; i < watches_.size(); ++i) at_end_[i] = Read(watches_[i]);
    double first = kNever;
    std::vector<double> found(watches_.size(), kNever);
    for (std::size_t i = 0; i < watches_.size(); ++i) {
      const Watch& watch = watches_[i];
      if (!watch.is_armed || !watch.has_departed || !(at_end_[i] < 0)) continue;
      found[i] = Locate(watch, from, watch.f, b, at_end_[i], evaluate);
      first = std::min(first, found[i]);
    }
    if (first < kNever) {
      double last = first;
      for (std::size_t i = 0; i < watches_.size(); ++i) {
        watches_[i].is_due = found[i] <= first + kSimultaneous;
        if (watches_[i].is_due) last = std::max(last, found[i]);
      }
      return last;
    }
    for (std::size_t i = 0; i < watches_.size(); ++i) {
      Watch& watch = watches_[i];
      watch.f = at_end_[i];
      watch.is_armed = watch.is_armed || watch.f > 0;
    }
    from = b;
  }
  return kNever;
}

double EventLocator::Locate(const Watch& watch, double a, double fa, double b, double fb,
                            const Evaluation& evaluate) const {
  if (!(fa > 0)) return a;
  // Regula falsi after Illinois; every third step halves, which bounds the number of steps.
  int side = 0;
  for (int i = 1; b - a > Resolution(b); ++i) {
    double t = i % 3 == 0 ? a + (b - a) / 2 : b - fb * (b - a) / (fb - fa);
    const double margin = std::min(Resolution(b) / 2, (b - a) / 4);
    t = std::clamp(t, a + margin, b - margin);
    if (!(t > a && t < b)) break;
    evaluate(t);
    const double f = Read(watch);
    if (f < 0) {
      b = t;
      fb = f;
      if (side == -1) fa /= 2;
      side = -1;
    } else {
      a = t;
      fa = std::max(f, std::numeric_limits<double>::min());
      if (side == 1) fb /= 2;
      side = 1;
    }
  }
  return b;
}

const std::vector<EventLocator::Happened>& EventLocator::React(double t) {
  happened_.clear();
  for (Watch& watch : watches_) watch.at_event = watch.guard->Read();
  for (Watch& watch : watches_) {
    if (!watch.is_due) continue;
    ++count_;
    watch.quick =
        t - watch.last_event <= std::max(kQuick, 1e3 * kEpsilon * std::abs(t)) ? watch.quick + 1 : 0;
    watch.last_event = t;
    const bool rests = watch.quick >= kMostQuick;
    if (!rests) {
      watch.guard->React(t);
    } else if (watch.guard->can_rest()) {
      watch.guard->Rest(t);
    } else {
      throw EvaluationFailure(watch.guard->owner(), t,
                              "the events of its guard '" + std::string(watch.guard->name()) +
                                  "' follow each other without end; give the guard a reaction for rest");
    }
    happened_.push_back({watch.guard, rests});
  }
  return happened_;
}

void EventLocator::Settle() {
  for (Watch& watch : watches_) {
    if (!watch.is_due) {
      watch.f = Read(watch);
      watch.is_armed = watch.is_armed || watch.f > 0;
      continue;
    }
    watch.is_due = false;
    const double value = watch.guard->Read();
    // Found on the far side by the exactness of the search: what comes back from there counts as before.
    const bool is_at_zero =
        watch.sign * value <= 0 && std::abs(value - watch.at_event) <= std::abs(watch.at_event);
    watch.level = is_at_zero ? value : 0;
    watch.f = Read(watch);
    watch.is_armed = watch.f > 0;
    watch.has_departed = !is_at_zero;
  }
}

}  // namespace davit
