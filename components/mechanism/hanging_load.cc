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

HangingLoad::DeckPush HangingLoad::PushOfDeck(const Base& base, const State& state,
                                              const WireMotion& wire) const {
  const Vector3& place = of_.is_deck_on_base ? state.place : wire.place;
  DeckPush push{.velocity = of_.is_deck_on_base ? state.velocity : wire.velocity};
  push.depth = std::max(0.0, Of(LoadNumber::kDeckHeight) - place.z());
  if (!(push.depth > 0)) return push;
  const Vector3& velocity = push.velocity;
  const double m = least_mass(), k = Of(LoadNumber::kDeckStiffness);
  push.spring = k * push.depth;
  const double c = 2 * Of(LoadNumber::kDeckDampingRatio) * std::sqrt(k * m);
  const double share = std::min(1.0, push.spring / std::max(m * base.gravity, 1e-300));
  const double normal = std::max(0.0, push.spring - c * velocity.z() * share);
  const double rub = Of(LoadNumber::kDeckFriction) * normal /
                     std::hypot(std::hypot(velocity.x(), velocity.y()), kRubbingSpeed);
  push.force = {-rub * velocity.x(), -rub * velocity.y(), normal};
  return push;
}

multibody::Wrench HangingLoad::PushOfBase(const Base& base) const {
  if (!is_on_wire() || !of_.is_deck_on_base) return {};
  const State state = Read();
  const Vector3 force = base.pose.R * PushOfDeck(base, state, {}).force;
  return {(base.pose.R * state.place).cross(force), force};
}

Vector3 HangingLoad::AirForce(const Vector3& velocity) const {
  if (aspects_.air != LoadAspects::Air::kDrag) return Vector3::Zero();
  const Vector3 against = Vector3(wind_x_, wind_y_, 0) - velocity;
  return Of(LoadNumber::kAirDensity) / 2 * Of(LoadNumber::kDragArea) * against.norm() * against;
}

std::optional<WaterOnBody> HangingLoad::WaterAt(const Base& base, const Vector3& place,
                                                const Vector3& velocity) const {
  if (sea_ == nullptr || !(volume() > 0)) return std::nullopt;
  const SinkingBody body{.volume = volume(),
                         .height = Of(LoadNumber::kBodyHeight),
                         .added_mass = Of(LoadNumber::kAddedMass),
                         .drag_area = Of(LoadNumber::kDragArea)};
  const double depth = water_->Elevation(base.time, place.x(), place.y()) - place.z();
  if (!(depth > 0)) return std::nullopt;
  const double middle = WaterOnBody::Wet(body, depth) / 2;
  const WaterMotion water = water_->At(base.time, place + middle * Vector3::UnitZ());
  return WaterOnBody(body, depth, velocity,
                     {water.velocity + sea_->Current(), water.acceleration, sea_->water_density()},
                     base.gravity);
}

HangingLoad::WireMotion HangingLoad::MoveWire(const Base& base, const Tip& tip, const State& state) const {
  const PayloadWire wire = Wire(base.gravity);
  WireMotion now;
  now.place = base.pose * state.place;
  now.of_base = CarriedVelocity(base, now.place);
  now.velocity = now.of_base + base.pose.R * state.velocity;
  now.to_tip = tip.place - now.place;
  now.distance = std::max(now.to_tip.norm(), kLeastDistance);
  now.direction = now.to_tip / now.distance;
  now.apart = tip.velocity - now.velocity - base.velocity.angular.cross(now.to_tip);
  now.distance_rate = now.direction.dot(now.apart);

  // The winch slips by the pull without the damping that its own slip makes.
  now.length_rate = winch_speed_;
  if (release_ > 0) {
    const double held = wire.Tension(state.length, 0, now.distance, now.distance_rate);
    now.length_rate +=
        release_ * std::max(0.0, held - Of(LoadNumber::kReleaseTension)) / Of(LoadNumber::kReleaseResistance);
  }
  if (now.length_rate < 0)
    now.length_rate *= std::clamp((state.length - Of(LoadNumber::kLeastLength)) / kWinchFade, 0.0, 1.0);
  now.tension = wire.Tension(state.length, now.length_rate, now.distance, now.distance_rate);
  now.swing = wire.SwingDamping(now.distance, now.tension) * (now.apart - now.distance_rate * now.direction);
  now.deck = PushOfDeck(base, state, now).force;
  if (of_.is_deck_on_base) now.deck = base.pose.R * now.deck;
  return now;
}

Vector3 HangingLoad::SpecificForce(const Base& base, const WireMotion& wire) const {
  Vector3 force = wire.tension * wire.direction + wire.swing + wire.deck + AirForce(wire.velocity);
  double inertia = least_mass();
  if (const std::optional<WaterOnBody> on = WaterAt(base, wire.place, wire.velocity)) {
    // The added mass has no weight, which the caller gives to all that is accelerated.
    const double up = on->buoyancy + on->added_mass * base.gravity;
    force += on->drag + on->slam + on->carried + up * Vector3::UnitZ();
    inertia += on->added_mass;
  }
  return force / inertia;
}

HangingLoad::Response HangingLoad::Respond(const Base& base, const Tip& tip, const State& state) const {
  const WireMotion wire = MoveWire(base, tip, state);
  const Vector3& w = base.velocity.angular;
  const Vector3 on_base = base.pose.R * state.velocity;
  const Vector3 carried = base.acceleration.At(wire.place - base.pose.p).linear +
                          w.cross(wire.of_base + 2 * on_base) + Vector3(0, 0, base.gravity);
  return {.length_rate = wire.length_rate,
          .tension = wire.tension,
          .acceleration = base.pose.R.transpose() * (SpecificForce(base, wire) - carried),
          .pull = -(wire.tension * wire.direction + wire.swing)};
}

double HangingLoad::AccountEnergy(const Base& base, const Tip& tip, EnergyTerms& terms) const {
  const State state = Read();
  const PayloadWire wire = Wire(base.gravity);
  const WireMotion now = MoveWire(base, tip, state);
  const double elastic = wire.ElasticPull(state.length, now.distance);
  const double unstretched_rate = wire.UnstretchedRate(now.length_rate);
  terms.Lost("wire damping", (now.tension - elastic) * (now.distance_rate - unstretched_rate));
  terms.Lost("swing damping", now.swing.dot(now.apart));
  // What is paid out takes along the work of the pull, and comes free of load.
  terms.In("winch", -unstretched_rate * (now.tension + wire.Energy(state.length, now.distance) /
                                                           wire.Unstretched(state.length)));
  const DeckPush deck = PushOfDeck(base, state, now);
  terms.Stored("deck", deck.spring * deck.depth / 2);
  terms.Lost("deck", deck.spring * deck.velocity.z() - deck.force.dot(deck.velocity));
  const Vector3 air = AirForce(now.velocity), wind(wind_x_, wind_y_, 0);
  terms.Lost("air", air.dot(wind - now.velocity));
  terms.In("wind", air.dot(wind));
  if (const std::optional<WaterOnBody> on = WaterAt(base, now.place, now.velocity)) {
    // Drag and slamming lose what they do on the way through the water; the moving water does the rest.
    const Vector3 resistance = on->drag + on->slam;
    const Vector3 acceleration = SpecificForce(base, now) - base.gravity * Vector3::UnitZ();
    const Vector3 push = on->carried + on->buoyancy * Vector3::UnitZ() - on->added_mass * acceleration;
    terms.Lost("drag", -resistance.dot(on->through));
    terms.In("sea", resistance.dot(now.velocity - on->through) + push.dot(now.velocity));
  }
  return -now.swing.dot(base.velocity.angular.cross(now.to_tip));
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

void HangingLoad::Show(const Vector3& place, const Vector3& tip, const Vector3& seen) {
  at_.Set(place);
  tip_.Set(tip);
  radius_ = seen.x();
  height_ = seen.z();
  moment_ = pull_ * seen.x();
}

double HangingLoad::SwingAngle(const Tip& in_base) const {
  if (!is_on_wire()) return 0;
  const Vector3 from_tip = Read().place - in_base.place;
  return Share(std::hypot(from_tip.x(), from_tip.y()), length_);
}

double HangingLoad::CarriedShare(const Base& base, const Tip& tip) const {
  State at_rest;
  at_rest.length = length_;
  WireMotion wire;
  wire.place = is_on_wire() ? base.pose * Read().place : Vector3(tip.place - length_ * Vector3::UnitZ());
  wire.velocity = at_rest.velocity = Vector3::Zero();
  at_rest.place = base.pose.Inverse() * wire.place;
  double carried = PushOfDeck(base, at_rest, wire).force.z();
  if (const std::optional<WaterOnBody> on = WaterAt(base, wire.place, wire.velocity)) carried += on->buoyancy;
  return Share(carried, least_mass() * base.gravity);
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
