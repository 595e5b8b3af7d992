#pragma once

#include <span>
#include <string_view>

namespace davit {

/// What a new file begins with: a file of studio/templates/, built into the program.
struct StudioTemplate {
  std::string_view name;  ///< "10_hydraulic_axis": the number orders them
  std::string_view text;
};

/// In the order of their names.
std::span<const StudioTemplate> StudioTemplates();

}  // namespace davit
