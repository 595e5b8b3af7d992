#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace davit {

/// What a user may do. Each role includes those before it.
enum class UserRole : std::uint8_t {
  kView,     ///< reads everything, changes nothing
  kOperate,  ///< starts, controls and changes runs
  kEdit,     ///< writes files, too
};

inline constexpr std::array<std::string_view, 3> kUserRoleNames{"view", "operate", "edit"};

/// Somebody who may log in.
struct User {
  std::string name;  ///< in lower case
  UserRole role = UserRole::kEdit;
  std::string hash;  ///< SHA256(name ":" password), 32 raw bytes
};

std::string_view ToText(UserRole role);
std::optional<UserRole> FindUserRole(std::string_view text);

/// Why a user of role `has` is refused what needs `needed`; empty if it is allowed.
std::string RefusalOf(UserRole has, UserRole needed);

}  // namespace davit
