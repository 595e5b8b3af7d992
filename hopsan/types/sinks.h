#pragma once

#include "hopsan/component.h"

namespace davit::hopsan {

/// Something to look at: takes signals and has no effect.
class SignalSink final : public SComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalSink", .text = "Plot or scope; no effect"};
  bool HasStep() const override { return false; }

 private:
  Ins in{this, "in"};
  Ins in_right{this, "in_right"};
  In in_bottom{this, "in_bottom"};
};

/// Shows one number.
template <class Base, const ModelInfo& info>
class Display final : public Base {
 public:
  static constexpr ModelInfo kInfo = info;

 private:
  In in{this, "in"};
};
inline constexpr ModelInfo kDisplay{.name = "hopsan.SignalDisplay", .text = "Shows a number; no effect"};
inline constexpr ModelInfo kLamp{.name = "hopsan.SignalAnimationLamp", .text = "Lamp; no effect"};
inline constexpr ModelInfo kOutput{.name = "hopsan.SignalOutputInterface",
                                   .text = "Signal to the outside; no effect"};
using SignalDisplay = Display<CComponent, kDisplay>;
using SignalAnimationLamp = Display<SComponent, kLamp>;
using SignalOutputInterface = Display<SComponent, kOutput>;

class SignalAnimationGauge final : public SComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalAnimationGauge",
                                   .text = "Shows a number; no effect"};

 private:
  Const max{this, "max", 1};
  In in{this, "in"};
};

class SignalStopSimulation final : public SComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalStopSimulation",
                                   .text = "Ends the run where in is above 0.5"};
  void SimulateOneTimestep(double /*t*/) override {
    if (in > 0.5) StopRun();
  }

 private:
  In in{this, "in"};
};

/// Loads of Hopsan's benchmarks.
template <class Base, const ModelInfo& info>
class BenchmarkLoad final : public Base {
 public:
  static constexpr ModelInfo kInfo = info;

 private:
  Hydraulic P1{this, "P1", Connecting::kOptional};
  In in{this, "in"};
};
inline constexpr ModelInfo kDummyC{.name = "hopsan.HydraulicDummyC",
                                   .text = "Load for benchmarks; no effect"};
inline constexpr ModelInfo kDummyQ{.name = "hopsan.HydraulicDummyQ",
                                   .text = "Load for benchmarks; no effect"};
using HydraulicDummyC = BenchmarkLoad<CComponent, kDummyC>;
using HydraulicDummyQ = BenchmarkLoad<QComponent, kDummyQ>;

/// Two signals through one node: writes the first, reads the second.
class Signal2DWriteRead final : public SComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.Signal2DWriteRead",
                                   .text = "Writes one signal of a pair, reads the other"};
  void Initialize() override { SimulateOneTimestep(0); }
  void SimulateOneTimestep(double /*t*/) override {
    P2d->first = write;
    read = P2d->second;
  }

 private:
  NodePort<SignalNode2D> P2d{this, "P2d", Role::kC, Connecting::kOptional};
  In write{this, "write"};
  Out read{this, "read"};
};

/// The other end: writes the second, reads the first.
class Signal2DReadWrite final : public SComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.Signal2DReadWrite",
                                   .text = "Reads one signal of a pair, writes the other"};
  void Initialize() override { SimulateOneTimestep(0); }
  void SimulateOneTimestep(double /*t*/) override {
    read = P2d->first;
    P2d->second = write;
  }
  bool RunsAfterInputs() const override { return false; }
  bool RunsAfterNodes() const override { return sh2d == 0; }

 private:
  NodePort<SignalNode2D> P2d{this, "P2d", Role::kQ, Connecting::kOptional};
  Const sh2d{this, "sh2d", 0};
  Out read{this, "read"};
  In write{this, "write"};
};

}  // namespace davit::hopsan
