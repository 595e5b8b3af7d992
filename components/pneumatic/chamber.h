#pragma once

#include "components/pneumatic/laws/gas_state.h"
#include "framework/domains/pneumatic.h"
#include "framework/indicator.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::pneumatic {

/// Vessel of air with any number of connections.
class Chamber final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "pneumatic.Chamber",
      .text = "Volume of air: a vessel, a fitting, a pipe",
      .levels = {Level::kIdeal, Level::kStandard},
      .equations = R"(
m' = sum(G),  p = m*R*T/volume (absolute),  G and the enthalpy flow H are positive into the chamber
heat Isothermal (Ideal):       T' = 0
heat HeatExchange (Standard):  m*cv*T' = sum(H) - cv*T*m' + Q,  Q = heat_transfer*surface*(wall_temperature - T)
heat Polytropic (no level):    T' = (n - 1)*T*m'/m,  n = polytropic_exponent: T*(m/volume)^(1 - n) stays
c = p, Zc = 0 at every port, and air that leaves has the temperature T.
R = 287 J/kg/K,  cv = R/0.4,  cp = 1.4*cv
# Assumptions and limits
- One pressure and one temperature in the whole chamber: air that enters mixes immediately.
- Its wall is rigid and keeps its temperature. In the options Isothermal and Polytropic the temperature of
  the air that enters has no effect.
- Polytropic ties the temperature to the density: air that is compressed or vented stays warm or cold. It is for
  processes that are short, or measured; in a vessel at rest the air would take the temperature of the wall.
- Dry air as an ideal gas: for pressures up to some 20 bar and temperatures far from condensation.
# Changes of options
A change of options keeps mass, temperature and pressure.
)",
  };

  Chamber() { EffortsRead({}); }

  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void ArchiveMemory(Archive& archive) override { gas.ArchiveMemory(archive); }

  void EvaluateEfforts(double /*t*/) override {
    p = gas.p(volume);
    for (std::size_t i = 0; i < port.size(); ++i) {
      port[i].c = p;
      port[i].T = gas.T();
    }
  }
  void EvaluateDiffEquations(double /*t*/) override {
    double G = 0, H = 0;
    for (std::size_t i = 0; i < port.size(); ++i) {
      G += port[i].G;
      H += port[i].H;
    }
    gas.SetRates(heat, volume, 0, surface, G, H);
    heat_flow = gas.heat_flow();
  }
  bool WritePartials(PartialDerivatives& partials) const override {
    if (!gas.has_slopes()) return false;
    const StateVariable &m = gas.mass(), &T = gas.temperature();
    const double p_m = Air::kR * gas.T() / volume, p_T = Air::kR * gas.m() / volume;
    double G = 0, H = 0;
    for (std::size_t i = 0; i < port.size(); ++i) {
      G += port[i].G;
      H += port[i].H;
    }
    const GasState::Slopes slopes = gas.SlopesOfRates(heat, surface, G, H);
    for (std::size_t i = 0; i < port.size(); ++i) {
      partials.Set(&port[i].c, m, p_m);
      partials.Set(&port[i].c, T, p_T);
      partials.Set(&port[i].T, T, 1);
      partials.Set(m, &port[i].G, 1);
      partials.Set(T, &port[i].G, slopes.T_G);
      partials.Set(T, &port[i].H, slopes.T_H);
      partials.Set(heat_flow, &port[i].G, slopes.heat_G);
      partials.Set(heat_flow, &port[i].H, slopes.heat_H);
    }
    partials.Set(T, m, slopes.T_m);
    partials.Set(T, T, slopes.T_T);
    partials.Set(heat_flow, T, slopes.heat_T);
    partials.Set(p, m, p_m);
    partials.Set(p, T, p_T);
    return true;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    double mixing = 0;
    for (std::size_t i = 0; i < port.size(); ++i) mixing += gas.MixingLoss(port[i].G, port[i].H);
    terms.Stored("air", gas.AvailableEnergy(volume));
    terms.Lost("mixing", mixing);
    terms.Lost("heat exchange", gas.HeatLoss());
  }

 private:
  PneumaticPortArray port{this, "port", Role::kC, "Connections to the chamber"};
  Parameter volume{this, "volume", "m3", "Volume",
                   Number{.value = 1e-3, .range = kPositive, .tunability = Tunability::kStructural}};
  HeatParameters heat{this};
  Parameter surface{this, "surface", "m2", "Surface of the wall",
                    Number{.value = 0.06, .range = kNonNegative, .when = heat.heat.Is(Heat::kHeatExchange)}};
  GasState gas{this, {"m", "T", "Air in the chamber"}};
  StartValue p_start{this, "p", "Pa", "Start pressure (absolute)",
                     Number{.value = Air::kReferencePressure, .range = kNonNegative}};
  Output p{this, "p", "Pa", "Pressure (absolute)", WrittenBy::kEfforts};
  Output heat_flow{this, "heat_flow", "W", "Heat flow from the wall into the air"};

  Indicator heated_air{this, "heated_air", "Change of the temperature by compression and inflow, over it",
                       heat.heat.Is(Heat::kIsothermal, Heat::kPolytropic),
                       [this] { return gas.HeatingShare(heat, surface); }};
};

}  // namespace davit::pneumatic
