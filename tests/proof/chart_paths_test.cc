#include "proof/chart_paths.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>

#include "components/register.h"
#include "proof/promela.h"
#include "session/absent_system.h"
#include "simulator/simulator_manager.h"
#include "statecharts/chart_loader.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kHead =
    R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:davit="urn:davit:chart:1" version="1.0">)xml";

/// A chart without a system around it.
class Lone {
 public:
  explicit Lone(std::string_view inside) : Lone("no.Model", 0) {
    chart_ = LoadChartText(kHead + std::string(inside) + "</scxml>", "test.scxml", options_, diagnostics_);
    if (chart_ == nullptr) throw std::invalid_argument(ToText(diagnostics_));
  }
  /// Of the model that it is named like, or of a cylinder.
  static Lone Load(const fs::path& file) { return Lone(file, Disk()); }

  const std::shared_ptr<const Chart>& chart() const { return chart_; }
  ChartPaths Search(std::uint64_t most = 100'000) { return FindChartPaths(chart_, system_.get(), most); }

 private:
  struct Disk {};
  Lone(const fs::path& file, Disk /*unused*/)
      : Lone(file.parent_path().parent_path().filename() == "statecharts" ? file.stem().string()
                                                                          : "hydraulic.Cylinder",
             0) {
    chart_ = LoadChart(file, options_, diagnostics_);
  }

  Lone(const std::string& model, int /*unused*/) : system_(std::make_unique<AbsentSystem>(Models(), model)) {
    options_.host = system_.get();
  }
  static const Registry& Models() {
    static const Registry& models = []() -> Registry& {
      static Registry all;
      RegisterSimulator(all);
      RegisterComponents(all);
      return all;
    }();
    return models;
  }

  std::unique_ptr<AbsentSystem> system_;
  ChartLoadOptions options_;
  Diagnostics diagnostics_;
  std::shared_ptr<const Chart> chart_;
};

std::vector<std::string> StepsTo(const std::vector<ChartPath>& paths, std::string_view name) {
  return std::ranges::find(paths, name, &ChartPath::name)->steps;
}

/// `regions` rings of `states` states, each turned by an event of its own.
std::string Product(int regions, int states) {
  std::string text = "<parallel id=\"all\">";
  for (int r = 0; r < regions; ++r) {
    text += fmt::format("<state id=\"r{}\">", r);
    for (int s = 0; s < states; ++s)
      text += fmt::format("<state id=\"r{0}s{1}\"><transition event=\"e{0}\" target=\"r{0}s{2}\"/></state>",
                          r, s, (s + 1) % states);
    text += "</state>";
  }
  return text + "</parallel>";
}

TEST(ChartPaths, ProductsOfRegionsHaveTheProductOfTheirStates) {
  for (const auto& [regions, states, product] :
       {std::array{1, 5, 5}, std::array{2, 3, 9}, std::array{3, 4, 64}, std::array{6, 3, 729},
        std::array{10, 2, 1024}}) {
    const ChartPaths paths = Lone(Product(regions, states)).Search();
    EXPECT_EQ(paths.configurations, static_cast<std::uint64_t>(product)) << regions << ' ' << states;
    EXPECT_TRUE(paths.is_complete);
    EXPECT_THAT(paths.Dead(), IsEmpty());
  }
}

TEST(ChartPaths, StopsAndSaysSo) {
  const ChartPaths paths = Lone(Product(6, 10)).Search(5000);
  EXPECT_FALSE(paths.is_complete);
  EXPECT_GE(paths.situations, 5000U);
  EXPECT_LT(paths.situations, 5010U);  // what the last one that was looked at leads to
}

TEST(ChartPaths, PathsAreTheShortest) {
  ChartPaths paths = Lone(R"xml(
    <state id="a"><transition event="long" target="b"/><transition event="short" target="c"/></state>
    <state id="b"><transition event="go" target="c"/></state>
    <state id="c"><transition event="go" target="d"/></state>
    <state id="d"/>)xml")
                         .Search();
  EXPECT_THAT(StepsTo(paths.states, "a"), IsEmpty());
  EXPECT_THAT(StepsTo(paths.states, "d"), ElementsAre("short", "go"));
  EXPECT_THAT(StepsTo(paths.transitions, "b/1"), ElementsAre("long", "go"));
}

TEST(ChartPaths, UnreachableStatesAndDeadTransitionsAreNamed) {
  const ChartPaths paths = Lone(R"xml(
    <datamodel><data id="n" expr="0"/></datamodel>
    <state id="a"><transition event="go" cond="n gt 1" target="b"/>
                  <transition event="count" cond="n lt 1"><assign location="n" expr="n + 1"/></transition></state>
    <state id="b"/><state id="island"><transition event="go" target="a"/></state>)xml")
                               .Search();
  EXPECT_THAT(paths.Unreachable(), ElementsAre("b", "island"));
  EXPECT_THAT(paths.Dead(), ElementsAre("a/1", "island/1"));
  EXPECT_THAT(paths.open, IsEmpty());
}

TEST(ChartPaths, WhatDependsOnTheMachineIsLeftOpen) {
  const ChartPaths paths = Lone(R"xml(
    <state id="a"><transition cond="load.x gt 3 and In('a')" target="b"/></state>
    <state id="b"><transition cond="load.x gt 3 and In('a')" target="c"/>
                  <transition davit:after="2s" target="d"/></state>
    <state id="c"/><state id="d"/>)xml")
                               .Search();
  EXPECT_THAT(paths.Unreachable(), ElementsAre("c"));  // In('a') decides
  EXPECT_THAT(paths.open, ElementsAre("after 2 s", "load.x gt 3 and In('a')"));
  EXPECT_THAT(StepsTo(paths.states, "d"),
              ElementsAre("at the start [load.x gt 3 and In('a')]", "time [after 2 s]"));
}

TEST(ChartPaths, CountersWithoutEndAreLeftOpen) {
  const ChartPaths paths = Lone(R"xml(
    <datamodel><data id="n" expr="0"/></datamodel>
    <state id="a"><transition event="go" cond="n gt 5" target="b"/>
                  <transition event="count"><assign location="n" expr="n + 1"/></transition></state>
    <state id="b"/>)xml")
                               .Search();
  EXPECT_TRUE(paths.is_complete);
  EXPECT_THAT(paths.Unreachable(), IsEmpty());
  EXPECT_THAT(paths.open, ElementsAre("n gt 5"));
}

TEST(ChartPaths, DelayedEventsAndHistories) {
  ChartPaths paths = Lone(R"xml(
    <state id="work" initial="one"><history id="before"><transition target="one"/></history>
      <transition event="stop" target="halted"/>
      <state id="one"><transition event="next" target="two"/></state>
      <state id="two"><onentry><send event="late" delay="3s"/></onentry>
                      <transition event="late" target="three"/></state>
      <state id="three"/></state>
    <state id="halted"><transition event="go" target="before"/></state>)xml")
                         .Search();
  EXPECT_THAT(StepsTo(paths.states, "three"), ElementsAre("next", "wait"));
  EXPECT_THAT(paths.events, ElementsAre("go", "next", "stop"));
  EXPECT_EQ(paths.configurations, 4U);
  EXPECT_GT(paths.situations, 4U);
}

// ---- spin

/// Whether spin and the compiler that it needs are installed.
bool HasSpin() {
  return std::system("spin -V > /dev/null 2>&1 && gcc --version > /dev/null 2>&1") == 0;  // NOLINT
}

/// What the verifier of spin does not reach; nothing where it does not end within 20 s.
std::optional<std::set<std::string>> UnreachedBySpin(const Chart& chart, const std::string& name) {
  const fs::path folder = fs::path(testing::TempDir()) / ("spin_" + name);
  fs::create_directories(folder);
  const PromelaText promela = MakePromela(chart);
  EXPECT_EQ(promela.fault, "");
  std::ofstream(folder / "chart.pml") << promela.text;
  const std::string command =
      "cd '" + folder.string() +
      "' && spin -a chart.pml > spin.log 2>&1 && gcc -O1 -w -DVECTORSZ=8192 -DSAFETY -o pan pan.c "
      "&& timeout 20 ./pan -m1000000 > pan.log 2>&1";
  const int status = std::system(command.c_str());  // NOLINT
  if (WIFEXITED(status) && WEXITSTATUS(status) == 124) return std::nullopt;
  EXPECT_EQ(status, 0) << folder;
  std::ifstream log(folder / "pan.log");
  std::set<std::string> unreached;
  for (std::string line; std::getline(log, line);) {
    const std::size_t at = std::max(line.find("\"s["), line.find("\"f["));  // npos counts as the largest
    const std::size_t found = std::min(line.find("\"s["), line.find("\"f["));
    if (found == std::string::npos || at == found) continue;
    const std::string comment = "/* " + line.substr(found + 1, line.rfind('"') - found - 1) + ": ";
    const std::size_t begin = promela.text.find(comment);
    if (begin == std::string::npos) continue;  // an assignment of another value
    const std::size_t name = begin + comment.size();
    unreached.insert(promela.text.substr(name, promela.text.find(" */", name) - name));
  }
  return unreached;
}

std::set<std::string> NotFoundBy(const ChartPaths& paths) {
  std::set<std::string> names;
  for (const std::string& state : paths.Unreachable()) names.insert("state " + state);
  for (const std::string& transition : paths.Dead()) names.insert("transition " + transition);
  return names;
}

TEST(Promela, SpinReachesWhatTheSearchReaches) {
  const std::map<std::string, std::string> charts{
      {"islands", R"xml(<state id="a"><transition event="go" target="b"/></state><state id="b"/>
                     <state id="c"><transition event="go" target="a"/></state>)xml"},
      {"deadlock", R"xml(<parallel id="p">
          <state id="x"><state id="x1"><transition event="e" cond="In('y2')" target="x2"/></state><state id="x2"/></state>
          <state id="y"><state id="y1"><transition event="e" cond="In('x2')" target="y2"/></state><state id="y2"/></state>
        </parallel>)xml"},
      {"conflict", R"xml(<state id="s" initial="p"><transition event="e" target="t"/>
          <parallel id="p"><state id="a"><transition event="e" target="u"/></state>
                           <state id="b"><transition event="e" target="v"/></state></parallel></state>
        <state id="t"/><state id="u"/><state id="v"/>)xml"},
      {"raised",
       R"xml(<state id="a"><onentry><raise event="own"/></onentry><transition event="own" target="b"/>
                                  <transition event="go" target="c"/></state>
        <state id="b"><transition cond="load.x gt 1" target="d"/></state><state id="c"/><final id="d"/>)xml"},
      {"finals", R"xml(<state id="w"><transition event="done.state.w" target="end"/>
          <parallel id="p"><state id="m"><state id="m1"><transition event="e" target="m2"/></state><final id="m2"/></state>
                           <state id="n"><state id="n1"><transition event="f" target="n2"/></state><final id="n2"/></state>
          </parallel><transition event="done.state.p" target="over"/></state>
        <state id="end"/><state id="over"/>)xml"}};
  if (!HasSpin()) GTEST_SKIP() << "spin or gcc is not installed";
  for (const auto& [name, inside] : charts) {
    Lone lone(inside);
    const auto unreached = UnreachedBySpin(*lone.chart(), name);
    ASSERT_TRUE(unreached) << name;
    EXPECT_EQ(*unreached, NotFoundBy(lone.Search())) << name;
  }
}

// Default charts of components have more open conditions than spin can search in a minute.
TEST(Promela, AgreesOnTheChartsOfTheSystems) {
  if (!HasSpin()) GTEST_SKIP() << "spin or gcc is not installed";
  int charts = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(DAVIT_SOURCE_DIR) / "systems/charts")) {
    Lone lone = Lone::Load(entry.path());
    ASSERT_NE(lone.chart(), nullptr) << entry.path();
    const auto unreached = UnreachedBySpin(*lone.chart(), entry.path().stem().string());
    ASSERT_TRUE(unreached) << entry.path();
    const ChartPaths paths = lone.Search();
    EXPECT_TRUE(paths.is_complete) << entry.path();
    EXPECT_EQ(*unreached, NotFoundBy(paths)) << entry.path();
    ++charts;
  }
  EXPECT_GE(charts, 6);
}

}  // namespace
}  // namespace davit
