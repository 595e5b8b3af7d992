#pragma once

#include <optional>
#include <string_view>

namespace davit {

/// How far a time may miss a due time and still be taken for it [s]: rounding of start + n*h.
inline constexpr double kTimeTolerance = 1e-9;

/// A time as SCXML writes it, `1.5s`, `.5s`, `200ms`, with a space before the unit if you like, also in `min`
/// and `h`. In seconds; nothing where it is no time, negative or above 1e9 s.
std::optional<double> ParseTime(std::string_view text);

}  // namespace davit
