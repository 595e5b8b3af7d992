#pragma once

#include <limits>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Rigid mass that moves along a line, with components on both sides and stops at the ends of its travel.
class Mass final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      "mechanical.Mass",
      "Mass moving along a line, between stops if wanted",
      {},
      "x' = v,  m*v' = sum(F_a) - sum(F_b) - weight - viscous_friction*v\n"
      "m = mass + what the connected components move along (such as the rod of a cylinder).\n"
      "Components at a stand on the negative side and push along +x, those at b on the positive side\n"
      "and push along -x. Forces are positive in compression, weight acts along -x.\n"
      "Travel limits (own, and those that connected components set) are rigid stops: when a step has\n"
      "ended outside, x is set to the limit and the speed to restitution times that of the impact\n"
      "(v^2 - 2*v'*(x - limit) is its square). A rebound that would last less than one step is no\n"
      "rebound: the mass then rests at the stop until the net force points away from it.\n"};

  Mass();

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void PreIntegrate() override { UpdateTravel(); }
  void PostIntegrate() override;

  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i].x = -x;
      a[i].v = -v;
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      b[i].x = x;
      b[i].v = v;
    }
  }

  void EvaluateDiffEquations(double /*t*/) override {
    double F = -weight - viscous_friction * v;
    double m = mass;
    for (std::size_t i = 0; i < a.size(); ++i) {
      F += a[i].F();
      m += a[i].added_mass;
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      F -= b[i].F();
      m += b[i].added_mass;
    }
    force = F;
    acceleration = IsHeld(F) ? 0.0 : F / m;
    x.ddt = v;
    v.ddt = acceleration;
  }

 private:
  /// Where the mass may be, in its own x.
  struct Travel {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    double low_restitution = 0;
    double high_restitution = 0;
  };

  /// Own limits and those of the connected components.
  void UpdateTravel();
  /// Whether it rests at a stop that takes up the force F.
  bool IsHeld(double F) const {
    return v == 0 && ((x <= travel_.low && F < 0) || (x >= travel_.high && F > 0));
  }
  /// The mass has passed a stop at x = limit since the last step.
  void HitStop(double limit, double restitution_of_stop);

  TranslationalPortArray a{this, "a", Role::kQ, "What stands on the negative side and pushes along +x",
                           Connecting::kOptional};
  TranslationalPortArray b{this, "b", Role::kQ, "What stands on the positive side and pushes along -x",
                           Connecting::kOptional};
  Parameter mass{this, "mass", "kg", "Mass", 1.0, kPositive};
  Parameter weight{this, "weight", "N", "Weight, acts along -x", 0.0};
  Parameter viscous_friction{this, "viscous_friction", "N.s/m", "Viscous friction against the surroundings",
                             0.0,  kNonNegative};
  Parameter x_min{this, "x_min", "m", "Lower end of the travel", -std::numeric_limits<double>::infinity()};
  Parameter x_max{this, "x_max", "m", "Upper end of the travel", std::numeric_limits<double>::infinity()};
  Parameter restitution{this, "restitution",
                        "",   "Share of the velocity kept when an end of the travel is hit",
                        0.0,  kUnitInterval};
  StateVariable x{this, "x", "m", "Displacement"};
  StateVariable v{this, "v", "m/s", "Velocity"};
  Output acceleration{this, "acceleration", "m/s2", "Acceleration along x"};
  Output force{this, "force", "N", "Net force along x, without that of a stop"};

  Travel travel_;
};

}  // namespace davit
