#pragma once

#include <algorithm>

#include "hopsan/component.h"
#include "hopsan/types/effort_source.h"

namespace davit::hopsan {

inline constexpr ModelInfo kTank{.name = "hopsan.HydraulicTankC", .text = "Tank: constant absolute pressure"};
inline constexpr ModelInfo kPressureSource{.name = "hopsan.HydraulicPressureSourceC",
                                           .text = "Absolute pressure from a signal"};
inline constexpr ModelInfo kMultiTank{.name = "hopsan.HydraulicMultiTankC",
                                      .text = "Tank with any number of ports: constant absolute pressure"};
inline constexpr ModelInfo kMultiPressureSource{
    .name = "hopsan.HydraulicMultiPressureSourceC",
    .text = "Absolute pressure from a signal, any number of ports"};
inline constexpr EffortNames kPressure{"P1", "p", 1e5, "Pa"}, kPressures{"MP", "p", 1e5, "Pa"},
    kKeptPressure{.port = "P1", .value = "p", .start = 1e5, .unit = "Pa", .is_shown_at_start = false};
using HydraulicTankC = EffortSource<Hydraulic, Const, &HydraulicNode::p, kTank, kKeptPressure>;
using HydraulicPressureSourceC = EffortSource<Hydraulic, In, &HydraulicNode::p, kPressureSource, kPressure>;
using HydraulicMultiTankC = EffortSource<Hydraulics, Const, &HydraulicNode::p, kMultiTank, kPressures>;
using HydraulicMultiPressureSourceC =
    EffortSource<Hydraulics, In, &HydraulicNode::p, kMultiPressureSource, kPressures>;

class HydraulicFlowSourceQ final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicFlowSourceQ", .text = "Flow from a signal"};
  void Initialize() override { SimulateOneTimestep(0); }
  void SimulateOneTimestep(double /*t*/) override {
    P1->q = q;
    P1->p = std::max(P1->c + P1->Zc * q, 0.0);
  }

 private:
  Hydraulic P1{this, "P1"};
  In q{this, "q", 1e-3, "m3/s"};
};

class HydraulicPlugQ final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPlugQ", .text = "Plug: no flow"};
  void Initialize() override { SimulateOneTimestep(0); }
  void SimulateOneTimestep(double /*t*/) override {
    P1->q = 0;
    P1->p = std::max(P1->c, 0.0);
  }

 private:
  Hydraulic P1{this, "P1"};
};

class HydraulicPressureSourceQ final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPressureSourceQ",
                                   .text = "Absolute pressure from a signal, at a C component"};
  void SimulateOneTimestep(double /*t*/) override {
    P1->q = (p - P1->c) / P1->Zc;
    P1->p = p;
  }

 private:
  Hydraulic P1{this, "P1"};
  In p{this, "p", 1e5, "Pa"};
};

}  // namespace davit::hopsan
