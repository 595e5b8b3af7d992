// What two versions of a system differ in.

#include "framework/xml/compare_systems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

constexpr std::string_view kBegin = R"(<System name="s" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms"><Integration solver="ODE" rtol="1e-6"/></SimulatorManager>
  <hydraulic.Tank name="tank"/>
  <hydraulic.Pump name="pump" speed="1500 rpm" level="Ideal"/>
  <hydraulic.Cylinder name="cylinder"><Start x="1 m"/></hydraulic.Cylinder>
  <Subsystem name="boom" src="boom.xml"/>
  <Statechart name="chart" src="chart.scxml"/>
  <Connect from="pump.in" to="tank.port"/>
  <Connect from="pump.out" to="cylinder.a"/>
  <Route from="boom.y" to="pump.speed"/>
  <Record signals="pump.*" interval="1 s"/>
  <Layout><Place name="tank" x="0" y="0"/><Note x="8" y="8" text="old"/></Layout>
</System>
)";
constexpr std::string_view kBoom =
    R"(<System name="boom"><mechanical.Mass name="mass" mass="1 t"/></System>)";

/// `~component pump.speed: 1500 rpm -> 1800 rpm`
std::string ShortOf(const SystemDifference& one) {
  std::string text(one.kind == SystemDifference::Kind::kAdded     ? "+"
                   : one.kind == SystemDifference::Kind::kRemoved ? "-"
                                                                  : "~");
  text.append(ToText(one.part)).append(" ").append(one.path);
  if (!one.name.empty()) text.append(".").append(one.name);
  if (one.kind == SystemDifference::Kind::kChanged) text.append(": " + one.before + " -> " + one.after);
  return text;
}

class CompareSystemsTest : public testing::Test {
 protected:
  CompareSystemsTest() {
    fs::remove_all(folder_);
    for (const char* version : {"a", "b"}) {
      fs::create_directories(folder_ / version);
      Write(version, "s.xml", kBegin);
      Write(version, "boom.xml", kBoom);
      Write(version, "chart.scxml", "<scxml/>");
    }
  }
  ~CompareSystemsTest() override { fs::remove_all(folder_); }

  void Write(const std::string& version, const std::string& file, std::string_view text) const {
    std::ofstream(folder_ / version / file) << text;
  }
  /// Version b with one text in place of another.
  void Change(std::string_view from, std::string_view to, const char* version = "b") {
    std::string text(kBegin);
    text.replace(text.find(from), from.size(), to);
    Write(version, "s.xml", text);
  }
  std::vector<SystemDifference> Compare(const std::string& before = "a", const std::string& after = "b") {
    return CompareSystems({folder_ / before / "s.xml"}, {folder_ / after / "s.xml"}, diagnostics_);
  }
  std::vector<std::string> Found() {
    std::vector<std::string> texts;
    for (const SystemDifference& one : Compare()) texts.push_back(ShortOf(one));
    return texts;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      ("davit_compare_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  Diagnostics diagnostics_;
};

TEST_F(CompareSystemsTest, EverySystemIsAsItself) {
  EXPECT_THAT(Found(), IsEmpty());
  for (const auto& entry : fs::directory_iterator(fs::path(DAVIT_SOURCE_DIR) / "systems")) {
    if (entry.path().extension() != ".xml") continue;
    Diagnostics diagnostics;
    EXPECT_THAT(CompareSystems({entry.path()}, {entry.path()}, diagnostics), IsEmpty()) << entry.path();
  }
}

/// Spaces, comments, the order of elements and attributes, and which end of a connection comes first.
TEST_F(CompareSystemsTest, HowItIsWrittenDoesNotCount) {
  Change(R"(<hydraulic.Tank name="tank"/>
  <hydraulic.Pump name="pump" speed="1500 rpm" level="Ideal"/>)",
         R"(<!-- Supply -->
     <hydraulic.Pump level='Ideal' name="pump"
         speed="1500 rpm"></hydraulic.Pump><hydraulic.Tank name="tank"/>)");
  EXPECT_THAT(Found(), IsEmpty());
  Change(R"(from="pump.in" to="tank.port")", R"(from="tank.port" to="pump.in")");
  EXPECT_THAT(Found(), IsEmpty());
}

TEST_F(CompareSystemsTest, FindsEachKindOfChange) {
  const std::vector<std::tuple<std::string, std::string, std::string>> changes{
      {"1500 rpm", "1800 rpm", "~component pump.speed: 1500 rpm -> 1800 rpm"},
      {R"( level="Ideal")", "", "~component pump.level: Ideal -> "},
      {R"(<Start x="1 m"/>)", R"(<Start x="2 m"/>)", "~component cylinder.Start.x: 1 m -> 2 m"},
      {"hydraulic.Tank", "hydraulic.Source", "~component tank.model: hydraulic.Tank -> hydraulic.Source"},
      {R"(<hydraulic.Tank name="tank"/>)", "", "-component tank"},
      {"<Subsystem", R"(<hydraulic.Volume name="line"/><Subsystem)", "+component line"},
      {R"(<Connect from="pump.in" to="tank.port"/>)", "", "-connection pump.in - tank.port"},
      {R"(to="pump.speed")", R"(to="pump.speed" hold="step")", "~route boom.y > pump.speed.hold:  -> step"},
      {"1e-6", "1e-8", "~setting SimulatorManager.Integration ODE.rtol: 1e-6 -> 1e-8"},
      {R"(signals="pump.*")", R"(signals="*")", "~record 1 s.signals: pump.* -> *"},
      {R"(name="tank" x="0")", R"(name="tank" x="8")", "~layout tank.x: 0 -> 8"},
  };
  for (const auto& [from, to, found] : changes) {
    Change(from, to);
    EXPECT_THAT(Found(), ElementsAre(found));
  }
}

/// What A has more than B, B has less than A.
/// Elements about the same are told apart by their order, and not taken for others whose name has a number.
TEST_F(CompareSystemsTest, ElementsAboutTheSameAreCounted) {
  Change("</System>", R"(<At time="1 s"/><At time="1 s"/></System>)", "a");
  Change("</System>", R"(<At time="1 s"/><At time="1 s"/><At time="1 s"/></System>)");
  EXPECT_THAT(Found(), ElementsAre("+command time=1 s"));
  Change("</System>", R"(<m.A name="x"/><m.A name="x"/></System>)", "a");
  Change("</System>", R"(<m.A name="x"/><m.A name="x:2"/></System>)");
  EXPECT_THAT(Found(), ElementsAre("-component x", "+component x:2"));
}

TEST_F(CompareSystemsTest, IsTheSameFromTheOtherSide) {
  Change("hydraulic.Tank name=\"tank\"/>\n", "hydraulic.Tank name=\"reservoir\"/>\n");
  std::vector<std::string> back;
  for (SystemDifference one : Compare("b", "a")) {
    using Kind = SystemDifference::Kind;
    one.kind = one.kind == Kind::kAdded     ? Kind::kRemoved
               : one.kind == Kind::kRemoved ? Kind::kAdded
                                            : one.kind;
    std::swap(one.before, one.after);
    back.push_back(ShortOf(one));
  }
  EXPECT_THAT(Found(), UnorderedElementsAreArray(back));
  EXPECT_EQ(back.size(), 2U);
}

TEST_F(CompareSystemsTest, TellsTheLayoutApart) {
  Change(R"(<Note x="8" y="8" text="old"/>)", R"(<Note x="8" y="16" text="old"/>)");
  EXPECT_TRUE(IsLayoutOnly(Compare()));
  EXPECT_EQ(Compare().size(), 2U);  // one note for another
  Change("</Layout>", R"(</Layout><hydraulic.Volume name="line"/>)");
  EXPECT_FALSE(IsLayoutOnly(Compare()));
}

TEST_F(CompareSystemsTest, LooksIntoSubsystemsAndCharts) {
  Write("b", "boom.xml", R"(<System name="boom"><mechanical.Mass name="mass" mass="2 t"/></System>)");
  Write("b", "chart.scxml", "<scxml name='b'/>");
  EXPECT_THAT(Found(), ElementsAre("~component boom.mass.mass: 1 t -> 2 t",
                                   "~chart chart: chart.scxml -> chart.scxml"));
  const std::vector<SystemDifference> found = Compare();
  EXPECT_EQ(*found[0].at_after.file, (folder_ / "b" / "boom.xml").string());
  EXPECT_EQ(found[0].at_after.line, 1);
}

TEST_F(CompareSystemsTest, SaysWhatCannotBeRead) {
  Write("b", "s.xml", "<System>\n<hydraulic.Tank");
  fs::remove(folder_ / "a" / "s.xml");
  EXPECT_THAT(Compare(), IsEmpty());
  EXPECT_EQ(diagnostics_.all().size(), 2U);
  EXPECT_TRUE(diagnostics_.has_errors());
}

/// A sub-system that contains itself ends.
TEST_F(CompareSystemsTest, EndsInCircles) {
  for (const char* version : {"a", "b"})
    Write(version, "boom.xml", R"(<System><Subsystem name="inner" src="boom.xml"/></System>)");
  EXPECT_THAT(Found(), IsEmpty());
}

}  // namespace
}  // namespace davit
