#include "simulator/network/worker_pool.h"

#include <chrono>
#include <exception>

namespace davit {
namespace {

constexpr auto kLongestSpin = std::chrono::microseconds(5);
constexpr int kSpinsPerLook = 32;  // the clock costs as much as some spins

void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Waits until `value` is not `old`: spins a little, then sleeps.
std::uint32_t WaitForChange(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  const auto end = std::chrono::steady_clock::now() + kLongestSpin;
  do {
    for (int i = 0; i < kSpinsPerLook; ++i) {
      const std::uint32_t now = value.load(std::memory_order_acquire);
      if (now != old) return now;
      Pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

}  // namespace

WorkerPool::WorkerPool(unsigned threads) : shares_(std::make_unique<Share[]>(threads - 1)) {
  try {
    for (unsigned k = 1; k < threads; ++k) workers_.emplace_back([this, k] { Serve(k); });
  } catch (const std::exception&) {  // no further thread can be started: those do it, too
  }
}

WorkerPool::~WorkerPool() {
  is_ending_.store(true, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::Begin() {
  for (unsigned k = 1; k < threads(); ++k) shares_[k - 1].state.store(kOpen, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void WorkerPool::End() {
  for (unsigned k = 1; k < threads(); ++k) {
    Share& share = shares_[k - 1];
    if (!Take(share)) continue;
    call_(context_, k);
    share.state.store(kDone, std::memory_order_relaxed);
  }
  for (unsigned k = 1; k < threads(); ++k) {
    std::atomic<std::uint32_t>& state = shares_[k - 1].state;
    for (std::uint32_t now = state.load(std::memory_order_acquire); now != kDone;)
      now = WaitForChange(state, now);
  }
}

void WorkerPool::Serve(unsigned k) {
  Share& share = shares_[k - 1];
  std::uint32_t seen = 0;
  while (true) {
    seen = WaitForChange(round_, seen);
    if (is_ending_.load(std::memory_order_acquire)) return;
    // The caller may have done it, or even be in a later round: what is open is that of the present one.
    if (!Take(share)) continue;
    call_(context_, k);
    share.state.store(kDone, std::memory_order_release);
    share.state.notify_one();
  }
}

}  // namespace davit
