#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hopsan/types/flight.h"
#include "hopsan/types/signal_controllers.h"
#include "hopsan/types/signal_filters.h"
#include "hopsan/types/signal_functions.h"
#include "hopsan/types/signal_sources.h"
#include "hopsan/types/sinks.h"
#include "tests/hopsan/types/type_bench.h"

namespace davit::hopsan {
namespace {

/// What a source shows at the first step at or after the time.
template <class Type>
double ValueAt(TypeBench<Type>& bench, double time) {
  while (bench.t() < time - bench.T() / 4) bench.Step();
  return bench.Read("out");
}

TEST(HopsanSources, RampAndSoftStepEndAtTheirAmplitude) {
  TypeBench<SignalRamp> ramp;
  ramp.Set("y_0", 2).Set("y_A", 4);
  ramp.Initialize();
  EXPECT_EQ(ramp.Read("out"), 2);
  EXPECT_NEAR(ValueAt(ramp, 1.25), 3, 1e-9);
  EXPECT_EQ(ValueAt(ramp, 2.5), 6);
  TypeBench<SignalSoftStep> soft;
  soft.Initialize();
  EXPECT_NEAR(ValueAt(soft, 1.5), 0.5, 1e-9);
  EXPECT_EQ(ValueAt(soft, 2.1), 1);
}

TEST(HopsanSources, PulseBeginsHalfAStepBeforeItsTime) {
  TypeBench<SignalPulse> pulse;
  pulse.Set("t_start", 0.0104).Set("t_end", 0.0206);
  pulse.Initialize();
  EXPECT_EQ(ValueAt(pulse, 0.009), 0);
  EXPECT_EQ(ValueAt(pulse, 0.010), 1);  // 0.010 + T/2 >= 0.0104
  EXPECT_EQ(ValueAt(pulse, 0.020), 1);
  EXPECT_EQ(ValueAt(pulse, 0.021), 0);
}

TEST(HopsanSources, PulseWaveIsOnForItsShare) {
  TypeBench<SignalPulseWave> wave;
  wave.Set("dT", 0.1).Set("D", 0.3);
  wave.Initialize();
  int on = 0;
  for (int n = 0; n < 1000; ++n) {
    wave.Step();
    on += wave.Read("out") > 0.5 ? 1 : 0;
  }
  EXPECT_NEAR(on, 300, 10);
}

TEST(HopsanSources, WavesHaveTheirFrequencyAndShift) {
  TypeBench<SignalSineWave> sine;
  sine.Set("f", 5).Set("y_A", 2).Set("y_offset", 0.01).Set("t_start", 0.02);
  sine.Initialize();
  EXPECT_EQ(ValueAt(sine, 0.015), 0);
  EXPECT_NEAR(ValueAt(sine, 0.1), 2 * std::sin(2 * std::numbers::pi * 5 * 0.07), 1e-9);
  TypeBench<SignalSquareWave> square;
  square.Set("y_0", 1).Set("f", 2);
  square.Initialize();
  EXPECT_EQ(ValueAt(square, 0.1), 2);
  EXPECT_EQ(ValueAt(square, 0.3), 0);
}

TEST(HopsanSources, ExponentialDelayDecays) {
  TypeBench<SignalStepExponentialDelay> decay;
  decay.Set("tao", 0.1).Set("t_step", 0.2);
  decay.Initialize();
  EXPECT_EQ(ValueAt(decay, 0.1), 0);
  EXPECT_NEAR(ValueAt(decay, 0.3), std::exp(-1), 1e-9);
}

TEST(HopsanFunctions, SaturationTestsTheUpperLimitFirst) {
  TypeBench<SignalSaturation> limiter;
  limiter.Set("in", 3).Set("y_upper", 2).Set("y_lower", 5);
  limiter.Initialize();
  EXPECT_EQ(limiter.Read("out"), 2);
}

TEST(HopsanFunctions, LogicIsTrueAboveAHalf) {
  TypeBench<SignalFunction2<AndLaw>> both;
  both.Set("in1", 0.5).Set("in2", 1);
  both.Initialize();
  EXPECT_EQ(both.Read("out"), 0);
  both.Set("in1", 0.51);
  both.Step();
  EXPECT_EQ(both.Read("out"), 1);
}

TEST(HopsanFunctions, DivisionByZeroIsZeroAtTheStartOnly) {
  TypeBench<SignalDivide> quotient;
  quotient.Set("in1", 1);
  quotient.Initialize();
  EXPECT_EQ(quotient.Read("out"), 0);
  EXPECT_ANY_THROW(quotient.Step());
  quotient.Set("in2", 4);
  quotient.Step();
  EXPECT_EQ(quotient.Read("out"), 0.25);
}

TEST(HopsanFunctions, LatchKeepsWhatWasSet) {
  TypeBench<SignalSRlatch> latch;
  latch.Initialize();
  EXPECT_EQ(latch.Read("notQstate"), 1);
  latch.Set("setCond", 1);
  latch.Step();
  latch.Set("setCond", 0);
  latch.Step(3);
  EXPECT_EQ(latch.Read("Qstate"), 1);
  latch.Set("resetCond", 1);
  latch.Step();
  EXPECT_EQ(latch.Read("Qstate"), 0);
  EXPECT_EQ(latch.Read("notQstate"), 1);
}

TEST(HopsanFilters, LowAndHighPassAddUpToTheirInput) {
  TypeBench<SignalLP1Filter> low;
  TypeBench<SignalHP1Filter> high;
  low.Set("omega", 100).Set("in", 0);
  high.Set("omega", 100).Set("in", 0);
  low.Initialize();
  high.Initialize();
  for (int n = 1; n < 100; ++n) {
    const double in = std::sin(0.1 * n);
    low.Set("in", in).Step();
    high.Set("in", in).Step();
    EXPECT_NEAR(low.Read("out") + high.Read("out"), in, 1e-14);
  }
}

TEST(HopsanFilters, StartAtTheStartValueOfTheOutput) {
  TypeBench<SignalLP1Filter> low;
  low.Set("in", 3).SetStart("out", 3);
  low.Initialize();
  low.Step(10);
  EXPECT_NEAR(low.Read("out"), 3, 1e-14);
  TypeBench<SignalIntegrator2> integral;
  integral.Set("in", 2).SetStart("out", 1);
  integral.Initialize();
  integral.Step(1000);
  EXPECT_NEAR(integral.Read("out"), 3, 1e-12);
}

TEST(HopsanFilters, RateLimiterTakesSignedRates) {
  TypeBench<SignalRateLimiter> limiter;
  limiter.Set("c_up", 2).Set("c_down", -5);
  limiter.Initialize();
  limiter.Set("in", 1).Step(100);
  EXPECT_NEAR(limiter.Read("out"), 0.2, 1e-14);
  limiter.Set("in", -1).Step(100);
  EXPECT_NEAR(limiter.Read("out"), -0.3, 1e-14);
}

TEST(HopsanFilters, TimeDelayIsFilledWithItsFirstInput) {
  TypeBench<SignalTimeDelay> delay;
  delay.Set("deltat", 0.003).Set("in", 5);
  delay.Initialize();
  delay.Set("in", 7).Step(3);
  EXPECT_EQ(delay.Read("out"), 5);
  delay.Step();
  EXPECT_EQ(delay.Read("out"), 7);
}

// Free, the integral of a PI controller rises by KI e t; at a limit it stays.
TEST(HopsanControllers, IntegralWaitsAtALimit) {
  TypeBench<SignalPID> free;
  free.Set("yref", 0.1).Set("KI", 2);
  free.Initialize();
  free.Step(500);
  // e T KI in each step, but for the first, which sees Ierr = 0 before it.
  EXPECT_NEAR(free.Read("uI"), 0.2 * 0.4995, 1e-12);
  EXPECT_NEAR(free.Read("u"), 0.1 + free.Read("uI"), 1e-12);
  TypeBench<SignalPID> held;
  held.Set("yref", 5);
  held.Initialize();
  held.Step(1000);
  EXPECT_EQ(held.Read("u"), 1);
  EXPECT_LT(held.Read("uI"), 5e-3);  // one step's worth
  TypeBench<SignalPIlead> lead;
  lead.Set("yref", 0.1).Set("wa", 2).Set("kx", 4).SetStart("err", 0.1);
  lead.Initialize();
  lead.Step(500);
  EXPECT_NEAR(lead.Read("uI"), 0.5 * 2 * 0.1 * 0.4995, 1e-12);
}

TEST(HopsanControllers, PidTracksItsLimit) {
  TypeBench<SignalPID2> pid;
  pid.Set("e", 1).Set("Umax", 2).Set("Tt", 0.01);
  pid.Initialize();
  pid.Step(5000);
  // v settles where what comes in, e T/Ti, is what tracking takes: (v - Umax) T/Tt.
  EXPECT_NEAR(pid.Read("u"), 2 + 0.01, 2e-3);
}

TEST(HopsanFlight, AtmosphereIsSmoothAtTheTropopause) {
  TypeBench<AeroAtmosphere> air;
  air.Set("ha", 0);
  air.Initialize();
  EXPECT_EQ(air.Read("rhoa"), 1.25);  // its start value
  air.Step();
  EXPECT_NEAR(air.Read("rhoa"), 1.225, 1e-12);
  EXPECT_NEAR(air.Read("p0"), 101300, 1e-9);
  EXPECT_NEAR(air.Read("Vsound"), 340.27, 0.01);
  air.Set("ha", 11000).Step();
  const double below = air.Read("rhoa");
  air.Set("ha", 11000.001).Step();
  EXPECT_NEAR(air.Read("rhoa"), below, 1e-3);  // Hopsan's constants meet to three digits
}

TEST(HopsanFlight, AttitudeControlTurnsTheShortWay) {
  TypeBench<SignalAttitudeControl> pilot;
  pilot.Set("phiref", 3.1).Set("phi", -3.1);  // 0.083 rad further, over pi
  pilot.Initialize();
  EXPECT_NEAR(pilot.Read("uaerL"), 3 * (6.2 - 2 * std::numbers::pi), 1e-12);
  EXPECT_EQ(pilot.Read("uaerR"), -pilot.Read("uaerL"));
}

TEST(HopsanSignals, TwoSignalsPassThroughOneNode) {
  TypeBench<Signal2DWriteRead> front;
  TypeBench<Signal2DReadWrite> back;
  SignalNode2D& node = front.Attach<SignalNode2D>("P2d");
  SignalNode2D& other = back.Attach<SignalNode2D>("P2d");
  front.Set("write", 3);
  back.Set("write", 4);
  front.Initialize();
  other.first = node.first;
  back.Initialize();
  node.second = other.second;
  front.Step();
  EXPECT_EQ(back.Read("read"), 3);
  EXPECT_EQ(front.Read("read"), 4);
}

// Both tend to k; behind a jump of in the output of the first begins with k omega_den/omega_num of it.
TEST(HopsanFilters, TendToTheirGain) {
  TypeBench<SignalFirstOrderFilter> first;
  first.Set("k", 3).Set("omega_num", 200).Set("omega_den", 100);
  first.Initialize();
  first.Set("in", 1);
  first.Step();
  const double T = 1e-3, n0 = 3, n1 = 3 / 200.0, d1 = 1 / 100.0;
  EXPECT_NEAR(first.Read("out"), (n0 * T + 2 * n1) / (T + 2 * d1), 1e-15);
  first.Step(1000);
  EXPECT_NEAR(first.Read("out"), 3, 1e-12);
  TypeBench<SignalLP2Filter> second;
  second.Set("omega", 50).Set("delta", 0.7).Set("y_max", 0.8);
  second.Initialize();
  second.Set("in", 0.75);
  second.Step(1000);
  EXPECT_NEAR(second.Read("out"), 0.75, 1e-12);
  second.Set("in", 1);
  second.Step(1000);
  EXPECT_EQ(second.Read("out"), 0.8);
}

// A step begins half a step early.
TEST(HopsanSources, StaircaseCountsSteps) {
  TypeBench<SignalStaircase> stairs;
  stairs.Set("T_start", 0.01).Set("H_step", 2).Set("W_step", 0.005);
  stairs.Initialize();
  stairs.Step(14);
  EXPECT_EQ(stairs.Read("out"), 0);
  stairs.Step();
  EXPECT_EQ(stairs.Read("out"), 2);
  stairs.Step(10);
  EXPECT_EQ(stairs.Read("out"), 6);
}

}  // namespace
}  // namespace davit::hopsan
