#pragma once

#include <string>
#include <string_view>

namespace davit::hopsan {

// Names of files that old versions of Hopsan wrote.

/// The present name of a type.
std::string_view PresentType(std::string_view type);
/// The present name of a port or parameter of a (present) type: `Ppa` -> `pa`; itself where it has no other.
std::string_view PresentName(std::string_view type, std::string_view name);
/// `P1::Angular Velocity` -> `P1#AngularVelocity`: separators and blanks as they are now.
std::string PresentSpelling(std::string_view name);

}  // namespace davit::hopsan
