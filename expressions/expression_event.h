#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "expressions/symbol_table.h"
#include "expressions/value_type.h"

namespace davit {

/// One named value of an event.
struct EventField {
  SymbolId name;
  ValueType type;
  double value;
};

/// `_event` as expressions read it: its name and its values. It holds them itself, so that an event with
/// numbers needs nothing from the heap.
struct ExpressionEvent {
  static constexpr std::size_t kMaxFields = 6;

  SymbolId name = kNoSymbol;  ///< `_event.name`; kNoSymbol: a name that equals no string of an expression
  bool has_value = false;     ///< `value` is `_event.data` itself
  std::uint8_t field_count = 0;
  EventField value;                           ///< where `has_value`
  std::array<EventField, kMaxFields> fields;  ///< `_event.data.NAME`; the first `field_count` have a value
};

}  // namespace davit
