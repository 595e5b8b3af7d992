#include "simulator/events/break_times.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/registry.h"
#include "framework/symptom.h"
#include "simulator/evaluation_failure.h"

namespace davit {
namespace {

/// Break times closer than this [s] ...
constexpr double kQuickBreak = 1e-9;
/// ... and as many in a row are taken for a sequence without end.
constexpr int kMostQuickBreaks = 1000;

}  // namespace

BreakTimes::BreakTimes(std::span<DynamicSimComponent* const> components) {
  for (DynamicSimComponent* component : components) {
    if (!component->entry().has_break_times) continue;
    timed_.push_back(component);
    if (auto* const reaction = dynamic_cast<BreakReaction*>(component)) reactions_.push_back(reaction);
  }
}

void BreakTimes::Find(double t) {
  next_ = std::numeric_limits<double>::infinity();
  const DynamicSimComponent* first = nullptr;
  for (const DynamicSimComponent* component : timed_) {
    const double next = component->NextBreakTime(t);
    if (!(next > t)) {
      throw EvaluationFailure(
          *component, t,
          fmt::format("NextBreakTime({:.17g}) returned {:.17g}, which is not later; compare with <, "
                      "and return infinity when no time event (break time) follows",
                      t, next));
    }
    if (next >= next_) continue;
    next_ = next;
    first = component;
  }
  quick_ = next_ - t < kQuickBreak ? quick_ + 1 : 0;
  if (quick_ > kMostQuickBreaks) {
    throw EvaluationFailure(
        *first, t,
        fmt::format(
            "its time events (break times) follow each other within {:g} s without end (Zeno behaviour); "
            "leave more time between them{}",
            kQuickBreak, SeeSection(Symptom::kChattering)));
  }
}

bool BreakTimes::IsOfOther(double before) const {
  return std::ranges::any_of(timed_, [&](const DynamicSimComponent* component) {
    return dynamic_cast<const BreakReaction*>(component) == nullptr &&
           component->NextBreakTime(before) <= next_;
  });
}

bool BreakTimes::React(double t) {
  bool has_changed = false;
  for (BreakReaction* reaction : reactions_) {
    const bool is_changed = reaction->ReactAtBreak(t);
    has_changed = has_changed || is_changed;
  }
  return has_changed;
}

double BreakTimes::LongestStep(double t) const {
  double longest = std::numeric_limits<double>::infinity();
  for (const DynamicSimComponent* component : timed_) longest = std::min(longest, component->LongestStep(t));
  return longest;
}

}  // namespace davit
