#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"
#include "hopsan/laws/flow.h"

namespace davit::hopsan {

/// Opening area of a round port of radius r that passes a kidney of the length phi with grooves g1, g2 at its
/// ends; all lengths along the circumference [m].
struct KidneyOpening {
  double phi, g1, g2, r, R, t, h;  ///< R: where the port is whole; t, h: tangents of the groove's angles

  double Area(double y) const {
    const double k = std::numbers::pi * r * r / 2, end = g1 + phi;
    const auto groove = [this](double z, double g) {
      return std::min(z * z / g * g * t * h, z * z * t * t * h);
    };
    const auto whole = [this](double g) { return g * g * t * t * h; };
    const auto segment = [this](double b) {
      return 2 * r * r * std::acos(b / (2 * r)) - b / 2 * std::sqrt(4 * r * r - b * b);
    };
    if (y < 0) return 0;
    if (y <= g1) return groove(y, g1);
    if (y <= g1 + 2 * r) return whole(g1) + segment(2 * r - y + g1);
    if (y <= R) return whole(g1) + 2 * k + 2 * r * (y - g1 - 2 * r);
    if (y <= R + g1) return groove(g1 + R - y, g1) + 2 * k + 2 * r * (y - g1 - 2 * r);
    if (y <= end) return 2 * k + 2 * r * (R - 2 * r);
    const double closing = 2 * k + 2 * r * (R - 2 * r + end - y);
    if (y <= end + g2) return closing + groove(y - end, g2);
    if (y <= end + R - 2 * r) return closing + whole(g2);
    if (y <= end + R) return segment(y - end - R + 2 * r) + whole(g2);
    if (y <= end + R + g2) return groove(R - y + end + g2, g2);
    return 0;
  }
};

/// Each piston is open to PA over half a turn, to PB over the other.
class HydraulicValvePlate final : public QComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicValvePlate",
                                   .text = "Port plate of a piston machine: openings over the angle"};
  void Initialize() override { angle_.Start(movement, 0); }
  void SimulateOneTimestep(double /*t*/) override {
    constexpr double kRadians = std::numbers::pi / 180;
    const double scale = R_f * kRadians, turned = angle_.Step(movement, T()) / kRadians;
    const KidneyOpening opening{.phi = phi_P * scale,
                                .g1 = phi_1 * scale,
                                .g2 = phi_2 * scale,
                                .r = Delta_alpha * scale,
                                .R = alpha_f * scale,
                                .t = std::tan(theta_1 * kRadians),
                                .h = std::tan(theta_2 * kRadians / 2)};
    DEBUG1 = angle_.value();
    PA->q = PB->q = 0;
    for (std::size_t i = 0; i < P1.size(); ++i) {
      const double at = 360.0 * static_cast<double>(i) / static_cast<double>(P1.size());
      const double area_a = opening.Area(scale * Place(turned, at));
      const double area_b = opening.Area(scale * Place(turned, at + 180));
      if (i == 0) DEBUG2 = area_b;
      if (i + 1 == P1.size()) DEBUG3 = area_a;
      const double to_a = Flow(P1[i], *PA, area_a), to_b = Flow(P1[i], *PB, area_b);
      P1[i].q = -to_a - to_b;
      P1[i].p = P1[i].c + P1[i].Zc * P1[i].q;
      PA->q += to_a;
      PB->q += to_b;
    }
    PA->p = PA->c + PA->Zc * PA->q;
    PB->p = PB->c + PB->Zc * PB->q;
  }
  void ArchiveMemory(Archive& archive) override { archive(angle_); }

 private:
  /// Angle of a piston from where its opening begins [deg]; before it negative.
  double Place(double turned, double start) const {
    const double shift = 90 - phi_P / 2 - phi_1 - Delta_alpha;
    return turned >= 0 ? std::fmod(turned - start - shift, 360)
                       : 360 - std::fmod(std::abs(turned) - start - shift, 360);
  }
  double Flow(const HydraulicNode& piston, const HydraulicNode& port, double area) const {
    return TurbulentFlow(OrificeConductance(0.67, area, rho), {piston.c, piston.Zc}, {port.c, port.Zc});
  }

  Hydraulics P1{this, "P1"};
  Hydraulic PA{this, "PA"}, PB{this, "PB"};
  In phi_P{this, "phi_P", 160, "deg"}, phi_1{this, "phi_1", 6, "deg"}, phi_2{this, "phi_2", 6, "deg"};
  In Delta_alpha{this, "Delta_alpha", 5, "deg"}, alpha_f{this, "alpha_f", 30, "deg"};
  In R_f{this, "R_f", 0.03, "m"}, theta_1{this, "theta_1", 6, "deg"}, theta_2{this, "theta_2", 90, "deg"};
  In rho{this, "rho", 870, "kg/m3"}, movement{this, "movement", 160, "rad/s"};
  Out DEBUG1{this, "DEBUG1"}, DEBUG2{this, "DEBUG2"}, DEBUG3{this, "DEBUG3"};
  Integrator angle_;
};

}  // namespace davit::hopsan
