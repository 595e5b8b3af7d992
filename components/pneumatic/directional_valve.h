#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/stuck_at.h"
#include "components/pneumatic/laws/gas_flow.h"
#include "framework/domains/pneumatic.h"
#include "framework/fault_mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::pneumatic {

/// 5/3 directional valve; with two positions 5/2, with port B shut 3/3 and 3/2.
class DirectionalValve final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "pneumatic.DirectionalValve",
      .text = "Directional valve for air: 5/3, 5/2, 3/2 way",
      .equations = R"(
Ports by ISO 11727: p is 1, a is 4, b is 2, exhaust_a is 5, exhaust_b is 3.
positions 3 (default): u = x, -1 .. 1, 0 is the centre;  2: u = 2*x - 1, x = 0 .. 1; x = 0 is u = -1
Each edge is a restriction after ISO 6358, as pneumatic.Orifice, with the share f of its conductance:
  s = clip((|u| - db)/(1 - db)),  db = deadband,  n = clip(1 - |u|/db) in the centre
  u > 0:  P to A and B to its exhaust f = s;  u < 0:  P to B and A to its exhaust f = s
  centre closed:   nothing else;  exhausted:  A and B to their exhausts, at least n;  pressurized:  P to A and B, at
  least n
The conductance is sonic_conductance from P, exhaust_conductance to the exhausts.
x is the position of the spool, x' = 3*(spool - x)/switching_time: 95 % of the way in that time.
A valve that is stuck has x = stuck_at. A port without a connection is shut.
G_a and G_b are positive out of the valve, into the components at A and B.
# Assumptions and limits
- All edges have one critical pressure ratio, subsonic_index 0.5, and no leakage.
- Area and travel beyond the deadband are proportional.
- If ports with an impedance Zc > 0 have more than one open edge, each edge is solved with its flow alone.
- Dry air as an ideal gas.
)",
  };

  enum class Positions : std::uint8_t { kThree, kTwo };
  static constexpr std::array<std::string_view, 2> kPositionsNames{"3", "2"};
  enum class Centre : std::uint8_t { kClosed, kExhausted, kPressurized };
  static constexpr std::array<std::string_view, 3> kCentreNames{"closed", "exhausted", "pressurized"};

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;

  /// Shares of the conductance at the spool position u, -1 .. 1.
  struct Shares {
    double pa = 0, pb = 0, ar = 0, br = 0;
  };
  Shares SharesAt(double u) const;

  void EvaluateDiffEquations(double /*t*/) override {
    const double target = Target();
    x_state.ddt = 3 * (target - x_state) / switching_time;
    const double at = stuck.is_stuck() ? target : static_cast<double>(x_state);
    x = at;
    const Shares shares = SharesAt(positions == Positions::kTwo ? 2 * at - 1 : at);
    const double pa = Flow(*p, *a, supply_, shares.pa), pb = Flow(*p, *b, supply_, shares.pb);
    const double ar = Flow(*a, *exhaust_a, exhaust_, shares.ar);
    const double br = Flow(*b, *exhaust_b, exhaust_, shares.br);
    p->G = -pa - pb;
    p->H = -Carried(pa, *p, *a) - Carried(pb, *p, *b);
    a->G = pa - ar;
    a->H = Carried(pa, *p, *a) - Carried(ar, *a, *exhaust_a);
    b->G = pb - br;
    b->H = Carried(pb, *p, *b) - Carried(br, *b, *exhaust_b);
    exhaust_a->G = ar;
    exhaust_a->H = Carried(ar, *a, *exhaust_a);
    exhaust_b->G = br;
    exhaust_b->H = Carried(br, *b, *exhaust_b);
    G_p = pa + pb;
    G_a = a->G;
    G_b = b->G;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("throttling"); }

 private:
  static double Flow(const PneumaticBond& from, const PneumaticBond& to, const SonicConductance& full,
                     double share) {
    if (!(share > 0)) return 0;
    const SonicConductance law = full.Scaled(share);
    return FlowBetweenBonds(from, to, [&](const GasEnd& at_from, const GasEnd& at_to) {
      return MassFlow(law, law, at_from, at_to);
    });
  }
  /// Enthalpy flow [W] along with G.
  static double Carried(double G, const PneumaticBond& from, const PneumaticBond& to) {
    return G * Air::kCp * (G >= 0 ? from.T : to.T);
  }
  double Least() const { return positions == Positions::kTwo ? 0 : -1; }
  double Target() const { return std::clamp(stuck.Or(spool), Least(), 1.0); }

  PneumaticPort p{this, "p", Role::kQ, "Supply (1)"};
  PneumaticPort a{this, "a", Role::kQ, "Outlet A (4)"};
  PneumaticPort b{this, "b", Role::kQ, "Outlet B (2)", Connecting::kOptional};
  PneumaticPort exhaust_a{this, "exhaust_a", Role::kQ, "Exhaust of A (5)", Connecting::kOptional};
  PneumaticPort exhaust_b{this, "exhaust_b", Role::kQ, "Exhaust of B (3)", Connecting::kOptional};
  Input spool{this, "spool",      "", "Wanted position of the spool: -1 .. 1, with two positions 0 .. 1",
              0.0,  kPlusMinusOne};
  Property<Positions> positions{this, "positions", "Number of positions", Positions::kThree, kPositionsNames};
  Property<Centre> centre{this, "centre", "Connections in the centre", Centre::kClosed, kCentreNames};
  Parameter switching_time{this, "switching_time", "s", "Time for 95 % of the way",
                           Number{.value = 0.015, .range = kPositive}};
  Parameter deadband{
      this, "deadband", "", "Travel from the centre to where the edges begin to open",
      Number{.value = 0.2, .range = Range{.low = 0, .high = 1, .low_open = true, .high_open = true}}};
  Parameter sonic_conductance{this, "sonic_conductance", "m3/s/Pa", "Sonic conductance from P, fully open",
                              Number{.value = 2e-8, .range = kPositive}};
  Parameter exhaust_conductance{this, "exhaust_conductance", "m3/s/Pa",
                                "Sonic conductance to the exhausts, fully open",
                                Number{.value = 2e-8, .range = kPositive}};
  Parameter critical_pressure_ratio{this, "critical_pressure_ratio", "",
                                    "Ratio b of the pressures below which the flow is choked",
                                    Number{.value = 0.3, .range = kBelowOne}};
  StuckAt stuck{this, "Position at which the spool is stuck; infinite: it moves", -1};
  FaultMode stuck_spool{this, "stuck_spool", "stuck_at", 0, "The spool is stuck"};
  StateVariable x_state{this, "x_state", "", "Position of the spool that is not stuck"};
  Output x{this, "x", "", "Position of the spool"};
  Output G_p{this, "G_p", "kg/s", "Mass flow from P"};
  Output G_a{this, "G_a", "kg/s", "Mass flow out at A"};
  Output G_b{this, "G_b", "kg/s", "Mass flow out at B"};

  SonicConductance supply_;
  SonicConductance exhaust_;
  bool has_pb_ = false, has_ar_ = false, has_br_ = false;  // ports that are not shut
};

}  // namespace davit::pneumatic
