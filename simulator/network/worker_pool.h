#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace davit {

/// Threads that do the same piece of work together, again and again.
///
/// Run calls the work once on every thread, the calling one included, and returns when all are done. Waiting
/// spins for at most 5 us and then sleeps, so that an oversubscribed machine loses little. Run allocates
/// nothing. The pool may be used from any thread, one at a time.
class WorkerPool {
 public:
  /// `threads` >= 1 counts the caller of Run.
  explicit WorkerPool(unsigned threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// `work(k)` runs on thread k = 0 .. threads()-1; it must not throw.
  template <class Work>
  void Run(const Work& work) {
    context_ = &work;
    call_ = [](const void* context, unsigned k) { (*static_cast<const Work*>(context))(k); };
    Begin();
    work(0U);
    End();
  }

 private:
  void Begin();
  void End();
  void Serve(unsigned k);

  const void* context_ = nullptr;
  void (*call_)(const void*, unsigned) = nullptr;
  // Each on a cache line of its own: the threads poll them.
  alignas(64) std::atomic<std::uint32_t> round_{0};
  alignas(64) std::atomic<std::uint32_t> pending_{0};
  alignas(64) std::atomic<bool> is_ending_{false};
  std::vector<std::thread> workers_;
};

}  // namespace davit
