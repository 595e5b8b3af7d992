#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace davit {

/// Threads that do the same piece of work together, again and again.
///
/// Run does each share of the work once, the calling thread its own and each worker its own, and returns when
/// all are done. A share that its worker has not begun when the caller is free is done by the caller, so a
/// worker that gets no processor costs little; one that loses it inside of its share is waited for. Waiting
/// spins for at most 5 us and then sleeps, so that an oversubscribed machine loses little. Run allocates
/// nothing. The pool may be used from any thread, one at a time.
class WorkerPool {
 public:
  /// `threads` >= 1 counts the caller of Run. Fewer are used if the operating system starts no more.
  explicit WorkerPool(unsigned threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// `work(k)` does share k = 0 .. threads()-1; it must not throw.
  template <class Work>
  void Run(const Work& work) {
    context_ = &work;
    call_ = [](const void* context, unsigned k) { (*static_cast<const Work*>(context))(k); };
    Begin();
    work(0U);
    End();
  }

 private:
  /// Of a share, in this order; only the thread that has taken it goes on to kDone.
  enum State : std::uint32_t { kDone, kOpen, kTaken };
  /// Each on a cache line of its own: the threads poll them.
  struct alignas(64) Share {
    std::atomic<std::uint32_t> state{kDone};
  };

  void Begin();
  void End();
  void Serve(unsigned k);
  static bool Take(Share& share) {
    std::uint32_t open = kOpen;
    return share.state.compare_exchange_strong(open, kTaken, std::memory_order_acquire,
                                               std::memory_order_relaxed);
  }

  const void* context_ = nullptr;
  void (*call_)(const void*, unsigned) = nullptr;
  alignas(64) std::atomic<std::uint32_t> round_{0};
  alignas(64) std::atomic<bool> is_ending_{false};
  std::unique_ptr<Share[]> shares_;  ///< that of worker k is k - 1
  std::vector<std::thread> workers_;
};

}  // namespace davit
