#include "analysis/linear/linearize.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <filesystem>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "analysis/linear/frequency_response.h"
#include "analysis/linear/modes.h"
#include "tests/components/crane/crane_system.h"
#include "tests/support/system_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string OdeText(std::string_view content) {
  return SystemText("TimeStep='1 ms' StopTime='1 s'", "method='runge_kutta_dopri5'", content);
}

/// Initialised, or run to `t`, then linearised.
Linearization LinearizeAt(SystemHarness& system, const std::vector<std::string>& inputs = {},
                          const std::vector<std::string>& outputs = {}, double t = 0,
                          bool is_steady = false) {
  system.manager().set_steady(is_steady);
  system.simulation().Initialize();
  if (t > 0) system.simulation().RunUntil(t);
  Diagnostics diagnostics;
  const LinearEnds ends = FindLinearEnds(system.system(), inputs, outputs, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  return Linearize(system.system(), ends);
}

template <class List>
std::vector<std::string> Names(const List& list) {
  std::vector<std::string> names;
  for (const auto& one : list) names.push_back(one.name);
  return names;
}

const char* const kOscillator =
    "<mechanical.Fixed name='wall'/>"
    "<mechanical.Spring name='spring' stiffness='400 N/m'/>"
    "<mechanical.Damper name='damper' coefficient='6 N.s/m'/>"
    "<mechanical.Mass name='load' mass='10 kg'><Start x='0.1 m'/></mechanical.Mass>"
    "<mechanical.Force name='push'/>"
    "<Connect from='wall.port' to='spring.a'/><Connect from='wall.port' to='damper.a'/>"
    "<Connect from='spring.b' to='load.a'/><Connect from='damper.b' to='load.a'/>"
    "<Connect from='push.port' to='load.a'/>"
    "<Record signals='load.x spring.force'/>";

TEST(LinearizeTest, AMassOnASpringHasItsTextbookMatrices) {
  TestSystem system(OdeText(kOscillator));
  const Linearization linear = LinearizeAt(system, {"push.force"});
  const LinearModel& m = linear.model;
  EXPECT_THAT(Names(m.states), ElementsAre("load.x", "load.v"));
  EXPECT_THAT(Names(m.inputs), ElementsAre("push.force"));
  EXPECT_THAT(Names(m.outputs), ElementsAre("load.x", "spring.force"));
  EXPECT_EQ(m.states[0].unit, "m");
  EXPECT_EQ(m.states[1].unit, "m/s");
  EXPECT_EQ(m.states[0].value, 0.1);
  const double sign = m.B(1, 0) > 0 ? 1 : -1;  // the force's own convention
  Eigen::MatrixXd A(2, 2), B(2, 1), C(2, 2);
  A << 0, 1, -40, -0.6;
  B << 0, 0.1 * sign;
  C << 1, 0, m.C(1, 0) > 0 ? 400 : -400, 0;
  EXPECT_LT((m.A - A).cwiseAbs().maxCoeff(), 1e-8 * 40);
  EXPECT_LT((m.B - B).cwiseAbs().maxCoeff(), 1e-8 * 0.1);
  EXPECT_LT((m.C - C).cwiseAbs().maxCoeff(), 1e-8 * 400);
  EXPECT_LT(m.D.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(linear.error, 1e-8);
  EXPECT_GT(linear.largest_rate, 1);  // 0.1 m from rest
}

TEST(LinearizeTest, EntriesAreRightToEightDigitsOfTheLargest) {
  // f = exp(y) sin(3 x)/(1 + y^2), g = x^3 y - sqrt(1 + x)
  TestSystem system(
      OdeText("<user.Equation name='e'><Input name='u' unit='1'/>"
              "<State name='x' start='0.7' der='exp(y)*sin(3*x)/(1 + y*y) + u*u*x'/>"
              "<State name='y' start='-0.4' der='x*x*x*y - sqrt(1 + x)'/></user.Equation>"
              "<Record signals='e.x'/>"));
  const Linearization linear = LinearizeAt(system, {"e.u"});
  const double x = 0.7, y = -0.4, d = 1 + y * y;
  Eigen::MatrixXd A(2, 2);
  A << 3 * std::exp(y) * std::cos(3 * x) / d, std::exp(y) * std::sin(3 * x) * (1 / d - 2 * y / (d * d)),
      3 * x * x * y - 0.5 / std::sqrt(1 + x), x * x * x;
  EXPECT_LT((linear.model.A - A).cwiseAbs().maxCoeff(), 1e-9 * A.cwiseAbs().maxCoeff());
  EXPECT_LT(std::abs(linear.model.B(0, 0)), 1e-9);
}

TEST(LinearizeTest, ACylinderSwingsAtItsTextbookFrequency) {
  // 283/141 mm, stroke 2 m, dead volume 1 l, 10.5 t; the ports let nothing through. p = beta Q/V of the oil Q
  // beyond the filling, so omega^2 = ((beta + p_a) Ap^2/VA + (beta + p_b) Ar^2/VB)/m.
  const double beta = 1.6e9, Ap = std::numbers::pi / 4 * 0.283 * 0.283,
               Ar = Ap - std::numbers::pi / 4 * 0.141 * 0.141, mass = 10500, p_a = 50e5, p_b = p_a * Ap / Ar;
  for (const double x : {0.1, 1.0, 1.9}) {
    TestSystem system(OdeText(fmt::format(
        "<hydraulic.Tank name='tank'/>"
        "<hydraulic.Cylinder name='cylinder' level='Standard' friction='None' stops='rigid' "
        "formulation='quantity' bore='283 mm' rod='141 mm' stroke='2 m' rod_mass='500 kg' dead_volume='1 l' "
        "bulk_modulus='1.6e9 Pa' port_a_diameter='1e-9 m' port_b_diameter='1e-9 m'>"
        "<Start x='{} m' p_a='{} Pa' p_b='{} Pa'/></hydraulic.Cylinder>"
        "<mechanical.Mass name='load' mass='10 t'/>"
        "<Connect from='cylinder.a' to='tank.port'/><Connect from='cylinder.b' to='tank.port'/>"
        "<Connect from='cylinder.rod' to='load.a'/><Record signals='load.x'/>",
        x, p_a, p_b)));
    const Linearization linear = LinearizeAt(system);
    const double k =
        (beta + p_a) * Ap * Ap / (1e-3 + Ap * x) + (beta + p_b) * Ar * Ar / (1e-3 + Ar * (2 - x));
    const double f = std::sqrt(k / mass) / (2 * std::numbers::pi);
    const std::vector<LinearMode> modes = ComputeModes(linear.model.A);
    ASSERT_FALSE(modes.empty());
    EXPECT_NEAR(modes.back().frequency() / f, 1, 1e-6) << x;
    EXPECT_LT(std::abs(modes.back().damping()), 1e-6);
    EXPECT_THAT(linear.notes, IsEmpty());
  }
}

constexpr double kGravity = 9.81;  // as in mechanism.Mechanism [m/s2]

/// A rod of 1 m and 6 kg that turns about an end.
std::string Rod(std::string_view name, std::string_view rest) {
  return fmt::format(
      "<Body name='{}' joint='revolute' axis='0 -1 0' mass='6 kg' centre='0.5 0 0 m' "
      "inertia='0 0.5 0.5 kg.m2' {}/>",
      name, rest);
}

TEST(LinearizeTest, AHeldRodSwingsAtItsTextbookFrequency) {
  // V(q) = m g l/2 sin q + k/2 (L - L0)^2 with L^2 = 2 l^2 (1 + sin q);  omega^2 = V''/I where V' = 0.
  TestSystem system(
      OdeText("<mechanism.Mechanism name='m'>" + Rod("rod", "start='10 deg'") +
              "<Mount name='spring_mount' a='base' a_at='0 0 -1 m' b='rod' b_at='1 0 0 m' shortest='1.5 m'/>"
              "</mechanism.Mechanism><mechanical.Fixed name='wall'/>"
              "<mechanical.Spring name='spring' stiffness='2000 N/m'/>"
              "<Connect from='spring.a' to='m.spring_mount'/>"
              "<Connect from='spring.b' to='wall.port'/>"
              "<Record signals='m.rod_angle spring.force m.spring_mount_length'/>"));
  const Linearization linear = LinearizeAt(system, {}, {}, 0, true);
  const double q = system.Read("m.rod_angle"), L = system.Read("m.spring_mount_length");
  const double push = system.Read("m.spring_mount_force");
  EXPECT_NEAR(L * L, 2 * (1 + std::sin(q)), 1e-9);
  const double arm = std::cos(q) / L, bend = -(std::sin(q) + arm * arm) / L;
  EXPECT_NEAR(push * arm, 6 * kGravity * 0.5 * std::cos(q), 1e-6);
  const double stiffness = -6 * kGravity * 0.5 * std::sin(q) + 2000 * arm * arm - push * bend;
  const std::vector<LinearMode> modes = ComputeModes(linear.model.A);
  ASSERT_FALSE(modes.empty());
  EXPECT_NEAR(modes.back().frequency() * 2 * std::numbers::pi / std::sqrt(stiffness / 2.0), 1, 1e-6);
}

TEST(LinearizeTest, AHangingParallelogramSwingsAndItsLoopDecays) {
  // Two rods turn, one moves along: 2 m g l phi = -(2/3 + 1) m l^2 phi''.
  TestSystem system(
      OdeText("<mechanism.Mechanism name='m' loop_decay='40 1/s'>" + Rod("crank", "start='-90 deg'") +
              Rod("coupler", "on='crank' at='1 0 0 m' start='90 deg'") +
              Rod("rocker", "on='coupler' at='1 0 0 m' start='90 deg'") +
              "<Loop name='pin' a='rocker' a_at='1 0 0 m' b='base' b_at='1 0 0 m' joint='revolute' "
              "axis='0 -1 0'/></mechanism.Mechanism><Record signals='m.crank_angle'/>"));
  const Linearization linear = LinearizeAt(system);
  const std::vector<LinearMode> modes = ComputeModes(linear.model.A);
  int swinging = 0;
  for (const LinearMode& mode : modes) {
    if (mode.eigenvalue.imag() > 1) {
      ++swinging;
      EXPECT_NEAR(mode.eigenvalue.imag(), std::sqrt(1.2 * kGravity), 1e-6);
      EXPECT_NEAR(mode.eigenvalue.real(), 0, 1e-6);
    } else {  // four that are the same
      EXPECT_NEAR(mode.eigenvalue.real(), -40, 1e-2);
    }
  }
  EXPECT_EQ(swinging, 1);
}

/// Volumes of 1 l at both sides of a cylinder that flows drive: X/Q = 1/(Ap s (1 + c/k s + m/k s^2)), k =
/// beta (Ap^2 + Ar^2)/V.
const char* const kServo =
    "<signal.Constant name='reference' value='0'/><signal.Sum name='error' signs='+-'/>"
    "<signal.Gain name='controller' gain='0.05'/><signal.Gain name='ring' gain='{0}'/>"
    "<hydraulic.FlowSource name='flow_a'/><hydraulic.FlowSource name='flow_b'/>"
    "<hydraulic.Volume name='volume_a' formulation='quantity' volume='1 l' bulk_modulus='1.6e9 Pa'>"
    "<Start p='{1} Pa'/></hydraulic.Volume>"
    "<hydraulic.Volume name='volume_b' formulation='quantity' volume='1 l' bulk_modulus='1.6e9 Pa'>"
    "<Start p='50 bar'/></hydraulic.Volume>"
    "<hydraulic.Cylinder name='cylinder' level='Ideal' friction='Viscous' viscous_friction='20000 N.s/m' "
    "bore='50 mm'"
    " rod='28 mm' stroke='1 m' rod_mass='0 kg'><Start x='0.5 m'/></hydraulic.Cylinder>"
    "<mechanical.Mass name='load' mass='1000 kg'/>"
    "<Connect from='flow_a.port' to='volume_a.port'/><Connect from='flow_b.port' to='volume_b.port'/>"
    "<Connect from='cylinder.a' to='volume_a.port'/><Connect from='cylinder.b' to='volume_b.port'/>"
    "<Connect from='cylinder.rod' to='load.a'/>"
    "<Route from='reference.y' to='error.u'/><Route from='load.x' to='error.u'/>"
    "<Route from='error.y' to='controller.u'/><Route from='controller.y' to='flow_a.flow'/>"
    "<Route from='flow_a.flow' to='ring.u'/><Route from='ring.y' to='flow_b.flow'/>"
    "<Record signals='load.x'/>";

struct ServoValues {
  double Ap = std::numbers::pi / 4 * 0.05 * 0.05, Ar = Ap - std::numbers::pi / 4 * 0.028 * 0.028;
  double k = 1.6e9 * (Ap * Ap + Ar * Ar) / 1e-3, m = 1000, c = 20000;
  double omega = std::sqrt(k / m), zeta = c / (2 * std::sqrt(k * m));
};

std::string ServoText() {
  const ServoValues v;
  std::string text = fmt::format(fmt::runtime(kServo), -v.Ar / v.Ap, 50e5 * v.Ar / v.Ap);
  const std::string route = "<Route from='flow_a.flow' to='ring.u'/>";
  text.replace(text.find(route), route.size(), "<Route from='controller.y' to='ring.u'/>");
  return OdeText(text);
}

TEST(LinearizeTest, AServoHasItsTextbookFrequencyAndGain) {
  const ServoValues v;
  TestSystem system(ServoText());
  // The loop is cut where the controller acts.
  const Linearization linear = LinearizeAt(system, {"controller.u"}, {"load.x"});
  const std::vector<LinearMode> modes = ComputeModes(linear.model.A);
  ASSERT_EQ(modes.size(), 3U);
  EXPECT_EQ(modes[0].eigenvalue, 0.0);
  EXPECT_EQ(modes[1].eigenvalue, 0.0);
  EXPECT_NEAR(2 * std::numbers::pi * modes[2].frequency() / v.omega, 1, 1e-6);
  EXPECT_NEAR(modes[2].damping() / v.zeta, 1, 1e-6);
  const double gain = 0.05;  // of controller; its sign in the loop is positive along flow_a
  for (const double f : {0.1, 1.0, 5.0, 20.0}) {
    const std::complex<double> s(0, 2 * std::numbers::pi * f);
    const std::complex<double> exact = gain / v.Ap / (s * (1.0 + v.c / v.k * s + v.m / v.k * s * s));
    const std::complex<double> G = TransferAt(linear.model, s)(0, 0);
    EXPECT_LT(std::abs(std::abs(G) / std::abs(exact) - 1), 1e-6) << f;
  }
}

TEST(LinearizeTest, TheClosedLoopIsThatOfTheCutOne) {
  const ServoValues v;
  TestSystem open_system(ServoText()), closed_system(ServoText());
  const Linearization open = LinearizeAt(open_system, {"controller.u"}, {"error.y"});
  const Linearization closed = LinearizeAt(closed_system, {"reference.value"}, {"error.y"});
  EXPECT_THAT(Names(closed.model.inputs), ElementsAre("reference.value"));
  for (const double f : {0.2, 2.0, 8.0}) {
    const std::complex<double> s(0, 2 * std::numbers::pi * f);
    const std::complex<double> L = TransferAt(open.model, s)(0, 0);  // error over controller.u: -G
    EXPECT_LT(std::abs(TransferAt(closed.model, s)(0, 0) - 1.0 / (1.0 - L)), 1e-7) << f;
  }
}

TEST(LinearizeTest, CraneFrequenciesAreThoseOfTheTextbook) {
  if (!std::filesystem::exists(DAVIT_REFERENCE_DIR "/reference/hydraulics.md"))
    GTEST_SKIP() << "no reference/hydraulics.md in " DAVIT_REFERENCE_DIR;
  CraneWithCylinders parts;
  parts.crane += kWithoutStops;
  parts.boom = parts.knuckle =
      "level='Standard' friction='None' stops='rigid' bulk_modulus='1.6e9 Pa' dead_volume='1 l' "
      "port_a_diameter='1e-9 m' port_b_diameter='1e-9 m'";
  parts.start = "<Start q1='0 deg' q2='0 deg'/>";
  parts.boom_start = "<Start p_a='104.95188 bar' p_b='0 bar'/>";
  parts.knuckle_start = "<Start p_a='190.92943 bar' p_b='0 bar'/>";
  TestSystem system(
      SystemText("TimeStep='1 ms' StopTime='1 s'", "method='runge_kutta_dopri5'", parts.Content()));
  const Linearization linear = LinearizeAt(system, {}, {"crane.length_1"});
  std::vector<double> frequencies;
  for (const LinearMode& mode : ComputeModes(linear.model.A)) {
    if (mode.eigenvalue.imag() > 0.1) frequencies.push_back(mode.eigenvalue.imag() / (2 * std::numbers::pi));
  }
  ASSERT_THAT(frequencies, SizeIs(2));
  // The oil is 1 + p/beta times as stiff as in the textbook.
  EXPECT_NEAR(frequencies[0] / 4.246933, 1, 1e-4);
  EXPECT_NEAR(frequencies[1] / 32.693681, 1, 1e-4);
}

std::string AmplifierText(const std::string& start = {}) {
  return SystemText("TimeStep='0.2 ms' StopTime='0.1 s'", "",
                    "<electrical.TransistorAmplifier name='amplifier' amplitude='0 V'>" + start +
                        "</electrical.TransistorAmplifier><Record signals='amplifier.y8 amplifier.y4'/>");
}

TEST(LinearizeTest, AnAlgebraicIslandIsReducedToItsStates) {
  TestSystem system(AmplifierText());
  const Linearization linear = LinearizeAt(system, {"amplifier.supply"}, {}, 0, true);
  EXPECT_THAT(Names(linear.model.states),
              ElementsAre("amplifier.u1", "amplifier.y3", "amplifier.u4", "amplifier.y6", "amplifier.u7"));
  // C2 y3' = -y3/R + g(y2 - y3): with the node of the base eliminated by hand.
  const double R0 = 1000, R = 9000, alpha = 0.99, C = 1e-6, beta = 1e-6, U = 0.026;
  const double y2 = system.Read("amplifier.y2"), y3 = system.Read("amplifier.y3");
  const double g = beta / U * std::exp((y2 - y3) / U);
  // 0 = (u1 + y2)/R0 + y2/R + y2/R + (1 - alpha) g (y2 - y3), in changes.
  const double sum = 1 / R0 + 2 / R + (1 - alpha) * g;
  const double y2_u1 = -1 / R0 / sum, y2_y3 = (1 - alpha) * g / sum;
  const double largest = linear.model.A.cwiseAbs().maxCoeff();
  EXPECT_NEAR(linear.model.A(0, 0), -(1 + y2_u1) / R0 / C, 1e-8 * largest);
  EXPECT_NEAR(linear.model.A(0, 1), -y2_y3 / R0 / C, 1e-8 * largest);
  EXPECT_NEAR(linear.model.A(1, 0), g * y2_u1 / (2 * C), 1e-8 * largest);
  EXPECT_NEAR(linear.model.A(1, 1), (-1 / R + g * (y2_y3 - 1)) / (2 * C), 1e-8 * largest);
}

TEST(LinearizeTest, AnAlgebraicIslandMovesAsIdaSaysItDoes) {
  TestSystem at_rest(AmplifierText());
  const Linearization linear = LinearizeAt(at_rest, {}, {}, 0, true);
  const double t = 2e-3, d = 1e-4;
  const Eigen::MatrixXd exact = (linear.model.A * t).exp();
  const std::vector<std::string> names = {"u1", "y3", "u4", "y6", "u7"};
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto run = [&](double change) {
      std::string start = "<Start";
      for (std::size_t i = 0; i < names.size(); ++i) {
        start += fmt::format(" {}='{} V'", names[i], linear.model.states[i].value + (i == j ? change : 0.0));
      }
      TestSystem system(
          "<System name='s' xmlns='urn:davit:system:1'><SimulatorManager TimeStep='0.2 ms' StopTime='0.1 s'>"
          "<Integration solver='DAE' method='ida' rtol='1e-10' atol='1e-12'/></SimulatorManager>"
          "<electrical.TransistorAmplifier name='amplifier' amplitude='0 V'>" +
          start + "/></electrical.TransistorAmplifier></System>");
      system.simulation().Initialize();
      system.simulation().RunUntil(t);
      Eigen::VectorXd values(5);
      for (std::size_t i = 0; i < 5; ++i)
        values[static_cast<Eigen::Index>(i)] = system.Read("amplifier." + names[i]);
      return values;
    };
    const Eigen::VectorXd moved = (run(d) - run(-d)) / (2 * d);
    // (d/U)^2/6 of curvature, and rtol/d of the solver.
    EXPECT_LT((moved - exact.col(static_cast<Eigen::Index>(j))).cwiseAbs().maxCoeff(), 1e-4) << names[j];
  }
}

TEST(LinearizeTest, SignalsBetweenIslandsPassAtOnce) {
  // Two first order lags in islands of their own.
  TestSystem system(
      OdeText("<signal.LowPass name='first' time_constant='0.1 s'/>"
              "<signal.LowPass name='second' time_constant='0.2 s'/>"
              "<Route from='first.y' to='second.u' hold='step'/><Record signals='second.y'/>"));
  const Linearization linear = LinearizeAt(system);
  EXPECT_THAT(Names(linear.model.inputs), ElementsAre("first.u"));
  const std::complex<double> s(0, 7);
  EXPECT_LT(std::abs(TransferAt(linear.model, s)(0, 0) - 1.0 / ((1.0 + 0.1 * s) * (1.0 + 0.2 * s))), 1e-9);
}

TEST(LinearizeTest, AKinkIsTold) {
  TestSystem system(
      OdeText("<user.Equation name='e'><State name='x' start='0' der='-abs(x)'/></user.Equation>"
              "<Record signals='e.x'/>"));
  const Linearization linear = LinearizeAt(system);
  ASSERT_THAT(linear.notes, SizeIs(1));
  EXPECT_THAT(linear.notes[0], HasSubstr("the equation of e.x has a kink over e.x"));
}

TEST(LinearizeTest, LumpedComponentsWithFixedStepsHaveTheirLumpedLaw) {
  // A volume of fixed steps between two orifices of ODE components: one state, as with hydraulic.Volume.
  const auto text = [](const char* model) {
    return OdeText(fmt::format(
        "<hydraulic.PressureSource name='supply' pressure='100 bar'/><hydraulic.Tank name='tank'/>"
        "<hydraulic.Orifice name='in' area='10 mm2'/><hydraulic.Orifice name='out' area='20 mm2'/>"
        "<{} name='volume' volume='1 l' bulk_modulus='1.6e9 Pa'/>"
        "<Connect from='supply.port' to='in.a'/><Connect from='in.b' to='volume.port'/>"
        "<Connect from='volume.port' to='out.a'/><Connect from='out.b' to='tank.port'/>"
        "<Record signals='volume.p'/>",
        model));
  };
  TestSystem lumped(text("hydraulic.Volume")), waves(text("hydraulic.VolumeC"));
  const std::vector<LinearMode> a = ComputeModes(LinearizeAt(lumped, {}, {}, 0, true).model.A);
  const std::vector<LinearMode> b = ComputeModes(LinearizeAt(waves, {}, {}, 0, true).model.A);
  ASSERT_THAT(a, SizeIs(1));
  ASSERT_THAT(b, SizeIs(1));
  // Of first order in the TimeStep of 1 ms.
  EXPECT_NEAR(b[0].eigenvalue.real() / a[0].eigenvalue.real(), 1,
              1e-3 * std::abs(a[0].eigenvalue.real()) + 0.01);
}

TEST(LinearizeTest, ALineKeepsItsDelays) {
  // A resistance R at its end: p_b/q_a = R/(cosh(sT) + R/Z sinh(sT)).
  const double T = 20e-3, a = std::sqrt(1.6e9 / 861.8),
               Z = 861.8 * a / (std::numbers::pi / 4 * 0.049 * 0.049);
  for (const double share : {0.5, 3.0}) {
    TestSystem system(OdeText(fmt::format(
        "<hydraulic.FlowSource name='source'/>"
        "<hydraulic.Line name='line' inner_diameter='49 mm' length='{} m' bulk_modulus='1.6e9 Pa' "
        "density='861.8 kg/m3' "
        "friction='none'><Start p='0 bar'/></hydraulic.Line>"
        "<user.Equation name='end'><Port name='in' domain='hydraulic' role='Q' q='-in.c/({} + in.Zc)'/>"
        "<Output name='p' unit='Pa' expr='in.p'/></user.Equation>"
        "<Connect from='source.port' to='line.a'/><Connect from='line.b' to='end.in'/><Record "
        "signals='end.p'/>",
        T * a, share * Z)));
    const LinearModel model = LinearizeAt(system, {"source.flow"}).model;
    EXPECT_THAT(Names(model.delays), ElementsAre("line.a.c", "line.b.c"));
    EXPECT_NEAR(model.delays[0].time, T, 1e-12);
    for (const double f : {1.0, 12.5, 40.0, 200.0}) {
      const std::complex<double> s(0, 2 * std::numbers::pi * f);
      const std::complex<double> exact = share * Z / (std::cosh(s * T) + share * std::sinh(s * T));
      EXPECT_LT(std::abs(TransferAt(model, s)(0, 0) / exact - 1.0), 1e-7) << f;
    }
    // The first resonance of a line that is nearly closed, by Pade approximants.
    for (const LinearMode& mode : ComputeModes(CloseDelays(model, 8).A)) EXPECT_LT(mode.eigenvalue.real(), 0);
  }
}

TEST(LinearizeTest, ALineThatLeaksHasTheSlopeOfItsLeakAtItsEnd) {
  // R and a leak with the slope g at its end are R/(1 + g R).
  const double T = 20e-3, a = std::sqrt(1.6e9 / 861.8),
               Z = 861.8 * a / (std::numbers::pi / 4 * 0.049 * 0.049), share = 0.5;
  TestSystem system(OdeText(fmt::format(
      "<hydraulic.FlowSource name='source'/>"
      "<hydraulic.Line name='line' inner_diameter='49 mm' length='{} m' bulk_modulus='1.6e9 Pa' "
      "density='861.8 kg/m3' external_leak='200 l/min' friction='none'><Start p='50 bar'/></hydraulic.Line>"
      "<user.Equation name='end'><Port name='in' domain='hydraulic' role='Q' q='-in.c/({} + in.Zc)'/>"
      "<Output name='p' unit='Pa' expr='in.p'/></user.Equation>"
      "<Connect from='source.port' to='line.a'/><Connect from='line.b' to='end.in'/><Record "
      "signals='end.p'/>",
      T * a, share * Z)));
  const LinearModel model = LinearizeAt(system, {"source.flow"}).model;
  const double p = model.outputs.at(0).value;
  ASSERT_GT(p, 1e5);
  const double K = 200 / 6e4 / std::sqrt(100e5), d = 1e4;
  const double g = K * (p * p / 2 + d * d) / std::pow(p * p + d * d, 1.25),
               R = share * Z / (1 + g * share * Z);
  ASSERT_GT(g * share * Z, 0.05);
  for (const double f : {1.0, 12.5, 40.0, 200.0}) {
    const std::complex<double> s(0, 2 * std::numbers::pi * f);
    const std::complex<double> exact = R / (std::cosh(s * T) + R / Z * std::sinh(s * T));
    EXPECT_LT(std::abs(TransferAt(model, s)(0, 0) / exact - 1.0), 1e-7) << f;
  }
}

TEST(LinearizeTest, WrongEndsAreToldTogether) {
  TestSystem system(OdeText(kOscillator));
  Diagnostics diagnostics;
  FindLinearEnds(system.system(), {"push.forze", "load.x", "brake.*"}, {"load.y"}, diagnostics);
  ASSERT_THAT(diagnostics.all(), SizeIs(4));
  EXPECT_THAT(ToText(diagnostics.all()[0]), HasSubstr("did you mean 'force'"));
  EXPECT_THAT(ToText(diagnostics.all()[1]), HasSubstr("'load.x' cannot be an input of a linear model"));
  EXPECT_THAT(ToText(diagnostics.all()[2]), HasSubstr("no input without a route matches 'brake.*'"));
}

}  // namespace
}  // namespace davit
