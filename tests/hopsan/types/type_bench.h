#pragma once

#include <string_view>

#include "hopsan/component.h"
#include "tests/support/component_harness.h"

namespace davit::hopsan {

/// One component of Hopsan, its ports joined to nodes of the test. Order of calls: Set..., Node, Initialize,
/// then Step and Read.
template <class Type>
class TypeBench {
 public:
  explicit TypeBench(double T = 1e-3) {
    clock_.T = T;
    type_.set_clock(clock_);
  }

  Type& type() { return type_; }
  double T() const { return clock_.T; }
  double t() const { return clock_.t; }
  TypeBench& Set(std::string_view name, double value) {
    harness_.Set(type_, name, value);
    return *this;
  }
  TypeBench& SetStart(std::string_view name, double value) {
    harness_.SetStart(type_, name, value);
    return *this;
  }
  template <class Node>
  Node& Attach(std::string_view port) {
    Node& node = harness_.Attach<Node>(type_, port);
    node = {};
    return node;
  }
  HydraulicNode& Oil(std::string_view port) { return Attach<HydraulicNode>(port); }
  MechanicNode& Body(std::string_view port) { return Attach<MechanicNode>(port); }
  RotationalNode& Shaft(std::string_view port) { return Attach<RotationalNode>(port); }
  ElectricNode& Pole(std::string_view port) { return Attach<ElectricNode>(port); }
  void Initialize() {
    for (Out* out : type_.outs()) out->Begin();
    type_.Initialize();
  }
  void Step(int count = 1) {
    for (int n = 0; n < count; ++n) {
      clock_.t += clock_.T;
      type_.SimulateOneTimestep(clock_.t);
    }
  }
  double Read(std::string_view output) const { return harness_.Read(type_, output); }

 private:
  ComponentHarness harness_;
  Type& type_ = harness_.Add<Type>("type");
  Clock clock_;
};

}  // namespace davit::hopsan
