#pragma once

#include <filesystem>
#include <vector>

#include "framework/diagnostics.h"
#include "server/user.h"

namespace davit {

/// Reads users from a file with a line each:
///
///     # name  role  SHA-256 of "name:password", name in lower case, as 64 hexadecimal digits
///     anna    edit  75b5...
///
/// Empty lines and those that begin with `#` are ignored. All that is wrong goes to `diagnostics`; then the
/// users are not to be used.
std::vector<User> ReadUsersFile(const std::filesystem::path& file, Diagnostics& diagnostics);

}  // namespace davit
