#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "hopsan/component.h"
#include "hopsan/laws/filters.h"

namespace davit::hopsan {

/// A line whose waves are filtered by friction that depends on the frequency: two lead-lag filters for what
/// arrives from the other end, low-pass filters of the resistance at each end.
class HydraulicHose final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicHose",
                                   .text = "Hose with friction that depends on the frequency"};
  void Initialize() override {
    constexpr double pi = std::numbers::pi;
    R_ = 128 * eta * l / (pi * d * d * d * d);
    const double a0 = std::sqrt(beta_e / rho), delay = l / a0;
    double N = delay / T() + 0.5;
    Z0_ = rho * a0 / (pi * d * d / 4 * (delay / (N * T())));
    N = std::max(N, 1.0);
    Tn_ = N * T();
    b_ = 1 / (2.5 * N + 1);
    r_ = (2.5 * N - 1) * b_;
    slot_ = 0;
    lag_ = static_cast<std::size_t>(N);
    for (std::size_t j = 0; j < 2; ++j) {
      HydraulicNode& port = Port(j);
      End& end = ends_[j];
      const double sent = port.p + Z0_ * port.q;
      end.sent.assign(lag_ + 1, sent);
      end.friction.Start(sent, sent);
      end.wall.Start(sent, sent);
      end.f = R_ * port.q * (1 - b_);
      end.e = 0;
      end.R = R_;
      port.Zc = Z0_ + b_ * R_;
      port.c = port.p - port.Zc * port.q;
    }
  }
  void SimulateOneTimestep(double /*t*/) override {
    std::array<double, 2> drop;
    for (std::size_t j = 0; j < 2; ++j) drop[j] = UpdateResistance(ends_[j], Port(j).q);
    const double R_wall = 128 * eta_w * l / (std::numbers::pi * d * d * d * d);
    const double W1 = 1 / (1.25 * Tn_), W2 = W1 * std::exp((ends_[0].R + ends_[1].R) / 4 / Z0_);
    const double W3 = R_wall / (2 * Z0_ * Tn_), W4 = W3 * std::exp(R_wall / (2 * Z0_));
    if (++slot_ > lag_) slot_ = 0;
    const std::size_t arriving = (slot_ + 2) % (lag_ + 1);
    std::array<double, 2> arrived;
    for (std::size_t j = 0; j < 2; ++j) {
      End& end = ends_[j];
      end.sent[slot_] = Port(j).c + 2 * Z0_ * Port(j).q;
      const double lagged =
          end.friction.Step(end.sent[arriving], T(), {.n0 = 1, .n1 = 1 / W2, .d0 = 1, .d1 = 1 / W1});
      arrived[j] = end.wall.Step(lagged, T(), {.n0 = 1, .n1 = 1 / W4, .d0 = 1, .d1 = 1 / W3});
    }
    for (std::size_t j = 0; j < 2; ++j) {
      HydraulicNode& port = Port(j);
      End& end = ends_[j];
      const double Rq = end.R * port.q;
      end.f = r_ * (end.f + b_ * Rq) + b_ * Rq;
      end.e = r_ * end.e + 2 * b_ * (drop[j] - Rq);
      port.c = arrived[1 - j] + end.f - b_ * Rq + end.e;
      port.Zc = Z0_ + b_ * end.R;
    }
  }
  void ArchiveMemory(Archive& archive) override {
    archive(R_, Z0_, Tn_, b_, r_, slot_, lag_);
    for (End& end : ends_) {
      archive.List(end.sent);
      archive(end.friction, end.wall, end.f, end.e, end.R);
    }
  }

 private:
  struct End {
    std::vector<double> sent;  ///< c + 2 Z0 q of the last steps
    FirstOrderFilter friction, wall;
    double f = 0, e = 0, R = 0;
  };
  HydraulicNode& Port(std::size_t j) { return j == 0 ? *P1 : *P2; }
  /// Sets the resistance at an end; returns the pressure drop of half the line.
  double UpdateResistance(End& end, double q) const {
    constexpr double pi = std::numbers::pi;
    const double Re = std::abs(4 * rho * q / (pi * d * eta));
    double R = R_, drop = R_ * q;
    if (Re >= 2300) {
      const double F = 0.079 * std::pow(Re, -0.25);
      drop = 32 * rho * F * l * std::abs(q) * q / (pi * pi * std::pow(d, 5));
      R = 1.75 * drop / q;
    }
    end.R = (R + end.R) / 2;
    return drop;
  }

  Hydraulic P1{this, "P1"}, P2{this, "P2"};
  Const beta_e{this, "beta_e", 1e9, "Pa"}, eta_w{this, "eta_w", 0.03, "Pa.s"};
  In rho{this, "rho", 870, "kg/m3"}, eta{this, "eta", 0.03, "Pa.s"}, d{this, "d", 0.03, "m"};
  In l{this, "l", 1, "m"};
  double R_ = 0, Z0_ = 0, Tn_ = 0, b_ = 0, r_ = 0;
  std::size_t slot_ = 0, lag_ = 1;
  std::array<End, 2> ends_;
};

}  // namespace davit::hopsan
