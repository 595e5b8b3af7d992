// Options that choose a law by its name, against numbers computed apart: by hand, or by a few lines of
// another program, from the sources named. Oil: 861.8 kg/m3, 32 mm2/s, 1.6e9 Pa.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "components/hydraulic/axial_piston_pump.h"
#include "components/hydraulic/cylinder.h"
#include "components/hydraulic/fixed_displacement_pump.h"
#include "components/hydraulic/hose.h"
#include "components/hydraulic/hydraulic_motor.h"
#include "components/hydraulic/pipe.h"
#include "tests/components/hydraulic/wave_harness.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

constexpr double kSpeed1500 = 157.07963267948966;  // rpm in rad/s

/// The drop of steady flow q through a pipe of 15 m and 49 mm, from what accelerates it.
double PipeDrop(double q, const std::vector<std::pair<std::string, std::string>>& options,
                double roughness = 5e-6) {
  ComponentHarness harness;
  auto& pipe = harness.Add<Pipe>("pipe");
  auto& inlet = harness.AttachHydraulic(pipe, "inlet");
  harness.AttachHydraulic(pipe, "outlet");
  harness.Set(pipe, "cells", "One");
  for (const auto& [name, value] : options) harness.Set(pipe, name, value);
  harness.SetStart(pipe, "p", 0);
  harness.Set(pipe, "roughness", roughness);
  harness.SetStart(pipe, "flow", q);
  EXPECT_FALSE(harness.Start().has_errors());
  inlet.c = 0;
  harness.Evaluate();
  constexpr double kArea = std::numbers::pi / 4 * 0.049 * 0.049;
  return -harness.Read(pipe, "flow.ddt") * 861.8 * 15 / kArea;
}

/// At Re = 1e5 and a relative roughness of 1e-3 (49 um in 49 mm): v = 65.306 m/s, dp = 562573757.533 Pa*f. f
/// of Colebrook and White by fixed-point iteration to rounding, 0.022174535944515 (Moody's chart: 0.0222); of
/// Haaland (1983) and of Swamee and Jain (1976) by their formulas.
TEST(OptionValuesTest, RoughLawsOfAPipe) {
  for (const auto& [law, drop] : {std::pair{"colebrook", 12474812.007856},
                                  {"haaland", 12357615.556673},
                                  {"swamee_jain", 12569254.763426}}) {
    const double q = 0.12315043202071989;
    const double computed = PipeDrop(q, {{"friction", "Rough"}, {"rough_law", law}}, 49e-6);
    EXPECT_NEAR(computed, drop, 1e-10 * drop) << law;
  }
}

/// xi of table 3-6 of the thesis, the middle of its ranges, times rho v^2/2 = 10772.5 Pa at 5 m/s.
TEST(OptionValuesTest, FittingsOfAPipe) {
  constexpr double q = 5 * std::numbers::pi / 4 * 0.049 * 0.049;
  const double plain = PipeDrop(q, {});
  for (const auto& [fitting, count, drop] : {std::tuple{"elbows", "2", 26931.25},
                                             {"tees", "1", 37703.75},
                                             {"flexible_connections", "3", 9695.25},
                                             {"sharp_inlets", "1", 8079.375},
                                             {"outlets", "1", 10772.5}}) {
    EXPECT_NEAR(PipeDrop(q, {{fitting, count}}) - plain, drop, 1e-9 * plain) << fitting;
    EXPECT_NEAR(PipeDrop(-q, {{fitting, count}}) + plain, -drop, 1e-9 * plain) << fitting;
  }
}

class SizedHose : public WaveHarness<Hose> {
 public:
  SizedHose() {
    AttachHydraulic(component, "a");
    AttachHydraulic(component, "b");
  }
};

/// Diameters of table 3-5; thick wall (Lame) of 1e9 Pa and 0.3: beta_e = 237.4, 213.7, 181.7, 166.7 MPa, so
/// the speed of waves and Zc = rho a/A.
TEST(OptionValuesTest, SizesOfAHose) {
  for (const auto& [size, a, Zc] : {std::tuple{"DN10", 524.87654434, 6354770591.958},
                                    {"DN12", 498.01676829, 3388075910.574},
                                    {"DN20", 459.12069501, 1380946148.287},
                                    {"DN25", 439.87143677, 748126325.0498}}) {
    SizedHose hose;
    hose.Set(hose.component, "size", size);
    hose.Set(hose.component, "length", 10);
    hose.Begin(1e-3);
    EXPECT_NEAR(hose.component.delay(), 10 / a, 1e-10 / a * 10) << size;
    EXPECT_NEAR(hose.component.characteristic_impedance(), Zc, 1e-9 * Zc) << size;
  }
}

/// 9 pistons of 5 cm2 on a circle of 60 mm move 270 cm3/rev at 45 degrees: 405 l/min at 1500 rpm.
TEST(OptionValuesTest, DisplacementOfAPumpFromItsPistons) {
  ComponentHarness harness;
  auto& pump = harness.Add<AxialPistonPump>("pump");
  harness.AttachHydraulic(pump, "in");
  harness.AttachHydraulic(pump, "out");
  harness.Set(pump, "displacement_from", "geometry");
  harness.Set(pump, "piston_area", 5e-4);
  harness.Set(pump, "pistons", "9");
  harness.Set(pump, "pitch_diameter", 0.06);
  harness.Set(pump, "speed", kSpeed1500);
  harness.Start();
  EXPECT_NEAR(harness.Read(pump, "q_out") * 6e4, 405, 1e-10);
}

/// 8e-8 V_rev - 1.2e-12 m3/s/Pa (section 3.6.3 of the thesis): 100 cm3/rev leak 6.8e-12*200e5 = 1.36e-4 m3/s,
/// and 10 cm3/rev, below the regression, nothing.
TEST(OptionValuesTest, UsualLeakageOfAPump) {
  for (const auto& [V_rev, leak] : {std::pair{100e-6, 1.36e-4}, {10e-6, 0.0}}) {
    ComponentHarness harness;
    auto& pump = harness.Add<AxialPistonPump>("pump");
    harness.AttachHydraulic(pump, "in");
    auto& out = harness.AttachHydraulic(pump, "out");
    harness.Set(pump, "losses", "LeakageAndTorque");
    harness.Set(pump, "leakage_from", "usual");
    harness.Set(pump, "displacement", V_rev / (2 * std::numbers::pi));
    harness.Start();
    out.c = 200e5;
    harness.Evaluate();
    EXPECT_NEAR(harness.Read(pump, "q_leak"), leak, 1e-16);
  }
}

/// The 75 cm3/rev of table 3-3 at 1500 rpm and 250 bar: 112.5 l/min less 3.112e-12*250e5 m3/s; 298.41552 N.m
/// of the pistons, 5.4443 + 3.60375 + 5.28007 N.m of losses.
TEST(OptionValuesTest, ModelOfAPump) {
  ComponentHarness harness;
  auto& pump = harness.Add<AxialPistonPump>("pump");
  harness.AttachHydraulic(pump, "in");
  auto& out = harness.AttachHydraulic(pump, "out");
  harness.Set(pump, "losses", "LeakageAndTorque");
  harness.Set(pump, "model", "75cc");
  harness.Set(pump, "speed", kSpeed1500);
  harness.Start();
  out.c = 250e5;
  harness.Evaluate();
  EXPECT_NEAR(harness.Read(pump, "q_out") * 6e4, 112.5, 1e-10);
  EXPECT_NEAR(harness.Read(pump, "q_leak") * 6e4, 4.668, 1e-10);
  EXPECT_NEAR(harness.Read(pump, "torque"), 312.7436430702, 1e-9);
}

/// The 50 cm3/rev of table 3-4 at 1500 rpm and 250 bar: losses of 2.476686 l/min and 26.6732 N.m.
TEST(OptionValuesTest, ModelOfAMotor) {
  ComponentHarness harness;
  auto& motor = harness.Add<HydraulicMotor>("motor");
  auto& a = harness.AttachHydraulic(motor, "a");
  harness.AttachHydraulic(motor, "b");
  auto& shaft = harness.Attach<RotationalBond>(motor, "shaft");
  harness.Set(motor, "losses", "LeakageAndTorque");
  harness.Set(motor, "model", "50cc");
  harness.Start();
  a.c = 250e5;
  shaft.w = -kSpeed1500;  // into the motor
  harness.Evaluate();
  EXPECT_NEAR(std::abs(a.q) * 6e4, 75 + 2.476686, 1e-6);
  EXPECT_NEAR(std::abs(shaft.T()), 198.943679 - 26.6732, 1e-4);
}

/// k = 350e5 Pa*Ap/1 mm = 2.2015613728e9 N/m, c = 4.4455580819e6 N s/m of a cylinder of 283 mm; 0.5 mm deep
/// at 0.1 m/s into the stop.
TEST(OptionValuesTest, StopLawsOfACylinder) {
  for (const auto& [law, force] :
       {std::pair{"spring_damper", 1545336.49458}, {"hunt_crossley", 1323058.59049}}) {
    ComponentHarness harness;
    auto& cylinder = harness.Add<Cylinder>("cylinder");
    harness.AttachHydraulic(cylinder, "a");
    harness.AttachHydraulic(cylinder, "b");
    auto& rod = harness.AttachTranslational(cylinder, "rod");
    harness.Set(cylinder, "stop_law", law);
    harness.Start();
    rod.x = -2.0005;
    rod.v = -0.1;
    harness.Evaluate();
    EXPECT_NEAR(harness.Read(cylinder, "force"), -force, 1e-3) << law;
  }
}

/// 50 cm3/rev at 1500 rpm and 200 bar: 75 l/min and 159.155 N.m without losses, times or over the
/// efficiencies.
TEST(OptionValuesTest, KindsOfPumps) {
  for (const auto& [kind, flow, torque] : {std::tuple{"gear", 63.75, 172.059397937},
                                           {"vane", 65.25, 172.059397937},
                                           {"piston", 70.5, 172.059397937},
                                           {"rated", 67.5, 172.994503361}}) {
    ComponentHarness harness;
    auto& pump = harness.Add<FixedDisplacementPump>("pump");
    harness.AttachHydraulic(pump, "in");
    auto& out = harness.AttachHydraulic(pump, "out");
    harness.Set(pump, "kind", kind);
    harness.Set(pump, "speed", kSpeed1500);
    harness.Start();
    out.c = 200e5;
    harness.Evaluate();
    EXPECT_NEAR(harness.Read(pump, "q_out") * 6e4, flow, 1e-10) << kind;
    EXPECT_NEAR(harness.Read(pump, "torque"), torque, 1e-8) << kind;
    out.c = 100e5;  // half of the leakage, half of the torque
    harness.Evaluate();
    EXPECT_NEAR(harness.Read(pump, "q_out") * 6e4, (flow + 75) / 2, 1e-10) << kind;
    EXPECT_NEAR(harness.Read(pump, "torque"), torque / 2, 1e-8) << kind;
  }
}

}  // namespace
}  // namespace davit
