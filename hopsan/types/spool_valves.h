#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"
#include "hopsan/laws/flow.h"
#include "hopsan/laws/memo.h"

namespace davit::hopsan {

/// A spool that follows a signal with the dynamics of second order; openings are edges of its circumference.
class SpoolValve : public QComponent {
 public:
  void Initialize() override {
    spool_.Start(xv, xv, {-x_vmax, x_vmax});
    xv = spool_.value();
  }
  void ArchiveMemory(Archive& archive) override { archive(spool_); }

 protected:
  double Reference() const { return std::clamp<double>(in, -x_vmax, x_vmax); }
  /// One step of the spool towards `reference`.
  [[gnu::always_inline]] double MoveSpool(double reference) {
    const double omega = omega_h, delta = delta_h, h = T();
    return xv = spool_.Step(reference, lag_.Of({omega, delta, h}, [=] {
      return SecondOrderStep(SecondOrderRatio::Lag(omega, delta), h);
    }));
  }
  /// K of an edge that is on the fraction f of the circumference.
  double Conductance(double f, double opening) {
    if (!(opening > 0)) return 0;
    const double density = rho;
    return C_q * (f * std::numbers::pi * d * opening) *
           per_density_.Of({density}, [=] { return std::sqrt(2 / density); });
  }
  /// Adds the flow through an edge, solved from its two waves alone.
  template <std::size_t N>
  static void AddFlow(const std::array<Wave, N>& waves, std::array<double, N>& q, std::size_t from,
                      std::size_t to, double K) {
    if (K == 0) return;
    const double flow = TurbulentFlow(K, waves[from], waves[to]);
    q[from] -= flow;
    q[to] += flow;
  }

  Const omega_h{this, "omega_h", 100, "rad/s"}, delta_h{this, "delta_h", 1};
  In in{this, "in", 0, "m"}, C_q{this, "C_q", 0.67}, rho{this, "rho", 870, "kg/m3"};
  In d{this, "d", 0.01, "m"}, x_vmax{this, "x_vmax", 0.01, "m"};
  Out xv{this, "xv", 0, "m"};
  SecondOrderFilter spool_;

 private:
  Memo<3, SecondOrderStep> lag_;
  Memo<1> per_density_;
};

/// P-A opens with x > 0, A-T with x < 0.
class Hydraulic33Valve final : public SpoolValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.Hydraulic33Valve", .text = "3/3 proportional spool valve"};
  void SimulateOneTimestep(double /*t*/) override {
    const double x = MoveSpool(Reference());
    const double Kpa = Conductance(f_pa, x - x_pa), Kat = Conductance(f_at, -x - x_at);
    SolveWithCavitation(std::array{&*PP, &*PT, &*PA},
                        [=](const std::array<Wave, 3>& w, std::array<double, 3>& q, bool is_repetition) {
                          if (!is_repetition || x >= 0) AddFlow(w, q, 0, 2, Kpa);
                          if (!is_repetition || x < 0) AddFlow(w, q, 2, 1, Kat);
                        });
  }

 private:
  Hydraulic PP{this, "PP"}, PT{this, "PT"}, PA{this, "PA"};
  In f_pa{this, "f_pa", 1}, f_at{this, "f_at", 1};
  In x_pa{this, "x_pa", -1e-6, "m"}, x_at{this, "x_at", -1e-6, "m"};
};

/// P-A and B-T open with x > 0, P-B and A-T with x < 0.
class FourEdgeValve : public SpoolValve {
 protected:
  static constexpr std::size_t kP = 0, kT = 1, kA = 2, kB = 3;
  /// The conductances of the four edges at the opening x.
  struct Edges {
    double pa, pb, at, bt;
    template <std::size_t N>
    void AddFlows(const std::array<Wave, N>& w, std::array<double, N>& q) const {
      AddFlow(w, q, kP, kA, pa);
      AddFlow(w, q, kP, kB, pb);
      AddFlow(w, q, kA, kT, at);
      AddFlow(w, q, kB, kT, bt);
    }
  };
  Edges EdgesAt(double x) {
    return {Conductance(f_pa, x - x_pa), Conductance(f_pb, -x - x_pb), Conductance(f_at, -x - x_at),
            Conductance(f_bt, x - x_bt)};
  }
  [[gnu::always_inline]] void SolveFlows(double x) {
    SolveWithCavitation(std::array{&*PP, &*PT, &*PA, &*PB},
                        [edges = EdgesAt(x)](const std::array<Wave, 4>& w, std::array<double, 4>& q,
                                             bool /*is_repetition*/) { edges.AddFlows(w, q); });
  }

  Hydraulic PP{this, "PP"}, PT{this, "PT"}, PA{this, "PA"}, PB{this, "PB"};
  In f_pa{this, "f_pa", 1}, f_pb{this, "f_pb", 1}, f_at{this, "f_at", 1}, f_bt{this, "f_bt", 1};
  In x_pa{this, "x_pa", -1e-6, "m"}, x_pb{this, "x_pb", -1e-6, "m"};
  In x_at{this, "x_at", -1e-6, "m"}, x_bt{this, "x_bt", -1e-6, "m"};
};

class Hydraulic43Valve final : public FourEdgeValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.Hydraulic43Valve", .text = "4/3 proportional spool valve"};
  [[gnu::always_inline]] void SimulateOneTimestep(double /*t*/) override {
    SolveFlows(MoveSpool(Reference()));
  }
};

class Hydraulic43LoadSensingValve final : public FourEdgeValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.Hydraulic43LoadSensingValve",
                                   .text = "4/3 proportional spool valve with a load pressure output"};
  void SimulateOneTimestep(double /*t*/) override {
    const double x = MoveSpool(Reference());
    SolveFlows(x);
    PL->p = x >= 0 ? PA->p : PB->p;
    PL->q = PL->Zc == 0 ? 0 : (PL->p - PL->c) / PL->Zc;
  }

 private:
  Hydraulic PL{this, "PL"};
};

/// In the middle PC1-PC2 is open by x_vmax, less |x| - x_cc.
class HydraulicOpenCenterValve final : public FourEdgeValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicOpenCenterValve",
                                   .text = "6/3 proportional spool valve, open in the middle"};
  void SimulateOneTimestep(double /*t*/) override {
    const double x = MoveSpool(Reference());
    const double closed = std::max(std::min<double>(x_vmax, std::abs(x) - x_cc), 0.0);
    SolveWithCavitation(std::array{&*PP, &*PT, &*PA, &*PB, &*PC1, &*PC2},
                        [edges = EdgesAt(x), Kcc = Conductance(f_cc, x_vmax - closed)](
                            const std::array<Wave, 6>& w, std::array<double, 6>& q, bool /*is_repetition*/) {
                          edges.AddFlows(w, q);
                          AddFlow(w, q, 4, 5, Kcc);
                        });
  }

 private:
  Hydraulic PC1{this, "PC1"}, PC2{this, "PC2"};
  In f_cc{this, "f_cc", 1}, x_cc{this, "x_cc", -1e-6, "m"};
};

/// A spool between 0 and x_vmax.
class OneSidedSpoolValve : public SpoolValve {
 protected:
  void StartSpool(double x) {
    spool_.Start(x, x, {0, x_vmax});
    xv = spool_.value();
  }
  /// Where a signal above 0.5 sends it.
  double OnOffReference() const { return in > 0.5 ? x_vmax : 0.0; }
};

struct TwoPorts {
  Text from, to;
  bool is_on_off;
};
template <const ModelInfo& info, const TwoPorts& ports>
class TwoPortSpoolValve final : public OneSidedSpoolValve {
 public:
  static constexpr ModelInfo kInfo = info;
  void Initialize() override {
    StartSpool(xv);
    SimulateOneTimestep(0);
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double reference = ports.is_on_off ? OnOffReference() : std::clamp<double>(in, 0, x_vmax);
    const auto flow = [K = Conductance(f, MoveSpool(reference))](const Wave& w1, const Wave& w2) {
      return TurbulentFlow(K, w1, w2);
    };
    SolveFlowWithCavitation(*from, *to, flow, Clamping::kNone);
  }

 private:
  Hydraulic from{this, ports.from}, to{this, ports.to};
  In f{this, "f", 1};
};
inline constexpr ModelInfo k22{.name = "hopsan.Hydraulic22Valve", .text = "2/2 proportional spool valve"};
inline constexpr ModelInfo k22Directional{.name = "hopsan.Hydraulic22DirectionalValve",
                                          .text = "2/2 on-off valve: open where in is above 0.5"};
inline constexpr TwoPorts kProportional{"PP", "PA", false}, kOnOff{"P1", "P2", true};
using Hydraulic22Valve = TwoPortSpoolValve<k22, kProportional>;
using Hydraulic22DirectionalValve = TwoPortSpoolValve<k22Directional, kOnOff>;

class Hydraulic32DirectionalValve final : public OneSidedSpoolValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.Hydraulic32DirectionalValve",
                                   .text = "3/2 on-off valve: P-A where in is above 0.5, else A-T"};
  void Initialize() override { StartSpool(xv); }
  void SimulateOneTimestep(double /*t*/) override {
    const double x = MoveSpool(OnOffReference());
    const double Kpa = Conductance(f, x), Kat = Conductance(f, x_vmax - x);
    SolveWithCavitation(std::array{&*PP, &*PT, &*PA},
                        [=](const std::array<Wave, 3>& w, std::array<double, 3>& q, bool /*is_repetition*/) {
                          AddFlow(w, q, 0, 2, Kpa);
                          AddFlow(w, q, 2, 1, Kat);
                        });
  }

 private:
  Hydraulic PP{this, "PP"}, PT{this, "PT"}, PA{this, "PA"};
  In f{this, "f", 1};
};

class Hydraulic42DirectionalValve final : public OneSidedSpoolValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.Hydraulic42DirectionalValve",
                                   .text = "4/2 on-off valve: P-A, B-T where in is above 0.5, else P-B, A-T"};
  /// The spool starts at the value of the signal, taken as a length.
  void Initialize() override { StartSpool(std::clamp<double>(in, 0, x_vmax)); }
  void SimulateOneTimestep(double /*t*/) override {
    const double x = MoveSpool(OnOffReference()), rest = x_vmax - x;
    const double Kpa = Conductance(f_pa, x), Kpb = Conductance(f_pb, rest), Kat = Conductance(f_at, rest),
                 Kbt = Conductance(f_bt, x);
    SolveWithCavitation(std::array{&*PP, &*PT, &*PA, &*PB},
                        [=](const std::array<Wave, 4>& w, std::array<double, 4>& q, bool /*is_repetition*/) {
                          AddFlow(w, q, 0, 2, Kpa);
                          AddFlow(w, q, 0, 3, Kpb);
                          AddFlow(w, q, 2, 1, Kat);
                          AddFlow(w, q, 3, 1, Kbt);
                        });
  }

 private:
  Hydraulic PP{this, "PP"}, PT{this, "PT"}, PA{this, "PA"}, PB{this, "PB"};
  In f_pa{this, "f_pa", 1}, f_pb{this, "f_pb", 1}, f_at{this, "f_at", 1}, f_bt{this, "f_bt", 1};
};

/// Above 0.5 of the second-order lag an orifice, below it a check valve.
class Hydraulic22DirectionalCheckValve final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.Hydraulic22DirectionalCheckValve",
                                   .text = "On-off valve that is a check valve while it is off"};
  void Initialize() override {
    spool_.Start(out, out, {0, 1});
    SimulateOneTimestep(0);
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double x = spool_.Step(in > 0.5 ? 1 : 0, T(), SecondOrderRatio::Lag(omega_h, delta_h));
    out = x;
    SolveFlowWithCavitation(
        *P1, *P2,
        [this, x](const Wave& w1, const Wave& w2) {
          if (x > 0.5) return TurbulentFlow(Kv_open, w1, w2);
          return w1.c > w2.c + F_s ? TurbulentFlow(Kv_check, w1, w2) : 0.0;
        },
        Clamping::kNone);
  }
  void ArchiveMemory(Archive& archive) override { archive(spool_); }

 private:
  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Const omega_h{this, "omega_h", 100, "rad/s"}, delta_h{this, "delta_h", 1};
  In in{this, "in"}, Kv_open{this, "Kv_open", 5e-7, "m3/s/sqrt(Pa)"};
  In Kv_check{this, "Kv_check", 5e-7, "m3/s/sqrt(Pa)"}, F_s{this, "F_s", 0, "Pa"};
  Out out{this, "out"};
  SecondOrderFilter spool_;
};

}  // namespace davit::hopsan
