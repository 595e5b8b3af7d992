#pragma once

#include <array>
#include <cmath>

#include "hopsan/component.h"
#include "hopsan/laws/flow.h"

namespace davit::hopsan {

class HydraulicLaminarOrifice final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicLaminarOrifice", .text = "q = Kc (p1 - p2)"};
  void SimulateOneTimestep(double /*t*/) override {
    const double K = std::abs(Kc);
    SolveFlowWithCavitation(*P1, *P2, [K](const Wave& w1, const Wave& w2) {
      return K * (w1.c - w2.c) / (1 + K * (w1.Zc + w2.Zc));
    });
  }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  In Kc{this, "Kc", 1e-11, "m3/s/Pa"};
};

class HydraulicTurbulentOrifice final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicTurbulentOrifice",
                                   .text = "q = C_q A sqrt(2 dp/rho), without a laminar range"};
  void Initialize() override { SimulateOneTimestep(0); }
  void SimulateOneTimestep(double /*t*/) override {
    const double K = OrificeConductance(C_q, std::abs(A), rho);
    SolveFlowWithCavitation(*P1, *P2,
                            [K](const Wave& w1, const Wave& w2) { return TurbulentFlow(K, w1, w2); });
  }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  In A{this, "A", 1e-5, "m2"}, C_q{this, "C_q", 0.67}, rho{this, "rho", 870, "kg/m3"};
};

class HydraulicCheckValve final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicCheckValve",
                                   .text = "q = K_s sqrt(p1 - p2), never backwards"};
  void SimulateOneTimestep(double /*t*/) override {
    SolveFlowWithCavitation(*P1, *P2, [this](const Wave& w1, const Wave& w2) {
      x = w1.c > w2.c ? 1 : 0;
      return w1.c > w2.c ? TurbulentFlow(K_s, w1, w2) : 0;
    });
  }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  In K_s{this, "K_s", 5e-7, "m3/s/sqrt(Pa)"};
  Out x{this, "x"};
};

/// Open where c1 + phi c_pilot - c2 > p_f, then in both directions; where a port cavitates, where c1 > c2.
class HydraulicPilotControlledCheckValve final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPilotControlledCheckValve",
                                   .text = "Check valve that a pilot pressure opens"};
  void SimulateOneTimestep(double /*t*/) override {
    const double pilot = P_PILOT->c;
    SolveWithCavitation(
        std::array{&*P1, &*P2},
        [&](const std::array<Wave, 2>& w, std::array<double, 2>& q, bool cavitates) {
          const bool is_open = cavitates || pilot < 0 ? w[0].c > w[1].c : w[0].c + phi * pilot - w[1].c > p_f;
          x = is_open ? 1 : 0;
          q[1] = is_open ? TurbulentFlow(K_s, w[0], w[1]) : 0;
          q[0] = -q[1];
        },
        Clamping::kPressure);
    P_PILOT->p = pilot;
    P_PILOT->q = 0;
  }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"}, P_PILOT{this, "P_PILOT"};
  Const K_s{this, "K_s", 5e-7};
  In phi{this, "phi", 3.5}, p_f{this, "p_f", 1e5, "Pa"};
  Out x{this, "x"};
};

/// Connects port 3 with the port of the higher pressure of the step before.
class HydraulicShuttleValve final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicShuttleValve",
                                   .text = "Shuttle valve: the higher of two pressures, without a loss"};
  void SimulateOneTimestep(double /*t*/) override {
    const bool is_1 = P1->p > P2->p;
    HydraulicNode& open = is_1 ? *P1 : *P2;
    HydraulicNode& shut = is_1 ? *P2 : *P1;
    P3->q = (open.c - P3->c) / (open.Zc + P3->Zc);
    open.q = -P3->q;
    shut.q = 0;
    for (HydraulicNode* port : {&*P1, &*P2, &*P3}) port->p = std::max(port->c + port->Zc * port->q, 0.0);
    out = is_1 ? -1 : 1;
  }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"}, P3{this, "P3"};
  Out out{this, "out"};
};

}  // namespace davit::hopsan
