#include "components/electrical/dc_motor.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <string>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

constexpr double kU = 48, kR = 0.2, kL = 1e-3, kK = 0.15, kJ = 0.02, kLoad = 6;
constexpr double kCapacity = 500, kConductance = 4, kAir = 293.15;

/// A motor that lifts a constant load and heats its case, which air cools; from rest, at 48 V.
std::string Winch(
    std::string_view level, std::string_view more = {},
    std::string_view integration = "method=\"runge_kutta_fehlberg78\" rtol=\"1e-12\" atol=\"1e-12\"") {
  return fmt::format(
      R"(<System><SimulatorManager TimeStep="10 ms" StopTime="100 s"><Integration solver="ODE" {}/>
         </SimulatorManager>
         <electrical.VoltageSource name="battery" voltage="48 V"/><electrical.Ground name="ground"/>
         <electrical.DcMotor name="motor" level="{}" resistance="0.2 ohm" inductance="1 mH"
                             torque_constant="0.15 N.m/A"/>
         <mechanical.Inertia name="drum" inertia="0.02 kg.m2"/>
         <mechanical.Torque name="load" torque="-6 N.m"/>
         <thermal.Capacity name="case" heat_capacity="500 J/K"/>
         <thermal.Convection name="cooling" area="0.2 m2" alpha="20 W/m2/K"/>
         <thermal.Temperature name="air" temperature="293.15 K"/>
         <Connect from="motor.a" to="battery.port"/><Connect from="motor.b" to="ground.port"/>
         <Connect from="motor.shaft" to="drum.a"/><Connect from="load.port" to="drum.a"/>
         <Connect from="motor.heat" to="case.port"/>
         <Connect from="cooling.a" to="case.port"/><Connect from="cooling.b" to="air.port"/>{}</System>)",
      integration, level, more);
}

/// The solution of L i' = U - R i - k w, J w' = k i - T, C T_case' = R i^2 - G (T_case - T_air) from rest:
/// i = sum of c_n exp(l_n t) with l_0 = 0, so i^2 is such a sum too, and T_case is its low-pass.
class LinearWinch {
 public:
  LinearWinch() {
    const std::complex<double> half = kR / kL / 2;
    const std::complex<double> root = std::sqrt(half * half - kK * kK / (kL * kJ));
    rates_ = {0, -half + root, -half - root};
    const double final_current = kLoad / kK;
    // i(0) = 0, i'(0) = U/L
    const std::complex<double> c1 = (kU / kL + rates_[2] * final_current) / (rates_[1] - rates_[2]);
    amplitudes_ = {final_current, c1, -final_current - c1};
  }
  double Current(double t) const {
    std::complex<double> sum = 0;
    for (std::size_t n = 0; n < 3; ++n) sum += amplitudes_[n] * std::exp(rates_[n] * t);
    return sum.real();
  }
  double Speed(double t) const {
    std::complex<double> slope = 0;
    for (std::size_t n = 0; n < 3; ++n) slope += amplitudes_[n] * rates_[n] * std::exp(rates_[n] * t);
    return (kU - kR * Current(t) - kL * slope.real()) / kK;
  }
  double CaseTemperature(double t) const {
    constexpr double kDecay = kConductance / kCapacity;
    std::complex<double> sum = 0;
    for (std::size_t m = 0; m < 3; ++m) {
      for (std::size_t n = 0; n < 3; ++n) {
        const std::complex<double> rate = rates_[m] + rates_[n];
        sum += kR / kCapacity * amplitudes_[m] * amplitudes_[n] / (rate + kDecay) *
               (std::exp(rate * t) - std::exp(-kDecay * t));
      }
    }
    return kAir + sum.real();
  }

 private:
  std::array<std::complex<double>, 3> rates_;
  std::array<std::complex<double>, 3> amplitudes_;
};

/// rtol is 1e-12 a step; over the some thousand steps of the run the errors stay below 1e-9 of the largest
/// value of each quantity.
constexpr double kTolerance = 1e-9;

TEST(DcMotorTest, CurrentSpeedAndTemperatureFollowTheClosedSolution) {
  SystemHarness system(Winch("Standard"));
  const LinearWinch exact;
  for (const double t : {0.01, 0.02, 0.05, 0.1, 0.3, 1.0, 10.0, 100.0}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("motor.i"), exact.Current(t), kTolerance * kU / kR) << t;
    EXPECT_NEAR(system.Read("motor.speed"), exact.Speed(t), kTolerance * kU / kK) << t;
    EXPECT_NEAR(system.Read("case.T"), exact.CaseTemperature(t), kTolerance * kAir) << t;
  }
}

/// All that the battery gives is in the coil, the drum, the load, the windings, the case and the air.
TEST(DcMotorTest, EnergyIsKeptWithItsHeat) {
  SystemHarness system(Winch("Advanced", R"(
    <user.Equation name="audit">
      <Input name="u" unit="V"/><Input name="i" unit="A"/><Input name="Q" unit="W"/>
      <State name="W" unit="J" der="u*i" nominal="1e5"/><State name="H" unit="J" der="Q" nominal="1e5"/>
    </user.Equation>
    <Route from="motor.u" to="audit.u"/><Route from="motor.i" to="audit.i"/>
    <Route from="cooling.Q" to="audit.Q"/>)"));
  for (const double t : {0.1, 1.0, 100.0}) {
    system.RunTo(t);
    const double i = system.Read("motor.i"), w = system.Read("drum.w");
    const double stored = kL * i * i / 2 + kJ * w * w / 2 + kLoad * system.Read("drum.angle") +
                          400 * (system.Read("motor.winding_temperature") - kAir) +
                          kCapacity * (system.Read("case.T") - kAir);
    const double given = system.Read("audit.W");
    EXPECT_NEAR(stored + system.Read("audit.H"), given, kTolerance * given) << t;
    EXPECT_GT(system.Read("case.T"), kAir);
  }
}

/// Without inductance the motor is the limit of a small one: i = (u - k w)/R.
TEST(DcMotorTest, IdealIsTheLimitOfASmallInductance) {
  SystemHarness system(Winch("Ideal"));
  for (const double t : {0.0, 0.1, 0.5, 1.0}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("motor.i"), (kU - kK * system.Read("motor.speed")) / kR, 1e-9) << t;
    // J w' = k (U - k w)/R - T
    const double rate = kK * kK / (kR * kJ), final_speed = (kU - kR * kLoad / kK) / kK;
    EXPECT_NEAR(system.Read("drum.w"), final_speed - final_speed * std::exp(-rate * t), 1e-8) << t;
  }
}

/// A switch of the level keeps speed and current, and the windings begin at the temperature of the case.
TEST(DcMotorTest, SwitchingUpKeepsWhatFlows) {
  SystemHarness system(Winch("Ideal", R"(<At time="0.2 s" set="motor.level" value="Advanced"/>)"));
  system.RunTo(0.2);
  const double i = system.Read("motor.i"), w = system.Read("drum.w");
  system.RunTo(0.21);
  EXPECT_EQ(system.Read("motor.level"), static_cast<double>(Level::kAdvanced));
  // In 10 ms of the winding's 5 ms nothing jumps: the current follows what it was.
  EXPECT_NEAR(system.Read("motor.i"), i, 0.1 * i);
  EXPECT_NEAR(system.Read("drum.w"), w, 0.1 * w);
  EXPECT_NEAR(system.Read("motor.winding_temperature"), system.Read("case.T"), 1);
}

/// What a lower level leaves out is released, and the run says how much: the energy of the coil and the heat
/// of the windings.
TEST(DcMotorTest, SwitchingDownReleasesWhatIsStored) {
  SystemHarness system(Winch("Advanced", R"(<At time="50 s" set="motor.level" value="Ideal"/>)"));
  system.RunTo(50);
  const double i = system.Read("motor.i");
  const double stored =
      kL * i * i / 2 + 400 * (system.Read("motor.winding_temperature") - system.Read("case.T"));
  EXPECT_GT(stored, 1000);
  system.RunTo(50.01);
  EXPECT_EQ(system.Read("motor.level"), static_cast<double>(Level::kIdeal));
  EXPECT_NEAR(system.manager().statistics().released_energy, stored, kTolerance * stored);
}

/// At the same speed and current the resistance of warm windings is larger, as copper has it.
TEST(DcMotorTest, WarmWindingsTakeMoreVoltage) {
  SystemHarness system(Winch("Advanced"));
  system.RunTo(100);
  const double i = system.Read("motor.i"), w = system.Read("motor.speed");
  const double T = system.Read("motor.winding_temperature");
  EXPECT_GT(T, 320);
  const double R = kR * (1 + 0.0039 * (T - 293.15));
  EXPECT_NEAR(system.Read("motor.u"), R * i + kK * w, 1e-3);  // the rest is L*i', nearly 0 here
  EXPECT_NEAR(system.Read("motor.losses"), R * i * i + (1e-3 * w + 0.1 * std::tanh(w / 0.1)) * w,
              1e-9 * R * i * i);
}

/// Driven by its load with the terminals joined, it brakes: the current is negative, the windings take all.
TEST(DcMotorTest, BrakesWhenTheLoadDrivesIt) {
  SystemHarness system(
      R"(<System><SimulatorManager TimeStep="10 ms" StopTime="5 s">
           <Integration solver="ODE" rtol="1e-9" atol="1e-9"/></SimulatorManager>
         <electrical.Ground name="ground"/><electrical.DcMotor name="motor" level="Standard"/>
         <mechanical.Inertia name="drum" inertia="0.02 kg.m2"/>
         <mechanical.Torque name="load" torque="6 N.m"/>
         <Connect from="motor.a" to="ground.port"/><Connect from="motor.b" to="ground.port"/>
         <Connect from="motor.shaft" to="drum.a"/><Connect from="load.port" to="drum.a"/></System>)");
  system.Run();
  EXPECT_NEAR(system.Read("motor.i"), -6 / 0.15, 1e-5);
  EXPECT_NEAR(system.Read("motor.speed"), 6 * 0.2 / (0.15 * 0.15), 1e-4);
  EXPECT_EQ(system.Find("motor.operation").ReadText(), "Braking");
}

}  // namespace
}  // namespace davit
