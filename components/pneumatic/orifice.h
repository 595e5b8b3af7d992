#pragma once

#include <algorithm>

#include "components/pneumatic/laws/gas_flow.h"
#include "framework/domains/pneumatic.h"
#include "framework/fault_mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::pneumatic {

/// Restriction after ISO 6358: fixed, set by a signal, or with a check valve in parallel.
class Orifice final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "pneumatic.Orifice",
      .text = "Restriction of air after ISO 6358, also as throttle, 2/2 or throttle-check valve",
      .equations = R"(
From p1, T1 upstream to p2 downstream (absolute), r = p2/p1  [ISO 6358]:
  r <= b:  G = C*rho0*p1*(T0/T1)^(1/2),  choked
  r > b:   G = C*rho0*p1*(T0/T1)^(1/2)*(1 - ((r - b)/(1 - b))^2)^m
C = clip(opening)*sonic_conductance, and in the direction a to b + check_conductance, that of a check valve in
parallel.  b = critical_pressure_ratio, m = subsonic_index, rho0 = 1.185 kg/m3, T0 = 293.15 K. clip limits to 0 .. 1.
In place of z^m, z = 1 - ((r - b)/(1 - b))^2:  z*((1 + e^2)/(z^2 + e^2))^((1 - m)/2),  e = 1e-3: a finite slope at
p1 = p2. For z > 0.1 the difference is below 1e-4 of the flow.
G is positive from a to b, H = G*cp*T with the temperature of where the air comes from: throttling keeps it.
Between waves p = c + Zc*G is solved along with the law.
# Assumptions and limits
- Quasi-static: no air is stored, and its inertia is neglected.
- Adiabatic, and without the speed of the air upstream and downstream: the ports have stagnation values.
- The check valve opens without a cracking pressure, and immediately.
- Dry air as an ideal gas.
)",
  };

  void ParametersChanged() override { law_ = {sonic_conductance, critical_pressure_ratio, subsonic_index}; }

  void EvaluateDiffEquations(double /*t*/) override {
    const double share = std::clamp(static_cast<double>(opening), 0.0, 1.0);
    const SonicConductance back = law_.Scaled(share);
    const SonicConductance forward{back.C + check_conductance, law_.b, law_.m};
    G = FlowBetweenBonds(
        *a, *b, [&](const GasEnd& at_a, const GasEnd& at_b) { return MassFlow(forward, back, at_a, at_b); });
    q = G / Air::kReferenceDensity;
    Pass(G, *a, *b);
    dp = a->p() - b->p();
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("throttling"); }

 private:
  PneumaticPort a{this, "a", Role::kQ, "Side the air comes from when positive"};
  PneumaticPort b{this, "b", Role::kQ, "Side the air goes to when positive"};
  Input opening{this, "opening", "", "Opening: 0 shut, 1 full", 1.0, kUnitInterval};
  Parameter sonic_conductance{this, "sonic_conductance", "m3/s/Pa",
                              "Sonic conductance C, fully open (1e-8 m3/s/Pa is 1 l/s/bar)",
                              Number{.value = 1e-8, .range = kPositive}};
  FaultMode half_blocked{this, "half_blocked", "sonic_conductance", Multiple{0.5},
                         "Dirt blocks half of the opening"};
  Parameter critical_pressure_ratio{this, "critical_pressure_ratio", "",
                                    "Ratio b of the pressures below which the flow is choked",
                                    Number{.value = 0.3, .range = kBelowOne}};
  Parameter subsonic_index{this, "subsonic_index", "", "Exponent m of subsonic flow",
                           Number{.value = 0.5, .range = Range{.low = 0, .high = 1, .low_open = true}}};
  Parameter check_conductance{
      this, "check_conductance", "m3/s/Pa",
      "Sonic conductance of a check valve that lets air pass from a to b; 0: there is none",
      Number{.value = 0, .range = kNonNegative}};
  Output G{this, "G", "kg/s", "Mass flow from a to b"};
  Output q{this, "q", "m3/s", "The same as a volume at the reference atmosphere (ANR)"};
  Output dp{this, "dp", "Pa", "Pressure drop from a to b"};

  SonicConductance law_;
};

}  // namespace davit::pneumatic
