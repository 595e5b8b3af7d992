#pragma once

#include <algorithm>

#include "components/pneumatic/laws/gas_flow.h"
#include "framework/domains/pneumatic.h"
#include "framework/fault_mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::pneumatic {

/// Pressure regulator with secondary exhaust.
class Regulator final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "pneumatic.Regulator",
      .text = "Pressure regulator; relieving if its exhaust is connected",
      .equations = R"(
inlet to outlet: a restriction after ISO 6358, as pneumatic.Orifice, with the share s of its conductance,
  s = clip((setting - p_out)/band)
outlet to exhaust: the same with  s = clip((p_out - setting - relief_offset)/band)
All pressures are absolute. clip limits to 0 .. 1. G and G_exhaust are positive out of inlet and outlet.
Between waves p = c + Zc*G is solved along with the law.
# Assumptions and limits
- Quasi-static: the regulator has no mass, friction or hysteresis and no control chamber.
- The steady outlet pressure falls by at most band with the flow, up to that of the open valve.
- The inlet pressure does not shift the setting.
- If the inlet pressure falls below that of the outlet, the air flows back.
)",
  };

  void ParametersChanged() override { law_ = {sonic_conductance, critical_pressure_ratio, 0.5}; }

  void EvaluateDiffEquations(double /*t*/) override {
    G = FlowBetweenBonds(*in, *out, [this](const GasEnd& at_in, const GasEnd& at_out) {
      const SonicConductance law = law_.Scaled(Clip((setting - at_out.p) / band));
      return MassFlow(law, law, at_in, at_out);
    });
    Pass(G, *in, *out);
    const double H_in = out->H;
    if (exhaust.is_connected()) {
      G_exhaust = FlowBetweenBonds(*out, *exhaust, [this](const GasEnd& at_out, const GasEnd& at_exhaust) {
        const SonicConductance law = law_.Scaled(Clip((at_out.p - setting - relief_offset) / band));
        return MassFlow(law, law, at_out, at_exhaust);
      });
      Pass(G_exhaust, *out, *exhaust);
      out->G += G;
      out->H += H_in;
    } else {
      G_exhaust = 0;
    }
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("throttling"); }

 private:
  static double Clip(double share) { return std::clamp(share, 0.0, 1.0); }

  PneumaticPort in{this, "inlet", Role::kQ, "Supply"};
  PneumaticPort out{this, "outlet", Role::kQ, "Controlled pressure"};
  PneumaticPort exhaust{this, "exhaust", Role::kQ,
                        "Atmosphere; not connected: the regulator does not relieve", Connecting::kOptional};
  Input setting{this, "setting", "Pa", "Outlet pressure without flow (absolute)", 6e5, kNonNegative};
  Parameter band{this, "band", "Pa", "Fall of the outlet pressure from shut to fully open",
                 Number{.value = 0.5e5, .range = kPositive}};
  Parameter relief_offset{this, "relief_offset", "Pa",
                          "Pressure above the setting at which the secondary exhaust begins to open",
                          Number{.value = 0.1e5, .range = kNonNegative}};
  Parameter sonic_conductance{this, "sonic_conductance", "m3/s/Pa", "Sonic conductance, fully open",
                              Number{.value = 4e-8, .range = kPositive}};
  FaultMode half_blocked{this, "half_blocked", "sonic_conductance", Multiple{0.5},
                         "Dirt blocks half of the valve"};
  Parameter critical_pressure_ratio{this, "critical_pressure_ratio", "",
                                    "Ratio b of the pressures below which the flow is choked",
                                    Number{.value = 0.3, .range = kBelowOne}};
  Output G{this, "G", "kg/s", "Mass flow from inlet to outlet"};
  Output G_exhaust{this, "G_exhaust", "kg/s", "Mass flow from outlet to exhaust"};

  SonicConductance law_;
};

}  // namespace davit::pneumatic
