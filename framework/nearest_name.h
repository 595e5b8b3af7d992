#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace davit {

/// The candidate that `name` was most probably meant to be, or nullopt if none is near.
///
/// Near is a Damerau-Levenshtein distance (insert, delete, replace a character, swap two neighbours) of at
/// most 1 + length / 4 that leaves at least one character in common. Upper and lower case count as equal
/// first and decide between candidates of the same distance; then the first candidate wins. Names of more
/// than 128 characters are near to nothing.
std::optional<std::string> FindNearest(std::string_view name, std::span<const std::string> candidates);

/// The remedy for an unknown name: ``did you mean 'mass'?`` if a candidate is near, otherwise the first 12
/// candidates after `what`. With "it has": `it has mass, stiffness, damping`, `it has none`.
std::string SuggestName(std::string_view what, std::string_view name,
                        std::span<const std::string> candidates);

/// `'text'` for a message: control characters are shown as `?`, and more than 60 characters (bytes of UTF-8)
/// are shortened with `...`.
std::string Quoted(std::string_view text);

}  // namespace davit
