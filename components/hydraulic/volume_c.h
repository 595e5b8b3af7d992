#pragma once

#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/volume_waves.h"
#include "framework/archive.h"
#include "simulator/energy_account.h"
#include "simulator/tlm_component.h"

namespace davit {

/// Closed volume of oil with any number of connections, TLM variant (wave variables).
class VolumeC final : public TlmComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.VolumeC",
      .text = "Closed volume of compressible oil, TLM variant (wave variables)",
      .equations = R"(
Q' = sum(q),  P = beta*Q/V;  Q [m3] is the oil beyond what fills the volume at gauge pressure 0
p = c + Zc*q at each port, q into the volume
Zc = n*beta*h/(2*V*(1 - filter)),  n ports, TimeStep h;  ' is one step ago:
m = mean(c_i' + 2*Zc*q_i'),  c_i = filter*c_i' + (1 - filter)*(2*m - c_i' - 2*Zc*q_i')
With free_air or another compressibility P follows from Q by the law of hydraulic.Volume in the formulation
quantity, and beta in Zc is beta_e at P, of each step.
mean(c_i) = P, so no oil is lost, however long the run. filter 0 is without loss, larger values
damp the waves between the ports; the stiffness beta/V is kept.
## Cavitation
Cavitation: if P would fall below vapour_pressure pv, it stays there while Q falls further. The cavity,
void_volume = pv*V/beta - Q, must be filled before p rises. It is shared by the ports:
p = max(pv, c - Zc*void_volume/(n*h) + Zc*q), so no port falls below pv.
# Assumptions and limits
- One pressure in the whole volume, except for the waves between its ports, which the filter damps.
- The delay of one TimeStep between the ports adds an inertance between them that grows with the TimeStep.
- The walls are rigid, unless bulk_modulus includes them. Free air neither dissolves nor is released.
- Above max_valid_pressure the law continues, and the alarm overpressure is set.
)",
  };

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void InitializeWaves() override;
  bool SettleWaves() override;
  void RestartWaves(bool /*has_moved*/) override { Offer(); }
  void SimulateOneTimestep(double /*t*/) override {
    double sum = 0;
    const bool is_full = waves_.SumOfFlows(port, &sum);
    const double Q = quantity + h() * sum;
    if (!is_full || filling_at_vapour_ - Q > 0 || has_gas_) [[unlikely]]
      return SimulateOther();
    quantity.AdvanceTo(Q, sum);
    const double P = beta_per_volume_ * Q;
    p = P;
    void_volume = 0;
    if (alarms.IsNews(P)) [[unlikely]]
      AskForPostIntegrate();
    waves_.AdvanceAndOfferAll(sum, P, vapour_, port);
  }
  static constexpr bool kPostIntegratesWhenAsked = true;  // for the alarms
  void PostIntegrate() override { alarms.Look(p, void_volume, volume); }
  void ArchiveMemory(Archive& archive) override { archive(waves_); }
  void AccountEnergy(EnergyTerms& terms) const override;

 private:
  /// A step with a cavity, or gas in the oil.
  void SimulateOther();
  /// Brings oil and cavity into equilibrium and offers the waves that follow.
  void Offer();
  double SumOfFlows() const;

  HydraulicPortArray port{this, "port", Role::kC, "Connections to the volume"};
  Parameter volume{this, "volume", "m3", "Volume of the oil", 0.01, kPositive};
  OilParameters oil{this};
  Property<OilLaw> compressibility{this, "compressibility", "How the bulk modulus depends on the pressure",
                                   OilLaw::kConstant, kOilLawNames};
  Parameter filter{this, "filter", "", "Fraction of the last wave that is kept; damps waves between ports",
                   Number{.value = 0.1, .range = Range{.low = 0, .high = 1, .high_open = true}}};
  StartValue p_start{this, "p", "Pa", "Start pressure (gauge)", 1e5};
  StateVariable quantity{this, "quantity", "m3", "Oil beyond the filling at zero pressure", 0, 1e-5};
  Output p{this, "p", "Pa", "Pressure (gauge)"};
  Output void_volume{this, "void_volume", "m3", "Cavity (vapour) volume"};

  // Side by side with the outputs: what each step reads.
  VolumeWaves waves_;
  double beta_per_volume_ = 0;    // [Pa/m3]; 0 before the first ParametersChanged
  double vapour_ = 0;             ///< gauge vapour pressure [Pa]
  double filling_at_vapour_ = 0;  ///< oil at which a cavity opens, Q at P = pv [m3]
  bool has_gas_ = false;

  OilCompression compression_;
  OilAlarms alarms{this};
};

}  // namespace davit
