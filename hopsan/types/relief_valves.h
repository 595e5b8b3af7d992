#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"
#include "hopsan/laws/flow.h"
#include "hopsan/laws/implicit_step.h"
#include "hopsan/laws/memo.h"

namespace davit::hopsan {

/// q = xv sqrt(p1 - p2); xv follows a pressure by the slopes k_cs, k_cf of a steady characteristic, with a
/// hysteresis and a lag, up to that of the nominal flow.
class CharacteristicValve : public QComponent {
 public:
  void ArchiveMemory(Archive& archive) override { archive(spool_); }

 protected:
  void Start(double nominal_pressure) {
    spool_.Start(xv, xv, {0, q_nom / std::sqrt(nominal_pressure)});
    xv = spool_.value();
  }
  [[gnu::always_inline]] void Open(double xs, double width, double lag) {
    const double K = spool_.Step(Hysteresis(xs, width, xv), T(), {.d0 = 1, .d1 = lag});
    xv = K;
    SolveFlowWithCavitation(*P1, *P2,
                            [K](const Wave& w1, const Wave& w2) { return TurbulentFlow(K, w1, w2); });
  }

  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Const k_cs{this, "k_cs", 1e-8, "m3/s/Pa"}, k_cf{this, "k_cf", 1e-8, "m3/s/Pa"};
  Const q_nom{this, "q_nom", 1e-3, "m3/s"};
  Out xv{this, "xv"};

 private:
  FirstOrderFilter spool_;
};

/// Opens with p1 - p_max; the opening gives way to its own flow.
class HydraulicPressureReliefValve final : public CharacteristicValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPressureReliefValve",
                                   .text = "Relief valve by its steady characteristic, with a lag"};
  void Initialize() override { Start(kNominal); }
  [[gnu::always_inline]] void SimulateOneTimestep(double /*t*/) override {
    const double kcs = k_cs, kcf = k_cf;
    const auto& [Cs, Cf] = slopes_.Of({kcs, kcf}, [=] {
      return std::array{std::sqrt(kNominal) / kcs, 1 / (kcf * std::sqrt(kNominal))};
    });
    const double D = P1->p - P2->p, Z = P1->Zc + P2->Zc, root = std::sqrt(std::abs(D)), x = xv;
    const double b1 = Cs + std::max(D * Cf, 0.0), softness = 2 * root + Z * x;
    const double g = softness == 0 ? 1 : 2 * root / softness, b2 = g * Z * root;
    const double per_b = 1 / (b1 + b2), xs = (g * P1->c + b2 * x / 2 - p_max) * per_b;
    Open(xs, p_h * per_b, tao * b1 * per_b);
  }

 private:
  static constexpr double kNominal = 7e6;  // nominal pressure drop [Pa]

  In p_max{this, "p_max", 2e7, "Pa"}, tao{this, "tao", 0.01, "s"}, p_h{this, "p_h", 5e5, "Pa"};
  Memo<2, std::array<double, 2>> slopes_;
};

/// Opens with p1 - p_ref; a pilot pressure opens it with the area ratio a_ratio.
class HydraulicOverCenterValve final : public CharacteristicValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicOverCenterValve",
                                   .text = "Over-centre valve by its steady characteristic, piloted"};
  void Initialize() override { Start(p_nom); }
  void SimulateOneTimestep(double /*t*/) override {
    const double b1 = std::sqrt(p_nom) / k_cs + (P1->p - P2->p) / (k_cf * std::sqrt(p_nom));
    Open((P1->p - p_ref + a_ratio * P_CONTROL->p) / b1, p_h / b1, tao);
    P_CONTROL->p = std::max(P_CONTROL->c, 0.0);
  }

 private:
  Hydraulic P_CONTROL{this, "P_CONTROL"};
  Const tao{this, "tao", 0.01, "s"}, p_nom{this, "p_nom", 7e6, "Pa"};
  In p_ref{this, "p_ref", 2e6, "Pa"}, p_h{this, "p_h", 5e5, "Pa"}, a_ratio{this, "a_ratio", 5};
};

/// Geometry of a spool and its flow force: q2 = Cq sqrt(2/rho) w xv S(p1 - p2), S(y) = y (p0^2 + y^2)^(-1/4),
/// w = pi Dv frac sin(phi); the flow force adds 2 Cq w cos(phi) (p1 - p2) to the spring.
struct SpoolGeometry {
  static constexpr double kPi = 3.14159;  // with as many digits as Hopsan has
  double area, width, conductance, flow_force, p0;

  SpoolGeometry(double Dv, double frac, double phi, double Cq, double rho, double reference)
      : area(0.785398 * Dv * Dv),
        width(kPi * Dv * frac * std::sin(phi)),
        conductance(Cq * std::sqrt(2 / rho) * width),
        flow_force(2 * Cq * width * std::cos(phi)),
        p0(reference) {}
  template <class Number>
  Number Flow(const Number& x, const Number& dp) const {
    return conductance * x * SmoothRoot(dp, p0);
  }
};

/// Bv x' + ke x = Av (p1 - p2) - F0 by the trapezoidal rule, 0 <= x <= Xvmax, solved together with the flow:
/// x = T (Av dp - F0)/(2 Bv + T ke) + what the step before left, which is divided by its own 2 Bv + T ke.
class SpoolBalance {
 public:
  struct Forces {
    double Bv, Xvmax, F0;
  };
  /// What a step with the pressure difference dp, the stiffness ke and the place x leaves.
  void Remember(const SpoolGeometry& spool, const Forces& on, double ke, double dp, double x, double T) {
    left_ = (T * (spool.area * dp - on.F0) + (2 * on.Bv - T * ke) * x) / (2 * on.Bv + T * ke);
  }
  /// The next place; `ke` gives the stiffness at a pressure difference.
  template <class Stiffness>
  double Step(HydraulicNode& P1, HydraulicNode& P2, const SpoolGeometry& spool, const Forces& on,
              const Stiffness& ke, double x_before, double T) {
    std::array<double, 4> y{x_before, P2.q, P1.p, P2.p};
    SolveImplicitStep(y, [&](const auto& u) {
      const auto& [x, q, p1, p2] = u;
      const auto free = T * (spool.area * (p1 - p2) - on.F0) / (2 * on.Bv + T * ke(p1 - p2)) + left_;
      return std::array{x - Limited(free, 0, on.Xvmax), q - spool.Flow(x, p1 - p2),
                        p1 - Limited(P1.c - P1.Zc * q, 0, 1.5e300),
                        p2 - Limited(P2.c + P2.Zc * q, 0, 1.5e300)};
    });
    P2.q = y[1];
    P1.q = -y[1];
    P1.p = y[2];
    P2.p = y[3];
    return y[0];
  }
  void ArchiveMemory(Archive& archive) { archive(left_); }

 private:
  double left_ = 0;  ///< [m]
};

/// A spool with the flow force of the step before.
class HydraulicPressureReliefValveG final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPressureReliefValveG",
                                   .text = "Relief valve: spool with spring and flow force"};
  void Initialize() override {
    const SpoolGeometry spool = Geometry();
    balance_.Remember(spool, Forces(spool), Stiffness(spool), P1->p - P2->p, xv, T());
  }
  void SimulateOneTimestep(double /*t*/) override {
    const SpoolGeometry spool = Geometry();
    const SpoolBalance::Forces on = Forces(spool);
    const double ke = Stiffness(spool);
    xv = balance_.Step(
        *P1, *P2, spool, on, [ke](const auto& /*dp*/) { return ke; }, xv, T());
    balance_.Remember(spool, on, ke, P1->p - P2->p, xv, T());
  }
  void ArchiveMemory(Archive& archive) override { archive(balance_); }

 private:
  SpoolGeometry Geometry() const { return {Dv, frac, phi, Cq, rho, p0}; }
  SpoolBalance::Forces Forces(const SpoolGeometry& spool) const { return {Bv, Xvmax, spool.area * pref}; }
  double Stiffness(const SpoolGeometry& spool) const { return ks + spool.flow_force * (P1->p - P2->p); }

  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  In pref{this, "pref", 1e7, "Pa"}, rho{this, "rho", 870, "kg/m3"}, visc{this, "visc", 0.03, "Pa.s"};
  In Dv{this, "Dv", 0.01, "m"}, frac{this, "frac", 0.1}, Bv{this, "Bv", 1000, "N.s/m"};
  In Xvmax{this, "Xvmax", 0.002, "m"}, Cq{this, "Cq", 0.67}, phi{this, "phi", 1.17, "rad"};
  In ks{this, "ks", 1e4, "N/m"}, p0{this, "p0", 1e5, "Pa"};
  Out xv{this, "xv", 0, "m"};
  SpoolBalance balance_;
};

/// A spool with the flow force of the step itself, opened by the pressure p3 on the share kappa of its area.
class HydraulicCounterBalanceValveG final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicCounterBalanceValveG",
                                   .text = "Counterbalance valve: piloted spool with spring and flow force"};
  void Initialize() override { Remember(Geometry(), P3->c); }
  void SimulateOneTimestep(double /*t*/) override {
    const SpoolGeometry spool = Geometry();
    P3->p = std::max(P3->c, 0.0);
    P3->q = 0;
    xv = balance_.Step(
        *P1, *P2, spool, Forces(spool, P3->p), [&](const auto& dp) { return ks + spool.flow_force * dp; }, xv,
        T());
    Remember(spool, P3->p);
  }
  void ArchiveMemory(Archive& archive) override { archive(balance_); }

 private:
  SpoolGeometry Geometry() const { return {Dv, frac, phi, Cq, rho, p0}; }
  SpoolBalance::Forces Forces(const SpoolGeometry& spool, double p3) const {
    return {Bv, Xvmax, spool.area * (pref - kappa * p3)};
  }
  void Remember(const SpoolGeometry& spool, double p3) {
    const double dp = P1->p - P2->p;
    balance_.Remember(spool, Forces(spool, p3), ks + spool.flow_force * dp, dp, xv, T());
  }

  Hydraulic P1{this, "P1"}, P2{this, "P2"}, P3{this, "P3"};
  In pref{this, "pref", 1e6, "Pa"}, rho{this, "rho", 870, "kg/m3"}, visc{this, "visc", 0.03, "Pa.s"};
  In Dv{this, "Dv", 0.03, "m"}, frac{this, "frac", 0.1}, kappa{this, "kappa", 0.1};
  In Bv{this, "Bv", 100, "N.s/m"}, Xvmax{this, "Xvmax", 0.03, "m"}, Cq{this, "Cq", 0.67};
  In phi{this, "phi", 0.03, "rad"}, ks{this, "ks", 100, "N/m"}, p0{this, "p0", 1e5, "Pa"};
  Out xv{this, "xv", 0, "m"};
  SpoolBalance balance_;
};

}  // namespace davit::hopsan
