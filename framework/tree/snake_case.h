#pragma once

#include <string>
#include <string_view>

namespace davit {

/// The name of a type as names of components and files are written: `AxialPistonPump` -> `axial_piston_pump`,
/// `PID` -> `pid`.
std::string SnakeCase(std::string_view type);

}  // namespace davit
