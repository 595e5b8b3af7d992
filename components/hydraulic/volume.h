#pragma once

#include <algorithm>

#include "components/hydraulic/laws/bulk_modulus.h"
#include "components/hydraulic/laws/oil_state.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Closed volume of oil with any number of connections.
class Volume final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Volume",
      .text = "Closed volume of compressible oil",
      .equations = R"(
formulation pressure:  V/beta * p' = sum(q)
formulation quantity:  Q' = sum(q),  p = max(0, beta*Q/V)
q is positive into the volume, p is gauge pressure; c = p, Zc = 0 at every port.
Q [m3] is the oil beyond what fills the volume at p = 0. Q < 0 is a cavity of the volume -Q: p stays 0
until it is filled, a simple model of cavitation. The formulation pressure has no cavity: p may fall
below zero.
The bulk modulus is constant, except for oil with air (free_air a0 > 0, formulation pressure): at the
absolute pressure P = p + p_atm, not below that of vapour, of the volume 1 at p_atm are
  l = (1 - a0)*exp(-p/beta) oil and g = a0*(p_atm/P)^(1/n) air,  and beta is replaced by
  beta_e = (l + g)/(l/beta + g/(n*P)),  n = air_exponent
When V or beta change during a run, p is kept.
)",
  };

  Volume();

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;

  void EvaluateEfforts(double /*t*/) override {
    p = is_quantity_ ? std::max(0.0, beta_per_volume_ * quantity) : static_cast<double>(pressure);
    for (std::size_t i = 0; i < port.size(); ++i) port[i].c = p;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    double q = 0;
    for (std::size_t i = 0; i < port.size(); ++i) q += port[i].q;
    if (is_quantity_) {
      quantity.ddt = q;
    } else {
      pressure.ddt = has_air_ ? StiffnessWithAir() * q : beta_per_volume_ * q;
    }
  }

 private:
  /// beta_e/V at the present pressure [Pa/m3].
  double StiffnessWithAir() const;

  HydraulicPortArray port{this, "port", Role::kC, "Connections to the volume"};
  Parameter volume{this, "volume", "m3", "Volume of the oil", 0.01, kPositive};
  Parameter bulk_modulus{this, "bulk_modulus", "Pa", "Bulk modulus of the oil", 1.6e9, kPositive};
  Property<Formulation> formulation{this, "formulation",
                                    "What is integrated: the pressure, or the quantity of oil",
                                    kFormulationNames, Choice{.value = Formulation::kPressure}};
  Parameter free_air{this, "free_air", "", "Share of free air in the volume at p_atm (0.001 to 0.05 usual)",
                     Number{.value = 0.0, .range = Range{.low = 0, .high = 1, .high_open = true}}};
  Parameter air_exponent{this, "air_exponent", "",
                         "Of the air: 1 slow to 1.4 fast; used only with free_air > 0",
                         Number{.value = 1.4, .range = kPositive}};
  Parameter atmospheric_pressure{this, "atmospheric_pressure", "Pa",
                                 "Absolute pressure at gauge pressure 0; used only with free_air > 0",
                                 Number{.value = 1e5, .range = kPositive}};
  Parameter vapour_pressure{this, "vapour_pressure", "Pa",
                            "Absolute vapour pressure; used only with free_air > 0",
                            Number{.value = 100.0, .range = kPositive}};
  StartValue p_start{this, "p", "Pa", "Start pressure (gauge)", 1e5};
  StateVariable pressure{this, "pressure", "Pa", "Pressure, in the formulation pressure", 1e5, 1e5};
  StateVariable quantity{this, "quantity", "m3",
                         "Oil beyond the filling at zero pressure, in the formulation quantity",
                         Start{.value = 0, .nominal = 1e-5}};
  Output p{this, "p", "Pa", "Pressure (gauge)", WrittenBy::kEfforts};

  bool is_quantity_ = false;
  bool has_air_ = false;
  double beta_per_volume_ = 0;  // [Pa/m3]; 0 before the first ParametersChanged
};

}  // namespace davit
