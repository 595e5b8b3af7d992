#include "hopsan/types/register_types.h"
#include "hopsan/types/sensors.h"

namespace davit::hopsan {
namespace {

template <class... Laws>
void AddSensors(Registry& registry) {
  registry.Add<Sensor<Laws>...>();
}

}  // namespace

void RegisterSensors(Registry& registry) {
  AddSensors<PressureSensing, FlowSensing, PositionSensing, SpeedSensing, ForceSensing,
             AngularVelocitySensing, AngleSensing, TorqueSensing, VoltageSensing, CurrentSensing>(registry);
}

}  // namespace davit::hopsan
