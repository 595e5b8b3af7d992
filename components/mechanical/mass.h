#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "components/mechanical/dry_friction.h"
#include "components/mechanical/fixed_step_motion.h"
#include "framework/archive.h"
#include "framework/scene.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Rigid mass that moves along a line, with components on both sides and stops at the ends of its travel.
class Mass final : public DynamicSimComponent,
                   public StepPointHooks,
                   public MechanismPart,
                   public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Mass",
      .text = "Mass moving along a line, with optional stops",
      .equations = R"(
x' = v,  m*v' = sum(F_a) - sum(F_b) - weight - viscous_friction*v - F_dry
m = mass + the masses of connected components (such as the rod of a cylinder).
Components at a are on the negative side and push along +x, those at b on the positive side
and push along -x. Forces are positive in compression, weight acts along -x.
## Dry friction
F_dry, with a solver (ODE, DAE): kinetic_friction*tanh(v/stick_velocity). The mass creeps instead
of sticking, and static_friction has no effect.
F_dry, with fixed steps (TLM): the mass sticks while |F_net| <= static_friction, F_net the net force (kinetic_friction if
that is larger), else slides against kinetic_friction until v would change sign, where it stops.
Fixed steps, between TLM components, are taken by the trapezoidal rule with c + Zc*v solved along.
## Travel limits
Travel limits (own, and those that connected components set) are rigid stops: when a step has
ended outside, x is set to the limit and the speed to restitution times that of the impact
(v^2 - 2*v'*(x - limit) is its square). If a rebound would last less than one
step, the mass rests at the stop until the net force points away from it.
With located_stops, or if the component that sets the limits requires it (not with fixed steps), the
impact is located inside the step; rebounds that become ever shorter (Zeno) end with the mass at rest.
It then stays until the force that presses it against the stop has fallen to 0, which is located, too.
# Assumptions and limits
- A rigid body on a straight line: no rotation, no guide forces.
- Stops are rigid: an impact takes no time, and its force is not computed.
- The weight is constant and acts along -x. Friction does not depend on the load.
- Without located_stops an impact is found at the end of a step: its time is uncertain by one TimeStep.
)",
  };

  Mass();

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  /// SimulateOneTimestep does what they are there for.
  static constexpr bool kHasHooksInFixedSteps = false;
  void PreIntegrate() override;
  void PostIntegrate() override;
  /// Located stops leave the hooks what was written to the mass or to its stops.
  StepPointUse step_point_use() const override {
    const bool has_stops = std::isfinite(travel_.low) || std::isfinite(travel_.high);
    return has_stops && !locates_stops_ ? StepPointUse::kAct : StepPointUse::kNothing;
  }

  void EvaluateEfforts(double /*t*/) override { ShowMotion(x, v); }

  void EvaluateDiffEquations(double /*t*/) override {
    const BodyLoad on = Load();
    double F = on.load - on.resistance * v;
    if (friction_.is_present())
      F = has_fixed_steps_ ? friction_.NetForce(F, v) : friction_.SmoothNetForce(F, v);
    force = F;
    acceleration = IsHeld(x, v, F) ? 0.0 : F / on.mass;
    x.ddt = v;
    v.ddt = acceleration;
    if (is_linked_) [[unlikely]]
      ShowAcceleration();
  }

  bool WritePartials(PartialDerivatives& partials) const override {
    if (friction_.is_present() || is_linked_) return false;
    const BodyLoad on = Load();
    const double F = on.load - on.resistance * v;
    const double per_mass = IsHeld(x, v, F) ? 0.0 : 1 / on.mass;
    const auto set = [&](const PartialDerivatives::Variable& read, double dF) {
      partials.Set(v, read, dF * per_mass);
      partials.Set(acceleration, read, dF * per_mass);
      partials.Set(force, read, dF);
    };
    const auto set_port = [&](const TranslationalBond& bond, double sign) {
      set(&bond.c, -sign);
      set(&bond.Zc, -v);
      partials.Set(v, &bond.added_mass, -F * per_mass / on.mass);
      partials.Set(acceleration, &bond.added_mass, -F * per_mass / on.mass);
      partials.Set(&bond.x, x, sign);
      partials.Set(&bond.v, v, sign);
    };
    for (std::size_t i = 0; i < a.size(); ++i) set_port(a[i], -1);
    for (std::size_t i = 0; i < b.size(); ++i) set_port(b[i], 1);
    set(v, -on.resistance);
    partials.Set(x, v, 1);
    return true;
  }

  void SimulateOneTimestep(double /*t*/) override {
    travel_ = {x_min, x_max, restitution, restitution};
    const BodyLoad on =
        Load([this](const TranslationalBond& bond, bool is_a) { travel_.Narrow(bond, is_a); });
    Motion motion = AdvanceBody({x, v, v.ddt}, on, friction_, GetSimulatorTimestep());
    force = on.mass * motion.a;
    if (motion.x <= travel_.low || motion.x >= travel_.high) [[unlikely]] {
      StopInFixedStep(motion, on);
    }
    acceleration = motion.a;
    x.AdvanceTo(motion.x, motion.v);
    v.AdvanceTo(motion.v, motion.a);
    ShowMotion(motion.x, motion.v);
  }
  void ArchiveMemory(Archive& archive) override { archive(travel_, rest_); }
  /// Where something that it is connected to says where it is, else upright by its x, with its own stops.
  void DescribeScene(SceneBuilder& scene) const override;
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("kinetic", Load().mass * v * v / 2);
    terms.Stored("potential", weight * x);
    const double dry = has_fixed_steps_ ? friction_.kinetic() * std::abs(v) : friction_.SmoothForce(v) * v;
    terms.Lost("friction", viscous_friction * v * v + dry);
  }

 private:
  /// The stop that a mass with located stops lies at until a guard releases it. Were that decided by the
  /// sign of the force in each evaluation, a step in which the sign changes would end anywhere near the stop.
  enum class RestAt : std::uint8_t { kNothing, kLow, kHigh };

  /// Where the mass may be, in its own x.
  struct Travel {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    double low_restitution = 0;
    double high_restitution = 0;

    /// Where what is connected at a, or at b, has nearer stops.
    void Narrow(const TranslationalBond& bond, bool is_a) {
      const double bond_low = is_a ? -bond.x_max : bond.x_min;
      const double bond_high = is_a ? -bond.x_min : bond.x_max;
      if (bond_low > low) [[unlikely]] {
        low = bond_low;
        low_restitution = bond.restitution;
      }
      if (bond_high < high) [[unlikely]] {
        high = bond_high;
        high_restitution = bond.restitution;
      }
    }
    void ArchiveMemory(Archive& archive) { archive(low, high, low_restitution, high_restitution); }
  };

  BodyLoad Load() const {
    return Load([](const TranslationalBond&, bool) {});
  }
  /// `visit(bond, is_a)` is called for each bond on the way.
  template <class Visit>
  BodyLoad Load(Visit visit) const {
    BodyLoad on{-weight, viscous_friction, mass};
    for (std::size_t i = 0; i < a.size(); ++i) {
      const TranslationalBond& bond = a[i];
      on.load += bond.c;
      on.resistance += bond.Zc;
      on.mass += bond.added_mass;
      visit(bond, true);
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      const TranslationalBond& bond = b[i];
      on.load -= bond.c;
      on.resistance += bond.Zc;
      on.mass += bond.added_mass;
      visit(bond, false);
    }
    return on;
  }
  void ShowMotion(double displacement, double velocity) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i].x = -displacement;
      a[i].v = -velocity;
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      b[i].x = displacement;
      b[i].v = velocity;
    }
  }

  /// For rigid links, which state an equation for it.
  void ShowAcceleration() {
    for (std::size_t i = 0; i < a.size(); ++i) a[i].a = -acceleration;
    for (std::size_t i = 0; i < b.size(); ++i) b[i].a = acceleration;
  }

  /// Own limits and those of the connected components.
  void UpdateTravel() {
    travel_ = {x_min, x_max, restitution, restitution};
    for (std::size_t i = 0; i < a.size(); ++i) travel_.Narrow(a[i], true);
    for (std::size_t i = 0; i < b.size(); ++i) travel_.Narrow(b[i], false);
  }
  /// Whether a mass at rest there leans on a stop that takes up the force F.
  bool IsHeld(double displacement, double velocity, double F) const {
    if (rest_ != RestAt::kNothing) return true;
    return velocity == 0 &&
           ((displacement <= travel_.low && F < 0) || (displacement >= travel_.high && F > 0));
  }
  /// The force with which a mass at rest would press against a stop; at neither of them 1, as if it did.
  double Pressure(RestAt stop) const {
    if (stop == RestAt::kNothing) return 1;
    const double F = Load().load;
    return stop == RestAt::kLow ? -F : F;
  }
  /// Sends a mass that has passed a stop, or lies at it, back to it.
  void Stop(Motion& motion) const;
  void StopInFixedStep(Motion& motion, const BodyLoad& on);

  TranslationalPortArray a{this, "a", Role::kQ, "Components on the negative side, which push along +x",
                           Connecting::kOptional};
  TranslationalPortArray b{this, "b", Role::kQ, "Components on the positive side, which push along -x",
                           Connecting::kOptional};
  Parameter mass{this, "mass", "kg", "Mass", 1.0, kPositive};
  Parameter weight{this, "weight", "N", "Weight, acts along -x", 0.0};
  Parameter viscous_friction{this, "viscous_friction", "N.s/m", "Viscous friction against the surroundings",
                             Number{.value = 0.0, .range = kNonNegative}};
  Parameter static_friction{this, "static_friction", "N", "Breakaway force of a mass at rest",
                            Number{.value = 0.0, .range = kNonNegative}};
  Parameter kinetic_friction{this, "kinetic_friction", "N", "Dry friction of the sliding mass",
                             Number{.value = 0.0, .range = kNonNegative}};
  Parameter stick_velocity{this, "stick_velocity", "m/s",
                           "Speed below which dry friction fades, except with fixed steps",
                           Number{.value = 1e-3, .range = kPositive}};
  Parameter x_min{this, "x_min", "m", "Lower end of the travel", -std::numeric_limits<double>::infinity()};
  Parameter x_max{this, "x_max", "m", "Upper end of the travel", std::numeric_limits<double>::infinity()};
  Parameter restitution{this, "restitution", "", "Coefficient of restitution at the ends of the travel",
                        Number{.value = 0.0, .range = kUnitInterval}};
  Property<bool> located_stops{this, "located_stops",
                               "Whether impacts on the stops are located inside a step",
                               Choice{.value = false, .tunability = Tunability::kStructural}};
  StateVariable x{this, "x", "m", "Displacement"};
  StateVariable v{this, "v", "m/s", "Velocity"};
  Output acceleration{this, "acceleration", "m/s2", "Acceleration along x"};
  Output force{this, "force", "N", "Net force along x, without that of a stop"};

  // Side by side with the outputs: what each step reads.
  Travel travel_;
  RestAt rest_ = RestAt::kNothing;
  DryFriction friction_;
  bool has_fixed_steps_ = false;
  bool is_linked_ = false;
  bool locates_stops_ = false;

  static constexpr double kSlow = 1e-9;  // [m/s]
  bool IsNear(double distance) const {
    constexpr double kNear = 1e-10;  // [m]
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(x);
    return std::abs(distance) <= std::max(kNear, rounding);
  }
  /// Distance from a stop. Where a mass leaves a stop from rest, a step of the solver ends on either side,
  /// within its tolerance: what lies that near and is as slow is not beyond.
  double Clearance(double distance, double leaving_speed) const {
    return IsNear(distance) && leaving_speed >= -kSlow ? std::abs(distance) : distance;
  }
  /// The impact on a stop, and what is left when rebounds have become too short.
  void Rebound(RestAt stop, double speed) {
    x.OverrideStateValue(stop == RestAt::kLow ? travel_.low : travel_.high);
    v.OverrideStateValue(speed);
    rest_ = speed == 0 && Pressure(stop) >= 0 ? stop : RestAt::kNothing;
  }
  Guard low_stop{this,
                 "low_stop",
                 "Impact on the lower stop",
                 Guard::Direction::kFalling,
                 [this] { return Clearance(x - travel_.low, v); },
                 [this](double) { Rebound(RestAt::kLow, travel_.low_restitution * std::abs(v)); },
                 [this](double) { Rebound(RestAt::kLow, 0); }};
  Guard high_stop{this,
                  "high_stop",
                  "Impact on the upper stop",
                  Guard::Direction::kFalling,
                  [this] { return Clearance(travel_.high - x, -v); },
                  [this](double) { Rebound(RestAt::kHigh, -travel_.high_restitution * std::abs(v)); },
                  [this](double) { Rebound(RestAt::kHigh, 0); }};
  Guard release{this,
                "release",
                "The force that presses the mass against its stop vanishes",
                Guard::Direction::kFalling,
                [this] { return Pressure(rest_); },
                [this](double) { rest_ = RestAt::kNothing; },
                [this](double) { rest_ = RestAt::kNothing; }};
};

}  // namespace davit
