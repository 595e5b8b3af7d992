#include "simulator/step_executor.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace davit {
namespace {

constexpr std::uint64_t kFirstMeasured = 8;       // the first steps are not typical: caches, restarts
constexpr std::uint64_t kMeasuredSerial = 40;     // steps until the shares are made
constexpr std::uint64_t kMeasuredParallel = 200;  // steps until it is decided
constexpr double kLeastSerial = 10e-6;            // [s] a step must take before threads can pay

double Seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

StepExecutor::StepExecutor(const TlmSchedule& tlm, const std::vector<Island*>& islands, WorkerPool* pool,
                           ThreadUse use)
    : pool_(pool), use_(use) {
  const auto add = [](const TlmSchedule::Phase& from, Phase& to) {
    for (const TlmSchedule::Batch& batch : from.batches) {
      to.items.push_back({batch.run, &from.components[batch.begin], batch.count, nullptr, 0});
    }
  };
  add(tlm.c_phase(), c_);
  add(tlm.q_phase(), q_);
  for (Island* island : islands) q_.items.push_back({nullptr, nullptr, 0, island, 0});
  if (pool == nullptr) return;
  const unsigned threads = pool->threads();
  for (Phase* phase : {&c_, &q_}) {
    phase->faults.resize(threads);
    phase->shares.resize(threads);
    // A batch may be cut into as many pieces as there are threads.
    for (auto& share : phase->shares) share.reserve(phase->items.size() + threads);
  }
  mode_ = Mode::kMeasureSerial;
}

void StepExecutor::RunItem(const Item& item, const Times& times) {
  if (item.island != nullptr) {
    item.island->Advance(times.t0, times.t1, times.horizon);
  } else {
    item.run(item.components, item.count, times.t1);
  }
}

void StepExecutor::RunQ(double t0, double t1, double horizon) {
  RunPhase(q_, {t0, t1, horizon});
  ++steps_;
  if (mode_ != Mode::kSettled) Decide();
}

void StepExecutor::RunPhase(Phase& phase, const Times& times) {
  if (mode_ == Mode::kMeasureSerial) {
    for (Item& item : phase.items) {
      const Clock::time_point begin = Clock::now();
      RunItem(item, times);
      if (steps_ >= kFirstMeasured) item.seconds += Seconds(Clock::now() - begin);
    }
    return;
  }
  if (!is_parallel_) {
    for (const Item& item : phase.items) RunItem(item, times);
    return;
  }
  const Clock::time_point begin = mode_ == Mode::kMeasureParallel ? Clock::now() : Clock::time_point();
  const auto work = [&](unsigned k) {
    try {
      for (const Item& item : phase.shares[k]) RunItem(item, times);
    } catch (...) {
      phase.faults[k] = std::current_exception();
    }
  };
  pool_->Run(work);
  if (mode_ == Mode::kMeasureParallel) parallel_seconds_ += Seconds(Clock::now() - begin);
  for (std::exception_ptr& fault : phase.faults) {
    if (fault) std::rethrow_exception(std::exchange(fault, nullptr));
  }
}

void StepExecutor::Decide() {
  if (mode_ == Mode::kMeasureSerial && steps_ == kFirstMeasured + kMeasuredSerial) {
    double serial = 0;
    for (Phase* phase : {&c_, &q_}) {
      for (Item& item : phase->items) item.seconds /= static_cast<double>(kMeasuredSerial);
      phase->serial_seconds =
          std::accumulate(phase->items.begin(), phase->items.end(), 0.0,
                          [](double sum, const Item& item) { return sum + item.seconds; });
      serial += phase->serial_seconds;
      Share(*phase);
    }
    const bool is_settled = use_ == ThreadUse::kAlways || serial < kLeastSerial;
    is_parallel_ = use_ == ThreadUse::kAlways || serial >= kLeastSerial;
    mode_ = is_settled ? Mode::kSettled : Mode::kMeasureParallel;
    parallel_seconds_ = 0;
  } else if (mode_ == Mode::kMeasureParallel &&
             steps_ == kFirstMeasured + kMeasuredSerial + kMeasuredParallel) {
    const double parallel = parallel_seconds_ / static_cast<double>(kMeasuredParallel);
    is_parallel_ = parallel < c_.serial_seconds + q_.serial_seconds;
    mode_ = Mode::kSettled;
  }
}

/// Cuts the items, in their order, into shares of equal time; islands are not cut. So each thread walks
/// through memory of its own.
void StepExecutor::Share(Phase& phase) const {
  const std::size_t threads = phase.shares.size();
  const double goal = phase.serial_seconds / static_cast<double>(threads);
  std::size_t k = 0;
  double filled = 0;
  for (const Item& item : phase.items) {
    if (item.island != nullptr) {
      if (filled + item.seconds / 2 > goal && k + 1 < threads) {
        ++k;
        filled = 0;
      }
      phase.shares[k].push_back(item);
      filled += item.seconds;
      continue;
    }
    const double each = std::max(item.seconds / static_cast<double>(item.count), 1e-12);
    std::size_t begin = 0;
    while (begin < item.count) {
      std::size_t count = item.count - begin;
      if (k + 1 < threads) {
        const double room = std::max(0.0, goal - filled) / each;
        count = std::min(count, static_cast<std::size_t>(std::lround(std::min(room, 1e9))));
      }
      if (count > 0) {
        phase.shares[k].push_back({item.run, item.components + begin, count, nullptr, 0});
        filled += each * static_cast<double>(count);
        begin += count;
      }
      if (begin < item.count) {
        ++k;
        filled = 0;
      }
    }
  }
}

}  // namespace davit
