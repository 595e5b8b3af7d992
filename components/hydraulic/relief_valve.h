#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/jet_limit.h"
#include "components/hydraulic/laws/poppet_law.h"
#include "framework/fault_mode.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Opens above a set pressure at its inlet, or at a pilot port.
class ReliefValve final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.ReliefValve",
      .text = "Pressure relief, sequence or unloading valve",
      .equations = R"(
r = clip((p_in - p_set)/dp_open),  A = pi/4*D^2,  dp = p_in - p_out
q = r*K*dp/(dp^2 + d^2)^(1/4),  K = Cd*A*sqrt(2/rho),  d = 1e4 Pa
dynamics none:  r as above, immediately
dynamics first_order:  spool_time*r' = clip((p_in - p_set)/dp_open) - r;  the valve then passes some oil
    backwards while it closes
clip limits to 0 .. 1. q is positive from in to out. Between waves p = c + Zc*q is solved along with the law.
The spring chamber is drained to the atmosphere: a pressure at out does not change the setting, so the same
valve puts a second actuator in sequence. With a line at pilot, its pressure opens in the place of p_in: the
valve unloads a pump.
## Cavitation
cavitation None:    the flow grows with the pressure drop without limit
cavitation Nurick:  q <= 0.61*r*A*sqrt(2*(P1 - Pv)/rho)  [Nurick 1976],  P1 the absolute pressure upstream: the
  jet cavitates, and a lower pressure downstream does not increase the flow.
# Assumptions and limits
- The pilot takes no flow.
- Shut and tight up to p_set. Above it the opening grows over opening_range, whatever the flow.
- The opening follows the inlet pressure immediately, or with a first-order lag. Mass, friction, hysteresis and
  flow forces of the poppet are neglected.
- If only backflow from a higher outlet pressure could hold the valve open, it stays shut.
- The flow is turbulent; Cd is 0.6 to 0.7 for a real seat. Beyond full opening the orifice alone limits it.
)",
  };

  enum class Dynamics : std::uint8_t { kNone, kFirstOrder };
  static constexpr std::array<std::string_view, 2> kDynamicsNames{"none", "first_order"};

  enum class Relief : std::uint8_t { kClosed, kOpening, kFullyOpen };
  static constexpr std::array<std::string_view, 3> kReliefNames{"Closed", "Opening", "FullyOpen"};

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;

  /// Flow [m3/s] from in to out at the port pressures [Pa].
  double Flow(double p_in, double p_out) const {
    const double p = pilot.is_connected() ? pilot->p() : p_in;
    if (p <= set_pressure) return 0;
    return OrificeFlow(K_ * Clip((p - set_pressure) * per_opening_range_), p_in - p_out);
  }

  /// What a cavitating jet leaves of a flow.
  double Limited(double q_law, const PortWave& at_in, const PortWave& at_out) const {
    if (!jet_.is_present() || q_law == 0) return q_law;
    if (!has_spool_ && !pilot.is_connected()) {
      // The pressure at in opens the valve, and falls with the flow: the limit is the law of a poppet towards
      // vapour.
      const double p_vapour = jet_.p_vapour();
      return std::min(q_law, PoppetFlow(jet_.share() * K_, at_in.c - p_vapour, at_in.Zc,
                                        set_pressure - p_vapour, opening_range));
    }
    return jet_.Limit(q_law, K_ * (has_spool_ ? Clip(spool) : RestOpening(pilot->p())), at_in, at_out);
  }

  /// Flow [m3/s] from in to out between waves: c [Pa], Zc [Pa s/m3], of which one is positive.
  double FlowBetweenWaves(double c_in, double Zc_in, double c_out, double Zc_out) const {
    if (pilot.is_connected()) return OrificeFlow(K_ * RestOpening(pilot->p()), c_in - c_out, Zc_in + Zc_out);
    const double rise = c_in - set_pressure;
    if (rise <= 0) return 0;
    const double dc = c_in - c_out;
    const double Zs = Zc_in + Zc_out;
    if (!(Zc_in > 0)) return OrificeFlow(K_ * Clip(rise * per_opening_range_), dc, Zs);
    if (dc < 0) return ReturnFlow(rise, dc, Zc_in, Zs);
    // p_in - p_set = rise - share*(dc - dp): the inlet pressure opens the valve as dp alone would.
    const double share = Zc_in / Zs;
    return PoppetFlow(K_, dc, Zs, dc - rise / share, opening_range / share);
  }

  bool WritePartials(PartialDerivatives& partials) const override {
    if (has_spool_ || pilot.is_connected() || jet_.is_present() || in->Zc > 0 || out->Zc > 0 ||
        in->c < in->p_min || out->c < out->p_min)
      return false;
    const double r = Clip((in->c - set_pressure) * per_opening_range_);
    const FlowAndSlope flow = OrificeFlowAndSlope(K_ * r, in->c - out->c);
    const double opening = r > 0 && r < 1 ? flow.q / r * per_opening_range_ : 0;
    for (const auto& [written, sign] : {std::pair(PartialDerivatives::Variable(&in->q), -1.0),
                                        {PartialDerivatives::Variable(&out->q), 1.0},
                                        {PartialDerivatives::Variable(q), 1.0}}) {
      partials.Set(written, &in->c, sign * (flow.slope + opening));
      partials.Set(written, &out->c, -sign * flow.slope);
    }
    return true;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    if (has_spool_) return EvaluateSpool();
    const double q_out = FlowBetween(*in, *out, [this](const PortWave& at_in, const PortWave& at_out) {
                           const double q_law = at_in.Zc + at_out.Zc > 0
                                                    ? FlowBetweenWaves(at_in.c, at_in.Zc, at_out.c, at_out.Zc)
                                                    : Flow(at_in.c, at_out.c);
                           return Limited(q_law, at_in, at_out);
                         }).q;
    q = q_out;
    in->q = -q_out;
    out->q = q_out;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("relief", (in->p() - out->p()) * q); }

 private:
  double ControlPressure() const { return pilot.is_connected() ? pilot->p() : in->p(); }
  /// Opening of the valve without dynamics at a controlling pressure [Pa].
  double RestOpening(double p) const { return Clip((p - set_pressure) * per_opening_range_); }
  double Opening() const { return has_spool_ ? static_cast<double>(spool) : RestOpening(ControlPressure()); }
  static Relief ReliefAt(double r) {
    return r <= 0 ? Relief::kClosed : r < 1 ? Relief::kOpening : Relief::kFullyOpen;
  }
  void EvaluateSpool();
  /// Flow from in to out, negative, through the valve that the inlet opens against a higher outlet pressure.
  double ReturnFlow(double rise, double dc, double Zc_in, double Zs) const;

  HydraulicPort in{this, "in", Role::kQ, "Side whose pressure is limited"};
  HydraulicPort out{this, "out", Role::kQ, "Side the relieved oil goes to"};
  HydraulicPort pilot{this, "pilot", Role::kQ, "Pilot line whose pressure opens in the place of that at in",
                      Connecting::kOptional};
  Parameter set_pressure{this, "set_pressure", "Pa",
                         "Pressure at in, or at pilot, at which it begins to open",
                         Number{.value = 350e5, .range = kNonNegative}};
  Parameter opening_range{this, "opening_range", "Pa", "Rise of that pressure from shut to fully open",
                          Number{.value = 5e5, .range = kPositive}};
  FaultMode stuck_shut{this, "stuck_shut", "set_pressure", 1e9, "The valve does not open"};
  FaultMode broken_spring{this, "broken_spring", "set_pressure", 0,
                          "The spring is broken: it opens immediately"};
  Parameter seat_diameter{this, "seat_diameter", "m", "Diameter of the seat", 0.030, kPositive};
  Parameter discharge_coefficient{this, "discharge_coefficient", "", "Contraction and loss of the opening",
                                  Number{.value = 0.65, .range = kPositive}};
  Parameter density{this, "density", "kg/m3", "Density of the oil", 861.8, kPositive};
  Property<JetCavitation> cavitation{this, "cavitation", "Whether the jet cavitates", kJetCavitationNames,
                                     Choice{.value = JetCavitation::kNone}};
  VapourParameters vapour{this, cavitation.Is(JetCavitation::kNurick)};
  Property<Dynamics> dynamics{this, "dynamics", "Dynamics of the spool", kDynamicsNames,
                              Choice{.value = Dynamics::kNone}};
  Parameter spool_time{this, "spool_time", "s", "Time constant of the spool (5 to 20 ms)",
                       Number{.value = 0.01, .range = kPositive, .when = dynamics.Is(Dynamics::kFirstOrder)}};
  StateVariable spool{this, "spool", "", "Opening of the spool, with dynamics", 0.0, 1.0};
  Output q{this, "q", "m3/s", "Flow from in to out"};

  Mode<Relief> relief{this, "relief", "State of the opening", kReliefNames,
                      [this](Relief) { return ReliefAt(Opening()); }};

  bool has_spool_ = false;
  double K_ = 0;                  // fully open [m3/s/sqrt(Pa)]
  double per_opening_range_ = 0;  // [1/Pa]
  JetLimit jet_;
};

}  // namespace davit
