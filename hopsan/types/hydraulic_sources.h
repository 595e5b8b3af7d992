#pragma once

#include <algorithm>

#include "hopsan/component.h"

namespace davit::hopsan {

class HydraulicTankC final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicTankC",
                                   .text = "Tank: constant absolute pressure"};
  void Initialize() override { SimulateOneTimestep(0); }
  void SimulateOneTimestep(double /*t*/) override {
    P1->c = p;
    P1->Zc = 0;
  }

 private:
  Hydraulic P1{this, "P1"};
  Const p{this, "p", 1e5, "Pa"};
};

class HydraulicPressureSourceC final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPressureSourceC",
                                   .text = "Absolute pressure from a signal"};
  void Initialize() override {
    P1->p = p;
    SimulateOneTimestep(0);
  }
  void SimulateOneTimestep(double /*t*/) override {
    P1->c = p;
    P1->Zc = 0;
  }

 private:
  Hydraulic P1{this, "P1"};
  In p{this, "p", 1e5, "Pa"};
};

/// The same pressure at several ports.
template <class Pressure, const ModelInfo& info>
class PressureAtPorts final : public CComponent {
 public:
  static constexpr ModelInfo kInfo = info;
  void Initialize() override {
    for (std::size_t i = 0; i < MP.size(); ++i) MP[i].p = p;
    SimulateOneTimestep(0);
  }
  void SimulateOneTimestep(double /*t*/) override {
    for (std::size_t i = 0; i < MP.size(); ++i) {
      MP[i].c = p;
      MP[i].Zc = 0;
    }
  }

 private:
  Hydraulics MP{this, "MP"};
  Pressure p{this, "p", 1e5, "Pa"};
};
inline constexpr ModelInfo kMultiTank{.name = "hopsan.HydraulicMultiTankC",
                                      .text = "Tank with any number of ports: constant absolute pressure"};
inline constexpr ModelInfo kMultiPressureSource{
    .name = "hopsan.HydraulicMultiPressureSourceC",
    .text = "Absolute pressure from a signal, any number of ports"};
using HydraulicMultiTankC = PressureAtPorts<Const, kMultiTank>;
using HydraulicMultiPressureSourceC = PressureAtPorts<In, kMultiPressureSource>;

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
