#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string_view>

#include "components/hydraulic/laws/external_leak.h"
#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/oil_state.h"
#include "components/hydraulic/laws/pipe_friction.h"
#include "components/hydraulic/laws/unsteady_friction.h"
#include "framework/indicator.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Pipe or hose between two components.
class Pipe : public DynamicSimComponent, public StepPointHooks, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Pipe",
      .text = "Pipe or hose",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
cells None: no loss, no inertia, no volume. The outlet has the wave of the inlet, and the inlet
  the flow of the outlet:  c_outlet = c_inlet,  Zc_outlet = Zc_inlet,  q_inlet = q_outlet,  so p is
  the same at both ends.
cells One, Several (lumps): each of n cells is a flow followed by a volume,
  I/n*q_k' = p_(k-1) - p_k - dp(q_k, length/n) - dp_minor(q_k)/n,  I = density*length/A
  C/n*p_k' = q_k - q_(k+1),  C = A*length/beta  (formulation pressure), or
  Q_k' = q_k - q_(k+1),  p_k = max(0, beta*Q_k/(A*length/n))  (formulation quantity)
  cavitation and free_air as in hydraulic.Volume; void_volume is that of all cells
  with p_0 at the inlet and p_n at the outlet: c_outlet = p_n, Zc_outlet = 0. With external_leak > 0
  the flow q_leak leaves the last cell and the system, as in hydraulic.Volume; with cells None nothing leaks.
## Friction
dp: Re < 2000 Hagen-Poiseuille; to 4000 f linear in Re; above friction Smooth: Blasius, from 1e5 on
  Hermann; Rough: rough_law, of [Swamee 1976], of [Haaland 1983], or of Colebrook and White.
friction_dynamics frequency_dependent: laminar unsteady friction [Zielke 1968] (weights m_i, rates n_i: [Kagawa 1983])
  in addition to that of steady flow, R0 = 128*mu*length/(pi*D^4), so that high modes decay as in real pipes:
  dp of a cell + R0/(2*n)*sum m_i*(q_k - y_i),  y_i' = n_i*kinematic_viscosity/(D/2)^2*(q_k - y_i),
  i = 1 .. friction_terms; the rest of the terms act as an inertance, I*(1 + 4*(1/12 - sum m_i/n_i)) for I
  dp_minor = xi*density*v*|v|/2,  xi = minor_loss + 1.25*elbows + 3.5*tees + 0.3*flexible_connections
  + 0.75*sharp_inlets + 1*outlets, the means of table 3-6 of [Li 2016].
## Compressibility
compressibility Constant: beta = bulk_modulus;  Dilation: 1/beta + c1*d/(wall_modulus*wall_thickness) in
  place of 1/beta, c1 = anchoring_factor, or [Wylie 1993] 1 with anchoring expansion_joints,
  1 - nu/2 upstream, 1 - nu^2 throughout, nu = wall_poisson_ratio;  Effective, Air: beta_e of
  hydraulic.Volume;  EffectiveDilation: the wall of Dilation around the oil of Effective or, with free_air
  above 0, of Constant.
## Levels and signs
Ideal: None.  Standard: One, Smooth, Constant.  Advanced: Several, Rough, EffectiveDilation. Fittings and
minor_loss act at Standard and Advanced.
The output q is positive from inlet to outlet. The inlet is a Q port, the outlet a C port.
# Assumptions and limits
- One-dimensional flow in a straight pipe: convective acceleration and differences in height are neglected.
- n cells carry waves up to some n*a/(pi*length), a the speed of sound, and only those well below that with
  their true speed. hydraulic.Line has no such limit.
- Friction is that of steady, fully developed flow. frequency_dependent friction adds that of laminar
  flow only, also when the flow is turbulent.
- The wall follows the pressure immediately; its mass and damping are neglected.
- The loss of bends and fittings is proportional to the square of the flow, also at low Reynolds numbers.
# Changes of options
A change of options keeps the pressure at the outlet if it is a state after the change. New flows
start as that of the outlet, new cells with pressures linear between the ends.
)",
  };

  enum class Cells : std::uint8_t { kNone, kOne, kSeveral };
  static constexpr std::array<std::string_view, 3> kCellsNames{"None", "One", "Several"};
  enum class Friction : std::uint8_t { kSmooth, kRough };
  static constexpr std::array<std::string_view, 2> kFrictionNames{"Smooth", "Rough"};
  enum class Compressibility : std::uint8_t { kConstant, kDilation, kEffective, kAir, kEffectiveDilation };
  static constexpr std::array<std::string_view, 5> kCompressibilityNames{"Constant", "Dilation", "Effective",
                                                                         "Air", "EffectiveDilation"};
  enum class FrictionDynamics : std::uint8_t { kSteady, kFrequencyDependent };
  static constexpr std::array<std::string_view, 2> kFrictionDynamicsNames{"steady", "frequency_dependent"};
  enum class RoughLaw : std::uint8_t { kSwameeJain, kHaaland, kColebrook };
  static constexpr std::array<std::string_view, 3> kRoughLawNames{"swamee_jain", "haaland", "colebrook"};
  enum class Anchoring : std::uint8_t { kFactor, kExpansionJoints, kUpstream, kThroughout };
  static constexpr std::array<std::string_view, 4> kAnchoringNames{"factor", "expansion_joints", "upstream",
                                                                   "throughout"};

  enum class Regime : std::uint8_t { kLaminar, kTurbulent };
  static constexpr std::array<std::string_view, 2> kRegimeNames{"Laminar", "Turbulent"};
  enum class SmoothRange : std::uint8_t { kLowRe, kHighRe };
  static constexpr std::array<std::string_view, 2> kSmoothRangeNames{"LowRe", "HighRe"};

  Pipe();

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void Reset() override;
  void AspectsChanged(AspectSwitch& change) override;

  void EvaluateEfforts(double /*t*/) override {
    if (cells == Cells::kNone) {
      outlet->c = inlet->c;
      outlet->Zc = inlet->Zc;
      outlet->p_min = inlet->p_min;
      return;
    }
    outlet->c = cells == Cells::kOne ? node.p(cell_volume_) : NodePressure(nodes_ - 1);
    outlet->Zc = 0;
    outlet->p_min = -std::numeric_limits<double>::infinity();
  }

  void EvaluateDiffEquations(double /*t*/) override {
    if (cells == Cells::kNone) {
      inlet->q = outlet->q;
      q = -outlet->q;
      ShowIdle();
      void_volume = 0;
      q_leak = 0;
    } else {
      EvaluateCells();
    }
  }

  bool WritePartials(PartialDerivatives& partials) const override;
  double PowerBesidePorts() const override { return -outlet->p() * q_leak; }

  void PostIntegrate() override {
    if (cells != Cells::kNone) alarms.Look(LargestPressure(), void_volume, cell_volume_);
  }
  StepPointUse step_point_use() const override { return StepPointUse::kLook; }
  void AccountEnergy(EnergyTerms& terms) const override;

 protected:
  HydraulicPort inlet{this, "inlet", Role::kQ, "End at a volume, a line or a source"};
  HydraulicPort outlet{this, "outlet", Role::kC, "End that feeds a valve or another restriction"};
  Aspect<Cells> cells{this, "cells", "Division of the pipe into cells", kCellsNames,
                      Presets{.ideal = Cells::kNone, .standard = Cells::kOne, .advanced = Cells::kSeveral}};
  Aspect<Friction> friction{
      this, "friction", "Roughness of the wall in turbulent flow", kFrictionNames,
      Presets{.ideal = Friction::kSmooth, .standard = Friction::kSmooth, .advanced = Friction::kRough}};
  Aspect<Compressibility> compressibility{this, "compressibility", "Compressibility of oil and wall",
                                          kCompressibilityNames,
                                          Presets{.ideal = Compressibility::kConstant,
                                                  .standard = Compressibility::kConstant,
                                                  .advanced = Compressibility::kEffectiveDilation}};
  Property<Formulation> formulation{this, "formulation",
                                    "State of each cell: the pressure, or the quantity of oil",
                                    kFormulationNames, Choice{.value = Formulation::kPressure}};
  Parameter inner_diameter{
      this, "inner_diameter", "m", "Inner diameter",
      Number{.value = 0.049, .range = kPositive, .when = cells.Is(Cells::kOne, Cells::kSeveral)}};
  Parameter length{this, "length", "m", "Length",
                   Number{.value = 15.0, .range = kPositive, .when = cells.Is(Cells::kOne, Cells::kSeveral)}};
  Property<int> lumps{this, "lumps", "Number of cells",
                      Number{.value = 4,
                             .range = Range{.low = 1, .high = 1000},
                             .tunability = Tunability::kStructural,
                             .when = cells.Is(Cells::kSeveral)}};
  Parameter wall_thickness{this, "wall_thickness", "m", "Thickness of the wall",
                           Number{.value = 0.004, .range = kPositive, .when = WhereDilation()}};
  Parameter wall_modulus{this, "wall_modulus", "Pa", "Modulus of elasticity of the wall",
                         Number{.value = 207e9, .range = kPositive, .when = WhereDilation()}};
  Parameter wall_poisson_ratio{
      this, "wall_poisson_ratio", "", "Poisson's ratio of the wall",
      Number{.value = 0.3, .range = Range{.low = 0, .high = 0.5}, .when = WhereDilation()}};
  Property<Anchoring> anchoring{this, "anchoring", "Anchoring of the pipe: by name, or by anchoring_factor",
                                kAnchoringNames,
                                Choice{.value = Anchoring::kFactor, .when = WhereDilation()}};
  Parameter anchoring_factor{this, "anchoring_factor", "",
                             "Factor of the wall expansion, 0.85 to 1; used only with anchoring factor",
                             Number{.value = 0.85, .range = kPositive, .when = WhereDilation()}};
  Parameter roughness{this, "roughness", "m", "Roughness of the wall",
                      Number{.value = 5e-6, .range = kNonNegative, .when = friction.Is(Friction::kRough)}};
  Property<RoughLaw> rough_law{this, "rough_law", "Law of the friction at a rough wall", kRoughLawNames,
                               Choice{.value = RoughLaw::kSwameeJain, .when = friction.Is(Friction::kRough)}};
  Property<FrictionDynamics> friction_dynamics{
      this, "friction_dynamics", "Whether friction depends on how fast the flow changes, as in laminar flow",
      kFrictionDynamicsNames,
      Choice{.value = FrictionDynamics::kSteady, .tunability = Tunability::kStructural}};
  Property<int> friction_terms{
      this, "friction_terms",
      "States of each cell for frequency_dependent friction: more for higher frequencies",
      Number{.value = 8,
             .range = Range{.low = 1, .high = kUnsteadyFrictionTerms},
             .tunability = Tunability::kStructural,
             .when = cells.Is(Cells::kOne, Cells::kSeveral)}};
  Property<int> elbows = Fittings("elbows", "Number of standard elbows of 90 degrees, xi 1.25 each");
  Property<int> tees = Fittings("tees", "Number of tee junctions, xi 3.5 each");
  Property<int> flexible_connections =
      Fittings("flexible_connections", "Number of flexible pipe connections, xi 0.3 each");
  Property<int> sharp_inlets = Fittings("sharp_inlets", "Number of inlets from a volume, xi 0.75 each");
  Property<int> outlets = Fittings("outlets", "Number of outlets to a volume, xi 1 each");
  Parameter minor_loss{
      this, "minor_loss", "", "Sum of the loss coefficients of all other elements",
      Number{.value = 0.0, .range = kNonNegative, .when = cells.Is(Cells::kOne, Cells::kSeveral)}};
  Parameter density{
      this, "density", "kg/m3", "Density of the oil",
      Number{.value = 861.8, .range = kPositive, .when = cells.Is(Cells::kOne, Cells::kSeveral)}};
  Parameter kinematic_viscosity{
      this, "kinematic_viscosity", "m2/s", "Kinematic viscosity of the oil",
      Number{.value = 32e-6, .range = kPositive, .when = cells.Is(Cells::kOne, Cells::kSeveral)}};
  OilParameters oil{this, cells.Is(Cells::kOne, Cells::kSeveral)};
  FaultMode trapped_air{this, "trapped_air", "free_air", 0.05, "Air is in the oil"};
  FaultMode blocked{this, "blocked", "minor_loss", 1e6, "Something blocks the line: xi 1e6"};
  ExternalLeak external_leak{this, cells.Is(Cells::kOne, Cells::kSeveral)};
  StartValue p_start{this, "p", "Pa", "Start pressure inside",
                     Number{.value = 1e5, .when = cells.Is(Cells::kOne, Cells::kSeveral)}};
  Output q{this, "q", "m3/s", "Flow from inlet to outlet"};
  Output void_volume{this, "void_volume", "m3", "Cavity (vapour) volume in all cells"};
  Output q_leak{this, "q_leak", "m3/s", "Flow of the leak to the outside"};

  /// The cell of cells One.
  OilState node{this, {"pressure", "quantity", "Oil in the one cell"}, cells.Is(Cells::kOne)};
  StateVariable flow{this, "flow", "m3/s", "Flow in the one cell", 0.0, 1e-3, cells.Is(Cells::kOne)};
  /// The cells of cells Several, from the inlet on.
  StateVariableArray node_pressures{this, "pressures", "Pa", "Oil in the cells",
                                    Start{.value = 1e5, .nominal = 1e5, .when = cells.Is(Cells::kSeveral)}};
  StateVariableArray node_quantities{this, "quantities", "m3", "Oil in the cells",
                                     Start{.value = 0, .nominal = 1e-3, .when = cells.Is(Cells::kSeveral)}};
  StateVariableArray flows{this, "flows", "m3/s", "Flows in the cells",
                           Start{.value = 0, .nominal = 1e-3, .when = cells.Is(Cells::kSeveral)}};
  /// Of friction_dynamics frequency_dependent, friction_terms for each cell; the one cell has the first.
  StateVariableArray friction_flows{
      this, "friction_flows", "m3/s", "Filtered flows of the unsteady friction",
      Start{.value = 0, .nominal = 1e-3, .when = cells.Is(Cells::kOne, Cells::kSeveral)}};

  /// The state of a node of cells Several.
  double NodeState(std::size_t k) const {
    return content_.is_quantity() ? static_cast<double>(node_quantities[k])
                                  : static_cast<double>(node_pressures[k]);
  }
  double NodePressure(std::size_t k) const { return content_.p(NodeState(k), cell_volume_); }
  /// Of all cells.
  double LargestPressure() const {
    if (cells == Cells::kOne) return node.p(cell_volume_);
    double largest = NodePressure(0);
    for (std::size_t k = 1; k < nodes_; ++k) largest = std::max(largest, NodePressure(k));
    return largest;
  }
  /// Of the flow at the inlet.
  double Reynolds() const {
    return std::abs(q) / (std::numbers::pi / 4 * inner_diameter * kinematic_viscosity);
  }
  Property<int> Fittings(Text name, Text text) {
    return {this, name, text,
            Number{.value = 0,
                   .range = Range{.low = 0, .high = 1000},
                   .tunability = Tunability::kStructural,
                   .when = cells.Is(Cells::kOne, Cells::kSeveral)}};
  }
  /// Sum of the loss coefficients of all bends and fittings.
  double LossCoefficient() const;
  double AnchoringFactorInUse() const;
  double WallCompliance() const;
  /// Of a length [m] of the pipe.
  PipeFriction FrictionOf(Friction option, double part) const;
  void SetOil(const OilCompression& oil_now, double V_before);
  void SetNode(std::size_t k, double p, double V, double void_volume_k = 0);
  double NodeFlow(std::size_t k) const {
    return cells == Cells::kOne ? static_cast<double>(flow) : static_cast<double>(flows[k]);
  }
  OptionCondition WhereDilation() const {
    return compressibility.Is(Compressibility::kDilation, Compressibility::kEffectiveDilation);
  }
  /// Of the oil, or of oil and wall.
  OilCompression CompressionOf(Compressibility option) const;
  void EvaluateCells();
  /// q_k' [m3/s2] of the cell k between two pressures.
  double FlowRate(std::size_t k, double q_k, double p_before, double p_behind) const;
  /// What fittings and frequency_dependent friction add to the drop of the cell k [Pa].
  double AddedDrop(std::size_t k, double q_k) const;
  /// What frequency_dependent friction adds to the drop of the cell k [Pa].
  double UnsteadyDrop(std::size_t k, double q_k) const;
  void EvaluateFriction();
  /// As if all flows had been steady so far.
  void SettleFriction();
  /// Energy [J] of the flow in a cell with the inertance I.
  double FlowEnergy(std::size_t k, double q_k, double I) const;
  /// Over q_k.
  double FlowRateSlope(double q_k) const;
  void ShowIdle() const;

  Mode<Regime> regime{this, "regime", "Flow regime: turbulent from Re 2300 on, laminar again below 2000",
                      kRegimeNames, [this](Regime now) {
                        const double limit = now == Regime::kLaminar ? 2300 : 2000;
                        return Reynolds() >= limit ? Regime::kTurbulent : Regime::kLaminar;
                      }};

  Mode<SmoothRange> smooth_range{this, "smooth_range",
                                 "Law of a smooth wall: from Re 1e5 on Hermann, again Blasius below 9e4",
                                 kSmoothRangeNames, [this](SmoothRange now) {
                                   const double limit = now == SmoothRange::kLowRe ? 1e5 : 9e4;
                                   return Reynolds() >= limit ? SmoothRange::kHighRe : SmoothRange::kLowRe;
                                 }};

  // Scales of the indicators: 10 bar and 0.5 m/s at least.
  double PressureScale() const { return std::max({std::abs(inlet->p()), std::abs(outlet->p()), 10e5}); }
  double FlowScale() const { return std::max(std::abs(q), 0.5 * area_); }
  double PipesPerCell() const { return cells == Cells::kSeveral ? static_cast<double>(nodes_) : 1; }
  double Compliance() const { return volume_ / oil.bulk_modulus; }
  double Inertance() const { return cell_inertance_ * PipesPerCell(); }
  double TravelTime() const { return std::sqrt(Inertance() * Compliance()); }

  ObservedRate flow_rate{this, [this] { return +q; }};
  ObservedRate pressure_rate{this, [this] { return outlet->p(); }};
  Indicator friction_loss{
      this, "friction_loss", "Pressure lost by friction over the pressure", cells.Is(Cells::kNone), [this] {
        const double cell = cell_friction_.Drop(q) + MinorLoss(cell_minor_loss_, density, area_, q);
        return Share(cell * PipesPerCell(), PressureScale());
      }};
  Indicator inertia{this, "inertia", "Pressure that accelerates the oil over the pressure",
                    cells.Is(Cells::kNone),
                    [this] { return Share(Inertance() * flow_rate, PressureScale()); }};
  Indicator compressible_flow{this, "compressible_flow", "Flow into compression over the flow",
                              cells.Is(Cells::kNone),
                              [this] { return Share(Compliance() * pressure_rate, FlowScale()); }};
  Indicator travel_time{this, "travel_time", "Change of the pressure while a wave travels, over the pressure",
                        cells.Is(Cells::kNone, Cells::kOne),
                        [this] { return Share(TravelTime() * pressure_rate, PressureScale()); }};

  Indicator rough_wall{this, "rough_wall", "Pressure that the roughness takes over the pressure",
                       friction.Is(Friction::kSmooth), [this] {
                         return Share(rough_friction_.Drop(q) - smooth_friction_.Drop(q), PressureScale());
                       }};
  Indicator wall_dilation{
      this, "wall_dilation", "Flow into the dilation of the wall over the flow",
      compressibility.Is(Compressibility::kConstant, Compressibility::kEffective, Compressibility::kAir),
      [this] { return Share(volume_ * WallCompliance() * pressure_rate, FlowScale()); }};
  Indicator gas_compression{
      this, "gas_compression", "Flow into the compression of gas over the flow",
      compressibility.Is(Compressibility::kConstant, Compressibility::kDilation),
      [this] { return Share(volume_ * oil.GasCompliance(outlet->p()) * pressure_rate, FlowScale()); }};

  OilAlarms alarms{this, cells.Is(Cells::kOne, Cells::kSeveral)};

  OilContent content_;         // of each cell of cells Several
  std::size_t nodes_ = 0;      // of cells Several
  double area_ = 0;            // [m2]
  double volume_ = 0;          // of all cells [m3]; 0 before the first ParametersChanged
  double cell_volume_ = 0;     // of each cell in use [m3]
  double cell_inertance_ = 0;  // [kg/m4]
  double cell_minor_loss_ = 0;
  PipeFriction cell_friction_;
  PipeFriction rough_friction_, smooth_friction_;  // of the whole pipe, for an indicator
  std::size_t terms_ = 0;                          // of frequency_dependent friction in a cell
  double friction_rate_ = 0;                       // nu/r^2 [1/s]
  double inertance_share_ = 1;                     // of the cells, over rho L/A
};

}  // namespace davit
