#include "simulator/partial_derivatives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "components/hydraulic/axial_piston_pump.h"
#include "components/hydraulic/counterbalance_valve.h"
#include "components/hydraulic/cylinder.h"
#include "components/hydraulic/directional_control_valve.h"
#include "components/hydraulic/pipe.h"
#include "components/hydraulic/relief_valve.h"
#include "components/hydraulic/volume.h"
#include "components/mechanical/mass.h"
#include "components/pneumatic/chamber.h"
#include "tests/support/partials_law.h"
#include "tests/support/system_harness.h"

// The partial derivatives that components write are those of their equations, at points without kinks, on
// both sides of each of them.
namespace davit {
namespace {

TEST(PartialDerivativesTest, Volume) {
  for (const char* formulation : {"pressure", "quantity"}) {
    for (const double p : {100e5, -0.5e5, -3e5}) {
      ComponentHarness harness;
      auto& volume = harness.Add<davit::Volume>("volume");
      auto& in = harness.AttachHydraulic(volume, "port");
      auto& out = harness.AttachHydraulic(volume, "port");
      harness.Set(volume, "formulation", formulation);
      ASSERT_FALSE(harness.Start().has_errors());
      const bool is_quantity = formulation == std::string("quantity");
      StateDeclaration& state = volume.mutable_declarations().states[is_quantity ? 1 : 0];
      state.slots[0].memory->y[state.slots[0].offset] = is_quantity ? p * 0.01 / 1.6e9 : p;
      in.q = 1e-3;
      out.q = -2e-4;
      EXPECT_THAT(WrongPartials(harness, volume), testing::IsEmpty()) << formulation << ' ' << p;
    }
  }
}

TEST(PartialDerivativesTest, ChamberOfAir) {
  for (const char* heat : {"Isothermal", "Polytropic", "HeatExchange"}) {
    for (const double G : {2e-3, -5e-3}) {
      ComponentHarness harness;
      auto& chamber = harness.Add<pneumatic::Chamber>("chamber");
      auto& first = harness.Attach<PneumaticBond>(chamber, "port");
      auto& second = harness.Attach<PneumaticBond>(chamber, "port");
      harness.Set(chamber, "heat", heat);
      harness.Set(chamber, "wall_temperature", 310);
      harness.SetStart(chamber, "m", 8e-3);
      harness.SetStart(chamber, "T", 340);
      ASSERT_FALSE(harness.Start().has_errors());
      first.G = 1e-3;
      first.H = first.G * Air::kCp * 300;
      second.G = G;
      second.H = G * Air::kCp * 340;
      EXPECT_THAT(WrongPartials(harness, chamber), testing::IsEmpty()) << heat << G;
    }
  }
}

TEST(PartialDerivativesTest, Mass) {
  ComponentHarness harness;
  auto& mass = harness.Add<Mass>("mass");
  auto& a = harness.AttachTranslational(mass, "a");
  auto& b = harness.AttachTranslational(mass, "b");
  harness.Set(mass, "mass", 100);
  harness.Set(mass, "weight", 981);
  harness.Set(mass, "viscous_friction", 50);
  harness.SetStart(mass, "x", 0.5);
  harness.SetStart(mass, "v", 0.2);
  ASSERT_FALSE(harness.Start().has_errors());
  a.c = 2000;
  a.Zc = 30;
  a.added_mass = 20;
  b.c = 500;
  b.Zc = 10;
  EXPECT_THAT(WrongPartials(harness, mass), testing::IsEmpty());
}

TEST(PartialDerivativesTest, Pipe) {
  for (const char* formulation : {"pressure", "quantity"}) {
    for (const std::string cells : {"None", "One", "Several", "One with gas", "Several with gas"}) {
      for (const double q : {1e-5, -3e-3, 20e-3}) {
        ComponentHarness harness;
        auto& pipe = harness.Add<Pipe>("pipe");
        auto& inlet = harness.AttachHydraulic(pipe, "inlet");
        auto& outlet = harness.AttachHydraulic(pipe, "outlet");
        harness.Set(pipe, "formulation", formulation);
        harness.Set(pipe, "cells", cells.substr(0, cells.find(' ')));
        if (cells.ends_with("gas")) harness.Set(pipe, "compressibility", "EffectiveDilation");
        harness.Set(pipe, "minor_loss", 2);
        harness.SetStart(pipe, "p", 100e5);
        harness.SetStart(pipe, "flow", q);
        ASSERT_FALSE(harness.Start().has_errors());
        inlet.c = 101e5;
        inlet.Zc = 1e8;
        inlet.p_min = -1e5;
        outlet.q = -0.9 * q;
        harness.Integrate(0, 1e-5, 30);  // the flows of several cells begin at 0
        EXPECT_THAT(WrongPartials(harness, pipe), testing::IsEmpty()) << formulation << cells << q;
      }
    }
  }
}

TEST(PartialDerivativesTest, Cylinder) {
  for (const char* formulation : {"pressure", "quantity"}) {
    for (const char* compressibility : {"None", "Constant", "Dilation", "EffectiveDilation"}) {
      for (const char* friction : {"None", "Viscous", "LuGre", "Coulomb"}) {
        for (const char* ports : {"Turbulent", "LaminarTurbulent"}) {
          ComponentHarness harness;
          auto& cylinder = harness.Add<Cylinder>("cylinder");
          auto& a = harness.AttachHydraulic(cylinder, "a");
          auto& b = harness.AttachHydraulic(cylinder, "b");
          auto& rod = harness.AttachTranslational(cylinder, "rod");
          harness.Set(cylinder, "formulation", formulation);
          harness.Set(cylinder, "compressibility", compressibility);
          harness.Set(cylinder, "friction", friction);
          harness.Set(cylinder, "ports", ports);
          harness.Set(cylinder, "leakage", "Constant");
          harness.Set(cylinder, "leakage_conductance", 1e-11);
          harness.SetStart(cylinder, "x", 0.7);
          harness.SetStart(cylinder, "p_a", 80e5);
          harness.SetStart(cylinder, "p_b", 30e5);
          harness.SetStart(cylinder, "z", 1e-4);
          rod.x = -0.7;
          ASSERT_FALSE(harness.Start().has_errors());
          a.c = 81e5;
          a.Zc = 1e8;
          b.c = 29e5;
          b.Zc = 1e7;  // no impedance is below 0: the differences have room
          rod.x = -0.7;
          rod.v = -0.004;
          EXPECT_THAT(WrongPartials(harness, cylinder), testing::IsEmpty())
              << formulation << compressibility << friction << ports;
        }
      }
    }
  }
}

TEST(PartialDerivativesTest, CounterbalanceValve) {
  for (const char* law : {"Ramp", "PilotLinear", "Seat"}) {
    for (const double dp : {60e5, 3e5, -40e5}) {
      for (const double pilot : {10e5, 28e5, 300e5}) {
        ComponentHarness harness;
        auto& valve = harness.Add<CounterbalanceValve>("valve");
        auto& a = harness.AttachHydraulic(valve, "a");
        auto& c = harness.AttachHydraulic(valve, "c");
        auto& at_pilot = harness.AttachHydraulic(valve, "pilot");
        harness.Set(valve, "opening_law", law);
        harness.Set(valve, "leakage", "Constant");
        harness.Set(valve, "leakage_conductance", 1e-12);
        harness.SetStart(valve, "xf", 0.9 * pilot);
        ASSERT_FALSE(harness.Start().has_errors());
        a.c = 100e5 + dp;
        c.c = 100e5;
        at_pilot.c = pilot;
        EXPECT_THAT(WrongPartials(harness, valve), testing::Each(testing::HasSubstr(".Zc")))
            << law << dp << ' ' << pilot;
      }
    }
  }
}

TEST(PartialDerivativesTest, DirectionalControlValve) {
  for (const Level level : {Level::kIdeal, Level::kStandard, Level::kAdvanced}) {
    for (const char* dynamics : {"None", "SecondOrder"}) {
      for (const double u : {0.62, -0.31, 0.01}) {
        for (const double p_inner : {148e5, 152e5, 190e5}) {  // the compensator opens, regulates, is shut
          for (const char* more : {"", "fed_port", "quantity", "Nonlinear", "rotary", "two"}) {
            ComponentHarness harness;
            auto& valve = harness.Add<DirectionalControlValve>("valve");
            auto& p = harness.AttachHydraulic(valve, "p");
            auto& a = harness.AttachHydraulic(valve, "a");
            auto& b = harness.AttachHydraulic(valve, "b");
            auto& t = harness.AttachHydraulic(valve, "t");
            valve.SetLevel(level);
            harness.Set(valve, "spool_dynamics", dynamics);
            harness.Set(valve, "spool_type", "B");
            harness.Set(valve, "leakage_conductance", 1e-12);
            harness.Set(valve, "spool_speed", 200);
            const std::string option = more;
            if (option == "fed_port") harness.Set(valve, "load_sensing", more);
            if (option == "quantity") harness.Set(valve, "formulation", more);
            if (option == "Nonlinear") harness.Set(valve, "opening_law", more);
            if (option == "rotary") harness.Set(valve, "motion", more);
            if (option == "two") harness.Set(valve, "positions", "2");
            const double x = option == "two" ? (u + 1) / 2 : u;
            harness.Set(valve, option == "rotary" ? "angle" : "spool", option == "rotary" ? 0.7 * x : x);
            harness.SetStart(valve, "p_inner", p_inner);
            harness.SetStart(valve, "spool_x", 0.97 * x);
            harness.SetStart(valve, "spool_v", 0.3);
            ASSERT_FALSE(harness.Start().has_errors());
            p.c = 210e5;
            a.c = 150e5;
            b.c = 40e5;
            t.c = 2e5;
            EXPECT_THAT(WrongPartials(harness, valve), testing::Each(testing::HasSubstr(".Zc")))
                << ToText(level) << dynamics << u << ' ' << p_inner << more;
          }
        }
      }
    }
  }
}

// Law: at the end of neutral, without a deadband at its middle, nothing that the valve writes is wrong.
TEST(PartialDerivativesTest, ADirectionalControlValveAtTheEndOfNeutral) {
  for (const std::string level : {"Ideal", "Standard", "Advanced"}) {
    for (const std::string deadband : {"0", "0.1"}) {
      SystemHarness harness(
          "<System><SimulatorManager TimeStep='10 ms' StopTime='10 ms'>"
          "<Integration solver='ODE' method='rodas5p'/></SimulatorManager>"
          "<signal.Gain name='slow' gain='1e-12 1/Pa'/>"
          "<signal.Integrator name='lever'><Start y='" +
          deadband + "'/></signal.Integrator>" +
          "<hydraulic.DirectionalControlValve name='valve' spool_type='O' compensator='Off' level='" + level +
          "' deadband='" + deadband +
          "'/>"
          "<hydraulic.PressureSource name='p' pressure='200 bar'/><hydraulic.Tank name='t'/>"
          "<hydraulic.Volume name='a' volume='1 l'><Start p='90 bar'/></hydraulic.Volume>"
          "<hydraulic.Volume name='b' volume='1 l'><Start p='60 bar'/></hydraulic.Volume>"
          "<Route from='a.p' to='slow.u'/><Route from='slow.y' to='lever.u'/>"
          "<Route from='lever.y' to='valve.spool'/>"
          "<Connect from='valve.p' to='p.port'/><Connect from='valve.t' to='t.port'/>"
          "<Connect from='valve.a' to='a.port'/><Connect from='valve.b' to='b.port'/></System>");
      std::string told;
      RunLog log(RunLog::Severity::kWarning,
                 [&](RunLog::Severity /*severity*/, std::string_view line) { told += line; });
      harness.system().root().set_run_log(&log);
      harness.Run();
      EXPECT_THAT(told, testing::Not(testing::HasSubstr("WritePartials"))) << level << ' ' << deadband;
    }
  }
}

TEST(PartialDerivativesTest, ReliefValve) {
  for (const double p : {200e5, 352e5, 370e5}) {
    ComponentHarness harness;
    auto& valve = harness.Add<ReliefValve>("valve");
    auto& in = harness.AttachHydraulic(valve, "in");
    auto& out = harness.AttachHydraulic(valve, "out");
    ASSERT_FALSE(harness.Start().has_errors());
    in.c = p;
    out.c = 2e5;
    EXPECT_THAT(WrongPartials(harness, valve), testing::Each(testing::HasSubstr(".Zc"))) << p;
  }
}

TEST(PartialDerivativesTest, AxialPistonPumpWithoutLosses) {
  ComponentHarness harness;
  auto& pump = harness.Add<AxialPistonPump>("pump");
  harness.AttachHydraulic(pump, "in");
  auto& out = harness.AttachHydraulic(pump, "out");
  harness.Set(pump, "losses", "None");
  harness.Set(pump, "control", "Fixed");
  harness.Set(pump, "inlet", "Full");
  ASSERT_FALSE(harness.Start().has_errors());
  out.c = 150e5;
  // Nothing is connected to the shaft: it has the speed of the parameter.
  EXPECT_THAT(WrongPartials(harness, pump), testing::Each(testing::HasSubstr("shaft")));
}

}  // namespace
}  // namespace davit
