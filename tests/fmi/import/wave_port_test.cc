// Wave ports: open systems as FMUs, and their FMUs joined to native lines.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "fmi/fmu_check.h"
#include "fmi/fmu_export.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"
#include "tests/fmi/outside_program.h"

namespace davit {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

constexpr const char* kManager = "<SimulatorManager TimeStep=\"0.1 ms\" StopTime=\"50 ms\"/>\n";

/// What an oscillating flow drives through a line, and what is behind the line.
constexpr const char* kDrive = R"(
<signal.Sine name="wave" amplitude="5 l/min" offset="5 l/min" frequency="300 rad/s"/>
<hydraulic.FlowSource name="source"/>
<Route from="wave.y" to="source.flow"/>
)";
constexpr const char* kLine = R"(
<hydraulic.Line name="line" length="14.98819834336 m" friction="steady"/>
)";

/// A system file with an FMU of it, in the folder of the test.
fs::path ExportOpen(const std::string& content, FmiVersion version = FmiVersion::k2,
                    FmuExportSummary* summary = nullptr, const std::string& manager = kManager) {
  const fs::path system = FreshFolder() / "part.xml";
  std::ofstream(system) << "<System name=\"part\">\n" << manager << content << "</System>\n";
  const fs::path file = FreshFolder() / "part.fmu";
  Diagnostics diagnostics;
  const FmuExportSummary made =
      ExportFmu({.system = system,
                 .output = file,
                 .version = version,
                 .runtime = fs::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
                FmuModels(), diagnostics);
  for (const Diagnostic& fault : diagnostics.all()) ADD_FAILURE() << ToText(fault);
  if (summary != nullptr) *summary = made;
  return file;
}

/// The values of `paths` at all step points.
std::vector<double> Trace(const std::string& content, const std::vector<std::string>& paths,
                          const std::string& manager = kManager) {
  LoadedSimulation loaded =
      Simulation::LoadText("<System name=\"whole\">\n" + manager + content + "</System>\n",
                           FreshFolder() / "whole.xml", ModelsWithFmus());
  EXPECT_NE(loaded.simulation, nullptr) << loaded.ToText();
  std::vector<double> values;
  if (loaded.simulation == nullptr) return values;
  Simulation& simulation = *loaded.simulation;
  simulation.Initialize();
  for (;;) {
    for (const std::string& path : paths) values.push_back(simulation.Read(path));
    if (simulation.is_finished()) return values;
    simulation.Step();
  }
}

struct JoinedCase {
  const char* name;
  const char* inside;   ///< of the FMU
  const char* outside;  ///< drive and line
  const char* join;     ///< natively
  const char* port;     ///< the open port
  const char* joined;   ///< with the FMU
  std::vector<std::string> paths;
};

class JoinedFmuTest : public testing::TestWithParam<std::tuple<int, FmiVersion>> {
 protected:
  static JoinedCase Case(int number) {
    const std::vector<std::string> at_line{"line.a.p", "line.b.p", "line.b.q", "line.b.c"};
    const std::vector<std::string> at_spring{"spring.a.F", "spring.b.F", "spring.b.v", "spring.b.x"};
    switch (number) {
      case 0:  // an island of differential equations behind the line
        return {
            "orifice_and_volume",
            R"(<hydraulic.Orifice name="orifice" area="5 mm2"/><hydraulic.Volume name="volume" volume="1 l"/>
                   <Connect from="orifice.b" to="volume.port"/>)",
            kLine,
            R"(<Connect from="source.port" to="line.a"/><Connect from="orifice.a" to="line.b"/>)",
            "orifice.a",
            R"(<Connect from="source.port" to="line.a"/><Connect from="part.PA" to="line.b"/>)",
            at_line};
      case 1:  // fixed steps on both sides
        return {
            "orifice_and_waves",
            R"(<hydraulic.Orifice name="orifice" area="5 mm2"/><hydraulic.VolumeC name="volume" volume="1 l"/>
                   <Connect from="orifice.b" to="volume.port"/>)",
            kLine,
            R"(<Connect from="source.port" to="line.a"/><Connect from="orifice.a" to="line.b"/>)",
            "orifice.a",
            R"(<Connect from="source.port" to="line.a"/><Connect from="part.PA" to="line.b"/>)",
            at_line};
      case 2:  // a mass between springs
        return {"mass",
                R"(<mechanical.Mass name="mass" mass="3 kg"><Start x="2 mm"/></mechanical.Mass>
                   <mechanical.SpringC name="other" stiffness="20 kN/m"/>
                   <mechanical.Fixed name="wall"/>
                   <Connect from="mass.b" to="other.a"/><Connect from="other.b" to="wall.port"/>)",
                R"(<mechanical.SpringC name="spring" stiffness="10 kN/m" damping="3 N.s/m"/>
                   <mechanical.Fixed name="end"/><Connect from="spring.a" to="end.port"/>)",
                R"(<Connect from="mass.a" to="spring.b"/>)",
                "mass.a",
                R"(<Connect from="part.PA" to="spring.b"/>)",
                at_spring};
      default:  // the line is in the FMU
        return {"line",
                kLine,
                R"(<hydraulic.Orifice name="orifice" area="5 mm2"/><hydraulic.Tank name="tank"/>
                   <Connect from="orifice.b" to="tank.port"/>)",
                R"(<Connect from="source.port" to="line.a"/><Connect from="orifice.a" to="line.b"/>)",
                "line.b",
                R"(<Connect from="source.port" to="part.line_a"/><Connect from="orifice.a" to="part.PA"/>)",
                {"source.p", "orifice.q", "orifice.dp"}};
    }
  }
};

// Law: an FMU with a wave port, joined to a native line, gives the bits of the same components in one system.
TEST_P(JoinedFmuTest, GivesTheBitsOfOneSystem) {
  const auto [number, version] = GetParam();
  const JoinedCase c = Case(number);
  FmuExportSummary summary;
  const std::string exposed = std::string(c.inside) + "<Expose port=\"" + c.port + "\" as=\"PA\"/>\n";
  ExportOpen(exposed, version, &summary);
  EXPECT_EQ(summary.ports, number == 3 ? 2u : 1u);
  const std::string drive = number == 2 ? "" : kDrive;
  const std::vector<double> native = Trace(drive + c.outside + c.inside + c.join, c.paths);
  const std::vector<double> joined =
      Trace(drive + c.outside + "<fmi.Fmu name=\"part\" file=\"part.fmu\"/>\n" + c.joined, c.paths);
  ASSERT_EQ(native.size(), joined.size());
  EXPECT_EQ(native.size(), 501 * c.paths.size());
  EXPECT_NE(native.front(), native[native.size() - c.paths.size()]);
  for (std::size_t i = 0; i < native.size(); ++i)
    ASSERT_EQ(native[i], joined[i]) << c.paths[i % c.paths.size()] << " at step " << i / c.paths.size();
}

INSTANTIATE_TEST_SUITE_P(Systems, JoinedFmuTest,
                         testing::Combine(testing::Values(0, 1, 2, 3),
                                          testing::Values(FmiVersion::k2, FmiVersion::k3)));

// Law: the port text of Hopsan names the same ports as the terminals.
TEST(WavePortTest, ReadsThePortTextThatTheExportWrites) {
  FmuExportSummary summary;
  ExportOpen(R"(<hydraulic.Orifice name="orifice" area="5 mm2"/><hydraulic.Volume name="volume" volume="1 l"/>
                <Connect from="orifice.b" to="volume.port"/><Expose port="orifice.a" as="PA"/>)",
             FmiVersion::k2, &summary);
  EXPECT_EQ(summary.hopsan_ports, "NodeHydraulic:PA,PA.q,PA.p,PA.T,PA.c,PA.Zc,PA.Q");
  const std::string rest =
      std::string(kDrive) + kLine +
      R"(<Connect from="source.port" to="line.a"/><Connect from="part.PA" to="line.b"/>)";
  const std::vector<std::string> paths{"line.b.p", "line.b.q"};
  EXPECT_EQ(
      Trace(R"(<fmi.Fmu name="part" file="part.fmu"/>)" + rest, paths),
      Trace(R"(<fmi.Fmu name="part" file="part.fmu" ports=")" + summary.hopsan_ports + "\"/>" + rest, paths));
}

// Law: the FMU of an open system meets its own reference results, and a master that knows no terminals finds
// its variables.
TEST(WavePortTest, IsAnFmuLikeAnyOther) {
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    for (const auto& [content, flow] :
         {std::pair(R"(<hydraulic.Orifice name="orifice" area="5 mm2"/><hydraulic.Tank name="tank"/>
                       <Connect from="orifice.b" to="tank.port"/>)",
                    "orifice.a.q"),
          std::pair(R"(<pneumatic.Orifice name="orifice"/><pneumatic.Exhaust name="exhaust"/>
                       <Connect from="orifice.b" to="exhaust.port"/>)",
                    "orifice.a.G")}) {
      const fs::path file = ExportOpen(content, version);
      Diagnostics diagnostics;
      const FmuCheck check = CheckFmu(file, {}, diagnostics);
      ASSERT_FALSE(diagnostics.has_errors());
      EXPECT_TRUE(check.has_reference && check.comparison.is_same);
      EXPECT_NE(check.description.Find("orifice.a.c"), nullptr);
      EXPECT_EQ(check.description.Find("orifice.a.Zc")->causality, "input");
      EXPECT_EQ(check.description.Find(flow)->causality, "output");
      if (const char* const fmpy = std::getenv("DAVIT_FMPY")) {
        const ProgramResult run = RunFmpy(fmpy, {"validate", file.string()});
        EXPECT_EQ(run.exit_code, 0) << run.output << run.messages;
      }
    }
  }
}

/// Two vessels with a tap between them.
struct Vessels {
  const char* vessel;                                  ///< `{0}` its name, `{1}` its start
  const char* tap;                                     ///< restriction `tap`
  const char* start[2];                                ///< of the full and of the empty one
  std::vector<std::pair<std::string, double>> values;  ///< of the first, and what a step of 1 ms may change
};
const Vessels kOil{R"(<hydraulic.Volume name="{0}" volume="10 l"><Start {1}/></hydraulic.Volume>)",
                   R"(<hydraulic.Orifice name="tap" area="0.3 mm2"/>)",
                   {"p='7 bar'", "p='2 bar'"},
                   {{"first.p", 1e3}}};
const Vessels kAir{
    R"(<pneumatic.Chamber name="{0}" volume="1 l" level="Standard"><Start {1}/></pneumatic.Chamber>)",
    R"(<pneumatic.Orifice name="tap" sonic_conductance="1e-8 m3/s/Pa"/>)",
    {"p='7 bar' T='330 K'", "p='2 bar' T='280 K'"},
    {{"first.p", 1e3}, {"first.T", 0.5}}};

/// What the border changes in the values of the first vessel at the end, against one system. The second
/// vessel is in an FMU: with the tap, which is at its Q port, or alone at its C port.
std::vector<double> ErrorsOfBorder(const Vessels& vessels, Role role, bool is_first_full, double time_step) {
  const std::string manager =
      fmt::format("<SimulatorManager TimeStep=\"{} s\" StopTime=\"0.1 s\"/>\n", time_step);
  const auto vessel = [&](const std::string& name, bool is_full) {
    return fmt::format(fmt::runtime(vessels.vessel), name, vessels.start[is_full ? 0 : 1]);
  };
  const std::string first = vessel("first", is_first_full), second = vessel("second", !is_first_full),
                    tap = vessels.tap, before = R"(<Connect from="tap.a" to="first.port"/>)",
                    behind = R"(<Connect from="tap.b" to="second.port"/>)";
  std::string joined = R"(<fmi.Fmu name="part" file="part.fmu"/>)" + first;
  if (role == Role::kQ) {
    ExportOpen(tap + second + behind + R"(<Expose port="tap.a" as="PA"/>)", FmiVersion::k2, nullptr, manager);
    joined += R"(<Connect from="part.PA" to="first.port"/>)";
  } else {
    ExportOpen(second + R"(<Expose port="second.port" as="PA"/>)", FmiVersion::k3, nullptr, manager);
    joined += tap + before + R"(<Connect from="tap.b" to="part.PA"/>)";
  }
  std::vector<double> errors;
  for (const auto& [path, most] : vessels.values) {
    errors.push_back(Trace(joined, {path}, manager).back() -
                     Trace(first + tap + second + before + behind, {path}, manager).back());
  }
  return errors;
}

// Law: without a delay at the border, both sides hold for a TimeStep what they have told each other, and the
// error is of first order, whichever way the oil flows, or air with its temperature.
TEST(WavePortTest, WithoutADelayTheErrorIsOfFirstOrder) {
  for (const Vessels& vessels : {kOil, kAir}) {
    for (const Role role : {Role::kQ, Role::kC}) {
      for (const bool is_full : {true, false}) {
        const std::vector<double> coarse = ErrorsOfBorder(vessels, role, is_full, 2e-3),
                                  fine = ErrorsOfBorder(vessels, role, is_full, 1e-3);
        for (std::size_t i = 0; i < vessels.values.size(); ++i) {
          const auto& [path, most] = vessels.values[i];
          SCOPED_TRACE(fmt::format("{} {} {}", path, ToText(role), is_full));
          EXPECT_NEAR(coarse[i] / fine[i], 2, 0.2) << coarse[i] << ' ' << fine[i];
          EXPECT_LT(std::abs(fine[i]), most);
        }
      }
    }
  }
}

TEST(WavePortTest, RefusesPortTextsThatDoNotFit) {
  ExportOpen(R"(<hydraulic.Orifice name="orifice" area="5 mm2"/><hydraulic.Tank name="tank"/>
                <Connect from="orifice.b" to="tank.port"/><Expose port="orifice.a" as="PA"/>)");
  const auto fault = [](const std::string& ports) {
    return FaultsWithFmus("<fmi.Fmu name=\"part\" file=\"part.fmu\" ports=\"" + ports + "\"/>");
  };
  EXPECT_THAT(fault("NodeHydraulik:PA,a"),
              HasSubstr("no node 'NodeHydraulik'; did you mean 'NodeHydraulic'"));
  EXPECT_THAT(fault("NodeElectric:PA,a"), HasSubstr("name these: NodeElectric:PA,u,i,c,Zc"));
  EXPECT_THAT(fault("NodeHydraulic:PA,PA.q,PA.p,PA.T,PA.d,PA.Zc,PA.Q"), HasSubstr("no variable 'PA.d'"));
  EXPECT_THAT(fault("NodeHydraulic:PA,PA.c,PA.p,PA.T,PA.q,PA.Zc,PA.Q"),
              HasSubstr("c (output) and Zc (input) must be inputs"));
  EXPECT_THAT(fault("NodeHydraulic:PA,PA.q,PA.p,PA.T,PA.c,PA.c,PA.Q"), HasSubstr("name each variable once"));
}

}  // namespace
}  // namespace davit
