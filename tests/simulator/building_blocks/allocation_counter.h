#pragma once

#include <cstddef>

namespace davit {

/// Counts what this thread takes from the heap by `new` while the counter lives.
class AllocationCounter {
 public:
  AllocationCounter();
  std::size_t count() const;

 private:
  std::size_t start_;
};

}  // namespace davit
