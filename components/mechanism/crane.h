#pragma once

#include <array>
#include <span>
#include <string_view>

#include "components/mechanism/hanging_load.h"
#include "components/mechanism/mechanism.h"
#include "framework/indicator.h"

namespace davit {

/// A mechanism with loads that hang on wires.
class Crane final : public Mechanism {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanism.Crane",
      .text = "Mechanism with loads at points or on wires, as elements of the system file",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
All of mechanism.Mechanism, and as a further element inside (docs/mechanisms.md)
  <Load name= on= at= about= mass= length= stiffness= damping_ratio= swing_damping_ratio= ../>   a load below a point of a body, the tip
## Load
load_at TipMass (Ideal): a point mass at the tip.
load_at Wire (Standard, Advanced): a point that hangs on a wire of length L, a spherical pendulum
  m*r'' = -m*g*ez + T*(tip - r)/d + deck and air,  d = |tip - r|, written for its place x .. in the frame of the base, with
  the forces of that frame
  T = max(0, k*e + c*e'*min(1, k*e/(m*g))) for e = d - l0 > 0, else the wire is slack
  The swing is damped by c_s*(tip - r)' across the wire, c_s = 2*swing_damping_ratio*m*sqrt(g/d)*min(1, T/(m*g)).
  l0 = L/(1 + m*g/E),  k = E/l0,  c = 2*zeta*sqrt(k*m);  E is the stiffness, zeta the damping_ratio
  L is the length under the weight at rest, so the pendulum swings with sqrt(g/L).
  L' = winch_speed + release*max(0, T - release_tension)/release_resistance
  deck: below deck_height over the earth a spring deck_stiffness with deck_damping_ratio carries the load, with the
  coefficient of friction deck_friction. With deck_on="base" the height is that in the frame of the base, which moves the
  deck and feels the load on it.
A load with a volume sinks into the nearest marine.Sea: buoyancy, added mass, drag and slamming of a box of body_height,
  as of marine.Load, here along and across the wire, with the waves and the current at its place. The mean water level is
  at the height 0 over the earth.
air Drag (Advanced): air_density/2*drag_area*|wind - r'|*(wind - r') acts on a load on a wire.
pull is T, or the weight of a load at the tip; radius and height are x and z of the tip in the frame of the body that about
names, and moment = pull*radius.
# Assumptions and limits
- Those of mechanism.Mechanism.
- A load is a point: it does not turn. Its wire has no mass and the winch no inertia.
- The deck is a plane without edges.
- A load in the water is small compared with the waves. Its added mass and drag_area are the same in all directions. The
  water does not act on its wire.
# Changes of options
A switch from TipMass to Wire starts the load below the tip and moving with it; the switch back removes its speed relative
to the tip. The energy of both is written to the run log.
)",
  };

  static constexpr std::array<std::string_view, 2> kAtNames{"TipMass", "Wire"};
  static constexpr std::array<std::string_view, 2> kAirNames{"None", "Drag"};

  Crane() { CarryLoads(&aspects_); }

  std::span<const ElementKind> InnerElements() const override { return CraneElements(); }
  std::string_view ExampleItems() const override {
    return "<Body name=\"boom\" joint=\"revolute\" axis=\"0 -1 0\" mass=\"500 kg\" centre=\"2 0 0 m\" "
           "inertia=\"10 700 700 kg.m2\" start=\"30 deg\"/>\n"
           "<Mount name=\"lift\" a=\"base\" a_at=\"1 0 -1 m\" b=\"boom\" b_at=\"1.5 0 0 m\"/>\n"
           "<Load name=\"load\" on=\"boom\" at=\"4 0 0 m\" mass=\"300 kg\" length=\"2 m\"/>\n";
  }

 private:
  Aspect<LoadAspects::At> load_at{this, "load_at", "Suspension of the loads", kAtNames,
                                  Presets{.ideal = LoadAspects::At::kTipMass,
                                          .standard = LoadAspects::At::kWire,
                                          .advanced = LoadAspects::At::kWire}};
  Aspect<LoadAspects::Air> air{this, "air", "Drag of the air on loads on wires", kAirNames,
                               Presets{.ideal = LoadAspects::Air::kNone,
                                       .standard = LoadAspects::Air::kNone,
                                       .advanced = LoadAspects::Air::kDrag}};
  LoadAspects aspects_{load_at, air};
  Indicator swing{this, "swing", "Forces of a load that swings or is lowered over the weight of the bodies",
                  load_at.Is(LoadAspects::At::kTipMass), [this] { return SwingOfLoads(); }};
  Indicator carried{this, "carried", "Share of the weight of a load that a deck and the water carry",
                    load_at.Is(LoadAspects::At::kTipMass), [this] { return CarriedOfLoads(); }};
  Indicator drag{this, "drag", "Drag of wind and motion over the weight of the load",
                 air.Is(LoadAspects::Air::kNone), [this] { return DragOfLoads(); }};
};

}  // namespace davit
