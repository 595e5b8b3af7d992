#pragma once

#include <cstdint>

namespace davit {

/// The static type of a value in an expression. Every value is held as a double.
enum class ValueType : std::uint8_t {
  kNumber,
  kBoolean,  ///< 0 or 1
  kString,   ///< the SymbolId
  kAnyType,  ///< of event data, until its use determines it
};

}  // namespace davit
