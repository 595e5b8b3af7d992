#include "simulator/events/event_locator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "framework/symptom.h"
#include "simulator/component_fault.h"
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
/// The same of a guard without a reaction for rest. One more, as what it stands for may come to rest by
/// itself: an FMU of davit does at the one before.
constexpr int kMostQuickAlone = kMostQuick + 1;
/// Reactions for rest in a row, as close, after which none of them is thought to help.
constexpr int kMostRests = 100;
/// A turn is looked at if the parabola promises less than this share of the least value known there.
constexpr double kPromise = 0.5;
constexpr int kMostTurnLooks = 4;

/// How exactly an event at about t is located [s].
double Resolution(double t) { return 1e-12 + 4 * kEpsilon * std::abs(t); }

}  // namespace

EventLocator::EventLocator(const std::vector<Guard*>& guards)
    : at_end_(guards.size()), found_(guards.size()) {
  for (Guard* guard : guards) watches_.push_back({.guard = guard});
  happened_.reserve(guards.size());
  const std::size_t most_looks = 1 + kLooks + guards.size() * (kLooks - 1);
  looks_.reserve(most_looks);
  values_.reserve(most_looks * guards.size());
}

double EventLocator::ReadWatched(const Guard& guard) const {
  double value = 0;
  watch_->Run(guard.owner(), "value of a guard", [&] { value = guard.Read(); });
  return value;
}

void EventLocator::Start() {
  for (Watch& watch : watches_) {
    const double value = ValueOf(*watch.guard);
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

bool EventLocator::IsDue() const {
  return std::ranges::any_of(watches_, [this](const Watch& watch) {
    return watch.is_armed && watch.has_departed && Read(watch) < 0;
  });
}

bool EventLocator::IsQuiet() const {
  return std::ranges::all_of(watches_, [this](const Watch& watch) {
    return watch.has_departed && (watch.is_armed ? Read(watch) >= 0 : Read(watch) <= 0);
  });
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

bool EventLocator::FindJumps() {
  bool is_found = false;
  for (Watch& watch : watches_) {
    watch.is_due = watch.is_armed && watch.has_departed && watch.f < 0;
    watch.has_jumped = watch.has_jumped || watch.is_due;
    is_found = is_found || watch.is_due;
  }
  return is_found;
}

double EventLocator::Find(double from, double to, const Evaluation& evaluate) {
  if (FindJumps()) return from;
  const double begin = from;
  from = Depart(from, to, evaluate);
  for (const Watch& watch : watches_) {
    if (watch.is_due) return begin;
  }
  if (!(from < to)) return kNever;
  TakeLooks(from, to, evaluate);
  LookForTurns(evaluate);
  for (std::size_t k = 1; k < looks_.size(); ++k) {
    for (std::size_t i = 0; i < watches_.size(); ++i) at_end_[i] = ValueAt(looks_[k], i);
    const double event = FindBetween(looks_[k - 1].t, looks_[k].t, evaluate);
    if (event < kNever) return event;
    for (std::size_t i = 0; i < watches_.size(); ++i) {
      Watch& watch = watches_[i];
      watch.f = at_end_[i];
      watch.is_armed = watch.is_armed || watch.f > 0;
    }
  }
  for (Watch& watch : watches_) {
    // A value that was put beyond a limit has come back to zero, which is the limit again.
    if (!watch.has_jumped || !(watch.f + watch.sign * watch.level > 0)) continue;
    watch.f += watch.sign * watch.level;
    watch.level = 0;
    watch.has_jumped = false;
  }
  return kNever;
}

void EventLocator::TakeLooks(double from, double to, const Evaluation& evaluate) {
  looks_.assign(1, {from, 0});
  values_.clear();
  for (const Watch& watch : watches_) values_.push_back(watch.f);
  for (std::size_t k = 1; k <= kLooks; ++k) {
    const double t =
        k == kLooks ? to : from + (to - from) * (static_cast<double>(k) / static_cast<double>(kLooks));
    if (!(looks_.back().t < t)) continue;
    evaluate(t);
    AddLook(t);
  }
}

void EventLocator::AddLook(double t) {
  looks_.push_back({t, looks_.size()});
  for (const Watch& watch : watches_) values_.push_back(Read(watch));
}

void EventLocator::LookForTurns(const Evaluation& evaluate) {
  const std::size_t count = looks_.size();
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    if (!watches_[i].has_departed) continue;
    for (std::size_t first = 0; first + 2 < count; ++first) LookForTurn(i, first, evaluate);
  }
  std::sort(looks_.begin(), looks_.end(), [](const Look& a, const Look& b) { return a.t < b.t; });
}

void EventLocator::LookForTurn(std::size_t watch, std::size_t first, const Evaluation& evaluate) {
  struct Point {
    double t, f;
  };
  const double side = ValueAt(looks_[first], watch) < 0 ? -1 : 1;
  std::array<Point, 3> p;
  for (std::size_t k = 0; k < 3; ++k) p[k] = {looks_[first + k].t, side * ValueAt(looks_[first + k], watch)};
  for (int i = 0; i < kMostTurnLooks; ++i) {
    const double least = std::min({p[0].f, p[1].f, p[2].f});
    if (!(least > 0)) return;
    // f = f0 + s (t - t0) + r (t - t0)(t - t1)
    const double s = (p[1].f - p[0].f) / (p[1].t - p[0].t);
    const double r = ((p[2].f - p[1].f) / (p[2].t - p[1].t) - s) / (p[2].t - p[0].t);
    if (!(r > 0)) return;
    const double t = (p[0].t + p[1].t - s / r) / 2;
    if (!(t > p[0].t && t < p[2].t) || t == p[1].t) return;
    const double promised = p[0].f + s * (t - p[0].t) + r * (t - p[0].t) * (t - p[1].t);
    if (promised > kPromise * least) return;
    evaluate(t);
    const Point at_turn{t, side * Read(watches_[watch])};
    if (at_turn.f < 0) {
      AddLook(t);
      return;
    }
    // The two looks on both sides of the lower of the two in the middle.
    const bool is_first = t < p[1].t;
    const Point earlier = is_first ? at_turn : p[1], later = is_first ? p[1] : at_turn;
    p = earlier.f < later.f ? std::array{p[0], earlier, later} : std::array{earlier, later, p[2]};
  }
}

double EventLocator::FindBetween(double from, double to, const Evaluation& evaluate) {
  double first = kNever;
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    const Watch& watch = watches_[i];
    found_[i] = kNever;
    if (!watch.is_armed || !watch.has_departed || !(at_end_[i] < 0)) continue;
    found_[i] = Locate(watch, from, watch.f, to, at_end_[i], evaluate);
    first = std::min(first, found_[i]);
  }
  if (!(first < kNever)) return kNever;
  double last = first;
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    watches_[i].is_due = found_[i] <= first + kSimultaneous;
    if (watches_[i].is_due) last = std::max(last, found_[i]);
  }
  return last;
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
  for (Watch& watch : watches_) watch.at_event = ValueOf(*watch.guard);
  for (Watch& watch : watches_) {
    if (!watch.is_due) continue;
    ++count_;
    watch.quick =
        t - watch.last_event <= std::max(kQuick, 1e3 * kEpsilon * std::abs(t)) ? watch.quick + 1 : 0;
    watch.last_event = t;
    const bool rests = watch.quick >= (watch.guard->can_rest() ? kMostQuick : kMostQuickAlone);
    if (watch.quick >= kMostQuick + kMostRests) {
      throw EvaluationFailure(
          watch.guard->owner(), t,
          "the value of its guard '" + std::string(watch.guard->name()) +
              "' passes zero again after each rest reaction (Zeno behaviour); the reaction must "
              "keep the value and its derivative at zero" +
              SeeSection(Symptom::kChattering));
    }
    if (!rests || watch.guard->can_rest()) {
      try {
        const auto react = [&] { rests ? watch.guard->Rest(t) : watch.guard->React(t); };
        watch_ == nullptr ? react() : watch_->Run(watch.guard->owner(), "reaction of a guard", react);
      } catch (...) {
        BlameComponent(watch.guard->owner(), t);
      }
    } else {
      throw EvaluationFailure(
          watch.guard->owner(), t,
          "the events of its guard '" + std::string(watch.guard->name()) +
              "' follow each other without end (Zeno behaviour); give the guard a rest reaction" +
              SeeSection(Symptom::kChattering));
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
    const double value = ValueOf(*watch.guard);
    // Found on the far side by the exactness of the search: what comes back from there counts as before. One
    // that has jumped there has passed; only beyond a limit it must not stay.
    const bool may_be_beyond = !watch.has_jumped || watch.guard->can_rest() || value == 0;
    const bool is_at_zero = may_be_beyond && watch.sign * value <= 0 &&
                            std::abs(value - watch.at_event) <= std::abs(watch.at_event);
    watch.has_jumped = watch.has_jumped && is_at_zero && value != 0;
    watch.level = is_at_zero ? value : 0;
    watch.f = Read(watch);
    if (watch.f < 0 && watch.guard->direction() == Guard::Direction::kBoth) {
      watch.sign = -watch.sign;
      watch.f = -watch.f;
    }
    watch.is_armed = watch.f > 0;
    watch.has_departed = !is_at_zero;
  }
}

}  // namespace davit
