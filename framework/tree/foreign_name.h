#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace davit {

// Names of CDP Studio's files, for people who bring such a file or the habit: what davit has in their place.

/// What to write for an element of CDP Studio, also a misspelt one: ``davit has <Connect from="..."
/// to="..."/>; see docs/from-cdp-studio.md``. Nothing where the name resembles none.
std::optional<std::string> RemedyForForeignElement(std::string_view name);

/// The same for an attribute of a component.
std::optional<std::string> RemedyForForeignAttribute(std::string_view name);

/// An attribute that is understood although it is written as in CDP Studio.
struct ForeignAttribute {
  std::string_view name;   ///< davit's
  std::string_view value;  ///< davit's, or the one given
};

/// `SolverType="0"` as `solver="Differential"`, `SolverType="1"` as `solver="Algebraic"`; the numbers may be
/// followed by their meaning, as in `1 - Algebraic (DAE)`. Nothing for any other attribute.
std::optional<ForeignAttribute> TranslateForeignAttribute(std::string_view name, std::string_view value);

}  // namespace davit
