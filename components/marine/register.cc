#include "components/marine/register.h"

#include "components/marine/floating_body.h"
#include "components/marine/load.h"
#include "components/marine/motion_reference_unit.h"
#include "components/marine/recorded_motion.h"
#include "components/marine/sea.h"
#include "components/marine/vessel.h"
#include "components/marine/wire.h"

namespace davit {

void RegisterMarine(Registry& registry) {
  registry.Add<FloatingBody, Load, MotionReferenceUnit, RecordedMotion, Sea, Vessel, Wire>();
}

}  // namespace davit
