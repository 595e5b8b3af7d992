#pragma once

#include <string>
#include <string_view>

namespace davit {

/// What is wrong with an input, and what would be right. Functions that look something up or read a text give
/// one where they find nothing; an empty one says that nothing is wrong.
struct Fault {
  std::string what;    ///< `no port 'rodd' on hydraulic.Cylinder`
  std::string remedy;  ///< `did you mean 'rod'?`; empty where there is nothing to add

  bool is_empty() const { return what.empty() && remedy.empty(); }
  explicit operator bool() const { return !is_empty(); }
  /// As messages have it: `what; remedy`, or only one of them where the other is empty.
  std::string ToText() const;
};

/// The parts of a message that its author wrote as one text, `what; remedy`. Quoted words may have a `; ` of
/// their own.
Fault ToFault(std::string_view text);

}  // namespace davit
