#pragma once

namespace davit {

/// Independent of the locale.
inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace davit
