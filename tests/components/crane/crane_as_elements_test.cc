// The crane written as elements of a mechanism moves as crane.KnuckleBoomCrane does.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "components/register.h"
#include "session/simulation.h"
#include "tests/components/crane/crane_system.h"

namespace davit {
namespace {

/// The textbook crane with a load that is a body and, maybe, a rope. Its mounts have the names of the
/// cylinders' ports.
std::string Elements(const std::string& load, const std::string& load_start = "") {
  return "<mechanism.Mechanism name='crane'>"
         "<Body name='king' joint='revolute' axis='0 0 1' inertia='1e4 1e4 2e4 kg.m2'/>"
         "<Body name='inner' on='king' at='0.6 0 4 m' joint='revolute' axis='0 -1 0' mass='5 t' centre='4.5 "
         "0 0 m' "
         "inertia='0 41666.666666666664 41666.666666666664 kg.m2'/>"
         "<Body name='outer' on='inner' at='10 0 0 m' joint='revolute' axis='0 -1 0' mass='2.5 t' centre='3 "
         "0 0 m' "
         "inertia='0 10208.333333333334 10208.333333333334 kg.m2'/>"
         "<Mount name='boom' a='king' a_at='1.5 0 1.4 m' b='inner' b_at='3.6 0 -0.55 m' "
         "shortest='3.1595522152525217 m'/>"
         "<Mount name='knuckle' a='inner' a_at='6.2 0 -0.75 m' b='outer' b_at='1.15 0 -0.75 m' "
         "shortest='2.702924138639422 m'/>" +
         load +
         "<Start king_angle='0 deg' inner_angle='60 deg' outer_angle='-80 deg' king_rate='0.2 rad/s' " +
         load_start + "/></mechanism.Mechanism>";
}

/// With cylinders that let it sink.
CraneWithCylinders Parts(const std::string& level) {
  CraneWithCylinders parts;
  parts.crane = level;
  parts.start = "<Start q1='60 deg' q2='-80 deg' w0='0.2 rad/s'/>";
  parts.boom = parts.knuckle = "level='Standard' viscous_friction='1e6 N.s/m'";
  parts.boom_start = "<Start p_a='100 bar'/>";
  parts.knuckle_start = "<Start p_a='90 bar'/>";
  parts.a = "<hydraulic.Tank name='{}' back_pressure='80 bar'/>";
  return parts;
}

/// Runs the crane and its elements and compares them on the way; `tolerance` is in rad and m.
void ExpectTheSameMotion(const CraneWithCylinders& parts, const std::string& elements,
                         const std::string& load, double tolerance) {
  const std::string text = parts.Content();
  const std::string end = "</crane.KnuckleBoomCrane>";
  const std::string rest = text.substr(text.find(end) + end.size());
  const auto system = [](const std::string& content) {
    return SystemText("TimeStep='10 ms' StopTime='3 s'",
                      "method='runge_kutta_dopri5' rtol='1e-10' atol='1e-11'", content);
  };
  TestSystem crane(system(text)), mechanism(system(elements + rest));
  crane.manager().Initialize();
  mechanism.manager().Initialize();
  const double before = crane.Read("crane.q1");
  for (double t = 0.25; t <= 3; t += 0.25) {
    crane.manager().RunUntil(t);
    mechanism.manager().RunUntil(t);
    for (const auto& [one, other] : {std::pair<std::string, std::string>("q0", "king_angle"),
                                     {"q1", "inner_angle"},
                                     {"q2", "outer_angle"},
                                     {"load_x", load + "_x"},
                                     {"load_y", load + "_y"},
                                     {"load_z", load + "_z"}}) {
      EXPECT_NEAR(crane.Read("crane." + one), mechanism.Read("crane." + other), tolerance)
          << one << " at " << t;
    }
    EXPECT_NEAR(crane.Read("boom_cylinder.p_a") / mechanism.Read("boom_cylinder.p_a"), 1, 1e-4);
  }
  EXPECT_GT(std::abs(crane.Read("crane.q1") - before), 0.01);
}

/// The same with a load as an element. `attributes` are those of the crane, with items of the load as
/// `load_`; `load` those of the load.
std::string CraneElements(const std::string& level, const std::string& attributes, const std::string& load) {
  std::string text =
      Elements("<Load name='load' on='outer' at='7 0 0 m' mass='10 t' length='5 m' " + load + "/>");
  const std::string begin = "<mechanism.Mechanism name='crane'", end = "</mechanism.Mechanism>";
  text.replace(text.find(end), end.size(), "</mechanism.Crane>");
  return text.replace(text.find(begin), begin.size(),
                      "<mechanism.Crane name='crane' level='" + level + "' " + attributes);
}

TEST(CraneAsElements, MovesAlikeAtEachLevel) {
  for (const char* level : {"Ideal", "Standard", "Advanced"}) {
    CraneWithCylinders parts = Parts(fmt::format(
        "level='{}' wire_damping_ratio='0.05' swing_damping_ratio='0.02' wind_x='12 m/s' drag_area='40 m2'",
        level));
    ExpectTheSameMotion(parts,
                        CraneElements(level, "load_wind_x='12 m/s'",
                                      "damping_ratio='0.05' swing_damping_ratio='0.02' drag_area='40 m2'"),
                        "at_load", 1e-6);
  }
}

// The inputs of the base need not match for this.
TEST(CraneAsElements, MovesAlikeOnABaseThatMoves) {
  const std::string base =
      "surge='1 m' sway_rate='0.3 m/s' heave='2 m' heave_rate='0.2 m/s' heave_acceleration='0.4 m/s2' "
      "roll='0.1 rad' "
      "roll_rate='0.05 rad/s' roll_acceleration='0.02 rad/s2' pitch='-0.1 rad' pitch_rate='0.04 rad/s' "
      "yaw='0.2 rad' yaw_rate='0.03 rad/s' ";
  ExpectTheSameMotion(Parts("level='Standard' winch_speed='0.2 m/s' " + base),
                      CraneElements("Standard", "load_winch_speed='0.2 m/s' " + base, ""), "at_load", 1e-6);
}

TEST(CraneAsElements, MovesAlikeWhileTheWinchSlipsAndOnADeck) {
  ExpectTheSameMotion(
      Parts("level='Standard' release='1' release_tension='90 kN' release_resistance='30 kN.s/m' "
            "deck_height='9 m'"),
      CraneElements("Standard", "load_release='1'",
                    "release_tension='90 kN' release_resistance='30 kN.s/m' deck_height='9 m'"),
      "at_load", 1e-6);
}

TEST(CraneAsElements, MovesAlikeWithThePayloadAtTheTip) {
  ExpectTheSameMotion(Parts("level='Ideal'"),
                      Elements("<Body name='weight' on='outer' at='7 0 0 m' joint='fixed' mass='10 t'/>"
                               "<Frame name='load' on='weight'/>"),
                      "load", 1e-6);
}

TEST(CraneAsElements, MovesAlikeWithThePayloadOnAWire) {
  // A free body, so that the wire may be slack, which starts 5 m below the tip and moves with it.
  constexpr double kStiffness = 6e7, kLength = 5, kDegree = std::numbers::pi / 180;
  const double x = 0.6 + 10 * std::cos(60 * kDegree) + 7 * std::cos(-20 * kDegree);
  const double z = 4 + 10 * std::sin(60 * kDegree) + 7 * std::sin(-20 * kDegree);
  const std::string elements = Elements(
      "<Body name='load' joint='free' mass='10 t' inertia='1 1 1 kg.m2'/>"
      "<Mount name='rope' a='outer' a_at='7 0 0 m' b='load'/>",
      fmt::format("load_x='{} m' load_z='{} m' load_vy='{} m/s'", x, z - kLength, 0.2 * x));
  // The crane has this length under the weight of the load.
  const std::string rope = fmt::format(
      "<mechanical.WireRope name='rope' length='{} m' axial_stiffness='{} N'/><Connect from='rope.a' "
      "to='crane.rope'/>",
      kLength / (1 + 1e4 * 9.81 / kStiffness), kStiffness);
  ExpectTheSameMotion(Parts("level='Standard' wire_damping_ratio='0'"), elements + rope, "load", 1e-6);
}

/// systems/knuckle_boom_crane.xml, or the same with the crane derived by hand.
std::unique_ptr<Simulation> TheLift(bool is_by_hand, const LoadOptions& options, const Registry& registry) {
  const std::string file = std::string(DAVIT_SOURCE_DIR) + "/systems/knuckle_boom_crane.xml";
  std::ifstream stream(file);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (is_by_hand) {
    const std::string end = "</mechanism.Crane>";
    const std::size_t begin = text.find("<mechanism.Crane ");
    text.replace(begin, text.find(end) + end.size() - begin,
                 "<crane.KnuckleBoomCrane name='crane' level='Standard' joint_friction='1e6 N.m.s/rad' "
                 "slew_friction='2e4 N.m.s/rad' wire_damping_ratio='0.05' swing_damping_ratio='0.01' "
                 "release_tension='60 kN' release_resistance='40 kN.s/m'>"
                 "<Start q0='0 deg' q1='20 deg' q2='-60 deg'/></crane.KnuckleBoomCrane>");
  }
  return Simulation::LoadText(text, file, registry, {.load = options}).Take();
}

// Within the rtol of the file. At Advanced a second of it takes as long as twenty of the others.
TEST(CraneAsElements, TheLiftIsThatOfTheCraneDerivedByHand) {
  constexpr double kTolerance = 1e-4;
  const Registry registry = AllModels();
  for (const auto& [level, stop] :
       {std::pair<std::string, double>{"", 120}, {"*=Ideal", 120}, {"*=Standard", 60}, {"*=Advanced", 8}}) {
    LoadOptions options;
    if (!level.empty()) options.level = {level};
    const auto file = TheLift(false, options, registry), by_hand = TheLift(true, options, registry);
    file->Initialize();
    by_hand->Initialize();
    for (double t = 0; t <= stop; t += 0.5) {
      file->RunUntil(t);
      by_hand->RunUntil(t);
      for (const char* angle : {"q0", "q1", "q2"}) {
        const std::string item = std::string("crane.") + angle;
        ASSERT_NEAR(file->Read(item), by_hand->Read(item), kTolerance) << item << ' ' << level << ' ' << t;
      }
      // The reach of the booms, and the weight of the payload.
      for (const auto& [name, size] : {std::pair<const char*, double>{"tip_radius", 17},
                                       {"tip_height", 17},
                                       {"payload_x", 17},
                                       {"payload_y", 17},
                                       {"payload_z", 17},
                                       {"hook_load", 98100},
                                       {"load_moment", 98100 * 17},
                                       {"length_1", 5},
                                       {"lever_2", 5},
                                       {"torque_0", 98100 * 17},
                                       {"torque_1", 98100 * 17},
                                       {"torque_2", 98100 * 17}}) {
        const std::string item = std::string("crane.") + name;
        ASSERT_NEAR(file->Read(item), by_hand->Read(item), kTolerance * size)
            << item << ' ' << level << ' ' << t;
      }
    }
    EXPECT_GT(by_hand->Read("crane.q1"), 0.35);
  }
}

}  // namespace
}  // namespace davit
