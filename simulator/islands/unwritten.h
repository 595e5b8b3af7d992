#pragma once

#include <bit>
#include <cstdint>

namespace davit {

/// What places are filled with that an evaluation must write: a NaN whose payload no arithmetic makes.
inline constexpr double kUnwritten = std::bit_cast<double>(std::uint64_t{0x7ff4dead0000beefULL});

inline bool IsUnwritten(double value) {
  return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(kUnwritten);
}

}  // namespace davit
