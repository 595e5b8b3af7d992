#pragma once

#include "hopsan/types/signal_type.h"

namespace davit::hopsan {

/// How a sensor calls its port and its output.
struct SensorNames {
  Text port, out;
};
inline constexpr SensorNames kUsualNames{"P1", "out"}, kVoltageNames{"Pel1", "Puout"},
    kCurrentNames{"Pel1", "Piout"};

/// Reads one variable of a node, as it was in the step before.
template <class Node, double Node::*variable, const ModelInfo& info, const SensorNames& names = kUsualNames>
class Sensor final : public SignalType {
 public:
  static constexpr ModelInfo kInfo = info;
  void SimulateOneTimestep(double /*t*/) override { out = *P1.operator->().*variable; }

 private:
  ReadPort<Node> P1{this, names.port};
  Out out{this, names.out};
};

inline constexpr ModelInfo kPressureSensor{.name = "hopsan.HydraulicPressureSensor",
                                           .text = "Absolute pressure"};
inline constexpr ModelInfo kFlowSensor{.name = "hopsan.HydraulicFlowSensor",
                                       .text = "Flow into the C component"};
inline constexpr ModelInfo kPositionSensor{.name = "hopsan.MechanicPositionSensor", .text = "Position"};
inline constexpr ModelInfo kSpeedSensor{.name = "hopsan.MechanicSpeedSensor", .text = "Velocity"};
inline constexpr ModelInfo kForceSensor{.name = "hopsan.MechanicForceSensor", .text = "Force"};
inline constexpr ModelInfo kTurnSensor{.name = "hopsan.MechanicAngularVelocitySensor",
                                       .text = "Angular velocity"};
inline constexpr ModelInfo kAngleSensor{.name = "hopsan.MechanicAngleSensor", .text = "Angle"};
inline constexpr ModelInfo kTorqueSensor{.name = "hopsan.MechanicTorqueSensor", .text = "Torque"};
inline constexpr ModelInfo kUsensor{.name = "hopsan.ElectricUsensor", .text = "Voltage"};
inline constexpr ModelInfo kIsensor{.name = "hopsan.ElectricIsensor", .text = "Current into the C component"};

}  // namespace davit::hopsan
