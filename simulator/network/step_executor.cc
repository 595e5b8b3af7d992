#include "simulator/network/step_executor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "simulator/component_fault.h"
#include "simulator/islands/island.h"

namespace davit {
namespace {

constexpr std::uint64_t kFirstMeasured = 8;    // the first steps are not typical: caches, restarts
constexpr std::uint64_t kMeasuredSerial = 40;  // steps until the shares are made

double Seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

StepExecutor::StepExecutor(const TlmSchedule& tlm, const std::vector<Island*>& islands, WorkerPool* pool,
                           ThreadUse use)
    : tlm_(tlm), pool_(pool), use_(use) {
  struct Placed {
    std::uint32_t block;
    Item item;
  };
  std::vector<Placed> all;
  const auto add = [&](const TlmSchedule::Phase& from, Phase& to) {
    for (const TlmSchedule::Batch& batch : from.batches) {
      to.items.push_back(
          {batch.run, &from.components[batch.begin], &from.places[batch.begin], batch.count, nullptr, 0});
      all.push_back({batch.block, to.items.back()});
    }
  };
  add(tlm.signal_phase(), signals_);
  add(tlm.c_phase(), c_);
  add(tlm.q_phase(), q_);
  for (Island* island : islands) q_.items.push_back({nullptr, nullptr, nullptr, 1, island, 0});
  std::ranges::stable_sort(all, {}, &Placed::block);
  for (const Placed& placed : all) all_.push_back(placed.item);
  if (pool == nullptr) return;
  const unsigned threads = pool->threads();
  for (Phase* phase : {&signals_, &c_, &q_}) {
    phase->faults.resize(threads);
    phase->shares.resize(threads);
    std::size_t count = 0;
    for (const Item& item : phase->items) count += item.count;
    phase->pieces.reserve(count);
    for (Share& share : phase->shares) {
      share.components.reserve(count);
      share.items.reserve(phase->items.size());
    }
  }
  is_timed_ = true;
}

void StepExecutor::RunItems(std::span<const Item> items, const Times& times) const {
  if (tlm_.watch() != nullptr) [[unlikely]]
    return RunWatchedItems(items, times);
  if (items.empty()) return;
  const Item* item = items.data();
  const double t1 = times.t1;
  try {
    for (const Item* const end = item + items.size(); item != end; ++item) {
      if (item->run != nullptr) [[likely]] {
        item->run(item->components, item->count, t1);
      } else {
        item->island->Advance(times.t0, t1, times.horizon);
      }
    }
  } catch (...) {
    Blame(*item, t1);
  }
}

void StepExecutor::RunWatchedItems(std::span<const Item> items, const Times& times) const {
  CallWatch& watch = *tlm_.watch();
  for (const Item& item : items) {
    try {
      if (item.run != nullptr) {
        watch.RunBatch(item.run, item.components, item.count, times.t1);
      } else {
        item.island->Advance(times.t0, times.t1, times.horizon);
      }
    } catch (...) {
      Blame(item, times.t1);
    }
  }
}

void StepExecutor::Blame(const Item& item, double t) {
  if (item.run == nullptr) throw;
  BlameOneOf(item.run, item.components, item.count, t);
}

void StepExecutor::RunQ(double t0, double t1, double horizon) {
  RunPhase(q_, {t0, t1, horizon});
  if (pool_ != nullptr) Decide();
}

void StepExecutor::RunAllAlone(const Times& times) {
  const Clock::time_point begin = is_timed_ ? Clock::now() : Clock::time_point();
  RunItems(all_, times);
  if (is_timed_) step_seconds_ += Seconds(Clock::now() - begin);
  Decide();
}

void StepExecutor::MeasureItems(Phase& phase, const Times& times) const {
  for (Item& item : phase.items) {
    const Clock::time_point begin = Clock::now();
    RunItems({&item, 1}, times);
    if (steps_ >= kFirstMeasured) item.seconds += Seconds(Clock::now() - begin);
  }
}

void StepExecutor::RunTimed(Phase& phase, const Times& times) {
  const Clock::time_point begin = is_timed_ ? Clock::now() : Clock::time_point();
  if (is_parallel_) {
    RunShares(phase, times);
  } else {
    RunItems(phase.items, times);
  }
  if (is_timed_) step_seconds_ += Seconds(Clock::now() - begin);
}

void StepExecutor::RunShares(Phase& phase, const Times& times) {
  const auto work = [&](unsigned k) {
    try {
      RunItems(phase.shares[k].items, times);
    } catch (...) {
      phase.faults[k] = std::current_exception();
    }
  };
  pool_->Run(work);
  for (std::exception_ptr& fault : phase.faults) {
    if (fault) std::rethrow_exception(std::exchange(fault, nullptr));
  }
}

void StepExecutor::Decide() {
  ++steps_;
  if (!has_shares_) {
    if (steps_ == kFirstMeasured + kMeasuredSerial) MakeShares();
    return;
  }
  if (use_ == ThreadUse::kAlways) return;
  choice_.Report(std::exchange(step_seconds_, 0));
  is_parallel_ = choice_.is_parallel();
  is_timed_ = choice_.wants_time();
}

void StepExecutor::MakeShares() {
  for (Phase* phase : {&signals_, &c_, &q_}) {
    for (Item& item : phase->items) item.seconds /= static_cast<double>(kMeasuredSerial);
    phase->serial_seconds = std::accumulate(phase->items.begin(), phase->items.end(), 0.0,
                                            [](double sum, const Item& item) { return sum + item.seconds; });
    Distribute(*phase);
  }
  has_shares_ = true;
  is_parallel_ = use_ == ThreadUse::kAlways;
  is_timed_ = use_ != ThreadUse::kAlways;
}

/// Cuts the system, along the places, into stretches of equal time.
void StepExecutor::Distribute(Phase& phase) {
  phase.pieces.clear();
  for (std::uint32_t i = 0; i < phase.items.size(); ++i) {
    const Item& item = phase.items[i];
    const auto seconds = static_cast<float>(item.seconds / static_cast<double>(item.count));
    for (std::uint32_t n = 0; n < item.count; ++n) {
      // Islands, which may take long, come last: all that is small fills up what they leave.
      const std::uint32_t place =
          item.places == nullptr ? std::numeric_limits<std::uint32_t>::max() : item.places[n];
      phase.pieces.push_back({place, i, n, seconds});
    }
  }
  std::sort(phase.pieces.begin(), phase.pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(a.place, a.item, a.number) < std::tie(b.place, b.item, b.number);
  });
  const auto threads = static_cast<double>(phase.shares.size());
  const double goal = std::max(phase.serial_seconds, 1e-12) / threads;
  double passed = 0;
  std::uint32_t place = 0;
  std::size_t k = 0;
  for (Piece& piece : phase.pieces) {
    const bool may_change = piece.place != place || phase.items[piece.item].island != nullptr;
    // By its middle, so that a long piece goes where most of it lies.
    if (may_change) {
      const double share = (passed + piece.seconds / 2) / goal;
      k = std::max(k, std::min(static_cast<std::size_t>(share), phase.shares.size() - 1));
    }
    place = piece.place;
    passed += piece.seconds;
    piece.place = static_cast<std::uint32_t>(k);  // the thread, from here on
  }
  // Each thread keeps the order of the phase.
  std::sort(phase.pieces.begin(), phase.pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(a.item, a.number) < std::tie(b.item, b.number);
  });
  for (const Piece& piece : phase.pieces) {
    Append(phase.items[piece.item], piece.number, phase.shares[piece.place]);
  }
}

void StepExecutor::Append(const Item& from, std::size_t number, Share& share) {
  if (from.island != nullptr) {
    share.items.push_back(from);
    return;
  }
  share.components.push_back(from.components[number]);
  const bool is_new =
      share.items.empty() || share.items.back().island != nullptr || share.items.back().run != from.run;
  if (is_new) share.items.push_back({from.run, &share.components.back(), nullptr, 0, nullptr, 0});
  ++share.items.back().count;
}

}  // namespace davit
