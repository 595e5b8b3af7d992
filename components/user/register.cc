#include "components/user/register.h"

#include "components/user/equation.h"
#include "framework/domains/standard.h"

namespace davit {

void RegisterUser(Registry& registry) {
  registry.Add<Equation>();
  for (const Domain* domain : kStandardDomains) registry.AddDomain(*domain);
}

}  // namespace davit
