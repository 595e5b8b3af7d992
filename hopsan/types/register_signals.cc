#include "hopsan/types/flight.h"
#include "hopsan/types/register_types.h"
#include "hopsan/types/sensors.h"
#include "hopsan/types/signal_controllers.h"
#include "hopsan/types/signal_filters.h"
#include "hopsan/types/signal_functions.h"
#include "hopsan/types/signal_sources.h"
#include "hopsan/types/sinks.h"

namespace davit::hopsan {
namespace {

template <template <class> class Function, class... Laws>
void AddFunctions(Registry& registry) {
  registry.Add<Function<Laws>...>();
}

}  // namespace

void RegisterSignals(Registry& registry) {
  registry.Add<SignalConstant, SignalTime, SignalStep, SignalRamp, SignalSoftStep, SignalPulse,
               SignalStaircase, SignalPulseWave, SignalSquareWave, SignalSineWave, SignalStepExponentialDelay,
               SignalAnimationSwitch, SignalInputInterface, SignalAnimationSlider>();
  AddFunctions<SignalFunction, AbsoluteLaw, AtanLaw, CeilLaw, CosLaw, CoshLaw, DummyLaw, ExpLaw, FloorLaw,
               NotLaw, RoundLaw, SinLaw, SinhLaw, SquareLaw, TanLaw, TanhLaw>(registry);
  AddFunctions<SignalFunction2, AddLaw, SubtractLaw, MultiplyLaw, AndLaw, OrLaw, XorLaw>(registry);
  registry.Add<SignalGain, SignalDivide, SignalSum, SignalSaturation, SignalGreaterThan, SignalSmallerThan,
               SignalTripleRoute, SignalSRlatch>();
  registry.Add<SignalLP1Filter, SignalHP1Filter, SignalLP2Filter, SignalFirstOrderFilter, SignalIntegrator2,
               SignalRateLimiter, SignalUnitDelay, SignalTimeDelay>();
  registry.Add<SignalPID, SignalPIlead, SignalPID2>();
  registry.Add<SignalAttitudeControl, AeroAtmosphere, SignalEarthCoordinates>();
  registry
      .Add<SignalSink, SignalDisplay, SignalAnimationGauge, SignalAnimationLamp, SignalOutputInterface,
           SignalStopSimulation, HydraulicDummyC, HydraulicDummyQ, Signal2DWriteRead, Signal2DReadWrite>();
  registry.Add<Sensor<HydraulicNode, &HydraulicNode::p, kPressureSensor>,
               Sensor<HydraulicNode, &HydraulicNode::q, kFlowSensor>,
               Sensor<MechanicNode, &MechanicNode::x, kPositionSensor>,
               Sensor<MechanicNode, &MechanicNode::v, kSpeedSensor>,
               Sensor<MechanicNode, &MechanicNode::F, kForceSensor>,
               Sensor<RotationalNode, &RotationalNode::w, kTurnSensor>,
               Sensor<RotationalNode, &RotationalNode::a, kAngleSensor>,
               Sensor<RotationalNode, &RotationalNode::T, kTorqueSensor>,
               Sensor<ElectricNode, &ElectricNode::u, kUsensor, kVoltageNames>,
               Sensor<ElectricNode, &ElectricNode::i, kIsensor, kCurrentNames>>();
}

}  // namespace davit::hopsan
