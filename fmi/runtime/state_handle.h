#pragma once

#include <stdexcept>
#include <utility>

#include "fmi/runtime/fmu_state.h"

namespace davit {

/// What a master holds as the state of an FMU.
///
/// The first member stays null: a master that frees the state itself and not the pointer to it, as fmusim
/// does, frees a null pointer then, and nothing happens.
struct StateHandle {
  void* null = nullptr;
  FmuState state;
};

/// Throws std::invalid_argument for null.
inline FmuState& StateOf(void* handle) {
  if (handle == nullptr) throw std::invalid_argument("there is no state; save one first");
  return static_cast<StateHandle*>(handle)->state;
}

/// Keeps `state` at the place of a master's, which may be null.
inline void KeepState(FmuState state, void*& handle) {
  if (handle == nullptr) {
    handle = new StateHandle{nullptr, std::move(state)};
  } else {
    StateOf(handle) = std::move(state);
  }
}

/// Pre: the place of a master's pointer, which may be null.
inline void FreeState(void*& handle) {
  delete static_cast<StateHandle*>(handle);
  handle = nullptr;
}

}  // namespace davit
