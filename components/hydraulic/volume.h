#pragma once

#include "components/hydraulic/laws/external_leak.h"
#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/oil_state.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Closed volume of oil with any number of connections.
class Volume final : public DynamicSimComponent, public StepPointHooks, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Volume",
      .text = "Closed volume of compressible oil",
      .equations = R"(
formulation pressure:  V/beta * p' = sum(q)
formulation quantity:  Q' = sum(q),  p = max(0, beta*Q/V)
q is positive into the volume, p is gauge pressure; c = p, Zc = 0 at every port.
With external_leak > 0 the flow q_leak leaves the system:
sum(q) - q_leak for sum(q),  q_leak = G*p/(p^2 + d^2)^(1/4) for p > 0, else 0
G = external_leak/sqrt(100 bar),  d = 1e4 Pa
Q [m3] is the oil beyond what fills the volume at p = 0.
## Cavitation
Cavitation: oil cannot sustain tension. If more is drawn than flows in, a cavity void_volume opens and must
be filled before p rises:  void_volume' = -sum(q).  Until then p stays at the vapour pressure, pv =
vapour_pressure - atmospheric_pressure, and the state pressure counts the cavity, below pv:
void_volume = (pv - pressure)*V/beta.  The formulation quantity keeps p at 0:  void_volume = -Q.
## Compressibility
The bulk modulus is constant, except for oil with air (free_air a0 > 0): at the absolute pressure
P = p + p_atm, not below that of vapour, a volume 1 of oil and air at p_atm becomes
  l = (1 - a0)*exp(-p/beta) oil and g = a0*(p_atm/P)^(1/n) air,  and beta is replaced by
  beta_e = (l + g)/(l/beta + g/(n*P)),  n = air_exponent
In the formulation quantity that is  Q/V = -ln(l + g),  down to pv. That is compressibility Constant;
  Effective:  1/beta_e = 1/beta + gas_share/P, the same as  beta_e = (p_atm + p)/(B*p + C)  with the
    constants B = 1/beta, C = B*p_atm + gas_share of an oil
  Air:  1/beta_e = 1/beta + (Va/Vo)/(n*P),  Va/Vo = free_air*(p_atm/P)^(1/n)
When V or beta change during a run, p and void_volume are kept.
# Assumptions and limits
- One pressure in the whole volume: waves and the inertia of the oil are neglected. Use hydraulic.Line if the
  flow changes within the travel time of a wave.
- The walls are rigid, unless bulk_modulus includes them.
- The bulk modulus of the oil itself is constant. Free air neither dissolves nor is released.
- Above max_valid_pressure the law continues, and the alarm overpressure is set.
)",
  };

  Volume();

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;

  void EvaluateEfforts(double /*t*/) override {
    p = has_gas_ ? oil.p(V_) : oil.LinearPressure(stiffness_);
    for (std::size_t i = 0; i < port.size(); ++i) port[i].c = p;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    double q = 0;
    for (std::size_t i = 0; i < port.size(); ++i) q += port[i].q;
    q_leak = external_leak.Flow(p);
    if (external_leak.is_present()) q -= q_leak;
    if (has_gas_) {
      oil.SetRate(V_, q, 0);
    } else {
      oil.SetLinearRate(q, stiffness_);
    }
    void_volume = oil.VoidVolume(V_);
  }

  bool WritePartials(PartialDerivatives& partials) const override {
    if (has_gas_ || external_leak.is_present()) return false;
    const StateVariable& s = oil.state_in_use();
    const OilContent::Slopes slopes = oil.SlopesAt(V_, 0, 0);
    for (std::size_t i = 0; i < port.size(); ++i) {
      partials.Set(&port[i].c, s, slopes.p_s);
      partials.Set(s, &port[i].q, slopes.rate_q);
    }
    partials.Set(p, s, slopes.p_s);
    partials.Set(void_volume, s, slopes.void_s);
    return true;
  }

  double PowerBesidePorts() const override { return -p * q_leak; }

  void PostIntegrate() override { alarms.Look(p, void_volume, V_); }
  StepPointUse step_point_use() const override { return StepPointUse::kLook; }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("oil", oil.StoredEnergy(V_));
    if (external_leak.is_present()) terms.Lost("leakage", p * q_leak);
  }

 private:
  const StateDeclaration& StateInUse() const;

  HydraulicPortArray port{this, "port", Role::kC, "Connections to the volume"};
  Parameter volume{this, "volume", "m3", "Volume of the oil", 0.01, kPositive};
  Property<OilLaw> compressibility{this, "compressibility", "How the bulk modulus depends on the pressure",
                                   OilLaw::kConstant, kOilLawNames};
  Property<Formulation> formulation{this, "formulation", "State: the pressure, or the quantity of oil",
                                    kFormulationNames, Choice{.value = Formulation::kPressure}};
  OilParameters oil_parameters{this};
  FaultMode trapped_air{this, "trapped_air", "free_air", 0.05, "Air is in the oil"};
  ExternalLeak external_leak{this};
  StartValue p_start{this, "p", "Pa", "Start pressure (gauge)", 1e5};
  OilState oil{this, {"pressure", "quantity", "Oil in the volume, in the formulation of this name"}};
  Output p{this, "p", "Pa", "Pressure (gauge)", WrittenBy::kEfforts};
  Output void_volume{this, "void_volume", "m3", "Cavity (vapour) volume"};
  Output q_leak{this, "q_leak", "m3/s", "Flow of the leak to the outside"};

  OilAlarms alarms{this};

  double V_ = 0;  // volume; 0 before the first ParametersChanged
  bool has_gas_ = false;
  double stiffness_ = 0;  // of the oil without gas [Pa/m3]
};

}  // namespace davit
