#include "studio/worker.h"

#include <utility>

#include "studio/freed_memory.h"

namespace davit {

Worker::Worker() : thread_([this] { Run(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  arrived_.notify_all();
  thread_.join();
}

bool Worker::Do(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (is_over_ || tasks_.size() >= kMostWaiting) return false;
    tasks_.push_back(std::move(task));
  }
  arrived_.notify_all();
  return true;
}

void Worker::Run() {
  while (true) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [this] { return is_over_ || !tasks_.empty(); });
      if (is_over_) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
    task = nullptr;  // with what it holds
    ReturnFreedMemory();
  }
}

}  // namespace davit
