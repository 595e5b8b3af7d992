#include "hopsan/register.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

constexpr auto kBegin =
    "<System name='test'><SimulatorManager TimeStep='1 ms' StopTime='0.1 s'/><hopsan.Scheduler "
    "name='hopsan'/>";

// Signals run in the order of their connections, whatever the order of the file: no step of delay.
TEST(HopsanScheduler, RunsSignalsAfterWhatTheyRead) {
  SystemHarness system(
      std::string(kBegin) +
          "<hopsan.SignalGain name='last' k='3'/><hopsan.SignalGain name='first' k='2'/>"
          "<hopsan.SignalConstant name='one'><Start y='5'/></hopsan.SignalConstant>"
          "<Route from='first.out' to='last.in'/><Route from='one.y' to='first.in'/></System>",
      RegisterHopsan);
  system.simulation().Initialize();
  EXPECT_EQ(system.Read("last.out"), 30);
  system.RunTo(0.001);
  EXPECT_EQ(system.Read("last.out"), 30);
}

// Components of one type run together only as far as no signal is between them: chains of one type stay
// chains, and a unit delay that stands before its source still delays by a step, one behind it does not.
TEST(HopsanScheduler, GroupsSignalsOfOneTypeBehindWhatTheyRead) {
  SystemHarness system(
      std::string(kBegin) +
          "<hopsan.SignalUnitDelay name='before'/><hopsan.SignalGain name='b' k='2'/>"
          "<hopsan.SignalIntegrator2 name='ramp' in='1'/><hopsan.SignalGain name='a' k='3'/>"
          "<hopsan.SignalUnitDelay name='behind'/><hopsan.SignalGain name='c' k='5'/>"
          "<Route from='ramp.out' to='before.in'/><Route from='ramp.out' to='behind.in'/>"
          "<Route from='ramp.out' to='a.in'/><Route from='a.out' to='b.in'/><Route from='before.out' "
          "to='c.in'/></System>",
      RegisterHopsan);
  system.simulation().Initialize();
  for (int n = 0; n < 10; ++n) {
    const double ramp_before = system.Read("ramp.out");
    system.simulation().Step();
    const double ramp = system.Read("ramp.out");
    EXPECT_GT(ramp, ramp_before);
    EXPECT_EQ(system.Read("before.out"), ramp_before);
    EXPECT_EQ(system.Read("c.out"), 5 * ramp_before);
    EXPECT_EQ(system.Read("behind.out"), ramp);
    EXPECT_EQ(system.Read("b.out"), 2 * (3 * ramp));
  }
}

// What a component of davit writes, in an island, with fixed steps or as a signal, is read as it was at the
// begin of the step: one step late, also in the first step.
TEST(HopsanScheduler, ReadsDavitAsItWasAtTheBeginOfTheStep) {
  SystemHarness system(
      std::string(kBegin) +
          "<mechanical.Mass name='island'><Start x='1 m' v='1 m/s'/></mechanical.Mass>"
          "<mechanical.Mass name='fixed' solver='Tlm'><Start x='2 m' v='1 m/s'/></mechanical.Mass>"
          "<signal.Ramp name='ramp' duration='1 s' from='3' to='4'/>"
          "<hopsan.SignalGain name='a'/><hopsan.SignalGain name='b'/><hopsan.SignalGain name='c'/>"
          "<Route from='island.x' to='a.in'/><Route from='fixed.x' to='b.in'/><Route from='ramp.y' "
          "to='c.in'/></System>",
      RegisterHopsan);
  system.simulation().Initialize();
  for (int n = 0; n < 10; ++n) {
    const double island = system.Read("island.x"), fixed = system.Read("fixed.x"),
                 ramp = system.Read("ramp.y");
    system.simulation().Step();
    EXPECT_GT(system.Read("ramp.y"), ramp);
    EXPECT_EQ(system.Read("a.out"), island);
    EXPECT_EQ(system.Read("b.out"), fixed);
    EXPECT_EQ(system.Read("c.out"), ramp);
  }
}

// One step by hand: the volume sees the start flows 0, then the orifices answer its waves.
TEST(HopsanScheduler, RunsCapacitiveComponentsBeforeResistiveOnes) {
  SystemHarness system(
      std::string(kBegin) +
          "<hopsan.HydraulicLaminarOrifice name='a' Kc='1e-10'/><hopsan.HydraulicLaminarOrifice name='b' "
          "Kc='1e-10'/>"
          "<hopsan.HydraulicTankC name='high' p='2e6'/><hopsan.HydraulicTankC name='low'/>"
          "<hopsan.HydraulicVolume name='v'/><hopsan.HydraulicPressureSensor name='s' P1='v.P2'/>"
          "<Connect from='high.P1' to='a.P1'/><Connect from='a.P2' to='v.P1'/>"
          "<Connect from='v.P2' to='b.P1'/><Connect from='b.P2' to='low.P1'/></System>",
      RegisterHopsan);
  system.simulation().Initialize();
  EXPECT_EQ(system.Read("v.P1.Pressure"), 1e5);
  EXPECT_EQ(system.Read("v.P1.Flow"), 0);
  system.simulation().Step();
  const double Z = 1e9 * 1e-3 / (1e-3 * 0.9), q = 1e-10 * (2e6 - 1e5) / (1 + 1e-10 * Z);
  EXPECT_DOUBLE_EQ(system.Read("v.P1.Flow"), q);
  EXPECT_DOUBLE_EQ(system.Read("v.P1.Pressure"), 1e5 + Z * q);
  EXPECT_EQ(system.Read("s.out"), 1e5);  // what was before the step
  system.Run();
  EXPECT_NEAR(system.Read("v.P1.Pressure"), 1.05e6, 1);  // half way between both tanks
  EXPECT_EQ(system.simulation().statistics().steps, 100U);
}

TEST(HopsanScheduler, IsAskedForWhereItIsAbsent) {
  const std::vector<std::string> faults = SystemHarness::FaultsOf(
      "<System name='test'><SimulatorManager TimeStep='1 ms'/><hopsan.SignalGain "
      "name='a'/><hopsan.SignalGain "
      "name='b'/></System>",
      RegisterHopsan);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults.front(), testing::HasSubstr("add <hopsan.Scheduler"));
}

// A signal of davit's own is that of the begin of the step; davit reads what Hopsan's components wrote
// before.
TEST(HopsanScheduler, SamplesSignalsOfOtherComponents) {
  SystemHarness system(std::string(kBegin) +
                           "<signal.Constant name='one' value='3'/><hopsan.SignalGain name='g' k='2'/>"
                           "<signal.Gain name='after' gain='5'/>"
                           "<Route from='one.y' to='g.in'/><Route from='g.out' to='after.u'/></System>",
                       RegisterHopsan);
  system.RunTo(0.01);
  EXPECT_EQ(system.Read("g.out"), 6);
  EXPECT_EQ(system.Read("after.y"), 30);
}

// What is remembered is in a snapshot: the run continues bit for bit.
TEST(HopsanScheduler, ContinuesFromASnapshot) {
  const std::string text =
      std::string(kBegin) +
      "<hopsan.HydraulicLaminarOrifice name='a' Kc='1e-11'/><hopsan.HydraulicTankC name='high' p='2e6'/>"
      "<hopsan.HydraulicTankC name='low'/><hopsan.HydraulicLaminarOrifice name='b' Kc='1e-11'/>"
      "<hopsan.Subsystem name='s' time_step='0.0002'><hopsan.HydraulicVolume name='v'/></hopsan.Subsystem>"
      "<Connect from='high.P1' to='a.P1'/><Connect from='a.P2' to='s.v.P1'/>"
      "<Connect from='s.v.P2' to='b.P1'/><Connect from='b.P2' to='low.P1'/></System>";
  SystemHarness whole(text, RegisterHopsan), second(text, RegisterHopsan);
  whole.RunTo(0.05);
  const std::string snapshot = whole.simulation().TakeSnapshot();
  whole.RunTo(0.1);
  EXPECT_FALSE(second.simulation().LoadSnapshot(snapshot).has_errors());
  while (!second.simulation().is_finished()) second.simulation().Step();
  EXPECT_EQ(second.Read("s.v.P1.Pressure"), whole.Read("s.v.P1.Pressure"));
  EXPECT_GT(whole.Read("s.v.P1.Pressure"), 1e5);
}

}  // namespace
}  // namespace davit
