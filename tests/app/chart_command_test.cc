#include "app/chart_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "app/exit_code.h"
#include "components/register.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace fs = std::filesystem;

constexpr const char* kDoor = R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="door">
  <datamodel><data id="force" expr="0"/></datamodel>
  <parallel id="door">
    <state id="leaf">
      <state id="closed"><transition event="open" target="moving"/></state>
      <state id="moving">
        <onentry><send event="arrived" delay="2s"/></onentry>
        <transition event="arrived" target="opened"/>
        <transition event="push" cond="_event.data.f gt 10" target="closed">
          <assign location="force" expr="_event.data.f"/>
          <log label="force" expr="force"/>
        </transition>
      </state>
      <state id="opened"/>
    </state>
    <state id="lamp">
      <history id="last"><transition target="off"/></history>
      <state id="off"><transition event="open" target="on"/></state>
      <state id="on"/>
    </state>
    <transition event="end" target="gone"/>
  </parallel>
  <final id="gone"/>
</scxml>
)";

class ChartCommand : public testing::Test {
 protected:
  ChartCommand() {
    fs::create_directories(folder_);
    std::ofstream(chart_) << kDoor;
    options_.load.chart = chart_;
    options_.load.registry = &registry_;
  }
  ~ChartCommand() override { fs::remove_all(folder_); }

  int Run() {
    out_.str({});
    err_.str({});
    return RunChart(options_, in_, out_, err_);
  }
  std::string Graph(const std::string& name) {
    const fs::path file = folder_ / name;
    code_ = RunChartGraph({{&registry_, chart_, ""}, file}, out_, err_);
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("chart_command_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  fs::path chart_ = folder_ / "door.scxml";
  Registry registry_;
  ChartRunOptions options_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  int code_ = 0;
};

TEST_F(ChartCommand, PrintsEachMacrostep) {
  options_.events = {"open", "0.5:push f=12"};
  options_.max_time = "0.6";
  EXPECT_EQ(Run(), kDone);
  EXPECT_EQ(err_.str(), "");
  EXPECT_EQ(
      out_.str(),
      "0 s\n"
      "  enter door leaf closed lamp off\n"
      "  now   door(leaf(closed) lamp(off))\n"
      "0 s\n"
      "  event open (external)\n"
      "  take  closed -> moving: open (line 5)\n"
      "  take  off -> on: open (line 18)\n"
      "  exit  off closed\n"
      "  enter moving on\n"
      "  now   door(leaf(moving) lamp(on))\n"
      "0.5 s\n"
      "  event push (external)\n"
      "  take  moving -> closed: push [_event.data.f gt 10] / force = _event.data.f; log force (line 9)\n"
      "  exit  moving\n"
      "  log   force: 12\n"
      "  enter closed\n"
      "  now   door(leaf(closed) lamp(on))\n");
}

TEST_F(ChartCommand, RunsTimersInVirtualTime) {
  options_.events = {"open"};
  options_.is_quiet = true;
  EXPECT_EQ(Run(), kDone);
  EXPECT_EQ(out_.str(), "opened on\n");
  options_.max_time = "1.9s";
  EXPECT_EQ(Run(), kDone);
  EXPECT_EQ(out_.str(), "moving on\n");
}

TEST_F(ChartCommand, UntilFinalTellsByItsCode) {
  options_.is_quiet = true;
  options_.is_until_final = true;
  options_.events = {"open"};
  EXPECT_EQ(Run(), kRunFailed);
  EXPECT_EQ(out_.str(), "opened on\n");
  EXPECT_THAT(err_.str(),
              HasSubstr("door.scxml: error: no final state within 3600 s; the chart is in door("));
  options_.events = {"open", "+1 end"};
  EXPECT_EQ(Run(), kDone);
  EXPECT_EQ(out_.str(), "gone\n");
  EXPECT_EQ(err_.str(), "");
}

TEST_F(ChartCommand, ReadsEventsFromAFileOrStandardInput) {
  std::ofstream(folder_ / "events") << "# a comment\n\nopen\n200ms push f=5\n+0.1 push f=50\n";
  options_.script = folder_ / "events";
  options_.max_time = "1";
  options_.is_quiet = true;
  EXPECT_EQ(Run(), kDone);
  EXPECT_EQ(out_.str(), "closed on\n");
  options_.script = "-";
  in_.str("open\n3 end\n");
  options_.max_time = "4";
  EXPECT_EQ(Run(), kDone);
  EXPECT_EQ(out_.str(), "gone\n");
}

TEST_F(ChartCommand, AnswersWrongEventsAllAtOnce) {
  std::ofstream(folder_ / "events") << "2 open\n1 end\n3\nend f\n";
  options_.script = folder_ / "events";
  EXPECT_EQ(Run(), kWrongInput);
  EXPECT_THAT(out_.str(), IsEmpty());
  EXPECT_THAT(err_.str(),
              AllOf(HasSubstr("events:2: error: the event 'end' comes at 1 s, before the event in front"),
                    HasSubstr("events:3: error: the name of the event is missing"),
                    HasSubstr("events:4: error: 'f' is not a value of an event; write KEY=VALUE")));
  options_.script = folder_ / "none";
  options_.max_time = "soon";
  EXPECT_EQ(Run(), kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("cannot open the file of events"),
                                HasSubstr("--max-time soon: error: no time")));
}

TEST_F(ChartCommand, StopsAtLoopsAndStorms) {
  const auto run = [&](const std::string& content) {
    std::ofstream(chart_) << "<scxml version='1.0'>" << content << "</scxml>";
    return Run();
  };
  EXPECT_EQ(run("<state id='a'><transition cond='true' target='b'/></state>"
                "<state id='b'><transition cond='true' target='a'/></state>"),
            kRunFailed);
  EXPECT_THAT(err_.str(),
              HasSubstr("door.scxml: error: livelock: eventless transitions never settle, now in "));
  EXPECT_EQ(
      run("<state id='a'><onentry><send event='e'/></onentry><transition event='e' target='a'/></state>"),
      kRunFailed);
  EXPECT_THAT(err_.str(),
              HasSubstr("door.scxml: error: events without end at 0 s, in a; an event that sends itself"));
}

TEST_F(ChartCommand, ChecksACharts) {
  EXPECT_EQ(RunChartCheck({&registry_, chart_, ""}, out_, err_), kDone);
  EXPECT_EQ(out_.str(), chart_.string() + ": no errors; 10 states, 5 transitions, data model davit\n");
  EXPECT_EQ(RunChartCheck({&registry_, folder_ / "none.scxml", ""}, out_, err_), kWrongInput);
}

/// The short names of a component are known by its model, which the name of the chart or the option gives.
TEST_F(ChartCommand, ChecksTheChartOfAComponentByItsModel) {
  const auto write = [&](const std::string& name, const std::string& signal) {
    std::ofstream(chart_) << fmt::format(
        R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"{}>
  <state id="a"><transition cond="{} gt 250e5" target="b"><assign location="friction" expr="'LuGre'"/></transition></state>
  <state id="b"><transition cond="piston eq 'StopRight'" target="a"><assign location="level" expr="'Ideal'"/></transition></state>
</scxml>)",
        name, signal);
  };
  const Registry models = AllModels();
  const auto check = [&](const std::string& model) {
    err_.str({});
    return RunChartCheck({&models, chart_, "", model}, out_, err_);
  };
  write("", "p_a");
  EXPECT_EQ(check("hydraulic.Cylinder"), kDone) << err_.str();
  EXPECT_EQ(check(""), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("no value is named 'p_a'"));
  EXPECT_THAT(err_.str(), HasSubstr("nothing that can be set is named 'friction'"));
  EXPECT_THAT(err_.str(), HasSubstr("--model hydraulic.Cylinder"));
  EXPECT_EQ(check("hydraulic.Tank"), kWrongInput);
  EXPECT_EQ(check("hydraulic.Cilinder"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("no model 'hydraulic.Cilinder'; did you mean 'hydraulic.Cylinder'?"));
  write(" name=\"hydraulic.Cylinder\"", "p_a");
  EXPECT_EQ(check(""), kDone) << err_.str();
  write("", "p_c");
  EXPECT_EQ(check("hydraulic.Cylinder"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("'p_c'"));
  write("", "1e7*indicator.dry_seals");
  EXPECT_EQ(check("hydraulic.Cylinder"), kDone) << err_.str();
  write("", "1e7*indicator.dry_seal");
  EXPECT_EQ(check("hydraulic.Cylinder"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean 'indicator.dry_seals'?"));
}

TEST_F(ChartCommand, ChecksTheEventsOfAComponent) {
  const Registry models = AllModels();
  const auto check = [&](const std::string& event) {
    err_.str({});
    std::ofstream(chart_) << "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'><state id='a'>"
                             "<transition event='" +
                                 event + "' target='b'/></state><state id='b'/></scxml>";
    return RunChartCheck({&models, chart_, "", "hydraulic.Cylinder"}, out_, err_);
  };
  EXPECT_EQ(check("aspect.friction.LuGre"), kDone) << err_.str();
  EXPECT_EQ(check("mode.piston levels.automatic"), kDone) << err_.str();
  EXPECT_EQ(check("aspect.fricton.LuGre"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("no aspect 'fricton'; did you mean 'friction'?"));
  EXPECT_EQ(check("mode.piston.Stop"), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("mode piston has no option 'Stop'; it has Normal, StopLeft, StopRight"));
}

TEST_F(ChartCommand, DrawsWithStableIds) {
  if (std::system("dot -V > /dev/null 2>&1") != 0) GTEST_SKIP() << "no Graphviz";
  const std::string svg = Graph("door.svg");
  EXPECT_EQ(code_, kDone);
  for (const char* id :
       {"state&#45;closed", "state&#45;leaf", "transition&#45;moving&#45;2", "default&#45;lamp"}) {
    EXPECT_THAT(svg, HasSubstr(std::string("id=\"") + id + "\""));
  }
}

// More regions make a drawing higher, not wider: equal ones are placed in rows of two.
TEST_F(ChartCommand, PutsManyRegionsIntoRows) {
  if (std::system("dot -V > /dev/null 2>&1") != 0) GTEST_SKIP() << "no Graphviz";
  const auto size = [this](int regions) {
    std::string text = R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><parallel id="p">)";
    for (int i = 0; i < regions; ++i) {
      text += fmt::format(
          R"(<state id="r{0}"><state id="a{0}"><transition event="e" target="b{0}"/></state><state id="b{0}"/></state>)",
          i);
    }
    std::ofstream(chart_) << text << "</parallel></scxml>";
    const std::string svg = Graph("regions.svg");
    const std::size_t begin = svg.find("<svg width=");
    EXPECT_NE(begin, std::string::npos);
    std::pair<double, double> width_and_height;
    EXPECT_EQ(std::sscanf(svg.c_str() + begin, "<svg width=\"%lfpt\" height=\"%lfpt\"",
                          &width_and_height.first, &width_and_height.second),
              2);
    return width_and_height;
  };
  const auto [width_of_1, height_of_1] = size(1);
  const auto [width_of_2, height_of_2] = size(2);
  const auto [width_of_7, height_of_7] = size(7);  // four rows
  EXPECT_GT(width_of_2, 1.5 * width_of_1);
  EXPECT_LT(width_of_7, width_of_2 + width_of_1);  // no row has three
  EXPECT_GT(height_of_7, 3 * height_of_2);
}

TEST_F(ChartCommand, WritesTextForOtherPrograms) {
  EXPECT_THAT(Graph("door.dot"), AllOf(HasSubstr("digraph \"door\""), HasSubstr("subgraph \"cluster_1\"")));
  EXPECT_THAT(Graph("door.puml"), AllOf(HasSubstr("@startuml"), HasSubstr("state \"last\" as s7 <<history>>"),
                                        HasSubstr("\n  --\n")));
  EXPECT_THAT(Graph("door.mmd"), AllOf(HasSubstr("stateDiagram-v2"), HasSubstr("s3 --> s4 : open")));
  Graph("door.jpg");
  EXPECT_EQ(code_, kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("a drawing of a chart ends in .svg"));
}

}  // namespace
}  // namespace davit
