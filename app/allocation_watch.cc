#include "app/allocation_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "framework/component.h"
#include "framework/diagnostics.h"

namespace davit {

void AllocationWatch::Run(const Component& component, std::string_view name,
                          const std::function<void()>& code) {
  const AllocationCounter counter;  // of this thread
  code();
  const std::uint64_t count = counter.count();
  if (count == 0) return;
  const std::uint64_t bytes = counter.bytes();
  const std::lock_guard lock(mutex_);
  Taken& taken = taken_[{&component, name}];
  ++taken.calls;
  taken.allocations += count;
  taken.bytes += bytes;
}

std::uint64_t AllocationWatch::count() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t count = 0;
  for (const auto& [key, taken] : taken_) count += taken.allocations;
  return count;
}

void AllocationWatch::Print(std::ostream& err) const {
  if (!AllocationCounter::is_counting()) {
    err << "--check-allocations: warning: this build of davit cannot watch the heap, which belongs to a "
           "sanitizer; use a Release build\n";
    return;
  }
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, std::string>> lines;  // path, text
  for (const auto& [key, taken] : taken_) {
    const auto& [component, name] = key;
    Diagnostic warning;
    warning.severity = Severity::kWarning;
    warning.location = component->location();
    warning.path = component->DisplayPath();
    warning.fault = {fmt::format("{}::{} allocates {} times in {} calls, {} bytes", component->model().name,
                                 name, taken.allocations, taken.calls, taken.bytes),
                     "allocate before the first step, in the constructor or in Configure"};
    lines.emplace_back(fmt::format("{} {}", warning.path, name), ToText(warning));
  }
  std::ranges::sort(lines);
  for (const auto& [path, text] : lines) err << text << '\n';
}

}  // namespace davit
