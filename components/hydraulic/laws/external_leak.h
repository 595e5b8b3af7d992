#pragma once

#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "framework/fault_mode.h"
#include "framework/parameter.h"

namespace davit {

/// A hole in the wall of a volume: oil that leaves the system. q = G*p/(p^2 + d^2)^(1/4), G =
/// external_leak/sqrt(100 bar), d = 1e4 Pa; no air comes in.
struct ExternalLeak {
  explicit ExternalLeak(Component* owner, OptionCondition when = {})
      : flow_at_100_bar{owner, "external_leak", "m3/s", "Leak to the outside: its flow at 100 bar",
                        Number{.value = 0.0, .range = kNonNegative, .when = when}},
        leaks{owner, "leak", "external_leak", 5 / 6e4, "Oil leaks out through a crack, 5 l/min at 100 bar"},
        bursts{owner, "burst", "external_leak", 1000 / 6e4, "The wall bursts: 1000 l/min at 100 bar"} {}

  bool is_present() const { return flow_at_100_bar > 0; }
  /// [m3/s] at the gauge pressure p [Pa].
  double Flow(double p) const { return is_present() && p > 0 ? OrificeFlow(K(), p) : 0; }
  /// The slope of Flow over p [m3/s/Pa].
  double Slope(double p) const { return is_present() && p > 0 ? OrificeFlowAndSlope(K(), p).slope : 0; }
  /// q/p [m3/s/Pa] where a wave component offers p = c - Z q. Pre: is_present().
  double Conductance(double c, double Z) const {
    if (!(c > 0)) return 0;
    const double q = OrificeFlow(K(), c, Z);
    return q / (c - Z * q);
  }

  Parameter flow_at_100_bar;
  FaultMode leaks, bursts;

 private:
  double K() const {
    constexpr double kRootOf100Bar = 3162.2776601683795;  // [sqrt(Pa)]
    return flow_at_100_bar / kRootOf100Bar;
  }
};

}  // namespace davit
