#include "hopsan/register.h"

#include "hopsan/border.h"
#include "hopsan/import/hmf_import.h"
#include "hopsan/scheduler.h"
#include "hopsan/stub.h"
#include "hopsan/subsystem.h"
#include "hopsan/types/register_types.h"

namespace davit {

void RegisterHopsan(Registry& registry) {
  if (registry.Find(hopsan::Scheduler::kInfo.name) != nullptr) return;
  registry.Add(hopsan::HmfImporter());
  registry.Add<hopsan::HydraulicBorderC, hopsan::HydraulicBorderQ, hopsan::Scheduler, hopsan::Stub,
               hopsan::Subsystem>();
  hopsan::RegisterSignals(registry);
  hopsan::RegisterHydraulics(registry);
  hopsan::RegisterMechanics(registry);
  hopsan::RegisterElectrics(registry);
}

}  // namespace davit
