#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "components/marine/laws/nearby_water.h"
#include "components/marine/laws/sinking_body.h"
#include "components/marine/sea.h"
#include "components/mechanism/dynamics/spatial.h"
#include "components/mechanism/mechanism_description.h"
#include "components/mechanism/payload_wire.h"
#include "components/mechanism/shown_point.h"
#include "framework/aspect.h"
#include "framework/indicator.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// How loads are carried, and whether the air acts on them.
struct LoadAspects {
  enum class At : std::uint8_t { kTipMass, kWire };
  enum class Air : std::uint8_t { kNone, kDrag };

  const Aspect<At>& at;
  const Aspect<Air>& air;
};

/// A load at a point of a mechanism, the tip: a mass that is fixed there, or a point mass that hangs on a
/// wire below it. On a wire its place and velocity are states in the frame of the base.
class HangingLoad {
 public:
  static constexpr std::size_t kStates = 6;  ///< without its wire

  /// How a base moves that carries it, in the world; see multibody::Motion.
  struct Base {
    multibody::Pose pose;
    multibody::Motion velocity, acceleration;
    double gravity = 9.81;  ///< [m/s2]
    double time = 0;        ///< [s]
  };
  /// Of the tip in the world.
  struct Tip {
    multibody::Vector3 place, velocity;
  };
  /// Of the load, in the frame of the base.
  struct State {
    double length = 0;  ///< of the wire [m]
    multibody::Vector3 place, velocity;
  };
  /// What follows from them.
  struct Response {
    double length_rate = 0;
    double tension = 0;
    multibody::Vector3 acceleration;  ///< in the frame of the base
    multibody::Vector3 pull;          ///< of the load on the tip, in the world
  };
  /// Derivatives of pull and acceleration, and of the rate of the length, over place and velocity of the tip,
  /// then length, place and velocity of the load.
  struct Slopes {
    static constexpr int kTipPlace = 0, kTipVelocity = 3, kLength = 6, kPlace = 7, kVelocity = 10,
                         kCount = 13;
    Eigen::Matrix<double, 3, kCount> pull, acceleration;
    Eigen::Matrix<double, 1, kCount> length_rate;
  };

  HangingLoad(DynamicSimComponent* owner, const MechanismDescription::Load& of, const LoadAspects& aspects);

  const MechanismDescription::Load& description() const { return of_; }
  /// On the wire: that of the hook, or more [kg].
  double least_mass() const { return std::max(mass(), Of(LoadNumber::kHookMass)); }
  double winch_speed() const { return winch_speed_; }
  /// Of the wire to the vertical of the base, about [rad]; 0 at the tip.
  double SwingAngle(const Tip& in_base) const;
  /// What a deck and the water carry, over its weight; for a load at the tip, where it would hang.
  double CarriedShare(const Base& base, const Tip& tip) const;
  /// Drag over weight, while the tip moves at `speed` [m/s].
  double DragShare(double speed) const;
  bool is_on_wire() const { return aspects_.at == LoadAspects::At::kWire; }
  double mass() const { return Of(LoadNumber::kMass); }
  double volume() const { return Of(LoadNumber::kVolume); }
  /// Hangs it below the tip at rest, moving with it; both are seen from the base.
  void HangBelow(const Tip& in_base);
  State Read() const;
  /// The sea into which a load with a volume sinks; it must outlive this.
  void PutAbove(const Sea& sea) {
    sea_ = &sea;
    water_ = std::make_unique<NearbyWater>(sea.waves());
  }
  /// Pre: it is on the wire.
  Response Respond(const Base& base, const Tip& tip, const State& state) const;
  /// By central differences of Respond.
  Slopes Differentiate(const Base& base, const Tip& tip) const;
  /// Writes the derivatives of the states.
  void SetRates(const State& state, const Response& response);
  /// While it is at the tip, what its states would be.
  void ShowAtTip(const Tip& in_base);
  void set_pull(double tension) { pull_ = tension; }
  bool IsPull(const double* output) const { return output == pull_.id(); }
  /// What a deck on the base does to it, in the world and about the origin of the base.
  multibody::Wrench PushOfBase(const Base& base) const;
  /// Writes the other outputs; `seen` is the tip in the frame of the body that `about` names.
  void Show(const multibody::Vector3& place, const multibody::Vector3& tip, const multibody::Vector3& seen);

  /// On the wire: all but its kinetic and potential energy. Returns the power of the base, which turns what
  /// damps the swing [W].
  double AccountEnergy(const Base& base, const Tip& tip, EnergyTerms& terms) const;
  double KineticEnergy(const Base& base) const;                    ///< over the earth [J]
  double PotentialEnergy(const Base& base, const Tip& tip) const;  ///< with the wire [J]

  // Of the equations, for partial derivatives: what each of Slopes is by.
  const StateVariable& length() const { return length_; }
  const StateVariable& place(int i) const { return states_[static_cast<std::size_t>(i)]; }
  const StateVariable& velocity(int i) const { return states_[static_cast<std::size_t>(3 + i)]; }
  StateVariable& state(std::size_t i) { return states_[i]; }
  bool HasState(const StateSlot* slot) const {
    return std::ranges::any_of(states_, [&](const StateVariable& own) { return &own.slot() == slot; });
  }
  ScenePoint scene() const { return at_.scene(); }
  ScenePoint tip_scene() const { return tip_.scene(); }

 private:
  double Of(LoadNumber number) const { return numbers_[static_cast<std::size_t>(number)]; }
  PayloadWire Wire(double gravity) const;
  /// The wire, and how load and tip move apart.
  struct WireMotion {
    multibody::Vector3 place, velocity, of_base;  ///< of the load; of what is fixed to the base there
    multibody::Vector3 to_tip, direction;         ///< from the load
    multibody::Vector3 apart;                     ///< velocity of the tip from the load, seen from the base
    double distance = 0, distance_rate = 0, length_rate = 0, tension = 0;
    multibody::Vector3 swing;  ///< damping of the swing, on the load [N]
    multibody::Vector3 deck;   ///< force of the deck on the load [N]
  };
  WireMotion MoveWire(const Base& base, const Tip& tip, const State& state) const;
  /// What the deck does to the load, in the axes of what it is fixed to: the earth or the base.
  struct DeckPush {
    double depth = 0;             ///< of the load in it [m]
    double spring = 0;            ///< of the normal force what is not damping [N]
    multibody::Vector3 velocity;  ///< of the load [m/s]
    multibody::Vector3 force = multibody::Vector3::Zero();
  };
  DeckPush PushOfDeck(const Base& base, const State& state, const WireMotion& wire) const;
  multibody::Vector3 AirForce(const multibody::Vector3& velocity) const;
  /// All forces but the weight, over all that they accelerate [m/s2].
  multibody::Vector3 SpecificForce(const Base& base, const WireMotion& wire) const;
  /// By place and velocity over the earth; nothing above the water, or without a volume.
  std::optional<WaterOnBody> WaterAt(const Base& base, const multibody::Vector3& place,
                                     const multibody::Vector3& velocity) const;

  MechanismDescription::Load of_;
  LoadAspects aspects_;
  const Sea* sea_ = nullptr;
  std::unique_ptr<NearbyWater> water_;  ///< remembers a place, which is not of the state of a run
  std::deque<Parameter> numbers_;
  Input winch_speed_, release_, wind_x_, wind_y_;
  StateVariable length_;
  std::deque<StateVariable> states_;  ///< place, then velocity
  Output pull_, radius_, height_, moment_;
  ShownPoint at_, tip_;
};

}  // namespace davit
