// The crane written as elements of a mechanism moves as crane.KnuckleBoomCrane does.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

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

}  // namespace
}  // namespace davit
