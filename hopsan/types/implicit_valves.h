#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "hopsan/component.h"
#include "hopsan/laws/implicit_step.h"

namespace davit::hopsan {

/// An edge of a spool: flow from one port to another.
struct SpoolEdge {
  std::size_t from, to;
  const In* width_share;
  double opening;  ///< [m]
};

/// Spool valve whose edges are solved together: q = K S(p1 - p2), K = Cq pi Sd share opening sqrt(2/rho),
/// each pressure at least 0. The spool has no dynamics. Hopsan takes Xap0 for the underlap of all edges.
class ImplicitSpoolValve : public QComponent {
 protected:
  static constexpr double kPi = 3.14159;  // with as many digits as Hopsan has

  double Opening(double x, const In& underlap) const {
    return std::clamp<double>(Xap0 + x, 0, std::max<double>(underlap + Xvmax, 0));
  }
  template <std::size_t N, std::size_t E>
  void Solve(const std::array<HydraulicNode*, N>& ports, const std::array<SpoolEdge, E>& edges) {
    std::array<double, 2 * N> y;
    for (std::size_t i = 0; i < N; ++i) {
      y[i] = ports[i]->q;
      y[N + i] = ports[i]->p;
    }
    SolveImplicitStep(y, [&](const auto& u) {
      auto rest = u;
      for (const SpoolEdge& edge : edges) {
        const double K = kPi * *edge.width_share * Cq * std::sqrt(2 / rho) * Sd * edge.opening;
        const auto q = K * SmoothRoot(u[N + edge.from] - u[N + edge.to], plam);
        rest[edge.from] = rest[edge.from] + q;
        rest[edge.to] = rest[edge.to] - q;
      }
      for (std::size_t i = 0; i < N; ++i) {
        const double Zc = u[N + i].value > 0 ? ports[i]->Zc : 0;
        rest[N + i] = u[N + i] - Limited(ports[i]->c + Zc * u[i], 0, 1.5e300);
      }
      return rest;
    });
    for (std::size_t i = 0; i < N; ++i) {
      ports[i]->q = y[i];
      ports[i]->p = y[N + i];
    }
  }

  Hydraulic Pp{this, "Pp"}, Pt{this, "Pt"}, Pa{this, "Pa"};
  In xv{this, "xv", 0, "m"}, rho{this, "rho", 870, "kg/m3"}, Cq{this, "Cq", 0.67}, Sd{this, "Sd", 0.01, "m"};
  In Frap{this, "Frap", 1}, Frat{this, "Frat", 1}, Xap0{this, "Xap0", 0, "m"}, Xat0{this, "Xat0", 0, "m"};
  In Xvmax{this, "Xvmax", 0.01, "m"}, plam{this, "plam", 1e4, "Pa"};
};

class HydraulicValve33 final : public ImplicitSpoolValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicValve33",
                                   .text = "3/3 spool valve without dynamics, solved as one"};
  void SimulateOneTimestep(double /*t*/) override {
    Solve(std::array{&*Pp, &*Pt, &*Pa},
          std::array{SpoolEdge{0, 2, &Frap, Opening(xv, Xap0)}, SpoolEdge{1, 2, &Frat, Opening(-xv, Xat0)}});
  }
};

/// Flow force of an edge: 2 Cq pi Sd share opening dp cos(angle), the angle that of the jet, which is
/// straight behind a small opening.
class HydraulicValve43 final : public ImplicitSpoolValve {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicValve43",
                                   .text = "4/3 spool valve without dynamics, solved as one"};
  void SimulateOneTimestep(double /*t*/) override {
    const std::array edges{
        SpoolEdge{0, 2, &Frap, Opening(xv, Xap0)}, SpoolEdge{1, 2, &Frat, Opening(-xv, Xat0)},
        SpoolEdge{0, 3, &Frbp, Opening(-xv, Xbp0)}, SpoolEdge{1, 3, &Frbt, Opening(xv, Xbt0)}};
    Solve(std::array{&*Pp, &*Pt, &*Pa, &*Pb}, edges);
    ffpa = -Force(edges[0], thetapa1, Pp->p - Pa->p);
    ffta = -Force(edges[1], thetata1, Pt->p - Pa->p);
    ffpb = Force(edges[2], thetapb1, Pp->p - Pb->p);
    fftb = Force(edges[3], thetatb1, Pt->p - Pb->p);
    ff = ffpa + ffpb + ffta + fftb;
  }

 private:
  double Force(const SpoolEdge& edge, double angle, double dp) const {
    return 2 * kPi * Cq * *edge.width_share * Sd * edge.opening * dp *
           std::cos((1 - std::exp(-edge.opening / X0f)) * angle);
  }

  Hydraulic Pb{this, "Pb"};
  In Frbp{this, "Frbp", 1}, Frbt{this, "Frbt", 1}, Xbp0{this, "Xbp0", 0, "m"}, Xbt0{this, "Xbt0", 0, "m"};
  In thetapa1{this, "thetapa1", 1.17, "rad"}, thetata1{this, "thetata1", 1.17, "rad"};
  In thetapb1{this, "thetapb1", 1.17, "rad"}, thetatb1{this, "thetatb1", 1.17, "rad"};
  In X0f{this, "X0f", 1e-4, "m"};
  Out ffpa{this, "ffpa", 0, "N"}, ffta{this, "ffta", 0, "N"}, ffpb{this, "ffpb", 0, "N"};
  Out fftb{this, "fftb", 0, "N"}, ff{this, "ff", 0, "N"};
};

}  // namespace davit::hopsan
