#pragma once

#include <string_view>

namespace davit {

/// Whether `text` matches `pattern`, where `*` matches any characters (dots too) and `?` for one.
bool MatchesGlob(std::string_view text, std::string_view pattern);

/// Whether `pattern` has a `*` or `?`.
bool IsGlob(std::string_view pattern);

}  // namespace davit
