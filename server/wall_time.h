#pragma once

#include <chrono>
#include <cstdint>

namespace davit {

/// UTC [ns].
inline std::uint64_t WallTime() {
  using std::chrono::nanoseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<nanoseconds>(now).count());
}

}  // namespace davit
