#pragma once

#include <cstdint>

namespace davit {

/// Counts what the present thread takes from the heap, by whatever means. A program that uses this header
/// gets a `malloc` that counts, for its shared libraries too.
class AllocationCounter {
 public:
  AllocationCounter() : start_(Total()), start_bytes_(TotalBytes()) {}
  /// Allocations since construction.
  std::uint64_t count() const { return Total() - start_; }
  /// The bytes that these have asked for.
  std::uint64_t bytes() const { return TotalBytes() - start_bytes_; }
  /// Sanitizers need the heap for themselves: nothing is counted under them.
  static bool is_counting();

 private:
  static std::uint64_t Total();
  static std::uint64_t TotalBytes();
  std::uint64_t start_, start_bytes_;
};

}  // namespace davit
