#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace davit {

/// Threads that wait for work and share it with the one that calls.
class WorkerThreads {
 public:
  /// `threads` share the work, the caller among them; at least one.
  explicit WorkerThreads(unsigned threads);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  /// Calls `work(i)` for each i < count, each by one thread, and returns when all have ended. Pre: `work`
  /// throws nothing.
  void Run(std::size_t count, const std::function<void(std::size_t i)>& work);
  /// In the child of a fork, where there are no threads to end: forgets them.
  void Forget();

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable has_work, is_done;
    const std::function<void(std::size_t)>* work = nullptr;
    std::size_t count = 0;
    std::atomic<std::size_t> next = 0;
    std::size_t busy = 0;     ///< threads that have not ended their share
    std::uint64_t round = 0;  ///< of work
    bool is_ending = false;
    std::vector<std::thread> threads;
  };
  static void Wait(Shared& shared);
  static void Share(Shared& shared);

  std::unique_ptr<Shared> shared_;
};

}  // namespace davit
