#pragma once

#include <string>
#include <string_view>

namespace davit {

/// What the program gnuplot, found in PATH, writes to its standard output when it runs `script`. Settings of
/// the user
/// (~/.gnuplot) are not read. Throws std::runtime_error with reason and remedy if gnuplot is missing or
/// fails.
std::string RunGnuplot(std::string_view script);

}  // namespace davit
