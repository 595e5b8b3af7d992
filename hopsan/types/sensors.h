#pragma once

#include "hopsan/types/signal_type.h"

namespace davit::hopsan {

/// Reads one variable of a node, as it was in the step before.
template <class Law>
class Sensor final : public SignalType {
 public:
  static constexpr ModelInfo kInfo = Law::kInfo;
  void SimulateOneTimestep(double /*t*/) override { out = *P1.operator->().*Law::kRead; }

 private:
  ReadPort<typename Law::Node> P1{this, Law::kPort};
  Out out{this, Law::kOut};
};

template <class N>
struct SensorOf {
  using Node = N;
  static constexpr Text kPort{"P1"};
  static constexpr Text kOut{"out"};
};
struct ElectricSensorOf : SensorOf<ElectricNode> {
  static constexpr Text kPort{"Pel1"};
};

struct PressureSensing : SensorOf<HydraulicNode> {
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPressureSensor", .text = "Absolute pressure"};
  static constexpr auto kRead = &HydraulicNode::p;
};
struct FlowSensing : SensorOf<HydraulicNode> {
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicFlowSensor", .text = "Flow into the C component"};
  static constexpr auto kRead = &HydraulicNode::q;
};
struct PositionSensing : SensorOf<MechanicNode> {
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicPositionSensor", .text = "Position"};
  static constexpr auto kRead = &MechanicNode::x;
};
struct SpeedSensing : SensorOf<MechanicNode> {
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicSpeedSensor", .text = "Velocity"};
  static constexpr auto kRead = &MechanicNode::v;
};
struct ForceSensing : SensorOf<MechanicNode> {
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicForceSensor", .text = "Force"};
  static constexpr auto kRead = &MechanicNode::F;
};
struct AngularVelocitySensing : SensorOf<RotationalNode> {
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicAngularVelocitySensor",
                                   .text = "Angular velocity"};
  static constexpr auto kRead = &RotationalNode::w;
};
struct AngleSensing : SensorOf<RotationalNode> {
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicAngleSensor", .text = "Angle"};
  static constexpr auto kRead = &RotationalNode::a;
};
struct TorqueSensing : SensorOf<RotationalNode> {
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicTorqueSensor", .text = "Torque"};
  static constexpr auto kRead = &RotationalNode::T;
};
struct VoltageSensing : ElectricSensorOf {
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricUsensor", .text = "Voltage"};
  static constexpr Text kOut{"Puout"};
  static constexpr auto kRead = &ElectricNode::u;
};
struct CurrentSensing : ElectricSensorOf {
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricIsensor", .text = "Current into the C component"};
  static constexpr Text kOut{"Piout"};
  static constexpr auto kRead = &ElectricNode::i;
};

}  // namespace davit::hopsan
