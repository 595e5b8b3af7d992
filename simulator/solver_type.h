#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace davit {

/// Which solver a component is given to; the numbers are those of CDP's SolverType property.
enum class SolverType : std::uint8_t { kDifferential = 0, kAlgebraic = 1, kTlm = 2 };

inline constexpr std::array<std::string_view, 3> kSolverTypeNames{"Differential", "Algebraic", "Tlm"};

}  // namespace davit
