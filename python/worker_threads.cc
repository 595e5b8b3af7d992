#include "python/worker_threads.h"

#include <exception>

namespace davit {

WorkerThreads::WorkerThreads(unsigned threads) : shared_(std::make_unique<Shared>()) {
  try {
    for (unsigned i = 1; i < threads; ++i)
      shared_->threads.emplace_back([&shared = *shared_] { Wait(shared); });
  } catch (const std::exception&) {  // no further thread can be started: those do it, too
  }
}

WorkerThreads::~WorkerThreads() {
  if (shared_ == nullptr) return;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->is_ending = true;
  }
  shared_->has_work.notify_all();
  for (std::thread& thread : shared_->threads) thread.join();
}

void WorkerThreads::Forget() { static_cast<void>(shared_.release()); }

void WorkerThreads::Share(Shared& shared) {
  for (std::size_t i = shared.next++; i < shared.count; i = shared.next++) (*shared.work)(i);
}

void WorkerThreads::Wait(Shared& shared) {
  std::uint64_t seen = 0;
  std::unique_lock lock(shared.mutex);
  for (;;) {
    shared.has_work.wait(lock, [&] { return shared.is_ending || shared.round != seen; });
    if (shared.is_ending) return;
    seen = shared.round;
    lock.unlock();
    Share(shared);
    lock.lock();
    if (--shared.busy == 0) shared.is_done.notify_one();
  }
}

void WorkerThreads::Run(std::size_t count, const std::function<void(std::size_t i)>& work) {
  Shared& shared = *shared_;
  {
    const std::lock_guard lock(shared.mutex);
    shared.work = &work;
    shared.count = count;
    shared.next = 0;
    shared.busy = shared.threads.size();
    ++shared.round;
  }
  shared.has_work.notify_all();
  Share(shared);
  std::unique_lock lock(shared.mutex);
  shared.is_done.wait(lock, [&] { return shared.busy == 0; });
}

}  // namespace davit
