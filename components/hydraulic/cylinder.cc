#include "components/hydraulic/cylinder.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>

#include "components/hydraulic/cylinder_rod.h"
#include "components/hydraulic/cylinder_scene.h"
#include "components/hydraulic/laws/annular_gap.h"
#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/wall_compliance.h"
#include "framework/run_log.h"
#include "framework/symptom.h"
#include "simulator/state_failure.h"

namespace davit {

Cylinder::Cylinder() { EffortsRead({a, b, rod}); }

void Cylinder::Configure(Diagnostics& /*diagnostics*/) {
  chamber_a.Choose(*this, formulation);
  chamber_b.Choose(*this, formulation);
}

OilCompression Cylinder::CompressionOf(Compressibility option) const {
  return oil.CompressionOf(option, WallCompliance());
}

double Cylinder::WallCompliance() const {
  return wall_law == WallLaw::kThin
             ? ThinWallCompliance(bore, outer_diameter, wall_modulus)
             : ThickWallCompliance(bore, outer_diameter, wall_modulus, wall_poisson_ratio);
}

void Cylinder::ParametersChanged() {
  const CylinderGeometry before = geometry_;
  geometry_ = {.bore = bore, .rod = rod_diameter, .stroke = stroke, .dead_volume = dead_volume};
  piston_area_ = geometry_.piston_area();
  ring_area_ = geometry_.ring_area();
  const bool has_rigid_stops = IsRigid(stops);
  stops_ = StopsOf(stops);
  const OilCompression compression = CompressionOf(compressibility);
  chamber_a.SetOil(compression, before.VolumeA(x), VolumeA());
  chamber_b.SetOil(compression, before.VolumeB(x), VolumeB());
  opening_a_ = OpeningOf(port_a_diameter, port_a_hydraulic_diameter);
  opening_b_ = OpeningOf(port_b_diameter, port_b_hydraulic_diameter);
  has_port_cavitation_ = port_cavitation == JetCavitation::kNurick;
  const double mu = density * kinematic_viscosity;
  G_internal_ = G_external_ = 0;
  if (leakage == Leakage::kConstant) G_internal_ = leakage_conductance;
  const AnnularGap at_piston{.diameter = bore,
                             .clearance = seal_gap,
                             .length = piston_land,
                             .eccentricity = seal_eccentricity * seal_gap};
  const AnnularGap at_rod{.diameter = rod_diameter,
                          .clearance = seal_gap,
                          .length = rod_land,
                          .eccentricity = seal_eccentricity * seal_gap};
  gap_internal_ = at_piston.LaminarConductance(mu);
  gap_external_ = at_rod.LaminarConductance(mu);
  if (leakage == Leakage::kGap) {
    G_internal_ = gap_internal_;
    G_external_ = gap_external_;
  }
  G_internal_ += internal_leak;
  G_external_ += external_leak;
  lugre_ = {.Fc = coulomb_friction,
            .Fs = static_friction,
            .vs = stribeck_velocity,
            .s0 = bristle_stiffness,
            .s1 = bristle_damping,
            .s2 = lugre_viscous_friction};
  coulomb_force_ = friction_ratio * nominal_pressure * piston_area_;
  rod->added_mass = rod_mass;
  constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  rod->x_min = has_rigid_stops ? -stroke : -kAnywhere;
  rod->x_max = has_rigid_stops ? 0 : kAnywhere;
  rod->restitution = stop_restitution;
  rod->wants_located_stops = has_rigid_stops;
  OfferStart(*this, x_start, *rod);
}

Cylinder::Opening Cylinder::OpeningOf(double diameter, double hydraulic_diameter) const {
  const double area = CircleArea(diameter);
  const LaminarTurbulentOrifice round(kValveEdgeLaminarLoss, kSharpEdgeDischargeCoefficient, density,
                                      kinematic_viscosity);
  return {.K = OrificeCoefficient(port_discharge_coefficient, area, density),
          .jet = {area, density, oil.vapour_pressure - oil.atmospheric_pressure},
          .law = hydraulic_diameter > 0 && hydraulic_diameter < diameter
                     ? round.OfHydraulicDiameter(hydraulic_diameter / diameter)
                     : round};
}

EndStops Cylinder::StopsOf(Stops option) const {
  const double max_force = max_pressure * piston_area_;
  EndStops made = EndStops::ForForce(max_force, stop_deflection, stop_damping_ratio, stroke);
  made.model = stop_law;
  if (option == Stops::kConstant) made.limit = max_force;
  if (IsRigid(option)) made.stiffness = made.damping = 0;
  return made;
}

CylinderTravel::Travel Cylinder::travel() const {
  if (IsRigid(stops)) return {.stroke = stroke, .deflection = 0};
  if (stops == Stops::kConstant)  // what is stronger passes them
    return {.stroke = stroke, .deflection = std::numeric_limits<double>::infinity()};
  return {.stroke = stroke, .deflection = stop_deflection};
}

void Cylinder::CheckConnections(Diagnostics& diagnostics) {
  can_be_rigid_ = rod->keeps_travel;
  CheckCylinder(*this, bore, rod_diameter, travel(), *rod, diagnostics);
  const auto check_port = [&](std::string_view name, double diameter) {
    if (diameter <= bore) return;
    diagnostics.Warning(location(), DisplayPath(),
                        fmt::format("{} ({} m) is wider than bore ({} m); give a port that fits into the "
                                    "barrel",
                                    name, diameter, static_cast<double>(bore)));
  };
  check_port("port_a_diameter", port_a_diameter);
  check_port("port_b_diameter", port_b_diameter);
  const auto check_shape = [&](std::string_view port, double diameter, double hydraulic_diameter) {
    if (hydraulic_diameter <= diameter) return;
    diagnostics.Warning(
        location(), DisplayPath(),
        fmt::format("{0}_hydraulic_diameter ({1} m) is above {0}_diameter ({2} m), that of the "
                    "round port of the same area, which no shape exceeds; the port is taken "
                    "as round",
                    port, hydraulic_diameter, diameter));
  };
  check_shape("port_a", port_a_diameter, port_a_hydraulic_diameter);
  check_shape("port_b", port_b_diameter, port_b_hydraulic_diameter);
  if (port_discharge_coefficient > 1) {
    diagnostics.Warning(location(), DisplayPath(),
                        fmt::format("port_discharge_coefficient ({}) is above 1; give 0.611 for a sharp "
                                    "edge, up to 1 for a rounded one",
                                    static_cast<double>(port_discharge_coefficient)));
  }
  if (outer_diameter <= bore) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("outer_diameter ({} m) is not larger than bore ({} m); the barrel needs a wall",
                    static_cast<double>(outer_diameter), static_cast<double>(bore)));
  }
  if (wall_law == WallLaw::kThin && !IsThinWall(bore, outer_diameter)) {
    diagnostics.Warning(
        location(), DisplayPath(),
        fmt::format(
            "wall_law thin is for walls of at most a tenth of the bore ({} m); this one has {:.4g} m; "
            "take wall_law=\"thick\"",
            static_cast<double>(bore), (outer_diameter - bore) / 2));
  }
  if (formulation == Formulation::kQuantity && !x_start.is_given()) {
    diagnostics.Error(
        location(), DisplayPath(),
        "the quantity of oil in the chambers depends on the start displacement; give <Start x=.../>, "
        "or take formulation=\"pressure\"");
  }
  if (stops == Stops::kRigid && !rod->keeps_travel) {
    diagnostics.Error(
        location(), DisplayPath(),
        "its stops are rigid, but the component at its rod does not stop at the ends of a travel; "
        "connect the rod to a mechanical.Mass, or take stops=\"elastic\"");
  }
}

void Cylinder::Reset() {
  DynamicSimComponent::Reset();
  alarms.Reset();
  chamber_a.Set(p_a_start, geometry_.VolumeA(x_start));
  chamber_b.Set(p_b_start, geometry_.VolumeB(x_start));
}

void Cylinder::PreIntegrate() {
  if (!HasChambers() || (VolumeA() > 0 && VolumeB() > 0)) [[likely]]
    return;
  const bool is_retracted = VolumeA() <= 0;
  throw StateFailure(fmt::format(
      "the piston is at x = {:.6g} m, {:.6g} m beyond its stop at {:.6g} m: chamber {} has no volume "
      "left; start between the stops (0 to stroke), or take stiffer stops{}",
      static_cast<double>(x), is_retracted ? -x : x - stroke, is_retracted ? 0.0 : +stroke,
      is_retracted ? 'A' : 'B', SeeSection(Symptom::kDiverged)));
}

double Cylinder::PortFlow(const Opening& opening, const HydraulicBond& line, double p, double share) const {
  const HydraulicBond chamber{{.c = p}};
  return FlowBetween(line, chamber,
                     [&](const PortWave& at_line, const PortWave& at_chamber) {
                       const double dc = at_line.c - at_chamber.c;
                       const double K = dc < 0 ? share * opening.K : opening.K;
                       const double q_law = ports == Ports::kTurbulent ? OrificeFlow(K, dc, at_line.Zc)
                                                                       : opening.law.Flow(K, dc, at_line.Zc);
                       if (!has_port_cavitation_) return q_law;
                       return q_law >= 0 ? std::min(q_law, opening.jet.Flow(at_line))
                                         : -std::min(-q_law, share * opening.jet.Flow(at_chamber));
                     })
      .q;
}

FlowRegime Cylinder::PortRegime(const Opening& opening, const HydraulicBond& line, double p, double q,
                                double share, FlowRegime now) const {
  if (!HasChambers()) return FlowRegime::kTurbulent;
  const double open = q < 0 ? share : 1;
  const double cavitating = has_port_cavitation_
                                ? open * opening.jet.Flow(q > 0 ? PortWave{line.c, line.Zc} : PortWave{p, 0})
                                : std::numeric_limits<double>::infinity();
  const double laminar_end = ports == Ports::kTurbulent ? 0 : opening.law.TurbulentFrom(open * opening.K);
  const FlowRegime regime = FlowRegimeOf(std::abs(q), laminar_end, cavitating, now);
  return ports == Ports::kTurbulent && regime == FlowRegime::kLaminar ? FlowRegime::kTurbulent : regime;
}

double Cylinder::PortSlope(const Opening& opening, const HydraulicBond& line, double p, double q) const {
  const double dp = line.c - p - line.Zc * q;
  const double slope = (ports == Ports::kTurbulent ? OrificeFlowAndSlope(opening.K, dp)
                                                   : opening.law.FlowWithSlope(opening.K, dp))
                           .slope;
  return slope / (1 + line.Zc * slope);
}

bool Cylinder::WritePartials(PartialDerivatives& partials) const {
  using Variable = PartialDerivatives::Variable;
  if (static_cast<std::size_t>(static_cast<Friction>(friction)) >= kFrictionNames.size()) return false;
  const bool has_chambers = HasChambers();
  if (has_chambers && (has_port_cavitation_ || CushionShareA() < 1 || CushionShareB() < 1 ||
                       a->c - a->Zc * q_a < a->p_min || b->c + b->Zc * q_b < b->p_min)) {
    return false;
  }
  // Pressures by what they depend on: the state of the chamber and x, or c at the port.
  const double q_internal = G_internal_ * (p_a - p_b), q_external = G_external_ * p_b;
  const OilContent::Slopes at_a =
      has_chambers ? chamber_a.SlopesAt(VolumeA(), q_a - q_internal, piston_area_ * v) : OilContent::Slopes{};
  const OilContent::Slopes at_b =
      has_chambers ? chamber_b.SlopesAt(VolumeB(), q_internal - q_external - q_b, -ring_area_ * v)
                   : OilContent::Slopes{};
  const double Ap = piston_area_, Ar = ring_area_;
  const Variable s_a = has_chambers ? Variable(chamber_a.state_in_use()) : Variable(&a->c);
  const Variable s_b = has_chambers ? Variable(chamber_b.state_in_use()) : Variable(&b->c);
  const double pa_s = has_chambers ? at_a.p_s : a->c > a->p_min ? 1.0 : 0.0;
  const double pb_s = has_chambers ? at_b.p_s : b->c > b->p_min ? 1.0 : 0.0;
  const double pa_x = at_a.p_V * Ap, pb_x = -at_b.p_V * Ar;
  double friction_v = 0, friction_z = 0;
  if (friction == Friction::kViscous) friction_v = viscous_friction;
  if (friction == Friction::kCoulomb) {
    const double share = std::tanh(v / stick_velocity);
    friction_v = coulomb_force_ / stick_velocity * (1 - share * share);
  }
  if (friction == Friction::kLuGre) {
    const LuGreLaw::Slopes rate = lugre_.RateSlopes(v, z);
    friction_v = lugre_.s1 * rate.v + lugre_.s2;
    friction_z = lugre_.s0 + lugre_.s1 * rate.z;
    partials.Set(z, z, rate.z);
    partials.Set(z, &rod->v, -rate.v);
  }
  const EndStops::Slopes stop = stops_.ForceSlopes(x, v);
  // The bond at the rod counts x and v against extension.
  for (const Variable& F : {Variable(&rod->c), Variable(force)}) {
    partials.Set(F, s_a, Ap * pa_s);
    partials.Set(F, s_b, -Ar * pb_s);
    partials.Set(F, &rod->x, -(Ap * pa_x - Ar * pb_x) + stop.x);
    partials.Set(F, &rod->v, friction_v + stop.v);
    partials.Set(F, z, -friction_z);
  }
  partials.Set(x, &rod->x, -1);
  partials.Set(v, &rod->v, -1);
  partials.Set(rod_end, &rod->x, -1);
  partials.Set(p_a, s_a, pa_s);
  partials.Set(p_a, &rod->x, -pa_x);
  partials.Set(p_b, s_b, pb_s);
  partials.Set(p_b, &rod->x, -pb_x);
  if (!has_chambers) {
    partials.Set(q_a, &rod->v, -Ap);
    partials.Set(&a->q, &rod->v, Ap);
    partials.Set(q_b, &rod->v, -Ar);
    partials.Set(&b->q, &rod->v, -Ar);
    return true;
  }
  const double k_a = PortSlope(opening_a_, *a, p_a, q_a), k_b = PortSlope(opening_b_, *b, p_b, -q_b);
  const auto set_flow = [&](const Variable& flow, double sign, const HydraulicBond& line, double k, double q,
                            const Variable& s, double p_s, double p_x) {
    partials.Set(flow, &line.c, sign * k);
    partials.Set(flow, &line.Zc, -sign * k * q);
    partials.Set(flow, s, -sign * k * p_s);
    partials.Set(flow, &rod->x, sign * k * p_x);
  };
  set_flow(q_a, 1, *a, k_a, q_a, s_a, pa_s, pa_x);
  set_flow(&a->q, -1, *a, k_a, q_a, s_a, pa_s, pa_x);
  set_flow(q_b, -1, *b, k_b, -q_b, s_b, pb_s, pb_x);
  set_flow(&b->q, -1, *b, k_b, -q_b, s_b, pb_s, pb_x);
  // Rates by the net flows q_a - Gi (p_a - p_b) and -q_b + Gi (p_a - p_b) - Ge p_b.
  const double Gi = G_internal_, Ge = G_external_;
  partials.Set(s_a, &a->c, at_a.rate_q * k_a);
  partials.Set(s_a, &a->Zc, -at_a.rate_q * k_a * q_a);
  partials.Set(s_a, s_a, at_a.rate_s - at_a.rate_q * (k_a + Gi) * pa_s);
  partials.Set(s_a, s_b, at_a.rate_q * Gi * pb_s);
  partials.Set(s_a, &rod->x, -(at_a.rate_V * Ap - at_a.rate_q * ((k_a + Gi) * pa_x - Gi * pb_x)));
  partials.Set(s_a, &rod->v, -at_a.rate_dV * Ap);
  partials.Set(s_b, &b->c, at_b.rate_q * k_b);
  partials.Set(s_b, &b->Zc, at_b.rate_q * k_b * q_b);
  partials.Set(s_b, s_b, at_b.rate_s - at_b.rate_q * (k_b + Gi + Ge) * pb_s);
  partials.Set(s_b, s_a, at_b.rate_q * Gi * pa_s);
  partials.Set(s_b, &rod->x, -(-at_b.rate_V * Ar - at_b.rate_q * ((k_b + Gi + Ge) * pb_x - Gi * pa_x)));
  partials.Set(s_b, &rod->v, at_b.rate_dV * Ar);
  partials.Set(void_a, s_a, at_a.void_s);
  partials.Set(void_a, &rod->x, -at_a.void_V * Ap);
  partials.Set(void_b, s_b, at_b.void_s);
  partials.Set(void_b, &rod->x, at_b.void_V * Ar);
  return true;
}

void Cylinder::DescribeScene(SceneBuilder& scene) const {
  ShowCylinder(scene, {rod, bore, rod_diameter, stroke, x, rod_end});
}

void Cylinder::EvaluateChambers() {
  q_a = PortFlow(opening_a_, *a, p_a, CushionShareA());
  q_b = -PortFlow(opening_b_, *b, p_b, CushionShareB());
  const double q_internal = G_internal_ * (p_a - p_b);
  const double q_external = G_external_ * p_b;
  chamber_a.SetRate(VolumeA(), q_a - q_internal, piston_area_ * v);
  chamber_b.SetRate(VolumeB(), q_internal - q_external - q_b, -ring_area_ * v);
  void_a = chamber_a.VoidVolume(VolumeA());
  void_b = chamber_b.VoidVolume(VolumeB());
}

double Cylinder::DeflectionFor(double F) const {
  // F = s0 z + s1 (v - |v|/g z) + s2 v
  const double stiffness = lugre_.s0 - lugre_.s1 * std::abs(v) / lugre_.SteadyDeflection(v);
  const double deflection = (F - (lugre_.s1 + lugre_.s2) * v) / stiffness;
  if (std::abs(deflection) <= lugre_.LargestDeflection()) return deflection;
  return std::copysign(lugre_.SteadyDeflection(v), v);
}

void Cylinder::AspectsChanged(AspectSwitch& change) {
  const Compressibility before = change.Before(compressibility);
  if (change.HasChanged(compressibility)) {
    // p_a and p_b are those of the chambers until now, or of the ports. ParametersChanged has kept them, and
    // the cavities.
    const OilCompression oil_before = CompressionOf(before);
    for (const auto& [chamber, p, V] : {std::tuple(&chamber_a, static_cast<double>(p_a), VolumeA()),
                                        std::tuple(&chamber_b, static_cast<double>(p_b), VolumeB())}) {
      if (before != Compressibility::kNone) {
        change.ReleaseOil(V * oil_before.Compression(p) - chamber->VoidVolume(V));
        change.ReleaseEnergy(V * oil_before.Energy(p));
      }
      if (!HasChambers()) continue;
      if (before == Compressibility::kNone) chamber->Set(p, V);
      change.ReleaseOil(-chamber->Quantity(V));
      change.ReleaseEnergy(-chamber->Energy(V));
    }
  }
  if (change.HasChanged(friction) && friction == Friction::kLuGre) {
    z.OverrideStateValue(DeflectionFor(FrictionForce(change.Before(friction))));
  }
  if (change.HasChanged(stops)) {
    change.ReleaseEnergy(StopsOf(change.Before(stops)).Energy(x) - stops_.Energy(x));
    RunLog* const log = run_log();
    if (stops == Stops::kRigid && !can_be_rigid_ && log != nullptr) {
      log->Write(
          RunLog::Severity::kWarning, DisplayPath(),
          "stops=rigid has no effect: the component at the rod does not stop at the ends of a travel; the "
          "stops stay elastic");
    }
  }
}

}  // namespace davit
