#include "server/user.h"

#include <fmt/format.h>

#include <algorithm>

namespace davit {

std::string_view ToText(UserRole role) { return kUserRoleNames[static_cast<std::size_t>(role)]; }

std::optional<UserRole> FindUserRole(std::string_view text) {
  const auto found = std::ranges::find(kUserRoleNames, text);
  if (found == kUserRoleNames.end()) return std::nullopt;
  return static_cast<UserRole>(found - kUserRoleNames.begin());
}

std::string RefusalOf(UserRole has, UserRole needed) {
  if (has >= needed) return {};
  return fmt::format(
      "this needs the role {}, but you have the role {}; ask the administrator of the server to change it",
      ToText(needed), ToText(has));
}

}  // namespace davit
