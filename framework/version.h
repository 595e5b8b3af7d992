#pragma once

namespace davit {

/// The version of davit. CMakeLists.txt reads it from here.
inline constexpr char kVersion[] = "0.2.0";

}  // namespace davit
