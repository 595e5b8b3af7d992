#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"
#include "hopsan/laws/flow.h"
#include "hopsan/laws/implicit_step.h"

namespace davit::hopsan {

/// q = xv sqrt(p1 - p2). xv follows p1 - p_max with the slopes k_cs, k_cf of its steady characteristic, an
/// opening that gives way to its own flow, the hysteresis p_h and a lag.
class HydraulicPressureReliefValve final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPressureReliefValve",
                                   .text = "Relief valve by its steady characteristic, with a lag"};
  void Initialize() override {
    spool_.Start(xv, xv, {0, q_nom / std::sqrt(kNominal)});
    xv = spool_.value();
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double Cs = std::sqrt(kNominal) / k_cs, Cf = 1 / (k_cf * std::sqrt(kNominal));
    const double D = P1->p - P2->p, Z = P1->Zc + P2->Zc, root = std::sqrt(std::abs(D)), x = xv;
    const double b1 = Cs + std::max(D * Cf, 0.0), softness = 2 * root + Z * x;
    const double g = softness == 0 ? 1 : 2 * root / softness, b2 = g * Z * root;
    const double xs = (g * P1->c + b2 * x / 2 - p_max) / (b1 + b2), W = (1 + b2 / b1) / tao;
    const double K = spool_.Step(Hysteresis(xs, p_h / (b1 + b2), x), T(), {.d0 = 1, .d1 = 1 / W});
    xv = K;
    SolveFlowWithCavitation(*P1, *P2,
                            [K](const Wave& w1, const Wave& w2) { return TurbulentFlow(K, w1, w2); });
  }
  void ArchiveMemory(Archive& archive) override { archive(spool_); }

 private:
  static constexpr double kNominal = 7e6;  // nominal pressure drop [Pa]

  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Const k_cs{this, "k_cs", 1e-8, "m3/s/Pa"}, k_cf{this, "k_cf", 1e-8, "m3/s/Pa"};
  Const q_nom{this, "q_nom", 1e-3, "m3/s"};
  In p_max{this, "p_max", 2e7, "Pa"}, tao{this, "tao", 0.01, "s"}, p_h{this, "p_h", 5e5, "Pa"};
  Out xv{this, "xv"};
  FirstOrderFilter spool_;
};

/// The same slopes; a pilot pressure opens it with the area ratio a_ratio.
class HydraulicOverCenterValve final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicOverCenterValve",
                                   .text = "Over-centre valve by its steady characteristic, piloted"};
  void Initialize() override {
    spool_.Start(xv, xv, {0, q_nom / std::sqrt(p_nom)});
    xv = spool_.value();
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double Cs = std::sqrt(p_nom) / k_cs, Cf = 1 / (k_cf * std::sqrt(p_nom));
    const double b1 = Cs + Cf * (P1->p - P2->p);
    const double xs = (P1->p - p_ref + a_ratio * P_CONTROL->p) / b1;
    const double K = spool_.Step(Hysteresis(xs, p_h / b1, xv), T(), {.d0 = 1, .d1 = tao});
    xv = K;
    SolveFlowWithCavitation(*P1, *P2,
                            [K](const Wave& w1, const Wave& w2) { return TurbulentFlow(K, w1, w2); });
    P_CONTROL->p = std::max(P_CONTROL->c, 0.0);
  }
  void ArchiveMemory(Archive& archive) override { archive(spool_); }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"}, P_CONTROL{this, "P_CONTROL"};
  Const tao{this, "tao", 0.01, "s"}, k_cs{this, "k_cs", 1e-8, "m3/s/Pa"};
  Const k_cf{this, "k_cf", 1e-8, "m3/s/Pa"}, q_nom{this, "q_nom", 1e-3, "m3/s"};
  Const p_nom{this, "p_nom", 7e6, "Pa"};
  In p_ref{this, "p_ref", 2e6, "Pa"}, p_h{this, "p_h", 5e5, "Pa"}, a_ratio{this, "a_ratio", 5};
  Out xv{this, "xv"};
  FirstOrderFilter spool_;
};

/// Geometry of a spool and its flow force: q2 = Cq sqrt(2/rho) w xv S(p1 - p2), S(y) = y (p0^2 + y^2)^(-1/4),
/// w = pi Dv frac sin(phi); the flow force adds 2 Cq w cos(phi) (p1 - p2) to the spring.
struct SpoolGeometry {
  double area, width, conductance, flow_force, p0;

  SpoolGeometry(double Dv, double frac, double phi, double Cq, double rho, double reference)
      : area(std::numbers::pi * Dv * Dv / 4),
        width(std::numbers::pi * Dv * frac * std::sin(phi)),
        conductance(Cq * std::sqrt(2 / rho) * width),
        flow_force(2 * Cq * width * std::cos(phi)),
        p0(reference) {}
  template <class Number>
  Number Flow(const Number& x, const Number& dp) const {
    return conductance * x * (dp * pow(p0 * p0 + dp * dp, -0.25));
  }
};

/// Bv xv' + ke xv = Av (p1 - p2 - pref), ke with the pressures of the step before.
class HydraulicPressureReliefValveG final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPressureReliefValveG",
                                   .text = "Relief valve: spool with spring and flow force"};
  void Initialize() override {
    const SpoolGeometry spool = Geometry();
    Remember(spool, ks + spool.flow_force * (P1->p - P2->p));
  }
  void SimulateOneTimestep(double /*t*/) override {
    const SpoolGeometry spool = Geometry();
    const double ke = ks + spool.flow_force * (P1->p - P2->p);
    std::array<double, 4> y{xv, P2->q, P1->p, P2->p};
    SolveImplicitStep(y, [&](const auto& u) {
      const auto& [x, q, p1, p2] = u;
      const auto F = spool.area * (p1 - p2 - pref);
      const auto free = (T() * F + history_) / (2 * Bv + T() * ke);
      return std::array{x - Limited(free, 0, Xvmax), q - spool.Flow(x, p1 - p2),
                        p1 - Limited(P1->c - P1->Zc * q, 0, 1.5e300),
                        p2 - Limited(P2->c + P2->Zc * q, 0, 1.5e300)};
    });
    xv = std::clamp<double>(y[0], 0, Xvmax);
    P2->q = y[1];
    P1->q = -y[1];
    P1->p = std::max(y[2], 0.0);
    P2->p = std::max(y[3], 0.0);
    Remember(spool, ke);
  }
  void ArchiveMemory(Archive& archive) override { archive(history_); }

 private:
  SpoolGeometry Geometry() const { return {Dv, frac, phi, Cq, rho, p0}; }
  void Remember(const SpoolGeometry& spool, double ke) {
    history_ = T() * spool.area * (P1->p - P2->p - pref) + (2 * Bv - T() * ke) * xv;
  }

  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  In pref{this, "pref", 1e7, "Pa"}, rho{this, "rho", 870, "kg/m3"}, visc{this, "visc", 0.03, "Pa.s"};
  In Dv{this, "Dv", 0.01, "m"}, frac{this, "frac", 0.1}, Bv{this, "Bv", 1000, "N.s/m"};
  In Xvmax{this, "Xvmax", 0.002, "m"}, Cq{this, "Cq", 0.67}, phi{this, "phi", 1.17, "rad"};
  In ks{this, "ks", 1e4, "N/m"}, p0{this, "p0", 1e5, "Pa"};
  Out xv{this, "xv", 0, "m"};
  double history_ = 0;  ///< what the step before adds to 2 Bv x [N.s]
};

/// Bv xv' + (ks + 2 Cq w cos(phi) (p1 - p2)) xv = Av (p1 - p2 + kappa p3 - pref).
class HydraulicCounterBalanceValveG final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicCounterBalanceValveG",
                                   .text = "Counterbalance valve: piloted spool with spring and flow force"};
  void Initialize() override {
    ke_ = ks + Geometry().flow_force * (P1->p - P2->p);
    Remember(Geometry(), P3->p);
  }
  void SimulateOneTimestep(double /*t*/) override {
    const SpoolGeometry spool = Geometry();
    const double p3 = std::max(P3->c, 0.0);
    std::array<double, 4> y{xv, P2->q, P1->p, P2->p};
    SolveImplicitStep(y, [&](const auto& u) {
      const auto& [x, q, p1, p2] = u;
      const auto ke = ks + spool.flow_force * (p1 - p2);
      const auto F = spool.area * (p1 - p2 + (kappa * p3 - pref));
      const auto free = (T() * F + history_) / (2 * Bv + T() * ke);
      return std::array{x - Limited(free, 0, Xvmax), q - spool.Flow(x, p1 - p2),
                        p1 - Limited(P1->c - P1->Zc * q, 0, 1.5e300),
                        p2 - Limited(P2->c + P2->Zc * q, 0, 1.5e300)};
    });
    xv = std::clamp<double>(y[0], 0, Xvmax);
    P2->q = y[1];
    P1->q = -y[1];
    P1->p = std::max(y[2], 0.0);
    P2->p = std::max(y[3], 0.0);
    P3->p = p3;
    P3->q = 0;
    Remember(spool, p3);
  }
  void ArchiveMemory(Archive& archive) override { archive(history_, ke_); }

 private:
  SpoolGeometry Geometry() const { return {Dv, frac, phi, Cq, rho, p0}; }
  void Remember(const SpoolGeometry& spool, double p3) {
    const double dp = P1->p - P2->p;
    history_ = T() * spool.area * (dp + kappa * p3 - pref) + (2 * Bv - T() * ke_) * xv;
    ke_ = ks + spool.flow_force * dp;
  }

  Hydraulic P1{this, "P1"}, P2{this, "P2"}, P3{this, "P3"};
  In pref{this, "pref", 1e6, "Pa"}, rho{this, "rho", 870, "kg/m3"}, visc{this, "visc", 0.03, "Pa.s"};
  In Dv{this, "Dv", 0.03, "m"}, frac{this, "frac", 0.1}, kappa{this, "kappa", 0.1};
  In Bv{this, "Bv", 100, "N.s/m"}, Xvmax{this, "Xvmax", 0.03, "m"}, Cq{this, "Cq", 0.67};
  In phi{this, "phi", 0.03, "rad"}, ks{this, "ks", 100, "N/m"}, p0{this, "p0", 1e5, "Pa"};
  Out xv{this, "xv", 0, "m"};
  double history_ = 0;  ///< what the step before adds to 2 Bv x [N.s]
  double ke_ = 0;       ///< spring and flow force at the pressures of the step before [N/m]
};

}  // namespace davit::hopsan
