#include <limits>

#include "hopsan/register.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// Oil flows from 20 bar (absolute) through a volume; `join` joins the volume and the orifice behind it.
std::string Filling(const std::string& join,
                    const std::string& high = "<hopsan.HydraulicTankC name='high' p='2e6'/>",
                    const std::string& supply = "<Connect from='high.P1' to='a.P1'/>") {
  return "<System name='test'><SimulatorManager TimeStep='1 ms' StopTime='0.1 s'/>"
         "<hopsan.Scheduler name='hopsan'/>" +
         high +
         "<hopsan.HydraulicLaminarOrifice name='a' Kc='1e-10'/><hopsan.HydraulicVolume name='v'/>"
         "<hopsan.HydraulicTurbulentOrifice name='b'/><hopsan.HydraulicTankC name='low'/>" +
         supply + "<Connect from='a.P2' to='v.P1'/><Connect from='b.P2' to='low.P1'/>" + join + "</System>";
}

std::string OverBorders(const std::string& pressure) {
  return "<hopsan.HydraulicBorderC name='out' atmospheric_pressure='" + pressure +
         "'/><hopsan.HydraulicBorderQ name='in' atmospheric_pressure='" + pressure +
         "'/><Connect from='v.P2' to='out.absolute'/><Connect from='out.gauge' to='in.gauge'/>"
         "<Connect from='in.absolute' to='b.P1'/>";
}
constexpr auto kDirect = "<Connect from='v.P2' to='b.P1'/>";

// Out of Hopsan's node into a connection of davit and back: nothing is added, not even a step of delay.
TEST(HydraulicBorder, KeepsTheBitsWhereNothingIsShifted) {
  SystemHarness direct(Filling(kDirect), RegisterHopsan), over(Filling(OverBorders("0")), RegisterHopsan);
  direct.simulation().Initialize();
  over.simulation().Initialize();
  for (int step = 0; step < 100; ++step) {
    direct.simulation().Step();
    over.simulation().Step();
    for (const char* variable : {"v.P2.Flow", "v.P2.Pressure", "v.P1.Pressure", "v.P2.c", "v.P2.Zc"})
      ASSERT_EQ(over.Read(variable), direct.Read(variable)) << variable << " in step " << step;
  }
  EXPECT_GT(over.Read("v.P1.Pressure"), 2e5);
}

// Shifted there and back, a wave is rounded twice in a step, each time by half a unit in the last place of
// 2e6 Pa at most; the circuit damps what it gets.
TEST(HydraulicBorder, ShiftsByTheAtmosphericPressure) {
  SystemHarness direct(Filling(kDirect), RegisterHopsan), over(Filling(OverBorders("1e5")), RegisterHopsan);
  direct.Run();
  over.Run();
  const double rounding = 100 * 2e6 * std::numeric_limits<double>::epsilon();
  EXPECT_NEAR(over.Read("v.P2.Pressure"), direct.Read("v.P2.Pressure"), rounding);
  EXPECT_NEAR(over.Read("in.gauge.p"), direct.Read("v.P2.Pressure") - 1e5, rounding);
}

// A source of 19 bar gauge is a tank of 20 bar absolute, bit for bit: 19e5 + 1e5 is exact.
TEST(HydraulicBorder, ASourceOfDavitIsATankOfHopsan) {
  SystemHarness hopsan(Filling(kDirect), RegisterHopsan);
  SystemHarness mixed(Filling(kDirect,
                              "<hydraulic.PressureSource name='high' pressure='19 bar'/>"
                              "<hopsan.HydraulicBorderQ name='border'/>",
                              "<Connect from='high.port' to='border.gauge'/>"
                              "<Connect from='border.absolute' to='a.P1'/>"),
                      RegisterHopsan);
  hopsan.Run();
  mixed.Run();
  EXPECT_EQ(mixed.Read("v.P1.Pressure"), hopsan.Read("v.P1.Pressure"));
  EXPECT_EQ(mixed.Read("v.P1.Flow"), hopsan.Read("v.P1.Flow"));
}

// What leaves the volume of davit fills that of Hopsan.
TEST(HydraulicBorder, KeepsTheOil) {
  SystemHarness system(
      "<System name='test'><SimulatorManager TimeStep='0.1 ms' StopTime='1 s'/><hopsan.Scheduler "
      "name='hopsan'/>"
      "<hydraulic.VolumeC name='here' volume='1 l' bulk_modulus='1e9 Pa'><Start p='20 "
      "bar'/></hydraulic.VolumeC>"
      "<hopsan.HydraulicBorderQ name='border'/><hopsan.HydraulicLaminarOrifice name='o' Kc='1e-11'/>"
      "<hopsan.HydraulicVolumeMultiPort name='there' V='1e-3' Beta_e='1e9'/>"
      "<Connect from='here.port' to='border.gauge'/><Connect from='border.absolute' to='o.P1'/>"
      "<Connect from='o.P2' to='there.P1'/></System>",
      RegisterHopsan);
  system.simulation().Initialize();
  system.Run();
  // Both have the same capacity; 20 bar gauge and 0 bar gauge meet half way.
  EXPECT_NEAR(system.Read("here.p"), 10e5, 10);
  EXPECT_NEAR(system.Read("o.P2.Pressure"), 11e5, 10);
}

TEST(HydraulicBorder, IsTheRemedyOfAConnectionOfBothDomains) {
  const auto fault_of = [](const std::string& join) {
    const std::vector<std::string> faults = SystemHarness::FaultsOf(
        "<System name='test'><SimulatorManager TimeStep='1 ms'/><hopsan.Scheduler name='hopsan'/>"
        "<hopsan.HydraulicVolume name='v'/><hydraulic.Orifice name='o'/><hydraulic.Volume name='w'/>"
        "<hopsan.HydraulicLaminarOrifice name='l'/>" +
            join + "</System>",
        RegisterHopsan);
    return faults.empty() ? std::string() : faults.front();
  };
  EXPECT_THAT(fault_of("<Connect from='v.P1' to='o.a'/>"), testing::HasSubstr("hopsan.HydraulicBorderC"));
  EXPECT_THAT(fault_of("<Connect from='l.P1' to='w.port'/>"), testing::HasSubstr("hopsan.HydraulicBorderQ"));
}

}  // namespace
}  // namespace davit
