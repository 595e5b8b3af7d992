#pragma once

#include <algorithm>
#include <array>
#include <numbers>

#include "hopsan/component.h"

namespace davit::hopsan {

/// Two volumes, each between a port and the machine; d = D_m/2pi eps. The waves g at the machine give the
/// leakage; the torque waves e come from pressures that are at least 0.
class HydraulicMachineC final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicMachineC",
                                   .text = "Pump or motor with variable displacement and two volumes"};
  void Initialize() override {
    UpdateImpedances();
    for (std::size_t j = 0; j < 2; ++j) {
      HydraulicNode& port = Port(j);
      Side& side = sides_[j];
      side.c_before = port.c = port.p - side.Z * port.q;
      port.Zc = side.Z;
      side.s = side.s_before = side.e =
          port.p - side.Z * (Displacement(j) * P3->w - C_lm * (port.p - Port(1 - j).p));
    }
    P3->c = P3->T;
    P3->Zc = ShaftImpedance();
  }
  void SimulateOneTimestep(double /*t*/) override {
    UpdateImpedances();
    std::array<double, 2> g, h;
    const double sum = sides_[0].Z + sides_[1].Z;
    const double cross = C_lm * (sides_[1].s * sides_[0].Z + sides_[0].s * sides_[1].Z);
    for (std::size_t j = 0; j < 2; ++j) {
      g[j] = (sides_[j].s + Displacement(j) * P3->w * sides_[j].Z + cross) / (1 + C_lm * sum);
      h[j] = std::max(g[j], 0.0);
    }
    for (std::size_t j = 0; j < 2; ++j) {
      HydraulicNode& port = Port(j);
      Side& side = sides_[j];
      const double Z = side.Z, r = Displacement(j) * P3->w - C_lm * (h[j] - h[1 - j]);
      const double mean = (port.c + 2 * Z * port.q + g[j] + Z * r) / 2;
      const double torque_mean = (std::max(port.p, 0.0) + Z * port.q + h[j] + Z * r) / 2;
      const double s = kFilter * side.s_before + (1 - kFilter) * (2 * mean - g[j] - Z * r);
      side.s_before = std::exchange(side.s, s);
      side.e = kFilter * side.e + (1 - kFilter) * (2 * torque_mean - h[j] - Z * r);
      const double c = kFilter * side.c_before + (1 - kFilter) * (2 * mean - port.c - 2 * Z * port.q);
      side.c_before = std::exchange(port.c, c);
      port.Zc = Z;
    }
    P3->c = Displacement(0) * (sides_[0].e - sides_[1].e);
    P3->Zc = ShaftImpedance();
  }
  void ArchiveMemory(Archive& archive) override {
    for (Side& side : sides_) archive(side.Z, side.s, side.s_before, side.e, side.c_before);
  }

 private:
  static constexpr double kFilter = 0.1;
  struct Side {
    double Z = 0, s = 0, s_before = 0, e = 0, c_before = 0;
  };
  HydraulicNode& Port(std::size_t j) { return j == 0 ? *P1 : *P2; }
  /// Flow into side j at 1 rad/s.
  double Displacement(std::size_t j) const {
    const double d = D_m / (2 * std::numbers::pi) * std::clamp<double>(eps, -1, 1);
    return j == 0 ? d : -d;
  }
  void UpdateImpedances() {
    const double d = D_m / (2 * std::numbers::pi);
    const double least = Beta_e * T() * T() * d * d / ((1 - kFilter) * kFilter * J_em);
    sides_[0].Z = Beta_e * T() / ((1 - kFilter) * std::max<double>(V_1, least));
    sides_[1].Z = Beta_e * T() / ((1 - kFilter) * std::max<double>(V_2, least));
  }
  double ShaftImpedance() const {
    return Displacement(0) * Displacement(0) * (sides_[0].Z + sides_[1].Z) + B_m;
  }

  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Rotational P3{this, "P3"};
  Const J_em{this, "J_em", 1, "kg.m2"};
  In eps{this, "eps", 1}, Beta_e{this, "Beta_e", 1e9, "Pa"}, V_1{this, "V_1", 5e-3, "m3"};
  In V_2{this, "V_2", 5e-3, "m3"}, D_m{this, "D_m", 5e-5, "m3"}, C_lm{this, "C_lm", 1e-12, "m3/s/Pa"};
  In B_m{this, "B_m", 0, "N.m.s/rad"};
  std::array<Side, 2> sides_;
};

}  // namespace davit::hopsan
