#pragma once

#include <cstdint>
#include <string>

namespace davit {

class Island;

/// Whether stability has set the size of most steps of an explicit method, of at least `least` that were
/// looked at, and method auto has no better one.
bool IsLimitedByStability(const Island& island, std::uint64_t least);
/// What to do about it.
std::string StabilityHint(const Island& island);

}  // namespace davit
