#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

#include "simulator/call_watch.h"

namespace davit {

/// Finds the components whose code allocates in a step: `davit run --check-allocations`.
class AllocationWatch final : public CallWatch {
 public:
  void Run(const Component& component, std::string_view name, const std::function<void()>& code) override;

  /// How often memory was taken, by all components together.
  std::uint64_t count() const;
  /// A warning for each function of each component that has allocated, in the order of the paths; or one
  /// that nothing could be seen, in a build where a sanitizer has the heap.
  void Print(std::ostream& err) const;

 private:
  struct Taken {
    std::uint64_t calls = 0;  ///< that have allocated
    std::uint64_t allocations = 0;
    std::uint64_t bytes = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<const Component*, std::string_view>, Taken> taken_;
};

}  // namespace davit
