#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"
#include "hopsan/laws/implicit_step.h"
#include "hopsan/laws/waves.h"
#include "hopsan/types/effort_source.h"

namespace davit::hopsan {

/// The current i from P1 to P2, and the voltages that it makes.
inline void LeadCurrent(ElectricNode& P1, ElectricNode& P2, double i) {
  P1.i = -i;
  P2.i = i;
  P1.u = P1.c - P1.Zc * i;
  P2.u = P2.c + P2.Zc * i;
}

class ElectricGround final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricGround", .text = "Ground: 0 V"};
  void SimulateOneTimestep(double /*t*/) override { Pel1->c = Pel1->Zc = 0; }

 private:
  Electric Pel1{this, "Pel1"};
};

class ElectricUsource final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricUsource", .text = "Voltage from a signal"};
  void SimulateOneTimestep(double /*t*/) override {
    Pel1->c = uin;
    Pel1->Zc = 0;
  }

 private:
  Electric Pel1{this, "Pel1"};
  In uin{this, "uin", 12, "V"};
};

inline constexpr ModelInfo kVoltageSource{.name = "hopsan.ElectricVoltageSourceMultiPortC",
                                          .text = "Voltage from a signal, any number of ports"};
inline constexpr EffortNames kVoltages{"P1", "U", 12, "V"};
using ElectricVoltageSourceMultiPortC =
    EffortSource<Electrics, In, &ElectricNode::u, kVoltageSource, kVoltages>;

class ElectricVoltageSourceQ final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricVoltageSourceQ",
                                   .text = "Voltage from a signal, at a C component"};
  void SimulateOneTimestep(double /*t*/) override {
    Pel1->i = (U - Pel1->c) / Pel1->Zc;
    Pel1->u = U;
  }

 private:
  Electric Pel1{this, "Pel1"};
  In U{this, "U", 12, "V"};
};

/// A delay line whose flows are weighed by the impedance of the step before: 0 until the first step.
class ElectricCapacitance2 final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricCapacitance2", .text = "Capacitor"};
  void SimulateOneTimestep(double /*t*/) override {
    ExchangeWaves(*Pel1, Pel1->i, *Pel2, Pel2->i, Pel1->Zc, alpha, T() / ((1 - alpha) * Cc));
  }

 private:
  Electric Pel1{this, "Pel1"}, Pel2{this, "Pel2"};
  In Cc{this, "Cc", 1e-4, "F"}, alpha{this, "alpha", 0.1};
};

class ElectricInductanceC final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricInductanceC", .text = "Inductor as a delay line"};
  void Initialize() override { SimulateOneTimestep(0); }
  void SimulateOneTimestep(double /*t*/) override {
    Cp = T() * T() / Induct;
    ExchangeWaves(*Pel1, Pel1->i, *Pel2, Pel2->i, Pel1->Zc, alpha, (1 - alpha) * Induct / T());
  }

 private:
  Electric Pel1{this, "Pel1"}, Pel2{this, "Pel2"};
  In Induct{this, "Induct", 0.1, "H"}, alpha{this, "alpha", 0.1};
  Out Cp{this, "Cp", 0, "F"};
};

class ElectricResistor final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricResistor",
                                   .text = "Resistor of the conductance Conduct"};
  void SimulateOneTimestep(double /*t*/) override {
    LeadCurrent(*Pel1, *Pel2, Conduct * (Pel1->c - Pel2->c) / (1 + Conduct * (Pel1->Zc + Pel2->Zc)));
  }

 private:
  Electric Pel1{this, "Pel1"}, Pel2{this, "Pel2"};
  In Conduct{this, "Conduct", 0.1, "A/V"};
};

/// soc' = -i/(3600 capacity) within 0.001..0.999, i = cond (ubatt - u);
/// ubatt = 2^kappa unom asin(soc)^kappa (E - 1)/(E + 1), E = e^(10 soc/kappa).
class ElectricBattery final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricBattery",
                                   .text = "Battery with a state of charge; capacity in A h"};
  void Initialize() override { rate_ = -Pel1->i / (3600 * capacity); }
  void SimulateOneTimestep(double /*t*/) override {
    const double before = soc;
    std::array<double, 3> y{soc, Pel1->i, ubatt};
    SolveImplicitStep(y, [&](const auto& unknowns) {
      const auto& [s, i, u] = unknowns;
      const auto free = before + T() / 2 * (-i / (3600 * capacity) + rate_);
      const auto E = exp(10 * std::log(e) / kappa * s);
      return std::array{s - Limited(free, 0.001, 0.999), i - cond * (u - (Pel1->c + Pel1->Zc * i)),
                        u - std::pow(2, kappa) * unom * pow(asin(s), kappa) * ((E - 1) / (E + 1))};
    });
    soc = std::clamp(y[0], 0.001, 0.999);
    Pel1->i = y[1];
    Pel1->u = Pel1->c + Pel1->Zc * y[1];
    ubatt = y[2];
    rate_ = -y[1] / (3600 * capacity);
  }
  void ArchiveMemory(Archive& archive) override { archive(rate_); }

 private:
  Electric Pel1{this, "Pel1"};
  In cond{this, "cond", 1000, "A/V"}, unom{this, "unom", 12, "V"}, capacity{this, "capacity", 41, "A.h"};
  In kappa{this, "kappa", 0.1}, e{this, "e", 2.71828};
  Out soc{this, "soc", 1}, ubatt{this, "ubatt", 0, "V"};
  double rate_ = 0;  ///< of soc, in the step before [1/s]
};

/// (JL + g^2 Jm) w' = g Ke i - T - (BL + g^2 Bm) w - (g Tm0 + myfric |T|) w/wc, the last factor within -1..1;
/// i = (u1 - u2 - g Ke w)/Ra.
template <class Gear, const ModelInfo& info>
class ElectricMotorWith final : public QComponent {
 public:
  static constexpr ModelInfo kInfo = info;
  void Initialize() override {
    a_ = Pmr1->a;
    w_ = Pmr1->w;
    torque_ = Accelerating(w_, Pel2->i, Pmr1->T);
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double h = T(), g = gear_.ratio(), J = gear_.inertia() + g * g * Jm;
    std::array<double, 3> y{w_, Pel2->i, Pmr1->T};
    SolveImplicitStep(y, [&](const auto& unknowns) {
      const auto& [w, i, torque] = unknowns;
      return std::array{w - w_ - h / (2 * J) * (Accelerating(w, i, torque) + torque_),
                        Ra * i - (Pel1->c - Pel1->Zc * i - Pel2->c - Pel2->Zc * i - g * Ke * w),
                        torque - Pmr1->c - Pmr1->Zc * w};
    });
    const double w = y[0], i = y[1];
    a_ += h / 2 * (w + w_);
    w_ = w;
    torque_ = Accelerating(w, i, y[2]);
    LeadCurrent(*Pel1, *Pel2, i);
    Pmr1->w = w;
    Pmr1->a = a_;
    Pmr1->T = Pmr1->c + Pmr1->Zc * w;
    gear_.Show(g * w);
    tormg = Ke * i - Bm * g * w - Tm0 * std::clamp(w / wc, -1.0, 1.0);
    Pin = i * (Pel1->u - Pel2->u);
    Pout = w * Pmr1->T;
  }
  void ArchiveMemory(Archive& archive) override { archive(a_, w_, torque_); }

 private:
  template <class Number>
  Number Accelerating(const Number& w, const Number& i, const Number& torque) const {
    using std::abs;
    const double g = gear_.ratio();
    const Number dry = g * Tm0 + gear_.friction() * abs(torque);
    return g * Ke * i - torque - (gear_.damping() + g * g * Bm) * w - dry * Direction(w / wc);
  }
  static double Direction(double x) { return std::clamp(x, -1.0, 1.0); }
  template <std::size_t N>
  static Dual<N> Direction(const Dual<N>& x) {
    return Limited(x, -1, 1);
  }

  Electric Pel1{this, "Pel1"}, Pel2{this, "Pel2"};
  Rotational Pmr1{this, "Pmr1"};
  In Ke{this, "Ke", 0.13, "V.s/rad"}, Ra{this, "Ra", 0.04, "ohm"};
  In Tm0{this, "Tm0", 0, "N.m"}, wc{this, "wc", 1, "rad/s"}, Bm{this, "Bm", 0.0012, "N.m.s/rad"};
  In Jm{this, "Jm", Gear::kInertia, "kg.m2"};
  Out tormg{this, "tormg", 0, "N.m"}, Pin{this, "Pin", 0, "W"};
  Out Pout{this, "Pout", 0, "W"};
  Gear gear_{this};
  double a_ = 0, w_ = 0, torque_ = 0;
};

/// What the motor turns.
class GearAndLoad {
 public:
  static constexpr double kInertia = 0.1;
  explicit GearAndLoad(HopsanComponent* owner)
      : gearRatio{owner, "gearRatio", 1},
        BL{owner, "BL", 0, "N.m.s/rad"},
        JL{owner, "JL", 1, "kg.m2"},
        myfric{owner, "myfric", 0.01},
        wm{owner, "wm", 0, "rad/s"} {}
  double ratio() const { return gearRatio; }
  double inertia() const { return JL; }
  double damping() const { return BL; }
  double friction() const { return myfric; }
  void Show(double speed) { wm = speed; }

 private:
  In gearRatio, BL, JL, myfric;
  Out wm;
};
struct NoGear {
  static constexpr double kInertia = 1;
  explicit NoGear(HopsanComponent* /*owner*/) {}
  static double ratio() { return 1; }
  static double inertia() { return 0; }
  static double damping() { return 0; }
  static double friction() { return 0; }
  static void Show(double /*speed*/) {}
};
inline constexpr ModelInfo kMotorGear{.name = "hopsan.ElectricMotorGear", .text = "DC motor with a gear"};
inline constexpr ModelInfo kMotor{.name = "hopsan.ElectricMotor", .text = "DC motor"};
using ElectricMotorGear = ElectricMotorWith<GearAndLoad, kMotorGear>;
using ElectricMotor = ElectricMotorWith<NoGear, kMotor>;

/// i2 = -d + T (u1 - u2)/(2 L), d what the step before left; u1 = c1 - Zc1 i2, u2 = c2 + Zc2 i2.
class ElectricInductance final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricInductance", .text = "Inductor"};
  void Initialize() override {
    inductance_ = Induct;
    Remember();
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double g = T() / (2 * inductance_);
    const double i = (left_ + g * (Pel1->c - Pel2->c)) / (1 + g * (Pel1->Zc + Pel2->Zc));
    LeadCurrent(*Pel1, *Pel2, i);
    Remember();
  }
  void ArchiveMemory(Archive& archive) override { archive(inductance_, left_); }

 private:
  void Remember() { left_ = Pel2->i + T() / (2 * inductance_) * (Pel1->u - Pel2->u); }

  Electric Pel1{this, "Pel1"}, Pel2{this, "Pel2"};
  In Induct{this, "Induct", 0.1, "H"};
  double inductance_ = 1, left_ = 0;  ///< that of the start [H]; [A]
};

class ElectricSwitch final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricSwitch",
                                   .text = "Switch: conducts where state > 0.5"};
  void SimulateOneTimestep(double /*t*/) override {
    LeadCurrent(*Pel1, *Pel2, (Pel1->c - Pel2->c) * (state > 0.5 ? 1 : 0) / (Pel1->Zc + Pel2->Zc));
  }

 private:
  Electric Pel1{this, "Pel1"}, Pel2{this, "Pel2"};
  In state{this, "state", 0.1};
};

/// i1 = -iref (u1 - u2)/within(u1 - u2) behind a lag 1/(1 + s/wf), within umin..umax;
/// i2 = -i1 (i1 resist + within(u1))/within(u2).
class ElectricIcontroller final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.ElectricIcontroller",
                                   .text = "Converter that draws a current iref and gives its power on"};
  void Initialize() override {
    i_ = Pel1->i;
    target_ = i_;
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double h = T();
    const auto target = [&](const auto& u1, const auto& u2) {
      return -iref * ((u1 - u2) / Limited(u1 - u2, umin, umax));
    };
    std::array<double, 2> y{Pel1->i, Pel2->i};
    SolveImplicitStep(y, [&](const auto& unknowns) {
      const auto& [i1, i2] = unknowns;
      const auto u1 = Pel1->c + Pel1->Zc * i1, u2 = Pel2->c + Pel2->Zc * i2;
      return std::array{i1 - i_ - h * wf / 2 * (target(u1, u2) - i1 + target_ - i_),
                        i2 + i1 * (i1 * resist + Limited(u1, umin, umax)) / Limited(u2, umin, umax)};
    });
    Pel1->i = i_ = y[0];
    Pel2->i = y[1];
    Pel1->u = Pel1->c + Pel1->Zc * y[0];
    Pel2->u = Pel2->c + Pel2->Zc * y[1];
    target_ = target(Dual<1>(Pel1->u), Dual<1>(Pel2->u)).value;
  }
  void ArchiveMemory(Archive& archive) override { archive(i_, target_); }

 private:
  Electric Pel1{this, "Pel1"}, Pel2{this, "Pel2"};
  In iref{this, "iref", 0, "A"}, resist{this, "resist", 0.01, "ohm"}, wf{this, "wf", 10, "rad/s"};
  In umin{this, "umin", 1, "V"}, imax{this, "imax", 10000, "A"}, imin{this, "imin", 0.01, "A"};
  In umax{this, "umax", 1000, "V"};
  double i_ = 0, target_ = 0;
};

}  // namespace davit::hopsan
