#include "server/history.h"

#include <algorithm>

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
  Signal& signal = signals_.back();
  signal.bins.reserve(kMostBins);
  const double value = source.Read();
  signal.bins.push_back({t, value, value, value});
  signal.in_last = 1;
  return true;
}

void History::Clear() {
  const std::lock_guard lock(mutex_);
  for (Signal& signal : signals_) {
    signal.bins.clear();
    signal.width = 1;
    signal.in_last = 0;
    signal.has_value = false;
  }
}

void History::Flush(double t) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  for (Signal& signal : signals_) {
    if (!signal.has_value) continue;
    const Bin bin{t, signal.min, signal.max, signal.last};
    signal.has_value = false;
    if (signal.in_last > 0 && signal.in_last < signal.width) {
      Join(signal.bins.back(), bin);
      ++signal.in_last;
      continue;
    }
    if (signal.bins.size() == kMostBins) {
      Coarsen(signal.bins, 2);
      signal.width *= 2;
    }
    signal.bins.push_back(bin);
    signal.in_last = 1;
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

bool History::Read(const std::string& path, double from, double to, std::size_t bins,
                   std::vector<Bin>& out) const {
  out.clear();
  {
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(path);
    if (place == places_.end()) return false;
    const std::vector<Bin>& all = signals_[place->second].bins;
    const auto begin = std::ranges::lower_bound(all, from, {}, &Bin::t);
    const auto end = std::ranges::upper_bound(all, to, {}, &Bin::t);
    if (begin < end) out.assign(begin, end);
  }
  bins = std::max<std::size_t>(bins, 1);
  if (out.size() > bins) Coarsen(out, (out.size() + bins - 1) / bins);
  return true;
}

}  // namespace davit
