#include "components/user/register.h"

#include "components/user/equation.h"

namespace davit {

void RegisterUser(Registry& registry) { registry.Add<Equation>(); }

}  // namespace davit
