#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// The names of the values 0, 1, 2 ... of a level, an aspect or a mode, as result files hold them:
/// `Ideal|Standard|Advanced`. Names have no bar in them.
std::string JoinOptions(const std::vector<std::string>& options);

/// The reverse; nothing for an empty text.
std::vector<std::string> SplitOptions(std::string_view text);

/// Why `values` cannot be those of a signal with these options, and the remedy. Empty if they are positions
/// of options, between two of them (a row at an event) or not finite, or if there are no options.
std::string FaultOfOptions(const std::vector<std::string>& options, std::span<const double> values);

}  // namespace davit
