#include "framework/bond.h"

namespace davit {

std::string_view ToText(Domain domain) {
  switch (domain) {
    case Domain::kHydraulic: return "hydraulic";
    case Domain::kTranslational: return "translational";
    case Domain::kRotational: return "rotational";
  }
  return {};
}

std::string_view ToText(Role role) { return role == Role::kC ? "C" : "Q"; }

}  // namespace davit
