#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/symbol_table.h"
#include "expressions/value_type.h"
#include "framework/units/unit_system.h"

namespace davit {

/// What is around expressions: it has the values that are none of their variables. Asked while expressions
/// are compiled; evaluation reads these values from its memory.
class ExpressionHost {
 public:
  virtual ~ExpressionHost() = default;

  /// A value of the host.
  struct Found {
    std::uint32_t handle = 0;                           ///< what the host finds it by later
    ValueType type = ValueType::kNumber;                ///< kString: the values are symbols of `symbols`
    std::vector<SymbolId> choices = {};                 ///< all it can be, where that is known; else empty
    std::optional<Dimension> dimension = std::nullopt;  ///< of a number, where it is known
  };

  /// The value that a name in an expression means; nothing where the host has none of this name.
  virtual std::optional<Found> FindSignal(std::string_view name, SymbolTable& symbols) = 0;
  /// The remedy for a name that was not found: `did you mean 'pump.p'?`
  virtual std::string Suggest(std::string_view name) const = 0;
  /// The units that expressions may use; null: all of davit.
  virtual const UnitSystem* units() const { return nullptr; }
};

}  // namespace davit
