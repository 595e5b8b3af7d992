#include "simulator/events/mode_watch.h"

#include <algorithm>

namespace davit {
namespace {

/// How many changes are located in one look; further ones belong to its end.
constexpr int kMostLocated = 8;
/// Changes of a mode in a step for which there is room from the start.
constexpr std::size_t kUsualChanges = 16;

}  // namespace

void ModeWatch::Add(const DynamicSimComponent& component) {
  const std::vector<ModeBase*>& modes = component.declarations().modes;
  for (std::size_t i = 0; i < modes.size(); ++i) watched_.push_back({&component, i, modes[i]});
  changes_.reserve(kUsualChanges * watched_.size());
}

void ModeWatch::Start() {
  changes_.clear();
  for (const Watched& w : watched_) {
    w.mode->Set(0);
    w.mode->Set(w.mode->Classify());
  }
}

bool ModeWatch::SeesChange() const {
  return std::any_of(watched_.begin(), watched_.end(),
                     [](const Watched& w) { return w.mode->Classify() != w.mode->option(); });
}

void ModeWatch::LookAt(double t) {
  for (const Watched& w : watched_) {
    const std::uint32_t from = w.mode->option(), to = w.mode->Classify();
    if (from == to) continue;
    w.mode->Set(to);
    changes_.push_back({w.owner, w.number, from, to, t});
  }
}

bool ModeWatch::Look(double from, double to, const Evaluation& evaluate) {
  if (!SeesChange()) return false;
  for (int i = 0; i < kMostLocated; ++i) {
    double before = from, after = to;
    while (after - before > kResolution) {
      const double middle = before + (after - before) / 2;
      if (!(middle > before && middle < after)) break;
      evaluate(middle);
      (SeesChange() ? after : before) = middle;
    }
    evaluate(after);
    LookAt(after);
    from = after;
    evaluate(to);
    if (!SeesChange()) return true;
  }
  LookAt(to);
  return true;
}

}  // namespace davit
