#pragma once

#include <filesystem>
#include <string_view>

namespace davit {

/// The folder that a master names: a plain path (3.0), or a URI in one of the spellings that occur (2.0):
/// `file:///fmu/x`, `file://localhost/fmu/x`, `file:/fmu/x`, with `%20` and the like. Throws
/// std::invalid_argument for a URI of another kind.
std::filesystem::path ReadResourcePath(std::string_view text);

}  // namespace davit
