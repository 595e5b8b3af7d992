#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace davit {

/// Which solver a component is given to; the numbers are those of CDP's SolverType property.
enum class SolverType : std::uint8_t {
  kDifferential = 0,
  kAlgebraic = 1,
  kTlm = 2,
  kAutomatic = 3,  ///< Tlm between delays where the model has its own step, otherwise Differential
};

inline constexpr std::array<std::string_view, 4> kSolverTypeNames{"Differential", "Algebraic", "Tlm",
                                                                  "Automatic"};

}  // namespace davit
