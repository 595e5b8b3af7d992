#pragma once

#include <cstdint>

namespace davit {

/// Counts what the present thread takes from the heap, by whatever means. A program that uses this header
/// gets a `malloc` that counts.
class AllocationCounter {
 public:
  AllocationCounter() : start_(Total()) {}
  /// Allocations since construction.
  std::uint64_t count() const { return Total() - start_; }
  /// Sanitizers need the heap for themselves: nothing is counted under them.
  static bool is_counting();

 private:
  static std::uint64_t Total();
  std::uint64_t start_;
};

}  // namespace davit
