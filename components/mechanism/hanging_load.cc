#include "components/mechanism/hanging_load.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace davit {

using multibody::Matrix3;
using multibody::Vector3;

namespace {

constexpr double kRubbingSpeed = 1e-2;   // [m/s] over which friction on the deck sets in
constexpr double kWinchFade = 0.05;      // [m] over which the winch stops at the least length of wire
constexpr double kLeastDistance = 1e-6;  // [m] of tip and load that gives the wire a direction

/// The velocity of what is fixed to the base, where it is in the world.
Vector3 CarriedVelocity(const HangingLoad::Base& base, const Vector3& place) {
  return base.velocity.At(place - base.pose.p).linear;
}

}  // namespace

HangingLoad::HangingLoad(DynamicSimComponent* owner, const MechanismDescription::Load& of,
                         const LoadAspects& aspects)
    : of_(of),
      aspects_(aspects),
      winch_speed_(owner, owner->Keep(of.name + "_winch_speed"), "m/s",
                   owner->Keep(of.text + ": speed at which the winch pays out wire")),
      release_(owner, owner->Keep(of.name + "_release"), "",
               owner->Keep(of.text + ": whether the winch is released to slip: 0 no, 1 yes"), 0,
               kUnitInterval),
      wind_x_(owner, owner->Keep(of.name + "_wind_x"), "m/s",
              owner->Keep(of.text + ": wind over the earth, forward")),
      wind_y_(owner, owner->Keep(of.name + "_wind_y"), "m/s",
              owner->Keep(of.text + ": wind over the earth, to port")),
      length_(owner, owner->Keep(of.name + "_length"), "m",
              owner->Keep(of.text + ": length of the wire under its weight"),
              Start{.value = of.length, .when = aspects.at.Is(LoadAspects::At::kWire)}),
      pull_(owner, owner->Keep(of.name + "_pull"), "N",
            owner->Keep(of.text + ": pull of the wire; the weight of a load at the tip")),
      radius_(owner, owner->Keep(of.name + "_radius"), "m",
              owner->Keep(of.text + ": tip along x of the frame that it is seen from")),
      height_(owner, owner->Keep(of.name + "_height"), "m",
              owner->Keep(of.text + ": tip along z of the frame that it is seen from")),
      moment_(owner, owner->Keep(of.name + "_moment"), "N.m", owner->Keep(of.text + ": pull times radius")),
      at_(owner, "at_" + of.name, of.text),
      tip_(owner, "at_" + of.name + "_tip", of.text + ": its upper end") {
  for (std::size_t i = 0; i < kLoadNumbers.size(); ++i) {
    const LoadNumberKind& kind = kLoadNumbers[i];
    numbers_.emplace_back(owner, owner->Keep(of.name + "_" + std::string(std::string_view(kind.name))),
                          kind.unit, owner->Keep(of.text + ": " + std::string(std::string_view(kind.text))),
                          of.numbers[i], kind.range);
  }
  struct Name {
    const char *name, *text;
  };
  constexpr std::array<Name, 3> kPlaces{{{"_x", ": place, forward in the frame of the base"},
                                         {"_y", ": place, to port"},
                                         {"_z", ": place, upwards"}}};
  constexpr std::array<Name, 3> kVelocities{{{"_vx", ": velocity in the frame of the base, forward"},
                                             {"_vy", ": velocity, to port"},
                                             {"_vz", ": velocity, upwards"}}};
  const OptionCondition on_wire = aspects.at.Is(LoadAspects::At::kWire);
  for (const Name& one : kPlaces)
    states_.emplace_back(owner, owner->Keep(of.name + one.name), "m", owner->Keep(of.text + one.text), 0, 1,
                         on_wire);
  for (const Name& one : kVelocities)
    states_.emplace_back(owner, owner->Keep(of.name + one.name), "m/s", owner->Keep(of.text + one.text), 0, 1,
                         on_wire);
}

PayloadWire HangingLoad::Wire(double gravity) const {
  return {.EA = Of(LoadNumber::kStiffness),
          .damping_ratio = Of(LoadNumber::kDampingRatio),
          .swing_damping_ratio = Of(LoadNumber::kSwingDampingRatio),
          .mass = least_mass(),
          .gravity = gravity};
}

void HangingLoad::HangBelow(const Tip& in_base) {
  const Vector3 place = in_base.place - length_ * Vector3::UnitZ();
  for (std::size_t i = 0; i < 3; ++i) {
    states_[i].OverrideStateValue(place[static_cast<int>(i)]);
    states_[3 + i].OverrideStateValue(in_base.velocity[static_cast<int>(i)]);
  }
}

HangingLoad::State HangingLoad::Read() const {
  return {length_, {states_[0], states_[1], states_[2]}, {states_[3], states_[4], states_[5]}};
}

Vector3 HangingLoad::OutsideForce(const Vector3& place, const Vector3& velocity, double gravity) const {
  Vector3 force = Vector3::Zero();
  const double depth = Of(LoadNumber::kDeckHeight) - place.z();
  if (depth > 0) {
    const double m = least_mass(), k = Of(LoadNumber::kDeckStiffness);
    const double spring = k * depth;
    const double c = 2 * Of(LoadNumber::kDeckDampingRatio) * std::sqrt(k * m);
    const double share = std::min(1.0, spring / std::max(m * gravity, 1e-300));
    const double normal = std::max(0.0, spring - c * velocity.z() * share);
    const double rub = Of(LoadNumber::kDeckFriction) * normal /
                       std::hypot(std::hypot(velocity.x(), velocity.y()), kRubbingSpeed);
    force = {-rub * velocity.x(), -rub * velocity.y(), normal};
  }
  if (aspects_.air == LoadAspects::Air::kDrag) {
    const Vector3 against = Vector3(wind_x_, wind_y_, 0) - velocity;
    force += Of(LoadNumber::kAirDensity) / 2 * Of(LoadNumber::kDragArea) * against.norm() * against;
  }
  return force;
}

HangingLoad::Response HangingLoad::Respond(const Base& base, const Tip& tip, const State& state) const {
  const PayloadWire wire = Wire(base.gravity);
  const Vector3& w = base.velocity.angular;
  const Vector3 place = base.pose * state.place;
  const Vector3 on_base = base.pose.R * state.velocity, of_base = CarriedVelocity(base, place);
  const Vector3 velocity = of_base + on_base;
  const Vector3 to_tip = tip.place - place;
  const double distance = std::max(to_tip.norm(), kLeastDistance);
  const Vector3 direction = to_tip / distance;
  const Vector3 apart = tip.velocity - velocity - w.cross(to_tip);
  const double distance_rate = direction.dot(apart);

  // The winch slips by the pull without the damping that its own slip makes.
  Response response;
  response.length_rate = winch_speed_;
  if (release_ > 0) {
    const double held = wire.Tension(state.length, 0, distance, distance_rate);
    response.length_rate +=
        release_ * std::max(0.0, held - Of(LoadNumber::kReleaseTension)) / Of(LoadNumber::kReleaseResistance);
  }
  if (response.length_rate < 0)
    response.length_rate *= std::clamp((state.length - Of(LoadNumber::kLeastLength)) / kWinchFade, 0.0, 1.0);
  response.tension = wire.Tension(state.length, response.length_rate, distance, distance_rate);
  const Vector3 pull = response.tension * direction +
                       wire.SwingDamping(distance, response.tension) * (apart - distance_rate * direction);
  const Vector3 force = pull + OutsideForce(place, velocity, base.gravity);
  const Vector3 carried = base.acceleration.At(place - base.pose.p).linear + w.cross(of_base + 2 * on_base) +
                          Vector3(0, 0, base.gravity);
  response.acceleration = base.pose.R.transpose() * (force / wire.mass - carried);
  response.pull = -pull;
  return response;
}

HangingLoad::Slopes HangingLoad::Differentiate(const Base& base, const Tip& tip) const {
  constexpr double kStep = 1e-7;  // [m] and [m/s]: far below the stretch of a wire under its load
  Tip moved_tip = tip;
  State state = Read();
  Slopes slopes;
  const auto differentiate = [&](int column, double& vary) {
    const double before = vary;
    vary = before + kStep;
    const Response above = Respond(base, moved_tip, state);
    vary = before - kStep;
    const Response below = Respond(base, moved_tip, state);
    vary = before;
    slopes.pull.col(column) = (above.pull - below.pull) / (2 * kStep);
    slopes.acceleration.col(column) = (above.acceleration - below.acceleration) / (2 * kStep);
    slopes.length_rate[column] = (above.length_rate - below.length_rate) / (2 * kStep);
  };
  for (int i = 0; i < 3; ++i) {
    differentiate(Slopes::kTipPlace + i, moved_tip.place[i]);
    differentiate(Slopes::kTipVelocity + i, moved_tip.velocity[i]);
    differentiate(Slopes::kPlace + i, state.place[i]);
    differentiate(Slopes::kVelocity + i, state.velocity[i]);
  }
  differentiate(Slopes::kLength, state.length);
  return slopes;
}

void HangingLoad::SetRates(const State& state, const Response& response) {
  length_.ddt = response.length_rate;
  for (std::size_t i = 0; i < 3; ++i) {
    states_[i].ddt = state.velocity[static_cast<int>(i)];
    states_[3 + i].ddt = response.acceleration[static_cast<int>(i)];
  }
}

void HangingLoad::ShowAtTip(const Tip& in_base) {
  for (std::size_t i = 0; i < 3; ++i) {
    states_[i].ShowValue(in_base.place[static_cast<int>(i)]);
    states_[3 + i].ShowValue(in_base.velocity[static_cast<int>(i)]);
  }
}

void HangingLoad::Show(const Vector3& place, const Vector3& tip, double tension, const Vector3& seen) {
  at_.Set(place);
  tip_.Set(tip);
  pull_ = tension;
  radius_ = seen.x();
  height_ = seen.z();
  moment_ = tension * seen.x();
}

double HangingLoad::SwingAngle(const Tip& in_base) const {
  if (!is_on_wire()) return 0;
  const Vector3 from_tip = Read().place - in_base.place;
  return Share(std::hypot(from_tip.x(), from_tip.y()), length_);
}

double HangingLoad::DragShare(double speed) const {
  constexpr double kGravity = 9.81;  // [m/s2]
  const double total = std::hypot(wind_x_, wind_y_) + speed;
  return Share(Of(LoadNumber::kAirDensity) / 2 * Of(LoadNumber::kDragArea) * total * total,
               least_mass() * kGravity);
}

double HangingLoad::KineticEnergy(const Base& base) const {
  const State state = Read();
  const Vector3 velocity = CarriedVelocity(base, base.pose * state.place) + base.pose.R * state.velocity;
  return Wire(base.gravity).mass * velocity.squaredNorm() / 2;
}

double HangingLoad::PotentialEnergy(const Base& base, const Tip& tip) const {
  const State state = Read();
  const PayloadWire wire = Wire(base.gravity);
  const Vector3 place = base.pose * state.place;
  return wire.mass * base.gravity * place.z() + wire.Energy(state.length, (tip.place - place).norm());
}

}  // namespace davit
