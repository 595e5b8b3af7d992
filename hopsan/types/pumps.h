#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"
#include "hopsan/laws/flow.h"

namespace davit::hopsan {

/// Flow q out of port 1 into port 2 at which neither pressure is negative; where both cannot be, port 1
/// counts.
inline double LimitedPumpFlow(double q, const Wave& w1, const Wave& w2) {
  // Of no impedance a limit is infinite, or no number. Most flows are within them: no division then.
  if (!(w2.Zc > 0 && w2.c + w2.Zc * q > 0)) {
    const double least = -w2.c / w2.Zc;
    if (q < least) q = least;
  }
  if (!(w1.Zc > 0 && w1.c - w1.Zc * q > 0)) {
    const double most = w1.c / w1.Zc;
    if (q > most) q = most;
  }
  return q;
}

/// q = D n/2pi + C (p1 - p2), limited so that no pressure is negative.
class PumpAtSpeed : public QComponent {
 protected:
  static Wave Seen(const HydraulicNode& port) { return {port.c, port.Zc}; }
  static double PumpFlow(double ideal, double C, const Wave& w1, const Wave& w2) {
    return (ideal + C * (w1.c - w2.c)) / (1 + C * (w1.Zc + w2.Zc));
  }
  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Out a{this, "a", 0, "rad"};
};

class HydraulicFixedDisplacementPump final : public PumpAtSpeed {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicFixedDisplacementPump",
                                   .text = "Pump with constant displacement at a given speed"};
  void Initialize() override { a = 0; }
  [[gnu::always_inline]] void SimulateOneTimestep(double /*t*/) override {
    const double ideal = D_p * n_p / (2 * std::numbers::pi);
    Wave w1 = Seen(*P1), w2 = Seen(*P2);
    double q = LimitedPumpFlow(PumpFlow(ideal, C_lp, w1, w2), w1, w2);
    const double q1 = -q;
    double p1 = w1.c + w1.Zc * q1, p2 = w2.c + w2.Zc * q;
    if (p1 < 0 || p2 < 0) {
      if (p1 < 0) w1 = {};
      if (p2 < 0) w2 = {};
      q = PumpFlow(ideal, C_lp, w1, w2);
      p1 = w1.c + w1.Zc * q1;
      p2 = w2.c + w2.Zc * q;
      if (p1 <= 0) {
        p1 = 0;
        q = std::min(q, 0.0);
      }
      if (p2 <= 0) {
        p2 = 0;
        q = std::max(q, 0.0);
      }
    }
    P1->p = p1;
    P1->q = q1;
    P2->p = p2;
    P2->q = q;
    a = a + n_p * T();
  }

 private:
  In n_p{this, "n_p", 250, "rad/s"}, D_p{this, "D_p", 5e-5, "m3"}, C_lp{this, "C_lp", 1e-12, "m3/s/Pa"};
};

class HydraulicVariableDisplacementPump final : public PumpAtSpeed {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicVariableDisplacementPump",
                                   .text = "Pump with the displacement eps D_p at a given speed"};
  void SimulateOneTimestep(double /*t*/) override {
    const Wave w1 = Seen(*P1), w2 = Seen(*P2);
    double q = PumpFlow(eps * D_p * omega_p / (2 * std::numbers::pi), K_cp, w1, w2);
    q = LimitedPumpFlow(q, w1, w2);
    P1->p = std::max(w1.c - w1.Zc * q, 0.0);
    P1->q = -q;
    P2->p = std::max(w2.c + w2.Zc * q, 0.0);
    P2->q = q;
    a = a + omega_p * T();
  }

 private:
  In eps{this, "eps", 1}, omega_p{this, "omega_p", 50, "rad/s"}, D_p{this, "D_p", 5e-5, "m3"};
  In K_cp{this, "K_cp", 1e-12, "m3/s/Pa"};
};

/// The waves of two ports with a leakage k between them: p = C + g Z q, q into the ports besides the leakage.
struct LeakyPorts {
  double k, g, C1, C2, Z1, Z2;

  LeakyPorts(double leakage, const HydraulicNode& p1, const HydraulicNode& p2)
      : k(leakage),
        g(1 / (1 + k * (p1.Zc + p2.Zc))),
        C1(g * ((k * p2.Zc + 1) * p1.c + k * p1.Zc * p2.c)),
        C2(g * ((k * p1.Zc + 1) * p2.c + k * p2.Zc * p1.c)),
        Z1(g * p1.Zc),
        Z2(g * p2.Zc) {}
};

/// J w' = d (p1 - p2) - T3 - B_m w, d = D_m eps/2pi.
template <class Setting>
class MotorWithInertia final : public QComponent {
 public:
  static constexpr ModelInfo kInfo = Setting::kInfo;
  void Initialize() override { shaft_.Start(0, 0, 0); }
  void SimulateOneTimestep(double /*t*/) override {
    const double d = D_m * setting_.Eps() / (2 * std::numbers::pi);
    const LeakyPorts ports(setting_.leakage, *P1, *P2);
    const double damping = T() * (B_m + (P1->Zc + P2->Zc) * d * d + P3->Zc) / J_m;
    shaft_.Step(((ports.C1 - ports.C2) * d - P3->c) / J_m, damping, T());
    const double w = shaft_.v();
    double q = -d * w;
    if (const double least = -ports.C1 / ports.Z1; q < least) q = least;
    if (const double most = ports.C2 / ports.Z2; q > most) q = most;
    P1->p = ports.C1 + ports.Z1 * q;
    P2->p = ports.C2 - ports.Z2 * q;
    P1->q = q - ports.k * (P1->p - P2->p);
    P2->q = -P1->q;
    P3->T = P3->c + w * P3->Zc;
    P3->w = w;
    P3->a = shaft_.y();
  }
  void ArchiveMemory(Archive& archive) override { archive(shaft_); }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Rotational P3{this, "P3"};
  In D_m{this, "D_m", 5e-5, "m3"}, B_m{this, "B_m", 0, "N.m.s/rad"}, J_m{this, "J_m", 0.1, "kg.m2"};
  Setting setting_{this};
  DampedDoubleIntegrator shaft_;
};
struct FixedSetting {
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicFixedDisplacementMotorQ",
                                   .text = "Motor with constant displacement and inertia"};
  explicit FixedSetting(HopsanComponent* owner) : leakage{owner, "C_lm", 1e-12, "m3/s/Pa"} {}
  static double Eps() { return 1; }
  In leakage;
};
struct VariableSetting {
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicVariableDisplacementMotorQ",
                                   .text = "Motor with the displacement eps D_m and inertia"};
  explicit VariableSetting(HopsanComponent* owner)
      : leakage{owner, "C_im", 1e-12, "m3/s/Pa"}, eps{owner, "eps", 1} {}
  double Eps() const { return std::clamp<double>(eps, -1, 1); }
  In leakage, eps;
};
using HydraulicFixedDisplacementMotorQ = MotorWithInertia<FixedSetting>;
using HydraulicVariableDisplacementMotorQ = MotorWithInertia<VariableSetting>;

/// Pump whose controller holds p2 a margin p_dif above the pressure at PREF. L, r_p, tao_v, omega_p1:
/// inductance, resistance and lags of the controller; t_p, t_m: shortest times for a full stroke up and down.
class HydraulicPressureControlledPump final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPressureControlledPump",
                                   .text = "Load-sensing pump with the dynamics of its controller"};
  void Initialize() override {
    const LeakyPorts ports(C_lp, *P1, *P2);
    const double p2 = std::max(P2->p, 1.0), q = q_max * eps * Speed();
    y_[0] = y_[1] = q * (Inductance(p2) + r_p * tao_v + ports.Z2 / omega_p1);
    u_[0] = u_[1] = p_dif - ports.C2 + std::max(PREF->c, 0.0);
    P2->q = q;
  }
  void SimulateOneTimestep(double /*t*/) override {
    const LeakyPorts ports(C_lp, *P1, *P2);
    const double w = Speed(), h = T(), p2 = std::max(P2->p, 1.0), L = Inductance(p2);
    const double den = L + r_p * tao_v + ports.Z2 / omega_p1;
    const double g1 = L * tao_v / den, g2 = (r_p + ports.Z2) / den;
    const double u = p_dif - ports.C2 + std::max(PREF->c, 0.0);
    const double A = 4 * g1 / (h * h), B = 2 / (omega_p1 * h), G = g2 + A + 2 / h;
    double y =
        (-2 * (g2 - A) * y_[0] - (g2 + A - 2 / h) * y_[1] + (B + 1) * u + 2 * u_[0] + (1 - B) * u_[1]) / G;
    const double load = std::abs(p2 - 1e5) / 7e6;
    const double up = q_max * w * den * std::sqrt(load / t_p), down = q_max * w * den * std::sqrt(load / t_m);
    y = y_[0] + h * std::max(-down, std::min(up, (y - y_[0]) / h));
    y = std::max(q_min * w * den, std::min(q_max * w * den, y));
    y_[1] = std::exchange(y_[0], y);
    u_[1] = std::exchange(u_[0], u);
    const double q = LimitedPumpFlow(y / den, {ports.C1, ports.Z1}, {ports.C2, ports.Z2});
    P1->p = ports.C1 - ports.Z1 * q;
    P2->p = ports.C2 + ports.Z2 * q;
    P2->q = q - ports.k * (P2->p - P1->p);
    P1->q = -P2->q;
    PREF->p = std::max(PREF->c, 0.0);
    PREF->q = 0;
    eps = P2->q / (q_max * w);
    a = a + omega_p * h;
  }
  void ArchiveMemory(Archive& archive) override { archive(y_, u_); }

 private:
  double Speed() const { return omega_p / 125; }
  double Inductance(double p2) const { return l_p * std::sqrt(7e6 / p2) * 125 / (omega_p + 0.001); }

  Hydraulic P1{this, "P1"}, P2{this, "P2"}, PREF{this, "PREF", Connecting::kOptional};
  Const q_min{this, "q_min", 0, "m3/s"};
  Out eps{this, "eps", 1}, a{this, "a", 0, "rad"};
  In p_dif{this, "p_dif", 1e6, "Pa"}, omega_p{this, "omega_p", 125, "rad/s"};
  In q_max{this, "q_max", 1.25e-3, "m3/s"}, l_p{this, "l_p", 7e7}, r_p{this, "r_p", 1e9};
  In omega_p1{this, "omega_p1", 200, "rad/s"}, C_lp{this, "C_lp", 1e-12, "m3/s/Pa"};
  In tao_v{this, "tao_v", 1e-3, "s"}, t_p{this, "t_p", 0.15, "s"}, t_m{this, "t_m", 0.12, "s"};
  std::array<double, 2> y_{}, u_{};
};

}  // namespace davit::hopsan
