#pragma once

#include <numbers>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"
#include "hopsan/laws/waves.h"
#include "hopsan/types/effort_source.h"

namespace davit::hopsan {

/// The impedance keeps the start value of the port, as Hopsan never writes it.
class MechanicForceTransformer final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicForceTransformer", .text = "Force from a signal"};
  void Initialize() override { P1->c = P1->F = F; }
  void SimulateOneTimestep(double /*t*/) override { P1->c = F; }

 private:
  Mechanic P1{this, "P1"};
  In F{this, "F", 0, "N"};
};

inline constexpr ModelInfo kTorque{.name = "hopsan.MechanicTorqueTransformer",
                                   .text = "Torque from a signal"};
inline constexpr EffortNames kTorqueNames{"P1", "T", 0, "N.m"};
using MechanicTorqueTransformer = EffortSource<Rotational, In, &RotationalNode::T, kTorque, kTorqueNames>;

class MechanicTranslationalSpring final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicTranslationalSpring",
                                   .text = "Spring; its preload is a start force at both ends"};
  void Initialize() override {
    const double Z = k * T() / (1 - alpha);
    P1->c = P2->F + Z * P2->v;
    P2->c = P1->F + Z * P1->v;
    P1->Zc = P2->Zc = Z;
  }
  void SimulateOneTimestep(double /*t*/) override {
    ExchangeWaves(*P1, P1->v, *P2, P2->v, k * T() / (1 - alpha), alpha);
  }

 private:
  Mechanic P1{this, "P1"}, P2{this, "P2"};
  Const alpha{this, "alpha", 0};
  In k{this, "k", 100, "N/m"};
};

class MechanicTorsionalSpring final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicTorsionalSpring", .text = "Torsion spring"};
  void Initialize() override {
    P1->c = P1->T;
    P2->c = P2->T;
    P1->Zc = P2->Zc = k * T();
  }
  void SimulateOneTimestep(double /*t*/) override { ExchangeWaves(*P1, P1->w, *P2, P2->w, k * T(), 0); }

 private:
  Rotational P1{this, "P1"}, P2{this, "P2"};
  Const k{this, "k", 100, "N.m/rad"};
};

/// A torsion spring with a low-pass filter in its waves.
template <class Stiffness>
class FilteredShaft final : public CComponent {
 public:
  static constexpr ModelInfo kInfo = Stiffness::kInfo;
  void Initialize() override {
    const double Z = stiffness_.Ks() * T() / (1 - stiffness_.alpha);
    Pmr1->c = Pmr1->T - Z * Pmr1->w;
    Pmr2->c = Pmr2->T - Z * Pmr2->w;
    const double to1 = Pmr2->c + 2 * Z * Pmr2->w, to2 = Pmr1->c + 2 * Z * Pmr1->w;
    const double alpha = stiffness_.alpha;
    Pmr1->c = alpha * Pmr1->T + (1 - alpha) * to1;
    Pmr2->c = alpha * Pmr2->T + (1 - alpha) * to2;
    Pmr1->Zc = Pmr2->Zc = Z;
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double alpha = stiffness_.alpha;
    ExchangeWaves(*Pmr1, Pmr1->w, *Pmr2, Pmr2->w, stiffness_.Ks() * T() / (1 - alpha), alpha);
  }

 private:
  Rotational Pmr1{this, "Pmr1"}, Pmr2{this, "Pmr2"};
  Stiffness stiffness_{this};
};
struct GivenStiffness {
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicRotShaft", .text = "Elastic shaft"};
  explicit GivenStiffness(HopsanComponent* owner)
      : stiffness{owner, "Ks", 1000, "N.m/rad"}, alpha{owner, "alpha", 0.1} {}
  double Ks() const { return stiffness; }
  In stiffness, alpha;
};
struct TubeStiffness {
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicRotShaftG",
                                   .text = "Elastic shaft of given diameters and length"};
  explicit TubeStiffness(HopsanComponent* owner)
      : dy{owner, "dy", 0.02, "m"},
        di{owner, "di", 0, "m"},
        len{owner, "len", 0.1, "m"},
        G{owner, "G", 7.93e10, "Pa"},
        alpha{owner, "alpha", 0.1} {}
  /// pi/32 (dy^4 - di^4) G/len, with pi/32 as Hopsan rounds it.
  double Ks() const { return 0.0981748 * (dy * dy * dy * dy - di * di * di * di) * G / len; }
  In dy, di, len, G, alpha;
};
using MechanicRotShaft = FilteredShaft<GivenStiffness>;
using MechanicRotShaftG = FilteredShaft<TubeStiffness>;

/// Z2 = Ks T/(1 - alpha), Z1 = Z2/g^2. Waves one step later than those of a shaft: f filters, c = f'.
class MechanicGearShaft final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicGearShaft",
                                   .text = "Elastic shaft behind a gear of the ratio w1/w2"};
  void Initialize() override {
    filter_ = alpha;
    Z2_ = Ks * T() / (1 - filter_);
    f1_ = Pmr1->T / gearRatio;
    f2_ = Pmr2->T;
    Pmr1->c = gearRatio * Pmr1->T - Z2_ / (gearRatio * gearRatio) * Pmr1->w;
    Pmr2->c = Pmr2->T - Z2_ * Pmr2->w;
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double g = gearRatio;
    const double n1 = Pmr2->c + 2 * Z2_ * Pmr2->w, n2 = g * Pmr1->c + 2 * Z2_ * Pmr1->w / g;
    Pmr1->c = f1_ / g;
    Pmr2->c = f2_;
    f1_ = (1 - filter_) * n1 + filter_ * f1_;
    f2_ = (1 - filter_) * n2 + filter_ * f2_;
    Pmr2->Zc = Z2_;
    Pmr1->Zc = Z2_ / (g * g);
  }
  void ArchiveMemory(Archive& archive) override { archive(filter_, Z2_, f1_, f2_); }

 private:
  Rotational Pmr1{this, "Pmr1"}, Pmr2{this, "Pmr2"};
  In gearRatio{this, "gearRatio", 1}, Ks{this, "Ks", 1000, "N.m/rad"}, alpha{this, "alpha", 0.9};
  double filter_ = 0, Z2_ = 0, f1_ = 0, f2_ = 0;
};

/// c = K_p e + K_i Int(e) + K_d e', e = omega_ref + w.
class MechanicMotor final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.MechanicMotor",
                                   .text = "Ideal motor whose PID controller holds a speed"};
  void Initialize() override {
    integral_.Start(0, 0);
    slope_.Start(omega_ref + P1->w, 0);
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double e = omega_ref + P1->w;
    P1->c = K_p * e + K_i * integral_.Step(e, T()) +
            K_d * slope_.Step(e, T(), {.n0 = 0, .n1 = 1, .d0 = 1, .d1 = 0});
    P1->Zc = 0;
  }
  void ArchiveMemory(Archive& archive) override { archive(integral_, slope_); }

 private:
  Rotational P1{this, "P1"};
  In omega_ref{this, "omega_ref", 0, "rad/s"}, K_p{this, "K_p", 10}, K_i{this, "K_i", 100};
  In K_d{this, "K_d", 100};
  Integrator integral_;
  FirstOrderFilter slope_;
};

}  // namespace davit::hopsan
