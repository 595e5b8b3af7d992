#pragma once

#include <algorithm>
#include <array>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"
#include "hopsan/laws/implicit_step.h"

namespace davit::hopsan {

/// (m_l s2 + B s + k_l) x = A_1 p1 - A_2 p2 - F, 0 <= x <= s_l.
class HydraulicCylinderQ final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicCylinderQ",
                                   .text = "Piston with mass and spring between two ports, no own volumes"};
  void Initialize() override {
    position_.Start(0, P3->x, {0, s_l});
    speed_.Start(0, P3->v);
  }
  void SimulateOneTimestep(double /*t*/) override {
    double c1 = P1->c, Z1 = P1->Zc, c2 = P2->c, Z2 = P2->Zc;
    const SecondOrderFilter position = position_;
    const FirstOrderFilter speed = speed_;
    for (;;) {
      const double F = A_1 * c1 - A_2 * c2 - P3->c;
      const double B = B_p + B_l + A_1 * A_1 * Z1 + A_2 * A_2 * Z2 + P3->Zc;
      P3->x = position_.Step(F, T(), {.d0 = k_l, .d1 = B, .d2 = m_l});
      if (position_.is_saturated()) {
        P3->v = 0;
        speed_.Set(0, 0);
      } else {
        P3->v = speed_.Step(F - k_l * P3->x, T(), {.d0 = B, .d1 = m_l});
      }
      P1->q = -A_1 * P3->v;
      P2->q = A_2 * P3->v;
      P1->p = c1 + Z1 * P1->q;
      P2->p = c2 + Z2 * P2->q;
      if (P1->p >= 0 && P2->p >= 0) break;
      if (P1->p < 0) c1 = Z1 = 0;
      if (P2->p < 0) c2 = Z2 = 0;
      position_ = position;
      speed_ = speed;
    }
    P3->F = P3->c + P3->Zc * P3->v;
  }
  void ArchiveMemory(Archive& archive) override { archive(position_, speed_); }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Mechanic P3{this, "P3"};
  Const m_l{this, "m_l", 0.05, "kg"}, s_l{this, "s_l", 0.01, "m"};
  In A_1{this, "A_1", 1e-4, "m2"}, A_2{this, "A_2", 1e-4, "m2"}, B_p{this, "B_p", 0, "N.s/m"};
  In B_l{this, "B_l", 0, "N.s/m"}, k_l{this, "k_l", 100, "N/m"};
  SecondOrderFilter position_;
  FirstOrderFilter speed_;
};

/// mL x'' = A1 p1 - A2 p2 - F - (bL + bp) x'; at a limit of x the speed is 1e-9 of what it would be.
class HydraulicPistonMload final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPistonMload",
                                   .text = "Piston with mass between two ports, solved implicitly"};
  void Initialize() override {
    x_ = {Pmp->x, Pmp->x};
    v_ = Pmp->v;
    const double F = A1 * P1->p - A2 * P2->p - Pmp->F - (bL + bp) * v_;
    F_ = {F, F};
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double h = T();
    std::array<double, 2> y{x_[0], v_};
    SolveImplicitStep(y, [&](const auto& unknowns) {
      const auto& [x, v] = unknowns;
      const auto F = Force(v);
      const auto free = 2 * x_[0] - x_[1] + h * h / (4 * mL) * (F + 2 * F_[0] + F_[1]);
      return std::array{x - Limited(free, xmin, xmax),
                        v - (v_ + h / (2 * mL) * (F + F_[0])) * FreeFactor(free.value, xmin, xmax)};
    });
    x_ = {y[0], x_[0]};
    v_ = y[1];
    F_ = {Force(v_), F_[0]};
    Pmp->x = x_[0];
    Pmp->v = v_;
    Pmp->F = Pmp->c + Pmp->Zc * v_;
    const double leak = Cip * Drop(v_);
    P1->q = -A1 * v_ - leak;
    P2->q = A2 * v_ + leak;
    P1->p = P1->c + P1->Zc * P1->q;
    P2->p = P2->c + P2->Zc * P2->q;
  }
  void ArchiveMemory(Archive& archive) override { archive(x_, v_, F_); }

 private:
  /// p1 - p2 at the speed v.
  template <class Number>
  Number Drop(const Number& v) const {
    return (P1->c - P2->c - (A1 * P1->Zc + A2 * P2->Zc) * v) / (1 + Cip * (P1->Zc + P2->Zc));
  }
  /// What accelerates the mass at the speed v.
  template <class Number>
  Number Force(const Number& v) const {
    const Number leak = Cip * Drop(v);
    return A1 * (P1->c - P1->Zc * (A1 * v + leak)) - A2 * (P2->c + P2->Zc * (A2 * v + leak)) -
           (Pmp->c + Pmp->Zc * v) - (bL + bp) * v;
  }
  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Mechanic Pmp{this, "Pmp"};
  In A1{this, "A1", 1e-3, "m2"}, A2{this, "A2", 1e-3, "m2"}, SL{this, "SL", 0.5, "m"};
  In Cip{this, "Cip", 0, "m3/s/Pa"}, bp{this, "bp", 0, "N.s/m"}, mL{this, "mL", 1000, "kg"};
  In bL{this, "bL", 0, "N.s/m"}, fc{this, "fc", 10, "N"}, bfc{this, "bfc", 1};
  In xmin{this, "xmin", 0, "m"}, xmax{this, "xmax", 0.5, "m"};
  std::array<double, 2> x_{}, F_{};  ///< one and two steps ago
  double v_ = 0;
};

/// xmp' = Kca (p1 - pa)/V0 within 0..1, pa = p0/(1 - xmp)^kappa; xmp is the share of the charge.
class HydraulicAckumulator final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicAckumulator",
                                   .text = "Gas accumulator behind a laminar inlet"};
  void Initialize() override {
    rate_ = Kca / V0 * (P1->p - pa);
    SimulateOneTimestep(0);
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double x_before = xmp;
    std::array<double, 4> y{xmp, vmp, pa, P1->p};
    SolveImplicitStep(y, [&](const auto& unknowns) {
      const auto& [x, v, gas, p1] = unknowns;
      const auto rate = Kca / V0 * (p1 - gas), free = x_before + T() / 2 * (rate + rate_);
      return std::array{x - Limited(free, 0, 1), v - rate * FreeFactor(free.value, 0, 1),
                        gas - p0 * pow(Limited(1 - x, 0.1, 1), -kappa),
                        p1 - Limited(P1->c - V0 * v * (p1.value > 0 ? P1->Zc : 0), 0, 1.5e300)};
    });
    xmp = y[0];
    vmp = y[1];
    pa = y[2];
    P1->p = std::max(y[3], 0.0);
    P1->q = -V0 * vmp;
    Va = V0 * (1 - xmp);
    rate_ = Kca / V0 * (P1->p - pa);
  }
  void ArchiveMemory(Archive& archive) override { archive(rate_); }

 private:
  Hydraulic P1{this, "P1"};
  In V0{this, "V0", 1e-3, "m3"}, Kca{this, "Kca", 1e-8, "m3/s/Pa"}, kappa{this, "kappa", 1.2};
  In p0{this, "p0", 1e7, "Pa"};
  Out Va{this, "Va", 1e-3, "m3"}, pa{this, "pa", 1e7, "Pa"}, xmp{this, "xmp"}, vmp{this, "vmp", 0, "1/s"};
  double rate_ = 0;  ///< of xmp, in the step before [1/s]
};

}  // namespace davit::hopsan
