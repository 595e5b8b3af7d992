#include "app/interfaces.h"

#include <memory>

#include "io/interface.h"
#include "io/interface_run.h"
#include "io/register.h"

namespace davit {

void RegisterInterfaces(Registry& registry) { RegisterIo(registry); }

bool IsInterface(const Component& component) { return dynamic_cast<const Interface*>(&component) != nullptr; }

PartnerExchange OpenInterfaces(Simulation& simulation, IoReach reach, Diagnostics& diagnostics) {
  const auto run = std::make_shared<InterfaceRun>(simulation, reach, diagnostics);
  if (run->is_empty()) return {};
  return [run](const std::function<bool()>& keeps_waiting) { return run->Exchange(keeps_waiting); };
}

}  // namespace davit
