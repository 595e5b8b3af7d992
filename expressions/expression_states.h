#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace davit {

/// The number of a state in the chart that expressions belong to.
using StateId = std::uint32_t;
inline constexpr StateId kNoState = UINT32_MAX;

/// The states that In('id') and timeIn('id') may name. Asked while expressions are compiled.
class ExpressionStates {
 public:
  virtual ~ExpressionStates() = default;

  /// kNoState where no state has the id.
  virtual StateId FindState(std::string_view id) const = 0;
  /// The remedy for an id that was not found: `there are off, on`.
  virtual std::string SuggestState(std::string_view id) const = 0;
};

}  // namespace davit
