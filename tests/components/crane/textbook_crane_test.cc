// The crane of systems/knuckle_boom_crane.xml against the textbook: equations derived by hand, holding
// pressures, frequencies, pendulums and energies.

#include <gmock/gmock.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "simulator/islands/island.h"
#include "simulator/islands/state_vectors.h"
#include "tests/components/crane/crane_system.h"
#include "tests/components/crane/textbook_crane.h"
#include "tests/components/mechanism/dynamics/random_tree.h"

namespace davit {
namespace {

constexpr double kGravity = 9.81;

std::string Text(const CraneWithCylinders& parts,
                 const std::string& manager = "TimeStep='1 ms' StopTime='1 s'",
                 const std::string& integration = "method='runge_kutta_dopri5' rtol='1e-9' atol='1e-11'") {
  return SystemText(manager, integration, parts.Content());
}

/// Where the tests look, with what the textbook says.
struct CheckPoint {
  double q1, q2;                                                  // [deg]
  double torque_1, torque_2, l1, l2, lever_1, lever_2, p_1, p_2;  // [N m, m, m/rad, Pa]
  double bare_p_1, bare_p_2;
};
constexpr CheckPoint kP1{0,          0,          2207250,     760275,      3.39005900, 4.95,
                         2.61499874, 0.75000000, 104.95188e5, 190.92943e5, 25.65490e5, 18.47704e5};
constexpr CheckPoint kP3{70,         -100,       1153312.0608, 658417.4639, 5.85651620, 2.87279856,
                         1.26702853, 1.08082297, 113.18024e5,  114.73877e5, 21.89299e5, 11.10375e5};

TEST(TextbookCraneTest, CylindersHoldItByThePressuresOfTheTextbook) {
  for (const CheckPoint& at : {kP1, kP3}) {
    for (const bool is_bare : {false, true}) {
      CraneWithCylinders parts;
      parts.start = fmt::format("<Start q1='{} deg' q2='{} deg'/>", at.q1, at.q2);
      if (is_bare) parts.crane += " payload='0 kg'";
      TestSystem system(Text(parts));
      system.manager().set_steady(true);
      system.manager().Initialize();
      const auto expect = [&](std::string_view path, double value) {
        EXPECT_NEAR(system.Read(path) / value, 1, 1e-6) << path << " at " << at.q1;
      };
      expect("boom_cylinder.p_a", is_bare ? at.bare_p_1 : at.p_1);
      expect("knuckle_cylinder.p_a", is_bare ? at.bare_p_2 : at.p_2);
      expect("crane.length_1", at.l1);
      expect("crane.length_2", at.l2);
      expect("crane.lever_1", at.lever_1);
      expect("crane.lever_2", at.lever_2);
      EXPECT_NEAR(system.Read("boom_cylinder.x"), at.l1 - TextbookBoomMount().At(-5 * kDegree).length, 1e-6);
      if (is_bare) continue;
      expect("crane.torque_1", at.torque_1);
      expect("crane.torque_2", at.torque_2);
    }
  }
}

/// Frequencies [Hz] of the oscillations of the system linearised where it is: imaginary parts of the
/// eigenvalues of dy'/dy, by central differences, each as often as it is there.
std::vector<double> Frequencies(TestSystem& system) {
  Island& island = *system.manager().islands().front();
  StateVectors& states = island.states();
  const auto n = static_cast<Eigen::Index>(states.size());
  Eigen::MatrixXd jacobian(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto k = static_cast<std::size_t>(j);
    const double at = states.y[k], nominal = states.Declaration(k).nominal;
    const double d = 1e-5 * std::max(std::abs(at), nominal);
    const auto rates = [&](double value) {
      states.y[k] = value;
      island.EvaluateAt(0);
      return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(states.ddt.data(), n));
    };
    const Eigen::VectorXd high = rates(at + d), low = rates(at - d);
    // In units of nominal values, so that eigenvalues are not lost in the span of pascals and radians.
    jacobian.col(j) = (high - low) * (nominal / (2 * d));
    states.y[k] = at;
  }
  island.EvaluateAt(0);
  for (Eigen::Index i = 0; i < n; ++i)
    jacobian.row(i) /= states.Declaration(static_cast<std::size_t>(i)).nominal;
  const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(jacobian).eigenvalues();
  std::vector<double> frequencies;
  for (const auto& value : values) {
    if (value.imag() > 0.1) frequencies.push_back(value.imag() / (2 * std::numbers::pi));
  }
  std::sort(frequencies.begin(), frequencies.end());
  return frequencies;
}

/// Cylinders whose chambers hold their oil: the ports are too small to let any through.
CraneWithCylinders Locked(const CheckPoint& at, bool is_bare) {
  CraneWithCylinders parts;
  parts.crane += kWithoutStops;
  const std::string lock =
      "level='Standard' friction='None' stops='rigid' bulk_modulus='1.6e9 Pa' dead_volume='1 l' "
      "port_a_diameter='1e-9 m' ";
  parts.boom = parts.knuckle = lock + "port_b_diameter='1e-9 m'";
  parts.start = fmt::format("<Start q1='{} deg' q2='{} deg'/>", at.q1, at.q2);
  if (is_bare) parts.crane += " payload='0 kg'";
  parts.boom_start = fmt::format("<Start p_a='{} bar' p_b='0 bar'/>", (is_bare ? at.bare_p_1 : at.p_1) / 1e5);
  parts.knuckle_start =
      fmt::format("<Start p_a='{} bar' p_b='0 bar'/>", (is_bare ? at.bare_p_2 : at.p_2) / 1e5);
  return parts;
}

TEST(TextbookCraneTest, LockedInOilItHasTheFrequenciesOfTheTextbook) {
  const auto expect = [](const CraneWithCylinders& parts, double f1, double f2) {
    TestSystem system(Text(parts));
    system.manager().Initialize();
    const std::vector<double> f = Frequencies(system);
    ASSERT_EQ(f.size(), 2U);
    EXPECT_NEAR(f[0] / f1, 1, 1e-4);
    EXPECT_NEAR(f[1] / f2, 1, 1e-4);
  };
  expect(Locked(kP1, false), 4.246933, 32.693681);
  expect(Locked(kP3, false), 3.248928, 6.021780);
  expect(Locked(kP1, true), 12.127142, 48.062663);
  expect(Locked(kP3, true), 6.941357, 21.087129);
}

TEST(TextbookCraneTest, LockedOnThePistonSideItHasTheFrequenciesOfTheTextbook) {
  for (const auto& [at, f1, f2] :
       {std::tuple(kP1, 1.013301, 19.758752), std::tuple(kP3, 1.080945, 5.578726)}) {
    CraneWithCylinders parts = Locked(at, false);
    for (std::string* cylinder : {&parts.boom, &parts.knuckle})
      cylinder->replace(cylinder->find("port_b_diameter='1e-9 m'"), std::string::npos,
                        "port_b_diameter='0.3 m'");
    TestSystem system(Text(parts));
    system.manager().Initialize();
    const std::vector<double> f = Frequencies(system);
    ASSERT_GE(f.size(), 2U);
    EXPECT_NEAR(f[0] / f1, 1, 1e-4);
    EXPECT_NEAR(f[1] / f2, 1, 1e-4);
  }
}

TEST(TextbookCraneTest, APulseMakesItSwingWithThatFrequency) {
  // Payload falls off the pose by a start speed of the boom; f1 by the zeros of w1 over 10 s.
  CraneWithCylinders parts = Locked(kP3, false);
  parts.start = "<Start q1='70 deg' q2='-100 deg' w0='0 rad/s' w1='1e-4 rad/s' w2='1.2e-4 rad/s'/>";
  parts.more = "<Record signals='crane.w1' interval='1 ms'/>";
  TestSystem system(Text(parts, "TimeStep='1 ms' StopTime='20 s'"));
  const auto rows = system.RunAndRecord();
  // The least squares fit of two cosines and sines at given frequencies leaves nothing but at the right ones.
  const auto rest = [&](double f1, double f2) {
    Eigen::MatrixXd basis(static_cast<Eigen::Index>(rows.size()), 5);
    Eigen::VectorXd seen(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double a = 2 * std::numbers::pi * f1 * rows[i].t, b = 2 * std::numbers::pi * f2 * rows[i].t;
      basis.row(k) << std::cos(a), std::sin(a), std::cos(b), std::sin(b), 1;
      seen[k] = rows[i].values[0];
    }
    return (seen - basis * basis.colPivHouseholderQr().solve(seen)).norm() / seen.norm();
  };
  EXPECT_LT(rest(3.248928, 6.021780), 5e-3);
  // 20 s resolve 1/20 s: a difference of 1e-3 of the frequency is 0.4 rad at the end.
  EXPECT_GT(rest(3.248928 * 1.001, 6.021780), 2e-2);
  EXPECT_GT(rest(3.248928 * 0.999, 6.021780), 2e-2);
}

/// The crane with its foot elsewhere on its base.
std::string WithFootAt(std::string crane, const Eigen::Vector3d& foot) {
  const std::string king = "<Body name=\"king\"";
  return crane.insert(crane.find(king) + king.size(),
                      fmt::format(" at='{} {} {} m'", foot.x(), foot.y(), foot.z()));
}

// The booms with the payload at the tip, in random states, pushed by random torques, on a vessel that moves.
TEST(TextbookCraneTest, HasTheEquationsDerivedByHand) {
  multibody::Draw draw(3);
  for (int i = 0; i < 100; ++i) {
    const CranePose pose{.slew = draw.Number(-3, 3),
                         .boom = draw.Number(-0.5, 1.4),
                         .knuckle = draw.Number(-2.5, 0),
                         .slew_rate = draw.Number(-1, 1),
                         .boom_rate = draw.Number(-1, 1),
                         .knuckle_rate = draw.Number(-1, 1)};
    CraneBody body = TextbookCrane();
    body.foot = draw.Vector(20);
    // Its kinetic energy is compared while the vessel does not move.
    const bool is_still = i % 2 == 0;
    BaseMotion vessel;
    std::string motion;
    for (const auto& [name, degree, size, unit] :
         {std::tuple("heave", &vessel.heave, 2.0, "m"), std::tuple("roll", &vessel.roll, 0.3, "rad"),
          std::tuple("pitch", &vessel.pitch, 0.3, "rad")}) {
      *degree = {draw.Number(-size, size), is_still ? 0 : draw.Number(-size, size), draw.Number(-size, size)};
      motion += fmt::format(" {0}='{2} {1}' {0}_rate='{3} {1}/s' {0}_acceleration='{4} {1}/s2'", name, unit,
                            degree->value, degree->rate, degree->acceleration);
    }
    const JointTorques push{draw.Number(-5e6, 5e6), draw.Number(-5e6, 5e6), draw.Number(-5e6, 5e6)};
    std::string content = WithFootAt(
        CraneOfTheFile("level='Ideal'" + motion,
                       fmt::format("<Start q0='{} rad' q1='{} rad' q2='{} rad' w0='{} rad/s' w1='{} rad/s' "
                                   "w2='{} rad/s'/>",
                                   pose.slew, pose.boom, pose.knuckle, pose.slew_rate, pose.boom_rate,
                                   pose.knuckle_rate)),
        body.foot);
    for (const auto& [joint, torque] :
         {std::pair("slew", push.slew), std::pair("main", push.boom), std::pair("outer", push.knuckle)}) {
      content += fmt::format(
          "<mechanical.Torque name='on_{0}' torque='{1} N.m'/><Connect from='on_{0}.port' to='crane.{0}'/>",
          joint, torque);
    }
    TestSystem system(SystemText("TimeStep='1 ms' StopTime='1 s'", "method='runge_kutta_dopri5'", content));
    system.manager().Initialize();

    const CraneTerms terms = ComputeCraneTerms(body, pose, vessel);
    const JointTorques& h = terms.bias;
    const JointTorques a =
        terms.mass.Solve({push.slew - h.slew, push.boom - h.boom, push.knuckle - h.knuckle});
    const double accelerations = std::abs(a.slew) + std::abs(a.boom) + std::abs(a.knuckle);
    const double torques =
        std::abs(terms.gravity.slew) + std::abs(terms.gravity.boom) + std::abs(terms.gravity.knuckle);
    const auto expect = [&](const char* name, double value, double scale) {
      EXPECT_NEAR(system.Read(std::string("crane.") + name), value, 1e-9 * scale) << name << " of pose " << i;
    };
    expect("w0.ddt", a.slew, accelerations);
    expect("w1.ddt", a.boom, accelerations);
    expect("w2.ddt", a.knuckle, accelerations);
    expect("torque_0", terms.gravity.slew, torques);
    expect("torque_1", terms.gravity.boom, torques);
    expect("torque_2", terms.gravity.knuckle, torques);
    expect("tip_radius", terms.tip.x(), 20);
    expect("tip_height", terms.tip.z(), 20);
    expect("tip_x", terms.tip_earth.x(), 20);
    expect("tip_y", terms.tip_earth.y(), 20);
    expect("tip_z", terms.tip_earth.z(), 20);
    expect("potential_energy", terms.potential_energy, torques);
    if (is_still) expect("kinetic_energy", terms.mass.KineticEnergy(pose), terms.mass.KineticEnergy(pose));
  }
}

/// The crane without cylinders, with start values.
std::string AloneText(const std::string& crane, const std::string& stop, const std::string& more = "") {
  return SystemText("TimeStep='10 ms' StopTime='" + stop + "'",
                    "method='runge_kutta_dopri5' rtol='1e-12' atol='1e-13'", crane + more);
}
std::string Alone(const std::string& attributes, const std::string& start, const std::string& stop,
                  const std::string& more = "") {
  return AloneText(CraneOfTheFile(attributes, "<Start " + start + "/>"), stop, more);
}

/// With bodies so heavy to turn that they do not move, and a wire without damping.
std::string StillCrane(const std::string& attributes, const std::string& start) {
  std::string crane =
      CraneOfTheFile("level='Standard' wire_damping_ratio='0' " + attributes, "<Start " + start + "/>");
  for (std::size_t at = 0; (at = crane.find("inertia=\"", at)) != std::string::npos; ++at) {
    const std::size_t begin = at + std::string_view("inertia=\"").size();
    crane.replace(begin, crane.find('"', begin) - begin, "1e18 1e18 1e18 kg.m2");
  }
  return crane;
}

/// Start values of a payload at rest, which has swung out of the vertical below the tip: in the plane of the
/// booms of a crane that looks forward, and to port.
std::string SwungOut(double q1, double q2, double length, double radial, double lateral) {
  const double s = q1 + q2;
  const double x = 0.6 + 10 * std::cos(q1) + 7 * std::cos(s), z = 4 + 10 * std::sin(q1) + 7 * std::sin(s);
  return fmt::format(
      "q1='{} rad' q2='{} rad' wire_length='{} m' payload_x='{} m' payload_y='{} m' payload_z='{} m'", q1, q2,
      length, x + length * std::sin(radial), length * std::cos(radial) * std::sin(lateral),
      z - length * std::cos(radial) * std::cos(lateral));
}

TEST(TextbookCraneTest, FreeMotionKeepsItsEnergyWithThePayloadAtTheTipAndOnAWire) {
  for (const std::string level : {"level='Ideal'", "level='Standard' wire_damping_ratio='0'"}) {
    TestSystem system(
        Alone(level, "w0='0.5 rad/s' " + SwungOut(60 * kDegree, -80 * kDegree, 5, 0, 0.3), "10 s"));
    const auto energy = [&] {
      return system.Read("crane.kinetic_energy") + system.Read("crane.potential_energy");
    };
    system.manager().Initialize();
    const double before = energy();
    const double q1 = system.Read("crane.q1");
    system.manager().RunUntil(10);
    EXPECT_NEAR(energy() / before, 1, 1e-8) << level;
    EXPECT_GT(std::abs(system.Read("crane.q1") - q1), 0.5);  // it fell
  }
}

TEST(TextbookCraneTest, PayloadOnAWireIsAPendulum) {
  for (const auto& [length, f] : {std::pair(5.0, .222931), std::pair(10.0, .157636)}) {
    const auto start = [&](double swing) { return SwungOut(30 * kDegree, -20 * kDegree, length, swing, 0); };
    TestSystem linear(AloneText(StillCrane("", start(0)), "1 s"));
    linear.manager().Initialize();
    const std::vector<double> all = Frequencies(linear);
    ASSERT_EQ(all.size(), 3U);  // two ways to swing, one to bounce
    EXPECT_NEAR(all[0] / f, 1, 3e-6);
    EXPECT_NEAR(all[1] / f, 1, 3e-6);
    const double EA = 6e7, m = 1e4;
    EXPECT_NEAR(all[2], std::sqrt(EA / (length / (1 + m * kGravity / EA)) / m) / (2 * std::numbers::pi),
                1e-4);

    // A swing of 0.1 rad is longer by 1 + a^2/16 + 11 a^4/3072; after ten it is back.
    const double a = 0.1;
    const double period =
        2 * std::numbers::pi * std::sqrt(length / kGravity) * (1 + a * a / 16 + 11 * a * a * a * a / 3072);
    TestSystem swing(AloneText(StillCrane("", start(a)), fmt::format("{} s", 10 * period)));
    swing.Run();
    // In units of the largest speed this is an angle of the swing: the wire stretches by 1.5e-5 in a swing.
    const double largest = a * std::sqrt(kGravity * length);
    EXPECT_NEAR(swing.Read("crane.payload_vx") / largest, 0, 2e-3);
    EXPECT_EQ(swing.Read("crane.payload_y"), 0);
  }
}

TEST(TextbookCraneTest, TheSwingDecaysWithItsDampingRatio) {
  constexpr double kRatio = 0.02, kLength = 5, kSwing = 0.005, kPeriods = 10;
  const double damped = std::sqrt(1 - kRatio * kRatio);
  const double period = 2 * std::numbers::pi * std::sqrt(kLength / kGravity) / damped;
  const double left = std::exp(-2 * std::numbers::pi * kPeriods * kRatio / damped);
  for (const bool is_radial : {true, false}) {
    const std::string start = SwungOut(0, 0, kLength, is_radial ? kSwing : 0, is_radial ? 0 : kSwing);
    TestSystem swing(AloneText(StillCrane(fmt::format("swing_damping_ratio='{}'", kRatio), start),
                               fmt::format("{} s", kPeriods * period)));
    swing.Run();
    const double out = std::hypot(swing.Read("crane.payload_x") - 17.6, swing.Read("crane.payload_y"));
    EXPECT_NEAR(out / (kLength * std::sin(kSwing)), left, 1e-3 * left) << is_radial;
  }
}

TEST(TextbookCraneTest, PayloadOnAWireSwingsOnACone) {
  // tan a = w^2 r/g with r = L sin a, and L longer as the pull g/cos a is larger.
  const double a = 0.4, EA = 6e7, m = 1e4;
  const double l0 = 5 / (1 + m * kGravity / EA);
  const double length = l0 * (1 + m * kGravity / std::cos(a) / EA);
  const double r = length * std::sin(a), speed = std::sqrt(kGravity * std::tan(a) * r);
  TestSystem cone(
      AloneText(StillCrane("", fmt::format("q1='0 deg' q2='0 deg' payload_x='{} m' payload_z='{} m' "
                                           "payload_vy='{} m/s'",
                                           17.6 + r, 4 - length * std::cos(a), speed)),
                "7 s"));
  cone.manager().Initialize();
  for (double t = 0.5; t <= 7; t += 0.5) {
    cone.manager().RunUntil(t);
    EXPECT_NEAR(cone.Read("crane.payload_x") - 17.6, r * std::cos(speed / r * t), 1e-6 * r);
    EXPECT_NEAR(cone.Read("crane.payload_y"), r * std::sin(speed / r * t), 1e-6 * r);
  }
}

TEST(TextbookCraneTest, ASlackWireLetsThePayloadFall) {
  TestSystem system(
      AloneText(StillCrane("", "q1='0 deg' q2='0 deg' payload_x='17.6 m' payload_z='3 m'"), "0.5 s"));
  system.Run();
  EXPECT_EQ(system.Read("crane.hook_load"), 0);
  EXPECT_NEAR(system.Read("crane.payload_z"), 3 - kGravity * 0.25 / 2, 1e-9);
}

/// A vessel that heaves, rolls and pitches, each with a period of its own.
std::string MovingVessel() {
  std::string text;
  for (const auto& [name, period, response] :
       {std::tuple("heave", 7.0, "1"), std::tuple("roll", 5.0, "0.1 rad/m"),
        std::tuple("pitch", 6.0, "0.06 rad/m")}) {
    text += fmt::format(
        "<signal.Jonswap name='{0}' spectrum='Regular' significant_height='4 m' peak_period='{1} s' "
        "response='{2}' "
        "phase='{1} rad'/><Route from='{0}.y' to='crane.{0}'/><Route from='{0}.rate' to='crane.{0}_rate'/>"
        "<Route from='{0}.acceleration' to='crane.{0}_acceleration'/>",
        name, period, response);
  }
  return text;
}

TEST(TextbookCraneTest, FreeFallIsTheSameOnAnyVessel) {
  TestSystem system(
      AloneText(WithFootAt(StillCrane("",
                                      "q1='10 deg' q2='-10 deg' wire_length='60 m' payload_x='30 m' "
                                      "payload_y='4 m' payload_z='10 m' payload_vx='2 m/s' "
                                      "payload_vz='3 m/s'"),
                           {20, 4, 8}),
                "1 s", MovingVessel()));
  system.manager().Initialize();
  // The wire is slack: only gravity acts, seen from the earth.
  std::vector<Eigen::Vector3d> seen;
  for (const double t : {0.2, 0.6, 1.0}) {
    system.manager().RunUntil(t);
    EXPECT_EQ(system.Read("crane.hook_load"), 0);
    seen.emplace_back(system.Read("crane.load_x"), system.Read("crane.load_y"), system.Read("crane.load_z"));
  }
  const Eigen::Vector3d acceleration = (seen[0] - 2 * seen[1] + seen[2]) / (0.4 * 0.4);
  EXPECT_NEAR(acceleration.x(), 0, 1e-7);
  EXPECT_NEAR(acceleration.y(), 0, 1e-7);
  EXPECT_NEAR(acceleration.z(), -kGravity, 1e-7);
}

TEST(TextbookCraneTest, OnAMovingVesselThePayloadMovesAsInTheEarthFrame) {
  // The wire pulls towards the tip: m a = -m g ez + T (tip - load)/d with what the crane itself shows, a by
  // second differences of the place over the earth.
  TestSystem system(AloneText(
      WithFootAt(StillCrane("", "q1='40 deg' q2='-60 deg' q0='50 deg' wire_length='8 m'"), {20, 4, 8}),
      "10 s", MovingVessel()));
  system.manager().Initialize();
  constexpr double h = 0.01;
  for (const double t : {2.0, 5.0, 9.0}) {
    std::array<Eigen::Vector3d, 3> place;
    double tension = 0;
    Eigen::Vector3d tip;
    for (int i = 0; i < 3; ++i) {
      system.manager().RunUntil(t + h * (i - 1));
      place[static_cast<std::size_t>(i)] = {system.Read("crane.load_x"), system.Read("crane.load_y"),
                                            system.Read("crane.load_z")};
      if (i != 1) continue;
      tension = system.Read("crane.hook_load");
      tip = {system.Read("crane.tip_x"), system.Read("crane.tip_y"), system.Read("crane.tip_z")};
    }
    const Eigen::Vector3d expected =
        tension / 1e4 * (tip - place[1]).normalized() - kGravity * Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d seen = (place[0] - 2 * place[1] + place[2]) / (h * h);
    // h^2/12 a'': the payload bounces on its wire with 27 rad/s, 1e-4*27^2/12 = 0.6 % of that part of a.
    EXPECT_LT((seen - expected).norm(), 0.02) << t;
  }
}

TEST(TextbookCraneTest, TheDeckCarriesWhatTheWireDoesNot) {
  TestSystem system(
      AloneText(StillCrane("deck_height='-2 m'", "q1='0 deg' q2='0 deg' wire_length='6.1 m'"), "3 s"));
  system.Run();
  EXPECT_EQ(system.Read("crane.hook_load"), 0);
  // It rests m g/deck_stiffness deep.
  EXPECT_NEAR(system.Read("crane.payload_z"), -2 - 1e4 * kGravity / 1e7, 1e-6);
}

TEST(TextbookCraneTest, AReleasedWinchSlipsAtItsTension) {
  TestSystem system(AloneText(StillCrane("release='1' release_tension='60 kN' release_resistance='2e4 N.s/m'",
                                         "q1='0 deg' q2='0 deg' wire_length='5 m'"),
                              "60 s"));
  system.manager().Initialize();
  system.manager().RunUntil(0.2);
  const double begin = system.Read("crane.wire_length");
  system.manager().RunUntil(60);
  // A payload of 98.1 kN sinks with (98.1 - 60)/20 m/s in the end.
  EXPECT_GT(begin, 5);
  EXPECT_NEAR(system.Read("crane.payload_vz"), -(98100 - 60000) / 2e4, 1e-3);
}

TEST(TextbookCraneTest, HeaveWeighsLikeGravity) {
  CraneWithCylinders parts;
  parts.crane = "level='Ideal' heave_acceleration='9.81 m/s2'";
  TestSystem system(Text(parts));
  system.manager().set_steady(true);
  system.manager().Initialize();
  EXPECT_NEAR(system.Read("boom_cylinder.p_a") / (2 * kP1.p_1), 1, 1e-6);
  EXPECT_NEAR(system.Read("knuckle_cylinder.p_a") / (2 * kP1.p_2), 1, 1e-6);
}

constexpr double kStop = 1e9;  // [N/m]

/// With its cylinders open to the tank it falls until a cylinder is at its stop.
CraneWithCylinders Falling(const std::string& attributes) {
  CraneWithCylinders parts;
  parts.crane += fmt::format(" stop_stiffness='{} N/m' {}", kStop, attributes);
  parts.start = "<Start q1='5 deg' q2='-30 deg'/>";
  parts.a = parts.b;
  parts.boom = parts.knuckle = "stops='rigid'";
  return parts;
}

/// The energy of bodies and of stops that cylinders press in at their short end.
double EnergyWithStops(const TestSystem& system) {
  double energy = system.Read("crane.kinetic_energy") + system.Read("crane.potential_energy");
  for (const char* cylinder : {"boom_cylinder.x", "knuckle_cylinder.x"}) {
    const double depth = std::max(0.0, -system.Read(cylinder));
    energy += kStop * depth * depth / 2;
  }
  return energy;
}

TEST(TextbookCraneTest, StopsWithoutDampingKeepTheEnergy) {
  TestSystem system(Text(Falling("stop_damping='0'"), "TimeStep='10 ms' StopTime='2 s'"));
  system.manager().Initialize();
  const double before = EnergyWithStops(system);
  double deepest = 0;
  for (double t = 0.01; t <= 2; t += 0.01) {
    system.manager().RunUntil(t);
    EXPECT_NEAR(EnergyWithStops(system) / before, 1, 1e-6) << t;
    deepest = std::min(deepest, system.Read("boom_cylinder.x"));
  }
  EXPECT_LT(deepest, -1e-3);
}

TEST(TextbookCraneTest, AfterImpactsItLiesOnItsStops) {
  TestSystem system(
      Text(Falling("stop_damping='10' outer_friction='1e6 N.m.s/rad'"), "TimeStep='10 ms' StopTime='60 s'"));
  system.Run();
  // The knuckle boom hangs down, the boom lies on its cylinder.
  EXPECT_NEAR(system.Read("crane.q1") + system.Read("crane.q2"), -90 * kDegree, 1e-4);
  const double push = system.Read("crane.torque_1") / system.Read("crane.lever_1");
  EXPECT_NEAR(system.Read("boom_cylinder.x") * kStop / -push, 1, 1e-3);
  EXPECT_NEAR(system.Read("crane.w1"), 0, 1e-6);
}

TEST(TextbookCraneTest, TakesItsPoseFromTheCylindersWhereItHasNone) {
  CraneWithCylinders parts;
  parts.start = "";
  parts.boom_start =
      fmt::format("<Start x='{} m'/>", TextbookBoomMount().At(0.7).length - 3.1595522152525217);
  parts.knuckle_start =
      fmt::format("<Start x='{} m'/>", TextbookKnuckleMount().At(-1.1).length - 2.702924138639422);
  TestSystem system(Text(parts));
  system.manager().Initialize();
  EXPECT_NEAR(system.Read("crane.q1"), 0.7, 1e-12);
  EXPECT_NEAR(system.Read("crane.q2"), -1.1, 1e-12);
}

TEST(TextbookCraneTest, AStartThatCylinderAndJointDisagreeAboutIsRefused) {
  CraneWithCylinders parts;
  parts.boom_start = "<Start x='1 m'/>";
  // l(0) less the shortest length is 0.23050678 m.
  EXPECT_THAT(
      FaultsOf(Text(parts)),
      testing::ElementsAre(testing::HasSubstr(
          "/crane: boom does not close at the start: its cylinder makes it 4.16 m long, with x = 1 m, "
          "but its ends are 3.39 m apart, which is x = 0.2305 m")));
}

TEST(TextbookCraneTest, FeelsWhatCylindersAndGearMoveAlong) {
  const CranePose pose{.slew_rate = 0.1, .boom_rate = 0.2, .knuckle_rate = -0.15};
  constexpr double kRod = 700, kOuterRod = 300, kRotor = 5000;
  CraneWithCylinders parts = Falling("");
  parts.start = "<Start q1='0 deg' q2='0 deg' w0='0.1 rad/s' w1='0.2 rad/s' w2='-0.15 rad/s'/>";
  parts.more = fmt::format(
      "<user.Equation name='rotor'><Port name='shaft' domain='rotational' role='C' c='0' Zc='0' "
      "added_inertia='{}'/></user.Equation><Connect from='rotor.shaft' to='crane.slew'/>",
      kRotor);
  std::string text = Text(parts);
  for (const double mass : {kRod, kOuterRod}) {
    const std::string none = "rod_mass='0 kg'";
    text.replace(text.find(none), none.size(), fmt::format("rod_mass='{} kg'", mass));
  }
  TestSystem system(text);
  system.manager().Initialize();
  // A mass m at a cylinder has the energy m/2*(l'*w)^2, so it adds m*l'^2 to M and m*l'*l''*w^2 to the bias.
  CraneTerms terms = ComputeCraneTerms(TextbookCrane(), pose, {});
  const auto boom = TextbookBoomMount().At(0), knuckle = TextbookKnuckleMount().At(0);
  terms.mass.m00 += kRotor;
  terms.mass.m11 += kRod * boom.lever_arm * boom.lever_arm;
  terms.mass.m22 += kOuterRod * knuckle.lever_arm * knuckle.lever_arm;
  const auto pushed = [](const char* cylinder, const TestSystem& of) {
    return of.Read(std::string(cylinder) + "_cylinder.force");
  };
  const JointTorques a = terms.mass.Solve(
      {-terms.bias.slew,
       boom.lever_arm * (pushed("boom", system) - kRod * boom.curvature * 0.2 * 0.2) - terms.bias.boom,
       knuckle.lever_arm * (pushed("knuckle", system) - kOuterRod * knuckle.curvature * 0.15 * 0.15) -
           terms.bias.knuckle});
  EXPECT_NEAR(system.Read("crane.w0.ddt"), a.slew, 1e-9);
  EXPECT_NEAR(system.Read("crane.w1.ddt"), a.boom, 1e-9);
  EXPECT_NEAR(system.Read("crane.w2.ddt"), a.knuckle, 1e-9);
  EXPECT_NEAR(system.Read("boom_cylinder.v"), boom.lever_arm * 0.2, 1e-12);
}

/// Work [J] that locked oil has done since it was at p_0 in V_0: p = p_0 - beta ln(V/V_0), p dV.
double WorkOfOil(double p_0, double V_0, double V) {
  constexpr double kBeta = 1.6e9;
  return (p_0 + kBeta) * (V - V_0) - kBeta * V * std::log(V / V_0);
}

TEST(TextbookCraneTest, CraneAndLockedOilKeepTheirEnergyTogether) {
  CraneWithCylinders parts = Locked(kP3, false);
  // The chambers B start without pressure; the law of WorkOfOil knows no void.
  for (std::string* cylinder : {&parts.boom, &parts.knuckle}) *cylinder += " vapour_pressure='-1e9 Pa'";
  parts.start = "<Start q1='70 deg' q2='-100 deg' w0='0.3 rad/s' w1='0.01 rad/s' w2='-0.02 rad/s'/>";
  TestSystem system(Text(parts, "TimeStep='10 ms' StopTime='5 s'",
                         "method='runge_kutta_dopri5' rtol='1e-11' atol='1e-12'"));
  system.manager().Initialize();
  struct Oil {
    std::string cylinder;
    double area, ring, stroke, p_a, p_b, x;
  };
  std::vector<Oil> oils{{"boom_cylinder", 0.08042477193, 0.04900884539, 2.8598466, 0, 0, 0},
                        {"knuckle_cylinder", 0.05309291585, 0.03298672286, 2.247077, 0, 0, 0}};
  for (Oil& oil : oils) {
    oil.p_a = system.Read(oil.cylinder + ".p_a");
    oil.p_b = system.Read(oil.cylinder + ".p_b");
    oil.x = system.Read(oil.cylinder + ".x");
  }
  const auto energy = [&] {
    double sum = system.Read("crane.kinetic_energy") + system.Read("crane.potential_energy");
    for (const Oil& oil : oils) {
      const double x = system.Read(oil.cylinder + ".x");
      sum -= WorkOfOil(oil.p_a, 1e-3 + oil.area * oil.x, 1e-3 + oil.area * x);
      sum -= WorkOfOil(oil.p_b, 1e-3 + oil.ring * (oil.stroke - oil.x), 1e-3 + oil.ring * (oil.stroke - x));
    }
    return sum;
  };
  const double before = energy(), swing = system.Read("crane.kinetic_energy");
  double most = 0;
  for (double t = 0.1; t <= 5; t += 0.1) {
    system.manager().RunUntil(t);
    most = std::max(most, std::abs(energy() - before));
  }
  // Areas are given to 1e-9 and multiply works of some 1e4 J.
  EXPECT_LT(most, 1e-6 * swing);
}

TEST(TextbookCraneTest, CylindersInWaveFormHoldItTheSameWay) {
  // Chambers that hold their oil: with states, and as lines of one step. Their pressures do not quite hold
  // the crane, so it swings.
  CraneWithCylinders parts = Locked(kP3, false);
  parts.start = "";                         // the angles are those of the cylinders
  parts.boom += " formulation='quantity'";  // as waves have it: p = beta Q/V
  parts.knuckle += " formulation='quantity'";
  parts.boom_start = "<Start x='2.696963987 m' p_a='143 bar' p_b='48 bar'/>";
  parts.knuckle_start = "<Start x='0.169874420 m' p_a='146 bar' p_b='50 bar'/>";
  TestSystem states(Text(parts));
  std::string text = CraneOfTheFile("", "<Start q1='70 deg' q2='-100 deg'/>");
  for (const auto& [name, port, bore, rod, stroke, p_a, p_b] :
       {std::tuple("boom_cylinder", "boom", 320, 200, 2.8598466, 143, 48),
        std::tuple("knuckle_cylinder", "knuckle", 260, 160, 2.247077, 146, 50)}) {
    text += fmt::format(
        "<hydraulic.CylinderC name='{0}' bore='{2} mm' rod='{3} mm' stroke='{4} m' rod_mass='0 kg' "
        "viscous_friction='0 N.s/m' "
        "filter='0'><Start p_a='{5} bar' p_b='{6} bar'/></hydraulic.CylinderC><Connect from='{0}.rod' "
        "to='crane.{1}'/>",
        name, port, bore, rod, stroke, p_a, p_b);
    for (const char* end : {"a", "b"}) {
      text += fmt::format(
          "<hydraulic.Orifice name='{0}_{1}' area='0 mm2'/><hydraulic.Tank name='{0}_{1}_tank'/>"
          "<Connect from='{0}_{1}.a' to='{0}.{1}'/><Connect from='{0}_{1}.b' to='{0}_{1}_tank.port'/>",
          name, end);
    }
  }
  TestSystem waves(
      SystemText("TimeStep='0.1 ms' StopTime='1 s'", "method='runge_kutta_dopri5' rtol='1e-9'", text));
  states.manager().Initialize();
  waves.manager().Initialize();
  double most = 0, largest = 0;
  for (double t = 0.05; t <= 1; t += 0.05) {
    states.manager().RunUntil(t);
    waves.manager().RunUntil(t);
    largest = std::max(largest, std::abs(states.Read("crane.w1")));
    most = std::max(most, std::abs(states.Read("crane.w1") - waves.Read("crane.w1")));
  }
  // A wave is one step late, 0.1 ms of a swing with 6 Hz: 2 pi 6 1e-4 = 4e-3 of its angle.
  EXPECT_LT(most, 4e-3 * largest);
}

TEST(TextbookCraneTest, CraneAndGearKeepTheirEnergyTogether) {
  TestSystem system(Alone(
      "level='Standard' wire_damping_ratio='0'", SwungOut(60 * kDegree, -80 * kDegree, 5, 0, 0.2), "5 s",
      "<mechanical.Gear name='gear' ratio='700' inertia='0.3 kg.m2' stiffness='2e8 N.m/rad'><Start "
      "w='100 rad/s'/></mechanical.Gear><Connect from='gear.b' to='crane.slew'/>"));
  system.manager().Initialize();
  const auto energy = [&] {
    const double w = system.Read("gear.w"), twist = system.Read("gear.twist");
    return system.Read("crane.kinetic_energy") + system.Read("crane.potential_energy") + 0.3 * w * w / 2 +
           2e8 * twist * twist / 2;
  };
  const double before = energy();
  system.manager().RunUntil(5);
  EXPECT_NEAR(energy() / before, 1, 1e-8);
  EXPECT_GT(std::abs(system.Read("crane.q0")), 0.01);
}

TEST(TextbookCraneTest, IsFiniteForAnyFiniteState) {
  for (const double angle : {-1e6, -1.0, 0.0, 3.0, 1e6}) {
    for (const double rate : {-1e3, 0.0, 1e3}) {
      TestSystem system(Alone("level='Advanced' release='1'",
                              fmt::format("q0='{0} rad' q1='{0} rad' q2='{0} rad' w0='{1} rad/s' "
                                          "w1='{1} rad/s' w2='{1} rad/s' wire_length='0 m'",
                                          angle, rate),
                              "1 s"));
      system.manager().Initialize();
      for (const char* name : {"w0.ddt", "w1.ddt", "w2.ddt", "payload_vx.ddt", "payload_vz.ddt", "hook_load"})
        EXPECT_TRUE(std::isfinite(system.Read(std::string("crane.") + name)))
            << name << " at " << angle << ", " << rate;
    }
  }
}

}  // namespace
}  // namespace davit
