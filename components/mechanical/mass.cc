#include "components/mechanical/mass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace davit {
namespace {

/// A start displacement that a connected component requires, in the x of the mass.
struct StartRequest {
  double x = std::numeric_limits<double>::quiet_NaN();
  const Component* owner = nullptr;
};

/// Calls `visit(bond, sign)` for each connection; x of the bond is sign*x of the mass.
template <class Ports, class Visit>
void ForEachBond(Ports& a, Ports& b, Visit visit) {
  for (std::size_t i = 0; i < a.size(); ++i) visit(a[i], -1.0);
  for (std::size_t i = 0; i < b.size(); ++i) visit(b[i], 1.0);
}

StartRequest FindStartRequest(const TranslationalPortArray& a, const TranslationalPortArray& b) {
  StartRequest found;
  ForEachBond(a, b, [&](const TranslationalBond& bond, double sign) {
    if (found.owner == nullptr && !std::isnan(bond.x_start))
      found = {sign * bond.x_start, bond.x_start_owner};
  });
  return found;
}

}  // namespace

Mass::Mass() { EffortsRead({}); }

void Mass::DescribeScene(SceneBuilder& scene) const {
  constexpr double kDensity = 7850;  // [kg/m3], of steel: the size in which the mass is shown
  const double radius = std::cbrt(3 * mass / (4 * std::numbers::pi * kDensity));
  const auto show = [&](const ScenePoint& at) {
    scene.Add({.name = "mass",
               .kind = SceneItem::Kind::kCircle,
               .text = "Mass, as large as a ball of steel",
               .points = {at},
               .radius = radius});
  };
  for (const PortBase* port : {static_cast<const PortBase*>(&a), static_cast<const PortBase*>(&b)}) {
    const std::optional<ScenePoint> place = scene.FindPlace(*port);
    if (place) return show(*place);
  }
  show({0, 0, x});
  const auto limit = [&](const char* name, double at) {
    if (!std::isfinite(at)) return;
    scene.Add({.name = name,
               .kind = SceneItem::Kind::kLimit,
               .text = "Middle of the mass at a stop",
               .points = {{-radius, 0, at}, {radius, 0, at}}});
  };
  limit("lower_stop", x_min);
  limit("upper_stop", x_max);
}

void Mass::ParametersChanged() {
  friction_.Set(kinetic_friction, static_friction, stick_velocity);
  ForEachBond(a, b, [&](TranslationalBond& bond, double /*sign*/) {
    bond.mass = mass;
    bond.gives_acceleration = true;
    bond.keeps_travel = true;
  });
}

void Mass::CheckConnections(Diagnostics& diagnostics) {
  locates_stops_ = located_stops;
  ForEachBond(a, b, [&](const TranslationalBond& bond, double) {
    is_linked_ = is_linked_ || bond.wants_acceleration;
    locates_stops_ = locates_stops_ || bond.wants_located_stops;
  });
  low_stop.SetActive(locates_stops_);
  high_stop.SetActive(locates_stops_);
  release.SetActive(locates_stops_);
  UpdateTravel();
  if (travel_.low > travel_.high) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("its travel ends at {} m before it begins at {} m; x_min must be below x_max",
                    travel_.high, travel_.low));
    return;
  }
  const StateDeclaration& own = DeclarationOf(x);
  const StartRequest first = FindStartRequest(a, b);
  if (first.owner != nullptr && own.is_start_given && own.start[0] != first.x) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("starts at x = {} m, but {} connected to it asks for {} m; give one of them, or the "
                    "same place",
                    own.start[0], first.owner->DisplayPath(), first.x));
    return;
  }
  ForEachBond(a, b, [&](const TranslationalBond& bond, double sign) {
    if (std::isnan(bond.x_start) || sign * bond.x_start == first.x) return;
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format("{} asks it to start at x = {} m, but {} at {} m; give one of them, or the same place",
                    first.owner->DisplayPath(), first.x, bond.x_start_owner->DisplayPath(),
                    sign * bond.x_start));
  });
  const double start = first.owner != nullptr ? first.x : own.start[0];
  if (start < travel_.low || start > travel_.high) {
    diagnostics.Error(location(), DisplayPath(),
                      fmt::format("starts at x = {} m, outside its travel from {} m to {} m; start inside",
                                  start, travel_.low, travel_.high));
  }
}

void Mass::Reset() {
  DynamicSimComponent::Reset();
  rest_ = RestAt::kNothing;
  has_fixed_steps_ = GetSolverType() == SolverType::kTlm;
  UpdateTravel();
  const StartRequest request = FindStartRequest(a, b);
  if (request.owner != nullptr) x.OverrideStateValue(request.x);
}

void Mass::PreIntegrate() {
  UpdateTravel();
  if (!locates_stops_ || has_fixed_steps_) return;
  const auto rests_at = [this](RestAt stop) {
    return IsNear(x - (stop == RestAt::kLow ? travel_.low : travel_.high)) && std::abs(v) <= kSlow;
  };
  if (rest_ != RestAt::kNothing) {  // a command may have moved it, or the stop
    if (!rests_at(rest_)) rest_ = RestAt::kNothing;
    return;
  }
  for (const RestAt stop : {RestAt::kLow, RestAt::kHigh}) {
    // It was put there: the solver begins anew.
    if (v == 0 && rests_at(stop) && Pressure(stop) > 0) return Rebound(stop, 0);
  }
}

void Mass::PostIntegrate() {
  if (has_fixed_steps_ || locates_stops_) return;
  const bool is_outside = (x < travel_.low && v < 0) || (x > travel_.high && v > 0);
  if (!is_outside) return;
  Motion motion{x, v, acceleration};
  Stop(motion);
  x.OverrideStateValue(motion.x);
  v.OverrideStateValue(motion.v);
}

void Mass::Stop(Motion& motion) const {
  const bool is_low = motion.x <= travel_.low;
  const double limit = is_low ? travel_.low : travel_.high;
  const double depth = motion.x - limit;
  motion.x = limit;
  if (is_low ? motion.v >= 0 : motion.v <= 0) return;
  const double impact_speed = std::sqrt(std::max(0.0, motion.v * motion.v - 2 * motion.a * depth));
  const double rebound_speed = (is_low ? travel_.low_restitution : travel_.high_restitution) * impact_speed;
  const bool is_pressed_on = motion.a * motion.v > 0;
  const double least_speed = is_pressed_on ? std::abs(motion.a) * GetSimulatorTimestep() / 2 : 0.0;
  motion.v = rebound_speed > least_speed ? (is_low ? rebound_speed : -rebound_speed) : 0.0;
}

void Mass::StopInFixedStep(Motion& motion, const BodyLoad& on) {
  Stop(motion);
  double F = on.load - on.resistance * motion.v;
  if (friction_.is_present()) F = friction_.NetForce(F, motion.v);
  force = F;
  motion.a = IsHeld(motion.x, motion.v, F) ? 0.0 : F / on.mass;
}

}  // namespace davit
