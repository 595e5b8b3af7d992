#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/orifice_law.h"
#include "components/hydraulic/tearing_ends.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// 4/3 directional control valve: six edges between the ports P, A, B and T.
class DirectionalControlValve final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "hydraulic.DirectionalControlValve",
      "4/3 directional control valve with a choice of spools",
      {Level::kIdeal},
      "Each of the six edges PA, PB, AT, BT, PT, AB is an orifice:  q = K_edge*dp/(dp^2 + d^2)^(1/4),\n"
      "d = 1e4 Pa,  K = nominal_flow/sqrt(nominal_pressure_drop).\n"
      "Ideal, spool u:  u > 0: PA = BT = K (extends a cylinder);  u < 0: PB = AT = K (retracts it);\n"
      "u = 0: neutral, K_edge = C_edge*neutral_opening*K.\n"
      "C of PA PB AT BT PT AB by spool_type:\n"
      "  O 000000 all shut         B 111111 all open        Y 001100 A and B to T     K 101010 B shut\n"
      "  M 000010 P to T           X 111111 all half open   P 110001 T shut\n"
      "Usual neutral_opening: 0.01 for Y, 1 for B, K, M and P, 0.5 for X.\n"
      "Flows are positive in the direction of their name: q_pa from P to A. Between waves p = c + Zc*q is\n"
      "solved along with the laws of all open edges.\n"};

  enum class SpoolType : std::uint8_t { kO, kB, kY, kK, kM, kX, kP };
  static constexpr std::array<std::string_view, 7> kSpoolTypeNames{"O", "B", "Y", "K", "M", "X", "P"};

  /// One number for each edge.
  struct Edges {
    double pa = 0, pb = 0, at = 0, bt = 0, pt = 0, ab = 0;
  };

  DirectionalControlValve();

  void ParametersChanged() override;

  /// K of each edge [m3/s/sqrt(Pa)] at the spool position u.
  const Edges& Opening(double u) const { return u > 0 ? extending_ : u < 0 ? retracting_ : neutral_; }
  /// Flow through each edge [m3/s] at the openings K and the port pressures [Pa].
  static Edges Flow(const Edges& K, double p_p, double p_a, double p_b, double p_t) {
    return {.pa = EdgeFlow(K.pa, p_p - p_a),
            .pb = EdgeFlow(K.pb, p_p - p_b),
            .at = EdgeFlow(K.at, p_a - p_t),
            .bt = EdgeFlow(K.bt, p_b - p_t),
            .pt = EdgeFlow(K.pt, p_p - p_t),
            .ab = EdgeFlow(K.ab, p_a - p_b)};
  }

  void EvaluateDiffEquations(double time) override {
    const bool has_waves = p->Zc + a->Zc + b->Zc + t->Zc > 0;
    const Edges q = has_waves ? FlowBetweenWaves(time, spool) : Flow(Opening(spool), p->c, a->c, b->c, t->c);
    p->q = -q.pa - q.pb - q.pt;
    a->q = q.pa - q.at - q.ab;
    b->q = q.pb - q.bt + q.ab;
    t->q = q.at + q.bt + q.pt;
    q_pa = q.pa;
    q_pb = q.pb;
    q_at = q.at;
    q_bt = q.bt;
    q_pt = q.pt;
    q_ab = q.ab;
  }

 private:
  /// Flow through each edge [m3/s] at the spool position u, with p = c + Zc*q at the ports.
  Edges FlowBetweenWaves(double time, double u) const {
    if (u > 0) {  // the open edges have no port in common
      return {.pa = EdgeFlow(extending_.pa, *p, *a), .bt = EdgeFlow(extending_.bt, *b, *t)};
    }
    if (u < 0) {
      return {.pb = EdgeFlow(retracting_.pb, *p, *b), .at = EdgeFlow(retracting_.at, *a, *t)};
    }
    return NeutralFlow(time);
  }
  /// The same in neutral, where the open edges may meet at ports.
  Edges NeutralFlow(double time) const;

  /// Most edges are shut at any time; they cost no root.
  static double EdgeFlow(double K, double dp) { return K > 0 ? OrificeFlow(K, dp) : 0; }
  static double EdgeFlow(double K, const HydraulicBond& from, const HydraulicBond& to) {
    return FlowBetween(from, to,
                       [K](const PortWave& at_from, const PortWave& at_to) {
                         return OrificeFlow(K, at_from.c - at_to.c, at_from.Zc + at_to.Zc);
                       })
        .q;
  }

  HydraulicPort p{this, "p", Role::kQ, "Pump"};
  HydraulicPort a{this, "a", Role::kQ, "First consumer port"};
  HydraulicPort b{this, "b", Role::kQ, "Second consumer port"};
  HydraulicPort t{this, "t", Role::kQ, "Tank"};
  Input spool{this, "spool",
              "",   "Position of the spool: 1 fully P to A and B to T, -1 fully P to B and A to T",
              0.0,  kPlusMinusOne};
  Parameter nominal_flow{this,      "nominal_flow",
                         "m3/s",    "Flow through a fully open edge at the nominal pressure drop",
                         500 / 6e4, kPositive};
  Parameter nominal_pressure_drop{
      this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow", 5e5, kPositive};
  Property<SpoolType> spool_type{this, "spool_type", "What is open while the spool stands in neutral",
                                 SpoolType::kY, kSpoolTypeNames};
  Parameter neutral_opening{this, "neutral_opening", "", "Opening of the edges that are open in neutral",
                            0.01, kUnitInterval};
  Parameter deadband{this, "deadband",
                     "",   "Spool travel to each side without opening; counts from Standard on",
                     0.05, Range{.low = 0, .high = 1, .high_open = true}};
  Parameter leakage{this, "leakage",   "m3/s/Pa", "Conductance of each shut edge; counts from Standard on",
                    0.0,  kNonNegative};
  Parameter compensator_nominal_flow{this,
                                     "compensator_nominal_flow",
                                     "m3/s",
                                     "Flow through the open compensator at its nominal pressure drop; "
                                     "counts from Standard on",
                                     1000 / 6e4,
                                     kPositive};
  Parameter compensator_nominal_pressure_drop{this,
                                              "compensator_nominal_pressure_drop",
                                              "Pa",
                                              "Pressure drop of the compensator's nominal flow; "
                                              "counts from Standard on",
                                              5e5,
                                              kPositive};
  Parameter compensator_pressure{
      this, "compensator_pressure",
      "Pa", "Pressure that the compensator keeps above the load; counts from Standard on",
      5e5,  kPositive};
  Parameter inner_volume{this, "inner_volume", "m3", "Volume behind the compensator; counts from Standard on",
                         0.01, kPositive};
  Parameter bulk_modulus{this,  "bulk_modulus", "Pa", "Bulk modulus of the oil; counts from Standard on",
                         1.6e9, kPositive};
  StartValue p_start{this, "p_inner", "Pa", "Start pressure behind the compensator; counts from Standard on",
                     1e5};
  Parameter discharge_coefficient{this,  "discharge_coefficient",
                                  "",    "Discharge coefficient inside the nominal flow; counts at Advanced",
                                  0.611, kPositive};
  Parameter laminar_coefficient{this, "laminar_coefficient",
                                "",   "Loss coefficient K1 of laminar flow; counts at Advanced",
                                32.0, kNonNegative};
  Parameter density{this, "density", "kg/m3", "Density of the oil; counts at Advanced", 861.8, kPositive};
  Parameter kinematic_viscosity{this,   "kinematic_viscosity",
                                "m2/s", "Kinematic viscosity of the oil; counts at Advanced",
                                32e-6,  kPositive};
  Output q_pa{this, "q_pa", "m3/s", "Flow from P to A"};
  Output q_pb{this, "q_pb", "m3/s", "Flow from P to B"};
  Output q_at{this, "q_at", "m3/s", "Flow from A to T"};
  Output q_bt{this, "q_bt", "m3/s", "Flow from B to T"};
  Output q_pt{this, "q_pt", "m3/s", "Flow from P to T"};
  Output q_ab{this, "q_ab", "m3/s", "Flow from A to B"};

  Edges extending_;
  Edges retracting_;
  Edges neutral_;
};

}  // namespace davit
