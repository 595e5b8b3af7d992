// Wrong FMUs: what is said of them, and where.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "fmi/zip_writer.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// What is said of the ball with this description.
std::string FaultOfBall(const std::string& description) {
  PackFmu("ball", description, "ball2");
  return FaultsWithFmus(R"(<fmi.Fmu name="ball" file="ball.fmu"/>)");
}

TEST(WrongFmuTest, FilesAreNamedAtTheElement) {
  EXPECT_THAT(FaultsWithFmus("<fmi.Fmu name=\"f\"/>"),
              HasSubstr("test.xml:3: error: /f: file is missing; name an FMU, as in file=\"engine.fmu\""));
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="f" file="none.fmu"/>)"),
              HasSubstr("test.xml:3: error: /f: none.fmu: there is no such file; name an FMU"));
  std::ofstream(FreshFolder() / "text.fmu") << "this is no archive";
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="f" file="text.fmu"/>)"),
              HasSubstr("/f: text.fmu: it is not a zip archive that can be read"));
  WriteZip(FreshFolder() / "empty.fmu", {{"readme.txt", "x"}});
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="f" file="empty.fmu"/>)"),
              HasSubstr("/f: empty.fmu: it has no modelDescription.xml; name an FMU"));
  WriteZip(FreshFolder() / "slip.fmu", {{"../slip.txt", "x"}});
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="f" file="slip.fmu"/>)"),
              HasSubstr("leads out of the archive"));
}

TEST(WrongFmuTest, DescriptionsAreNamedByLine) {
  const std::string ball = BallDescription2();
  EXPECT_THAT(
      FaultOfBall("<fmiModelDescription fmiVersion=\"2.0\">\n<ModelVariables>\n</fmiModelDescription>"),
      HasSubstr("ball.fmu/modelDescription.xml:"));
  EXPECT_THAT(
      FaultOfBall(Replaced(ball, "\"2.0\"", "\"1.0\"")),
      HasSubstr(
          "modelDescription.xml:2: error: /ball: fmiVersion is '1.0'; davit reads 2.0 and 3.0; it is for "
          "model exchange; it has binaries for linux64"));
  EXPECT_THAT(FaultOfBall(Replaced(ball, "name=\"v\"", "name=\"h\"")),
              HasSubstr("there are two variables 'h'; names must be unique"));
  EXPECT_THAT(FaultOfBall(Replaced(ball, "start=\"1\" unit=\"m\"", "start=\"1\" unit=\"mm\"")),
              AllOf(HasSubstr("modelDescription.xml:14: error: /ball: no unit 'mm' in <UnitDefinitions>; "),
                    HasSubstr("'m'")));
  EXPECT_THAT(FaultOfBall(Replaced(ball, "Real start=\"-10\"", "Real start=\"minus ten\"")),
              HasSubstr("start: 'minus' is not a value of variable 'g'"));
  EXPECT_THAT(FaultOfBall(Replaced(ball, "derivative=\"1\"", "derivative=\"99\"")),
              HasSubstr("'der(h)' is listed as a derivative, but its attribute 'derivative' names no state"));
  EXPECT_THAT(FaultOfBall(Replaced(ball, "<Unknown index=\"3\"/>", "<Unknown index=\"33\"/>")),
              HasSubstr("Unknown index='33' names no variable"));
}

TEST(WrongFmuTest, KindsAndPlatformsAreNamed) {
  EXPECT_THAT(
      FaultOfBall(BallDescription2("<CoSimulation modelIdentifier=\"other\"/>")),
      HasSubstr("/ball: ball.fmu: it has no binary for this machine, binaries/linux64/other.so; it has "
                "ball2.so; ask its maker for one"));
  PackFmu("ball", BallDescription2(), "ball2", "win64");
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="ball" file="ball.fmu"/>)"), HasSubstr("it has win64; ask"));
  PackFmu("ball", BallDescription2("<CoSimulation modelIdentifier=\"ball2\"/>"), "ball2");
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="ball" file="ball.fmu" kind="ModelExchange"/>)"),
              HasSubstr("kind: it is for co-simulation only; write kind=\"CoSimulation\", or leave it out"));
  PackFmu("clocks", Replaced(TypesDescription3(), "CoSimulation", "ScheduledExecution"), "types3",
          "x86_64-linux");
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="f" file="clocks.fmu"/>)"),
              HasSubstr("it is for scheduled execution only; davit runs co-simulation and model exchange"));
  PackFmu("types", Replaced(TypesDescription3(), "CoSimulation", "ModelExchange"), "types3", "x86_64-linux");
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="f" file="types.fmu"/>)"),
              HasSubstr("its library has no function fmi3InstantiateModelExchange"));
}

TEST(WrongFmuTest, OnlyOncePerProcessIsKept) {
  PackFmu("ball",
          BallDescription2(
              "<CoSimulation modelIdentifier=\"ball2\" canBeInstantiatedOnlyOncePerProcess=\"true\"/>"),
          "ball2");
  EXPECT_THAT(
      FaultsWithFmus("<fmi.Fmu name=\"a\" file=\"ball.fmu\"/>\n<fmi.Fmu name=\"b\" file=\"ball.fmu\"/>"),
      HasSubstr("test.xml:4: error: /b: ball.fmu can be instantiated only once in a process, and /a is"));
}

TEST(WrongFmuTest, AttributesAreThoseOfTheFmu) {
  PackBall2();
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="ball" file="ball.fmu" mass="1"/>)"),
              HasSubstr("test.xml:3: error: /ball: no parameter 'mass' on fmi.Fmu"));
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="ball" file="ball.fmu" e="2"/>)"), HasSubstr("out of range"));
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="ball" file="ball.fmu" g="5 bar"/>)"),
              HasSubstr("m/s2 is needed"));
  EXPECT_THAT(FaultsWithFmus(R"(<fmi.Fmu name="ball" file="ball.fmu" locals="x*"/>)"),
              HasSubstr("locals: no local variable 'x*'"));
}

TEST(WrongFmuTest, FailuresOfAStepEndTheRun) {
  PackWrong2();
  const auto failure = [](int fault) {
    return FailureWithFmus("<fmi.Fmu name=\"f\" file=\"wrong.fmu\" fault=\"" + std::to_string(fault) +
                           "\"/><signal.Gain name=\"g\"/><Route from=\"f.y\" to=\"g.u\"/>");
  };
  EXPECT_EQ(failure(0), "none");
  EXPECT_THAT(failure(2),
              AllOf(HasSubstr("/f"), HasSubstr("0.51 s"), HasSubstr("wrong.fmu: its output y is nan")));
  EXPECT_THAT(failure(3), AllOf(HasSubstr("/f"), HasSubstr("wrong.fmu: fmi2DoStep answered discard")));
  EXPECT_THAT(failure(6), HasSubstr("wrong.fmu: fmi2DoStep answered error: the valve is broken"));
}

// Law: an output that no route reads does no harm: the run goes on, and the log tells once.
TEST(WrongFmuTest, OutputsThatNothingReadsNeedNotBeFinite) {
  PackWrong2();
  const std::string text =
      "<System><SimulatorManager TimeStep=\"10 ms\" StopTime=\"2 s\"/>"
      "<fmi.Fmu name=\"f\" file=\"wrong.fmu\" fault=\"2\"/></System>";
  std::vector<std::string> lines;
  SimulationOptions options;
  options.log_level = RunLog::Severity::kWarning;
  options.log = [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); };
  const auto run = Simulation::LoadText(text, FreshFolder() / "test.xml", ModelsWithFmus(), options).Take();
  run->Initialize();
  run->Run();
  EXPECT_EQ(run->time(), 2);
  EXPECT_TRUE(std::isnan(run->Read("f.y")));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0], HasSubstr("its output y is nan at 0.51 s; no route leads from it"));
}

// Law: whatever the FMU does to its process, this one says so and goes on.
TEST(WrongFmuTest, CrashesOfAnIsolatedFmuEndItsRunOnly) {
  PackWrong2();
  const auto failure = [](int fault) {
    return FailureWithFmus("<fmi.Fmu name=\"f\" file=\"wrong.fmu\" isolated=\"true\" fault=\"" +
                           std::to_string(fault) + "\"/>");
  };
  EXPECT_EQ(failure(0), "none");
  EXPECT_THAT(failure(1), AllOf(HasSubstr("/f"), HasSubstr("0.51 s"),
                                HasSubstr("wrong.fmu: its process has crashed: signal 11")));
  EXPECT_THAT(failure(5), HasSubstr("wrong.fmu: its process has ended by itself with code 3"));
  EXPECT_THAT(failure(6), HasSubstr("wrong.fmu: fmi2DoStep answered error: the valve is broken"));
}

TEST(WrongFmuTest, AnFmuCanEndTheRun) {
  PackWrong2();
  const auto simulation = LoadWithFmus(R"(<fmi.Fmu name="f" file="wrong.fmu" fault="4"/>)");
  simulation->Initialize();
  EXPECT_EQ(simulation->Run(), RunEnd::kMessage);
  EXPECT_NEAR(simulation->time(), 0.51, 1e-9);
  EXPECT_NEAR(simulation->Read("f.y"), 0.51, 1e-9) << "its last step has outputs, too";
}

}  // namespace
}  // namespace davit
