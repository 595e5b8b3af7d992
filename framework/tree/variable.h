#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/state_slot.h"

namespace davit {

class Component;

/// One number of the tree that can be read: routed, recorded, shown.
struct Variable {
  enum class Kind : std::uint8_t {
    kOutput,
    kParameter,
    kLevel,
    kBondField,     ///< c, Zc or flow of a connection
    kBondEffort,    ///< c + Zc * flow, not below p_min
    kInput,         ///< what the input reads at present
    kInputElement,  ///< element `element` of an InputArray
    kState,
    kStateDdt,
  };

  Kind kind = Kind::kOutput;
  Component* owner = nullptr;
  std::string path;             ///< from below the root, as written in results
  std::string_view unit;        ///< SI
  bool has_derivative = false;  ///< of kState: not algebraic
  bool is_primary = true;       ///< whether a glob such as `cylinder.*` means it too

  const double* value = nullptr;      ///< kOutput, kParameter, kLevel, kBondField; the c of kBondEffort
  const double* impedance = nullptr;  ///< kBondEffort
  const double* flow = nullptr;       ///< kBondEffort
  const double* least = nullptr;      ///< kBondEffort: p_min; null where there is none
  const double** source = nullptr;    ///< kInput
  std::vector<const double*>* sources = nullptr;  ///< kInputElement
  std::uint32_t element = 0;                      ///< kInputElement
  StateSlot* slot = nullptr;                      ///< kState, kStateDdt

  /// The present value in SI.
  double Read() const {
    switch (kind) {
      case Kind::kBondEffort: {
        const double effort = *value + *impedance * *flow;
        return least != nullptr && effort < *least ? *least : effort;
      }
      case Kind::kInput: return **source;
      case Kind::kInputElement: return *(*sources)[element];
      case Kind::kState: return slot->memory->y[slot->offset];
      case Kind::kStateDdt: return slot->memory->ddt[slot->offset];
      default: return *value;
    }
  }
};

}  // namespace davit
