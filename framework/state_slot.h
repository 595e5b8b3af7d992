#pragma once

#include <cstdint>

namespace davit {

/// The vectors that the states of one island live in at the moment. A solver points them at its own
/// temporaries, so nothing is copied between a solver and the components.
struct StateMemory {
  double* y = nullptr;            ///< values
  double* ddt = nullptr;          ///< time derivatives
  double* residual = nullptr;     ///< residuals of algebraic equations
  bool is_overridden = false;     ///< a value was set from outside: the solver's history is void
  bool is_outdated = false;       ///< other states are in use than those that have places here
  std::uint32_t arrangement = 0;  ///< grows when states get other places in it
};

/// Where one state lives: an offset into its island.
struct StateSlot {
  StateMemory* memory = nullptr;
  std::uint32_t offset = 0;
};

}  // namespace davit
