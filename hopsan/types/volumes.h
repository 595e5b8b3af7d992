#pragma once

#include <array>

#include "hopsan/component.h"
#include "hopsan/laws/delay.h"
#include "hopsan/laws/waves.h"

namespace davit::hopsan {

/// c1 = alpha c1' + (1 - alpha) (c2' + 2 Zc q2'), Zc = Beta_e T/(V (1 - alpha)) with alpha of the start.
class HydraulicVolume final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicVolume",
                                   .text = "Compressible volume between two ports, no cavitation inside"};
  void Initialize() override {
    Z_ = Beta_e * T() / (V * (1 - alpha));
    P1->c = P2->p + Z_ * P2->q;
    P2->c = P1->p + Z_ * P1->q;
    P1->Zc = P2->Zc = Z_;
  }
  void SimulateOneTimestep(double /*t*/) override { ExchangeWaves(*P1, P1->q, *P2, P2->q, Z_, alpha); }
  void ArchiveMemory(Archive& archive) override { archive(Z_); }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Const V{this, "V", 1e-3, "m3"}, Beta_e{this, "Beta_e", 1e9, "Pa"}, P_high{this, "P_high", 2e7, "Pa"};
  In alpha{this, "alpha", 0.1};
  double Z_ = 0;
};

/// m = mean(c_i' + 2 Zc q_i'), c_i = alpha c_i' + (1 - alpha) (2 m - c_i' - 2 Zc q_i'),
/// Zc = n Beta_e T/(2 V (1 - alpha)).
class HydraulicVolumeMultiPort final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hopsan.HydraulicVolumeMultiPort",
      .text = "Compressible volume with any number of ports, no cavitation inside"};
  void Initialize() override { StartStar(P1, VolumeImpedance(P1.size(), V, Beta_e, alpha, T())); }
  void SimulateOneTimestep(double /*t*/) override {
    MixWaves(P1, VolumeImpedance(P1.size(), V, Beta_e, alpha, T()), alpha);
  }

 private:
  Hydraulics P1{this, "P1"};
  Const P_high{this, "P_high", 2e7, "Pa"};
  In V{this, "V", 1e-3, "m3"}, Beta_e{this, "Beta_e", 1e9, "Pa"}, alpha{this, "alpha", 0.1};
};

/// A type of old versions, as HydraulicVolumeMultiPort with three ports.
class HydraulicVolume3 final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicVolume3",
                                   .text = "Compressible volume with three ports (old versions)"};
  void Initialize() override {
    NodeRow<3> ports{{&*P1, &*P2, &*P3}};
    StartStar(ports, VolumeImpedance(3, V, Beta_e, alpha, T()));
  }
  void SimulateOneTimestep(double /*t*/) override {
    NodeRow<3> ports{{&*P1, &*P2, &*P3}};
    MixWaves(ports, VolumeImpedance(3, V, Beta_e, alpha, T()), alpha);
  }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"}, P3{this, "P3"};
  In V{this, "V", 1e-3, "m3"}, Beta_e{this, "Beta_e", 1e9, "Pa"}, alpha{this, "alpha", 0.1};
};

/// c1 = what left end 2 the time deltat and a step ago, low-pass filtered by alpha.
class HydraulicTLMlossless final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicTLMlossless",
                                   .text = "Line without loss: a delay between two ports"};
  void Initialize() override {
    const double to1 = P2->p + Z_c * P2->q, to2 = P1->p + Z_c * P1->q;
    to1_.Start(deltat - T(), T(), to1);
    to2_.Start(deltat - T(), T(), to2);
    Offer(to1, to2);
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double to1 = alpha * P1->c + (1 - alpha) * (P2->p + Z_c * P2->q);
    const double to2 = alpha * P2->c + (1 - alpha) * (P1->p + Z_c * P1->q);
    Offer(to1_.Step(to1), to2_.Step(to2));
  }
  void ArchiveMemory(Archive& archive) override { archive(to1_, to2_); }

 private:
  void Offer(double c1, double c2) {
    P1->c = c1;
    P2->c = c2;
    P1->Zc = P2->Zc = Z_c;
  }

  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Const deltat{this, "deltat", 0.1, "s"};
  In alpha{this, "alpha"}, Z_c{this, "Z_c", 1e9, "Pa.s/m3"};
  Delay to1_, to2_;
};

}  // namespace davit::hopsan
