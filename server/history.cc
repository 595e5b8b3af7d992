#include "server/history.h"

#include <algorithm>
#include <utility>

namespace davit {
namespace {

void Join(History::Bin& a, const History::Bin& b) {
  a.min = std::min(a.min, b.min);
  a.max = std::max(a.max, b.max);
  a.last = b.last;
  a.t = b.t;
}

/// Every `by` of them become one.
void Coarsen(std::vector<History::Bin>& bins, std::size_t by) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (i % by == 0) {
      bins[count++] = bins[i];
    } else {
      Join(bins[count - 1], bins[i]);
    }
  }
  bins.resize(count);
}

}  // namespace

bool History::Watch(const std::string& path, const ValueSource& source, double t) {
  const std::lock_guard lock(mutex_);
  if (places_.contains(path)) return true;
  if (signals_.size() >= kMostSignals) return false;
  places_.emplace(path, signals_.size());
  signals_.emplace_back(source);
  Past& past = signals_.back().past;
  past.bins.reserve(kMostBins);
  const double value = source.Read();
  past.bins.push_back({t, value, value, value});
  past.in_last = 1;
  return true;
}

void History::Clear() {
  const std::lock_guard lock(mutex_);
  set_aside_.clear();
  for (Signal& signal : signals_) {
    signal.past.bins.clear();
    signal.past.width = 1;
    signal.past.in_last = 0;
    signal.has_value = false;
  }
}

void History::SetAside(const std::string& branch) {
  const std::lock_guard lock(mutex_);
  std::vector<Past> pasts;
  pasts.reserve(signals_.size());
  for (const Signal& signal : signals_) pasts.push_back(signal.past);
  set_aside_.insert_or_assign(branch, std::move(pasts));
}

bool History::BringBack(const std::string& branch) {
  const std::lock_guard lock(mutex_);
  const auto found = set_aside_.find(branch);
  if (found == set_aside_.end()) return false;
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    // One that is newer than the branch has no past there.
    Past past = i < found->second.size() ? std::move(found->second[i]) : Past();
    past.bins.reserve(kMostBins);
    signals_[i].past = std::move(past);
    signals_[i].has_value = false;
  }
  set_aside_.erase(found);
  return true;
}

void History::Cut(double t) {
  const std::lock_guard lock(mutex_);
  for (Signal& signal : signals_) {
    std::vector<Bin>& bins = signal.past.bins;
    const auto behind = std::ranges::upper_bound(bins, t, {}, &Bin::t);
    if (behind == bins.end()) continue;
    bins.erase(behind, bins.end());
    signal.past.in_last = signal.past.width;
    signal.has_value = false;
  }
}

void History::Flush(double t) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  for (Signal& signal : signals_) {
    if (!signal.has_value) continue;
    auto& [bins, width, in_last] = signal.past;
    const Bin bin{t, signal.min, signal.max, signal.last};
    signal.has_value = false;
    if (!bins.empty() && t <= bins.back().t) continue;
    if (in_last > 0 && in_last < width) {
      Join(bins.back(), bin);
      ++in_last;
      continue;
    }
    if (bins.size() == kMostBins) {
      Coarsen(bins, 2);
      width *= 2;
    }
    bins.push_back(bin);
    in_last = 1;
  }
}

bool History::Keeps(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  return places_.contains(path);
}

std::size_t History::room() const {
  const std::lock_guard lock(mutex_);
  return kMostSignals - signals_.size();
}

bool History::Read(const std::string& branch, const std::string& path, double from, double to,
                   std::size_t bins, std::vector<Bin>& out) const {
  out.clear();
  {
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(path);
    if (place == places_.end()) return false;
    const Past* past = &signals_[place->second].past;
    if (!branch.empty()) {
      const auto found = set_aside_.find(branch);
      if (found == set_aside_.end() || place->second >= found->second.size()) return false;
      past = &found->second[place->second];
    }
    const auto begin = std::ranges::lower_bound(past->bins, from, {}, &Bin::t);
    const auto end = std::ranges::upper_bound(past->bins, to, {}, &Bin::t);
    if (begin < end) out.assign(begin, end);
  }
  bins = std::max<std::size_t>(bins, 1);
  if (out.size() > bins) Coarsen(out, (out.size() + bins - 1) / bins);
  return true;
}

}  // namespace davit
