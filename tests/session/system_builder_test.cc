// Systems built in code.

#include "session/system_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/session/sessions.h"

namespace davit {
namespace {

using testing::HasSubstr;

/// What is built in code is what the file says: the same run, bit for bit.
TEST(SystemBuilderTest, BuildsWhatAFileSays) {
  SystemBuilder builder("crane");
  builder.Manager({{"TimeStep", "1 ms"}, {"StopTime", "2 s"}})
      .Integration({{"solver", "ODE"}, {"method", "rosenbrock4"}, {"rtol", 1e-7}})
      .Add("hydraulic.Tank", "tank")
      .Add("hydraulic.AxialPistonPump", "pump",
           {{"level", "Ideal"}, {"displacement", "100 cm3/rev"}, {"speed", 157.0}})
      .Add("hydraulic.Volume", "volume", {{"volume", 0.01}})
      .Inside("volume", "Start", {{"p", "10 bar"}})
      .Add("hydraulic.Orifice", "leak", {{"area", "30 mm2"}})
      .Add("signal.Sine", "wave", {{"amplitude", 2}})
      .Add("signal.Gain", "gain")
      .Connect("tank.port", "pump.in")
      .Connect("tank.port", "pump.drain")
      .Connect("pump.out", "volume.port")
      .Connect("volume.port", "leak.a")
      .Connect("leak.b", "tank.port")
      .Route("wave.y", "gain.u", {{"hold", "step"}})
      .At({{"time", "1 s"}, {"set", "pump.level"}, {"value", "Standard"}})
      .Record("volume.p leak.*", {{"interval", "10 ms"}})
      .Manager({{"StopTime", "1.5 s"}});
  const auto built = Simulation::Load(builder, SessionModels()).Take();
  const auto written = LoadText(R"(<System name="crane">
  <SimulatorManager TimeStep="1 ms" StopTime="1.5 s"><Integration solver="ODE" method="rosenbrock4" rtol="1e-7"/></SimulatorManager>
  <hydraulic.Tank name="tank"/>
  <hydraulic.AxialPistonPump name="pump" level="Ideal" displacement="100 cm3/rev" speed="157"/>
  <hydraulic.Volume name="volume" volume="0.01"><Start p="10 bar"/></hydraulic.Volume>
  <hydraulic.Orifice name="leak" area="30 mm2"/>
  <signal.Sine name="wave" amplitude="2"/><signal.Gain name="gain"/>
  <Connect from="tank.port" to="pump.in"/><Connect from="tank.port" to="pump.drain"/>
  <Connect from="pump.out" to="volume.port"/><Connect from="volume.port" to="leak.a"/>
  <Connect from="leak.b" to="tank.port"/>
  <Route from="wave.y" to="gain.u" hold="step"/>
  <At time="1 s" set="pump.level" value="Standard"/>
  <Record signals="volume.p leak.*" interval="10 ms"/>
</System>)");
  const Rows built_rows = RowsOf(*built);
  const Rows written_rows = RowsOf(*written);
  for (Simulation* s : {built.get(), written.get()}) {
    s->Initialize();
    s->Run();
  }
  const std::vector<double> rows = built_rows.Take();
  EXPECT_GT(rows.size(), 150U);
  EXPECT_TRUE(HaveSameBits(rows, written_rows.Take()));
  EXPECT_TRUE(built->TakeSnapshot() == written->TakeSnapshot());
}

/// A number in code is the same number in the system: shortest texts that read back.
TEST(SystemBuilderTest, NumbersKeepTheirBits) {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 12345678.9, 5e17}) {
    SystemBuilder builder;
    builder.Add("signal.Gain", "gain", {{"gain", value}});
    EXPECT_EQ(Simulation::Load(builder, SessionModels()).Take()->Read("gain.gain"), value);
  }
}

/// What XML gives a meaning to is text as any other.
TEST(SystemBuilderTest, TextsAreEscaped) {
  SystemBuilder builder;
  builder.Add("user.Equation", "e").Inside("e", "State", {{"name", "y"}, {"der", "y < 2 && y > -1 ? 1 : 0"}});
  EXPECT_THAT(builder.ToXml(), HasSubstr("y &lt; 2 &amp;&amp; y &gt; -1 ? 1 : 0"));
  EXPECT_NO_THROW(Simulation::Load(builder, SessionModels()).Take());
}

/// Faults have the paths of components, and no lines of a text that nobody has seen.
TEST(SystemBuilderTest, FaultsNameComponents) {
  SystemBuilder builder;
  builder.Add("hydraulic.Orifice", "leak", {{"are", "30 mm2"}});
  const LoadedSimulation loaded = Simulation::Load(builder, SessionModels());
  EXPECT_EQ(loaded.simulation, nullptr);
  EXPECT_THAT(loaded.ToText(), testing::StartsWith("error: /leak: no parameter 'are'"));
}

/// A clone needs no file, and is the system as it was when it was loaded.
TEST(SystemBuilderTest, ASystemBuiltInCodeCanBeCloned) {
  SystemBuilder builder;
  builder.Manager({{"TimeStep", "10 ms"}, {"StopTime", "1 s"}})
      .Add("user.Equation", "e")
      .Inside("e", "State", {{"name", "y"}, {"der", "1 - y"}});
  const auto built = Simulation::Load(builder, SessionModels()).Take();
  builder.Add("signal.Gain", "later");
  built->Initialize();
  built->RunUntil(0.5);
  const auto clone = built->Clone();
  EXPECT_EQ(clone->system().Find("later"), nullptr);
  built->Run();
  clone->Run();
  EXPECT_TRUE(built->TakeSnapshot() == clone->TakeSnapshot());
}

TEST(SystemBuilderTest, UnknownPlacesAreRefused) {
  SystemBuilder builder;
  builder.Add("signal.Gain", "gain");
  const std::string before = builder.ToXml();
  EXPECT_THAT(WhatOf<std::invalid_argument>([&] {
                builder.Inside("gian", "Start", {{"x", 0}});
              }),
              HasSubstr("SystemBuilder::Inside: no component 'gian'; did you mean 'gain'?"));
  EXPECT_EQ(builder.ToXml(), before);
}

/// Parts of machines that are kept in files.
TEST(SystemBuilderTest, SubsystemsComeFromFiles) {
  SystemBuilder builder;
  builder.Add("Subsystem", "stand", {{"src", SystemFile("parts/pump_stand").string()}});
  const LoadedSimulation loaded = Simulation::Load(builder, SessionModels());
  ASSERT_NE(loaded.simulation, nullptr) << loaded.ToText();
  EXPECT_NE(loaded.simulation->system().Find("stand"), nullptr);
}

}  // namespace
}  // namespace davit
