#include "framework/domain.h"

namespace davit {

std::string_view ToText(Role role) { return role == Role::kC ? "C" : "Q"; }

}  // namespace davit
