// The crane as a mechanism while cylinders, a winch, the wind and a vessel move it: at each moment its
// accelerations are those of the equations derived by hand. And a load is what bodies make of it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

#include "components/register.h"
#include "session/simulation.h"
#include "tests/components/crane/crane_system.h"
#include "tests/components/crane/hand_derived_load.h"
#include "tests/components/crane/textbook_crane.h"

namespace davit {
namespace {

using Eigen::Vector3d;

/// What the equations need besides the state.
struct GivenMotion {
  LoadOnWire load;
  BaseMotion vessel;
  double joint_friction = 0, slew_friction = 0;  ///< [N.m.s/rad]
  bool has_gear = false;                         ///< the component slew_gear
};

/// Accelerations of joints and load, the pull and the winch, as of one evaluation.
class MovingCrane {
 public:
  using Reader = std::function<double(const std::string&)>;

  MovingCrane(Reader read, const GivenMotion& given) : read_(std::move(read)), given_(given) {}

  void ExpectTheEquations(const std::string& where) const {
    const CranePose pose{.slew = Of("q0"),
                         .boom = Of("q1"),
                         .knuckle = Of("q2"),
                         .slew_rate = Of("w0"),
                         .boom_rate = Of("w1"),
                         .knuckle_rate = Of("w2")};
    const bool is_on_wire = Of("load_at") == 1;
    const CraneTerms terms =
        ComputeCraneTerms(TextbookCrane(is_on_wire ? 0 : given_.load.mass), pose, given_.vessel);
    JointTorques tau{
        (given_.has_gear ? read_("slew_gear.torque") : 0) - given_.slew_friction * pose.slew_rate,
        TextbookBoomMount().At(pose.boom).lever_arm * read_("boom_cylinder.force") -
            given_.joint_friction * pose.boom_rate,
        TextbookKnuckleMount().At(pose.knuckle).lever_arm * read_("knuckle_cylinder.force") -
            given_.joint_friction * pose.knuckle_rate};
    if (is_on_wire) {
      const LoadTerms load = ExpectTheLoad(terms, where);
      const JointTorques pulled = terms.TorquesOf(load.on_tip);
      tau = {tau.slew + pulled.slew, tau.boom + pulled.boom, tau.knuckle + pulled.knuckle};
    }
    const JointTorques a = terms.mass.Solve(
        {tau.slew - terms.bias.slew, tau.boom - terms.bias.boom, tau.knuckle - terms.bias.knuckle});
    // Torques of 1e6 N m that cancel each other, on inertias of at least 1e5 kg m2.
    constexpr double kRounding = 1e-9;  // [rad/s2]
    EXPECT_NEAR(Of("w0.ddt"), a.slew, kRounding) << where;
    EXPECT_NEAR(Of("w1.ddt"), a.boom, kRounding) << where;
    EXPECT_NEAR(Of("w2.ddt"), a.knuckle, kRounding) << where;
  }

 private:
  double Of(const std::string& name) const { return read_("crane." + name); }

  LoadTerms ExpectTheLoad(const CraneTerms& crane, const std::string& where) const {
    const BaseFrame vessel = BaseFrame::Of(given_.vessel);
    const Vector3d p(Of("payload_x"), Of("payload_y"), Of("payload_z"));
    const Vector3d v(Of("payload_vx"), Of("payload_vy"), Of("payload_vz"));
    const Vector3d v_rate(Of("payload_vx.ddt"), Of("payload_vy.ddt"), Of("payload_vz.ddt"));
    LoadOnWire load = given_.load;
    load.winch = Of("winch_speed");
    load.release = Of("release");
    load.wind = {Of("wind_x"), Of("wind_y"), 0};
    if (Of("air") == 0) load.drag = 0;
    const LoadMoment at{.length = Of("wire_length"),
                        .tip = crane.tip_earth,
                        .tip_velocity = crane.tip_velocity,
                        .place = given_.vessel.place() + vessel.to_earth * p,
                        .velocity = given_.vessel.velocity() + vessel.to_earth * (v + vessel.omega.cross(p)),
                        .vessel_omega = vessel.to_earth * vessel.omega};
    const LoadTerms terms = ComputeLoadTerms(load, at);
    const Vector3d over_earth =
        given_.vessel.acceleration() +
        vessel.to_earth * (v_rate + vessel.alpha.cross(p) + 2 * vessel.omega.cross(v) +
                           vessel.omega.cross(vessel.omega.cross(p)));
    // The stretch of the wire is a difference of lengths of some 20 m, times some 1e7 N/m.
    EXPECT_NEAR(Of("hook_load"), terms.tension, 1e-6) << where;
    EXPECT_LT((over_earth - terms.acceleration).norm(), 1e-9) << where;
    EXPECT_NEAR(Of("wire_length.ddt"), terms.length_rate, 1e-9) << where;
    return terms;
  }

  Reader read_;
  GivenMotion given_;
};

/// With cylinders that let it sink.
CraneWithCylinders SinkingCrane(const std::string& attributes) {
  CraneWithCylinders parts;
  parts.crane = attributes;
  parts.start = "<Start q1='60 deg' q2='-80 deg' w0='0.2 rad/s'/>";
  parts.boom = parts.knuckle = "level='Standard' viscous_friction='1e6 N.s/m'";
  parts.boom_start = "<Start p_a='100 bar'/>";
  parts.knuckle_start = "<Start p_a='90 bar'/>";
  parts.a = "<hydraulic.Tank name='{}' back_pressure='80 bar'/>";
  return parts;
}

std::string MotionText(const std::string& content) {
  return SystemText("TimeStep='10 ms' StopTime='3 s'",
                    "method='runge_kutta_dopri5' rtol='1e-10' atol='1e-11'", content);
}

/// Runs it for 3 s. `seen` is called at each time at which the equations have been compared.
void ExpectTheEquations(const CraneWithCylinders& parts, const GivenMotion& given,
                        const std::function<void(const TestSystem&)>& seen = {}) {
  TestSystem system(MotionText(parts.Content()));
  system.manager().Initialize();
  const double before = system.Read("crane.q1");
  const MovingCrane crane([&](const std::string& path) { return system.Read(path); }, given);
  for (double t = 0; t <= 3; t += 0.05) {
    system.manager().RunUntil(t);
    crane.ExpectTheEquations(fmt::format("at {}", t));
    if (seen) seen(system);
  }
  EXPECT_GT(std::abs(system.Read("crane.q1") - before), 0.01);
}

TEST(CraneMotion, HasTheEquationsDerivedByHandAtEachLevel) {
  for (const char* level : {"Ideal", "Standard", "Advanced"}) {
    SCOPED_TRACE(level);
    GivenMotion given;
    given.load.zeta = 0.05;
    given.load.zeta_swing = 0.02;
    given.load.drag = 1.225 / 2 * 40;
    ExpectTheEquations(
        SinkingCrane(fmt::format("level='{}' wire_damping_ratio='0.05' swing_damping_ratio='0.02' "
                                 "wind_x='12 m/s' payload_drag_area='40 m2'",
                                 level)),
        given);
  }
}

// The inputs of the base need not match for this.
TEST(CraneMotion, HasTheEquationsDerivedByHandOnABaseThatMoves) {
  GivenMotion given;
  given.load.zeta = 0.02;
  given.vessel = {.heave = {2, 0.2, 0.4},
                  .roll = {0.1, 0.05, 0.02},
                  .pitch = {-0.1, 0.04, -0.03},
                  .surge = {1, -0.4, 0.2},
                  .sway = {0.5, 0.3, -0.1},
                  .yaw = {0.2, 0.03, 0.01}};
  std::string base;
  const BaseMotion& vessel = given.vessel;
  for (const auto& [name, degree, unit] :
       {std::tuple("heave", &vessel.heave, "m"), std::tuple("roll", &vessel.roll, "rad"),
        std::tuple("pitch", &vessel.pitch, "rad"), std::tuple("surge", &vessel.surge, "m"),
        std::tuple("sway", &vessel.sway, "m"), std::tuple("yaw", &vessel.yaw, "rad")}) {
    base += fmt::format(" {0}='{2} {1}' {0}_rate='{3} {1}/s' {0}_acceleration='{4} {1}/s2'", name, unit,
                        degree->value, degree->rate, degree->acceleration);
  }
  for (const char* level : {"Ideal", "Standard"})
    ExpectTheEquations(SinkingCrane(fmt::format("level='{}' winch_speed='0.2 m/s'{}", level, base)), given);
}

TEST(CraneMotion, HasTheEquationsDerivedByHandWhileTheWinchSlipsAndOnADeck) {
  GivenMotion given;
  given.load.zeta = 0.02;
  given.load.release_tension = 90e3;
  given.load.release_resistance = 30e3;
  given.load.deck_height = 9;
  bool slips = false, is_on_deck = false;
  ExpectTheEquations(
      SinkingCrane("level='Standard' release='1' release_tension='90 kN' release_resistance='30 kN.s/m' "
                   "deck_height='9 m'"),
      given, [&](const TestSystem& system) {
        slips |= system.Read("crane.wire_length.ddt") > 0.01;
        is_on_deck |= system.Read("crane.load_z") < 9;
      });
  EXPECT_TRUE(slips);
  EXPECT_TRUE(is_on_deck);
}

/// systems/knuckle_boom_crane.xml, which lifts, slews and lowers.
TEST(CraneMotion, TheLiftHasTheEquationsDerivedByHand) {
  const Registry registry = AllModels();
  GivenMotion given;
  given.load.zeta = 0.05;
  given.load.zeta_swing = 0.01;
  given.load.release_tension = 60e3;
  given.load.release_resistance = 40e3;
  given.load.drag = 1.225 / 2 * 5;
  given.joint_friction = 1e6;
  given.slew_friction = 2e4;
  given.has_gear = true;
  // At Advanced a second of it takes as long as twenty of the others.
  for (const auto& [level, stop] :
       {std::pair<std::string, double>{"", 120}, {"*=Ideal", 120}, {"*=Standard", 60}, {"*=Advanced", 8}}) {
    LoadOptions options;
    if (!level.empty()) options.level = {level};
    const auto lift = Simulation::Load(std::string(DAVIT_SOURCE_DIR) + "/systems/knuckle_boom_crane.xml",
                                       registry, {.load = options})
                          .Take();
    lift->Initialize();
    const MovingCrane crane([&](const std::string& path) { return lift->Read(path); }, given);
    for (double t = 0; t <= stop; t += 0.5) {
      lift->RunUntil(t);
      crane.ExpectTheEquations(fmt::format("{} at {}", level, t));
      ASSERT_FALSE(testing::Test::HasFailure());
    }
    EXPECT_GT(lift->Read("crane.q1"), 0.35);
  }
}

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

/// Runs the crane of the file and one of other elements with the same cylinders, and compares them on the
/// way.
void ExpectTheSameMotion(const CraneWithCylinders& parts, const std::string& elements) {
  constexpr double kTolerance = 1e-6;  // [rad], [m]
  const std::string text = parts.Content();
  const std::string end = "</mechanism.Crane>";
  const std::string rest = text.substr(text.find(end) + end.size());
  TestSystem crane(MotionText(text)), mechanism(MotionText(elements + rest));
  crane.manager().Initialize();
  mechanism.manager().Initialize();
  const double before = crane.Read("crane.q1");
  for (double t = 0.25; t <= 3; t += 0.25) {
    crane.manager().RunUntil(t);
    mechanism.manager().RunUntil(t);
    for (const auto& [one, other] : {std::pair<std::string, std::string>("q0", "king_angle"),
                                     {"q1", "inner_angle"},
                                     {"q2", "outer_angle"},
                                     {"load_x", "load_x"},
                                     {"load_y", "load_y"},
                                     {"load_z", "load_z"}}) {
      EXPECT_NEAR(crane.Read("crane." + one), mechanism.Read("crane." + other), kTolerance)
          << one << " at " << t;
    }
    EXPECT_NEAR(crane.Read("boom_cylinder.p_a") / mechanism.Read("boom_cylinder.p_a"), 1, 1e-4);
  }
  EXPECT_GT(std::abs(crane.Read("crane.q1") - before), 0.01);
}

TEST(CraneMotion, ALoadAtTheTipIsABodyThatIsFixedThere) {
  ExpectTheSameMotion(SinkingCrane("level='Ideal'"),
                      Elements("<Body name='weight' on='outer' at='7 0 0 m' joint='fixed' mass='10 t'/>"
                               "<Frame name='load' on='weight'/>"));
}

TEST(CraneMotion, ALoadOnAWireIsABodyOnARope) {
  // A free body, so that the wire may be slack, which starts 5 m below the tip and moves with it.
  constexpr double kStiffness = 6e7, kLength = 5;
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
  ExpectTheSameMotion(SinkingCrane("level='Standard' wire_damping_ratio='0'"), elements + rope);
}

}  // namespace
}  // namespace davit
