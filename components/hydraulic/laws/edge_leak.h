#pragma once

#include <cmath>
#include <limits>

#include "components/hydraulic/laws/annular_gap.h"
#include "components/hydraulic/laws/solve_restriction.h"

namespace davit {

/// What leaks past a shut edge: laminar, q = G dp, up to a critical pressure drop; in a gap turbulent beyond.
class EdgeLeak {
 public:
  EdgeLeak() = default;
  /// A conductance [m3/s/Pa], laminar at any drop.
  explicit EdgeLeak(double G) : G_(G) {}
  /// Of a gap, whose flow is the smaller of both (AnnularGap::Flow); rho [kg/m3], nu [m2/s].
  EdgeLeak(const AnnularGap& gap, double rho, double nu)
      : G_(gap.LaminarConductance(rho * nu)),
        critical_(gap.CriticalDrop(rho, nu)),
        gap_(gap),
        rho_(rho),
        nu_(nu) {}

  bool is_present() const { return G_ > 0; }
  double conductance() const { return G_; }
  /// The critical pressure drop [Pa].
  double critical() const { return critical_; }
  bool IsLaminar(double dp) const { return std::abs(dp) <= critical_; }
  double Flow(double dp) const { return IsLaminar(dp) ? G_ * dp : gap_.TurbulentFlow(dp, rho_, nu_); }
  FlowAndSlope FlowWithSlope(double dp) const {
    return IsLaminar(dp) ? FlowAndSlope{G_ * dp, G_} : gap_.FlowWithSlope(dp, rho_, nu_);
  }

 private:
  double G_ = 0;
  double critical_ = std::numeric_limits<double>::infinity();  // [Pa]
  AnnularGap gap_;
  double rho_ = 0;
  double nu_ = 0;
};

}  // namespace davit
