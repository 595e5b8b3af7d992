#pragma once

#include <string>

namespace davit {

/// What a text in some encoding is in UTF-8.
struct Utf8Text {
  std::string text;
  std::string fault;    ///< why it cannot be read; what would be right
  std::string warning;  ///< what it was taken for instead of what it says
};

/// Many descriptions of FMUs are written in another encoding than UTF-8, which the standard wants: that of
/// their declaration `<?xml encoding="ISO-8859-1"?>` or of a byte order mark. A text that says UTF-8, or
/// nothing, and is no UTF-8 is taken for windows-1252.
Utf8Text ToUtf8(std::string bytes);

}  // namespace davit
