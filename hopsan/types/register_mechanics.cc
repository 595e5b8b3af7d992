#include "hopsan/types/masses.h"
#include "hopsan/types/motion_sources.h"
#include "hopsan/types/register_types.h"
#include "hopsan/types/springs.h"

namespace davit::hopsan {

void RegisterMechanics(Registry& registry) {
  registry
      .Add<MechanicForceTransformer, MechanicTorqueTransformer, MechanicTranslationalSpring,
           MechanicTorsionalSpring, MechanicRotShaft, MechanicRotShaftG, MechanicGearShaft, MechanicMotor>();
  registry.Add<MechanicTranslationalMass, MechanicRotationalInertia, MechanicRotationalInertiaWithGearRatio,
               MechanicTranslationalMassWithCoulombFriction, MechanicTranslationalMassWithLever,
               MechanicRotationalInertiaWithCoulombFriction, MechanicCylinderBlockWithSwashPlate>();
  registry.Add<MechanicVelocityTransformer, MechanicThetaSource, MechanicAngularVelocityTransformer,
               MechanicFixedPosition, MechanicFreeLengthWall, MechanicVehicle1D, MechanicJLink>();
}

}  // namespace davit::hopsan
