#include "server/user.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace davit {
namespace {

constexpr std::array<std::string_view, 3> kRoleNames{"view", "operate", "edit"};

}  // namespace

std::string_view ToText(UserRole role) { return kRoleNames[static_cast<std::size_t>(role)]; }

std::optional<UserRole> FindUserRole(std::string_view text) {
  const auto found = std::ranges::find(kRoleNames, text);
  if (found == kRoleNames.end()) return std::nullopt;
  return static_cast<UserRole>(found - kRoleNames.begin());
}

std::string RefusalOf(UserRole has, UserRole needed) {
  if (has >= needed) return {};
  return fmt::format(
      "this needs the role {}, and you have the role {}; ask for another line in the file of --users",
      ToText(needed), ToText(has));
}

}  // namespace davit
