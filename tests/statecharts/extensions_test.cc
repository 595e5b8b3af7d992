// Elements of davit's own namespace: each equals the plain chart that it replaces.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "statecharts/chart_dot.h"
#include "statecharts/chart_label.h"
#include "tests/statecharts/chart_fixture.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::shared_ptr<const Chart> LoadOrFail(const std::string& text) {
  Diagnostics diagnostics;
  auto chart = LoadChartText(text, "chart.scxml", {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity == Severity::kError) ADD_FAILURE() << ToText(diagnostic);
  }
  if (chart == nullptr) throw std::runtime_error("the chart has errors");
  return chart;
}

// ---- davit:during

const std::string kCount = "<datamodel><data id='n' expr='0'/></datamodel>";

double ValueOf(RunningChart& chart, const std::string& name) {
  const std::vector<ExpressionVariable>& variables = chart.session().chart().program.variables;
  const auto found = std::ranges::find(variables, name, &ExpressionVariable::name);
  return chart.session().Value(static_cast<Index>(found - variables.begin()));
}

TEST(DuringTest, RunsOnceAStepWhileItsStateIsActive) {
  RunningChart chart(
      ChartText(kCount + "<state id='s'><davit:during><assign location='n' expr='n + 1'/></davit:during>"
                         "<transition event='go' target='t'/></state>"
                         "<state id='t'><transition event='back' target='s'/></state>"));
  EXPECT_EQ(ValueOf(chart, "n"), 0);
  for (int step = 1; step <= 3; ++step) chart.table().Step(step);
  EXPECT_EQ(ValueOf(chart, "n"), 3);
  chart.Send("go");
  chart.table().Step(4);
  EXPECT_EQ(ValueOf(chart, "n"), 3);
  chart.Send("back");
  chart.table().Step(5);
  EXPECT_EQ(ValueOf(chart, "n"), 4);
  EXPECT_TRUE(chart.table().needs_steps());
}

TEST(DuringTest, EqualsARegionThatAnEventOfEachStepReaches) {
  const std::string inner = "<assign location='n' expr='n + 1'/><log label='inner' expr='n'/>";
  const std::string outer = "<assign location='n' expr='2 * n'/><log label='outer' expr='n'/>";
  const std::string leave = "<transition cond='n gt 20' target='d'/>";
  RunningChart sugar(ChartText(
      kCount + "<state id='s'><davit:during>" + outer + "</davit:during>" + leave +
      "<state id='a'><davit:during>" + inner +
      "</davit:during><transition event='e' target='b'/></state><state id='b'/></state><state id='d'/>"));
  RunningChart plain(ChartText(
      kCount + "<parallel id='s'>" + leave + "<state id='s.during'><transition event='step'>" + outer +
      "</transition></state><state id='s.body'><state id='a'><transition event='step'>" + inner +
      "</transition><transition event='e' target='b'/></state><state id='b'/></state></parallel>"
      "<state id='d'/>"));
  for (int step = 1; step <= 10; ++step) {
    if (step == 3) {
      sugar.Send("e");
      plain.Send("e");
    }
    sugar.table().Step(step);
    plain.table().Step(step);
    plain.Send("step");
    EXPECT_EQ(ValueOf(sugar, "n"), ValueOf(plain, "n"));
    EXPECT_EQ(sugar.observer.logs, plain.observer.logs);
    EXPECT_EQ(sugar.session().IsActive(sugar.session().chart().state_of_id.at("d")),
              plain.session().IsActive(plain.session().chart().state_of_id.at("d")));
  }
  EXPECT_EQ(sugar.Active(), "d");
}

TEST(DuringTest, WhatItRaisesAndSendsIsSeenInTheSameStep) {
  RunningChart chart(
      ChartText("<state id='s'><davit:during><raise event='in'/><send event='out'/></davit:during>"
                "<transition event='in' target='t'/></state>"
                "<state id='t'><transition event='out' target='u'/></state><state id='u'/>"));
  chart.table().Step(1);
  EXPECT_EQ(chart.Active(), "u");
  EXPECT_THAT(chart.observer.events, ElementsAre("in", "out"));
}

TEST(DuringTest, IsDrawnAndIsRefusedElsewhere) {
  const auto chart = LoadOrFail(
      ChartText(kCount + "<state id='s'><davit:during><assign location='n' expr='1'/></davit:during>"
                         "</state>"));
  EXPECT_THAT(StateLines(*chart, 1), ElementsAre("during / n = 1"));
  EXPECT_THAT(
      FaultsOf(ChartText("<davit:during/><state id='s'><onentry><davit:during/></onentry></state>"
                         "<final id='f'>\n<davit:during/></final>")),
      testing::AllOf(HasSubstr("<davit:during> is not allowed in <scxml>; it has davit:include"),
                     HasSubstr("<davit:during> is not executable content; put it into a state"),
                     HasSubstr("chart.scxml:2: error: /f: <davit:during> is not allowed in <final>")));
  EXPECT_THAT(FaultsOf(ChartText("<state id='s'><davit:durin/></state>")),
              HasSubstr("<davit:durin> is not allowed in <state>; did you mean 'davit:during'?"));
}

// ---- connectors

const std::string kStates = "<state id='a'/><state id='b'/><state id='c'/>";

/// The expansion of a transition: event, condition, targets and content of each.
std::string TransitionsOf(const Chart& chart, const std::string& id) {
  const State& state = chart.states[chart.state_of_id.at(id)];
  std::string text;
  for (Index i = state.transitions.begin; i < state.transitions.end; ++i) {
    const Transition& transition = chart.transitions[i];
    text += TransitionText(chart, transition) + " ->";
    for (Index t = transition.targets.begin; t < transition.targets.end; ++t) {
      text += " " + chart.names[chart.state_lists[t]].id;
    }
    text += '\n';
  }
  return text;
}

TEST(ConnectorTest, AChoiceEqualsGuardedTransitions) {
  const auto sugar = LoadOrFail(
      ChartText(kCount +
                "<davit:choice id='x'><transition cond='n gt 1' target='a'><log label='1'/></transition>"
                "<transition cond='n lt 0 or n == 0.5' target='b'/><transition target='c'/></davit:choice>"
                "<state id='s'><transition event='e f.*' cond='n lt 9' davit:after='1s' target='x'>"
                "<log label='0'/></transition><transition event='g' target='x'/></state>" +
                kStates));
  const auto plain = LoadOrFail(ChartText(
      kCount +
      "<state id='s'>"
      "<transition event='e f.*' cond='(n lt 9) and (n gt 1)' davit:after='1s' target='a'>"
      "<log label='0'/><log label='1'/></transition>"
      "<transition event='e f.*' cond='(n lt 9) and (n lt 0 or n == 0.5)' davit:after='1s' target='b'>"
      "<log label='0'/></transition>"
      "<transition event='e f.*' cond='n lt 9' davit:after='1s' target='c'><log label='0'/></transition>"
      "<transition event='g' cond='n gt 1' target='a'><log label='1'/></transition>"
      "<transition event='g' cond='n lt 0 or n == 0.5' target='b'/>"
      "<transition event='g' target='c'/></state>" +
      kStates));
  EXPECT_EQ(TransitionsOf(*sugar, "s"), TransitionsOf(*plain, "s"));
  EXPECT_EQ(sugar->states.size(), plain->states.size());
}

TEST(ConnectorTest, AChoiceIsMadeInOneMicrostepBeforeAnyAction) {
  RunningChart chart(ChartText(
      kCount +
      "<state id='s'><transition event='e' target='x'><assign location='n' expr='5'/></transition></state>"
      "<davit:choice id='x'><transition cond='n gt 1' target='a'/><transition target='b'>"
      "<log label='n' expr='n'/></transition></davit:choice>" +
      kStates));
  chart.Send("e");
  EXPECT_EQ(chart.Active(), "b");
  EXPECT_THAT(chart.observer.logs, ElementsAre("n=5"));
}

TEST(ConnectorTest, ASelectionComparesDataOfTheEvent) {
  const std::string text = ChartText(
      "<state id='s'><onentry><send event='go'><param name='mode' expr='2'/></send></onentry>"
      "<transition event='go' target='x'/></state>"
      "<davit:select id='x' expr='_event.data.mode'><transition davit:is='1' target='a'/>"
      "<transition davit:is='1 + 1' target='b'/><transition target='c'/></davit:select>" +
      kStates);
  RunningChart chart(text);
  EXPECT_EQ(chart.Active(), "b");
  EXPECT_EQ(TransitionsOf(chart.session().chart(), "s"),
            "go [(_event.data.mode) == (1)] -> a\ngo [(_event.data.mode) == (1 + 1)] -> b\ngo -> c\n");
}

TEST(ConnectorTest, ConnectorsLeadToConnectorsAndIntoRegions) {
  const auto chart = LoadOrFail(ChartText(
      kCount +
      "<davit:choice id='x'><transition cond='n gt 0' target='y'/><transition target='q r'/></davit:choice>"
      "<davit:choice id='y'><transition cond='n gt 1' target='a'/><transition target='b'/></davit:choice>"
      "<state id='s'><transition event='e' target='x'/></state>"
      "<parallel id='p'><state id='v'><state id='q0'/><state id='q'/></state>"
      "<state id='w'><state id='r0'/><state id='r'/></state></parallel>" +
      kStates + "<state id='z'><transition target='c'/></state>"));
  EXPECT_EQ(TransitionsOf(*chart, "s"), "e [(n gt 0) and (n gt 1)] -> a\ne [n gt 0] -> b\ne -> q r\n");
}

TEST(ConnectorTest, AreDrawnOnceWithTheirLetters) {
  const auto chart = LoadOrFail(ChartText(
      kCount +
      "<davit:choice id='x'><transition cond='n gt 0' target='a'><log label='1'/></transition>"
      "<transition target='b'/></davit:choice>"
      "<state id='s'><transition event='e' cond='n lt 9' target='x'/><transition event='f' target='x'/>"
      "</state><state id='a'><transition event='e' target='s'/></state>"
      "<state id='b'/>"));
  const std::string dot = MakeChartDot(*chart);
  EXPECT_THAT(dot, HasSubstr("\"connector-x\" [id=\"connector-x\", shape=circle, style=filled, margin=0, "
                             "width=0.3, label=\"C\"]"));
  const std::string stem = "\"state-s\" -> \"connector-x\" [id=\"transition-s-";
  EXPECT_THAT(dot, HasSubstr(stem + "1\", label=\"e [n lt 9]\"]"));
  EXPECT_THAT(dot, HasSubstr(stem + "3\", label=\"f\"]"));
  const std::string branch = "\"connector-x\" -> \"state-a\" [id=\"branch-x-1\", label=\"[n gt 0] / log 1\"]";
  EXPECT_THAT(dot, HasSubstr(branch));
  EXPECT_EQ(dot.find(branch), dot.rfind(branch));
  EXPECT_THAT(dot, Not(HasSubstr("\"state-s\" -> \"state-a\"")));
}

TEST(ConnectorTest, SaysWhereNoBranchMayFit) {
  EXPECT_EQ(FaultsOf(ChartText(kCount +
                               "<state id='s'><transition event='e' target='x'/></state>"
                               "\n<davit:choice id='x'><transition cond='n gt 1' target='s'/></davit:choice>"
                               "\n<davit:choice id='y'><transition target='s'/></davit:choice>")),
            "chart.scxml:2: warning: /: if no branch of 'x' fits, the transition that leads to it is not "
            "taken; end with a <transition target=\"...\"/> without cond\n"
            "chart.scxml:3: warning: /: no transition leads to this connector; it is never used\n");
}

TEST(ConnectorTest, FaultsHaveTheirPlacesAndComeOnce) {
  const auto faults = [](const std::string& content) {
    return FaultsOf(ChartText(kCount +
                              "<state id='s'><transition event='e' target='x'/>"
                              "<transition event='f' target='x'/></state>\n" +
                              content));
  };
  EXPECT_EQ(faults("<davit:choice id='x'>\n<transition cond='m gt 1' target='s'/><transition target='s'/>"
                   "</davit:choice>"),
            "chart.scxml:3: error: /s: cond, column 19: no value is named 'm'; the chart has n\n");
}

TEST(ConnectorTest, RefusesWrongOnes) {
  const auto faults = [](const std::string& content) {
    return FaultsOf(ChartText(kCount + "<state id='s'><transition event='e' target='x'/></state>" + content));
  };
  const auto branches = [&](const std::string& content) {
    return faults("<davit:choice id='x'>" + content + "</davit:choice>");
  };
  EXPECT_THAT(branches(""), HasSubstr("a connector leads nowhere without a <transition"));
  EXPECT_THAT(branches("<transition/>"), HasSubstr("a branch of a connector leads nowhere; write target"));
  EXPECT_THAT(branches("<transition target='s'/><transition cond='true' target='s'/>"),
              HasSubstr("no branch may follow the one without condition; put it last"));
  EXPECT_THAT(branches("<transition event='e' target='s'/>"), HasSubstr("has no event; write it at"));
  EXPECT_THAT(branches("<transition davit:after='1s' target='s'/>"), HasSubstr("has no davit:after; write"));
  EXPECT_THAT(branches("<transition davit:is='1' target='s'/>"), HasSubstr("use <davit:select>"));
  EXPECT_THAT(branches("<log/>"), HasSubstr("<log> is not allowed in a connector; it has <transition>"));
  EXPECT_THAT(branches("<transition target='t'/>"), HasSubstr("no state has the id 't'"));
  EXPECT_THAT(branches("<transition target='x'/>"), HasSubstr("do they form a cycle?"));
  EXPECT_THAT(faults("<davit:select id='x'><transition target='s'/></davit:select>"),
              HasSubstr("<davit:select> has no expr; write what is compared"));
  EXPECT_THAT(faults("<davit:select id='x' expr='n'><transition davit:is='true' target='s'/></davit:select>"),
              HasSubstr("error: /s: davit:is, column "));
  EXPECT_THAT(faults("<davit:choice id='s'><transition target='s'/></davit:choice>"),
              HasSubstr("the id 's' is already taken; give each state and connector its own"));
  EXPECT_THAT(faults("<davit:choice><transition target='s'/></davit:choice>"),
              HasSubstr("a connector needs an id"));
  EXPECT_THAT(faults("<davit:choice id='x'><transition target='s'/></davit:choice><state id='t' initial='x'>"
                     "<state id='u'/></state>"),
              HasSubstr("'x' is a connector, to which only a transition of a state leads"));
}

TEST(ConnectorTest, BombsAreRefused) {
  std::string content = "<state id='s'><transition event='e' target='x0'/></state>";
  for (int i = 0; i < 15; ++i) {
    content += "<davit:choice id='x" + std::to_string(i) + "'>";
    for (int k = 0; k < 8; ++k)
      content += "<transition cond='true' target='x" + std::to_string(i + 1) + "'/>";
    content += "</davit:choice>";
  }
  content += "<davit:choice id='x15'><transition target='s'/></davit:choice>";
  EXPECT_THAT(FaultsOf(ChartText(content)), HasSubstr("connectors make more than 20000 transitions"));
}

// ---- davit:include

class IncludeTest : public testing::Test {
 protected:
  IncludeTest() { fs::create_directories(folder_ / "parts"); }
  ~IncludeTest() override { fs::remove_all(folder_); }

  void Write(const std::string& name, const std::string& content, const std::string& attributes = "") {
    WriteText(name, ChartText(content, attributes));
  }
  void WriteText(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  /// The chart of a file, with its diagnostics in `faults_`, in which the folder is left out.
  std::shared_ptr<const Chart> Load(const std::string& name) {
    Diagnostics diagnostics;
    auto chart = LoadChart(folder_ / name, {}, diagnostics);
    faults_.clear();
    for (const Diagnostic& diagnostic : diagnostics.SortedByPlace()) {
      std::string text = ToText(diagnostic);
      const std::string path = folder_.string() + "/";
      for (std::size_t at = 0; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
      faults_ += text + "\n";
    }
    return chart;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("davit_include_" + std::to_string(getpid()));
  std::string faults_;
};

const std::string kLevels =
    "<datamodel><data id='n' expr='1'/></datamodel>"
    "<state id='low'><transition event='up' cond=\"n gt 0 and not In('high')\" target='high'/></state>"
    "<state id='high'><transition event='down' target='low'/><transition event='off' target='end'/></state>";

TEST_F(IncludeTest, EqualsTheChartWrittenInOneFile) {
  Write("parts/levels.scxml", kLevels, "initial='high'");
  Write("chart.scxml",
        "<state id='s'><onentry><log label='in'/></onentry><davit:include src='parts/levels.scxml'/>"
        "<transition event='stop' target='end'/></state><final id='end'/>",
        "name='c'");
  Write("plain.scxml",
        "<state id='s' initial='high'><onentry><log label='in'/></onentry>" + kLevels +
            "<transition event='stop' target='end'/></state><final id='end'/>",
        "name='c'");
  const auto sugar = Load("chart.scxml");
  EXPECT_EQ(faults_, "");
  const auto plain = Load("plain.scxml");
  ASSERT_TRUE(sugar != nullptr && plain != nullptr);
  EXPECT_EQ(MakeChartDot(*sugar), MakeChartDot(*plain));
}

TEST_F(IncludeTest, APrefixKeepsIdsAndDataApart) {
  Write("levels.scxml", kLevels +
                            "<state id='sub'><state id='u'/><final id='f'/>"
                            "<transition event='done.state.sub' cond=\"timeIn('sub') gt n\" target='low'>"
                            "<assign location='n' expr='n + 1'/></transition></state>");
  const std::string file = "<davit:include src='levels.scxml' prefix=";
  Write("chart.scxml", "<parallel id='p'><state id='a'>" + file + "'a.'/></state><state id='b'>" + file +
                           "'b.'/><transition event='x' target='a.high'/></state></parallel>"
                           "<final id='end'/>");
  const auto chart = Load("chart.scxml");
  ASSERT_NE(chart, nullptr) << faults_;
  EXPECT_EQ(TransitionsOf(*chart, "a.low"), "up [n gt 0 and not In('high')] -> a.high\n");
  EXPECT_EQ(TransitionsOf(*chart, "b.low"), "up [n gt 0 and not In('high')] -> b.high\n");
  EXPECT_EQ(TransitionsOf(*chart, "b.high"), "down -> b.low\noff -> end\n");
  EXPECT_THAT(TransitionsOf(*chart, "b.sub"), HasSubstr("done.state.b.sub ["));
  ASSERT_EQ(chart->data.size(), 2U);
  EXPECT_EQ(chart->data[0].id, "a.n");
  EXPECT_EQ(chart->data[1].id, "b.n");
  SessionTable table(chart, nullptr, nullptr);
  table.Start(0);
  table.session().Send(table.session().MakeEvent("up"));
  table.Step(1);
  EXPECT_TRUE(table.session().IsActive(chart->state_of_id.at("a.high")));
  EXPECT_TRUE(table.session().IsActive(chart->state_of_id.at("b.high")));
}

TEST_F(IncludeTest, FilesIncludeFilesBesideThem) {
  Write("parts/inner.scxml", "<state id='u'/><state id='v'><transition event='e' target='out'/></state>",
        "initial='v'");
  Write("parts/outer.scxml", "<state id='t'><davit:include src='inner.scxml' prefix='i.'/></state>");
  Write("chart.scxml",
        "<state id='s'><davit:include src='parts/outer.scxml' prefix='o.'/></state>"
        "<state id='out'><transition event='e' target='s o.i.u'/></state>");
  EXPECT_EQ(Load("chart.scxml"), nullptr);
  EXPECT_THAT(faults_, HasSubstr("the targets 's' and 'o.i.u' cannot be active together"));
  Write("chart.scxml",
        "<state id='s'><davit:include src='parts/outer.scxml' prefix='o.'/></state>"
        "<state id='out'><transition event='e' target='o.i.u'/></state>");
  const auto chart = Load("chart.scxml");
  ASSERT_NE(chart, nullptr) << faults_;
  EXPECT_EQ(TransitionsOf(*chart, "o.i.v"), "e -> out\n");
  EXPECT_EQ(TransitionsOf(*chart, "out"), "e -> o.i.u\n");
}

TEST_F(IncludeTest, FaultsCarryThePlaceInTheirOwnFile) {
  Write("parts/levels.scxml",
        "\n<state id='low'>\n<transition event='up' target='hihg'/></state>\n"
        "<state id='high'><transition cond='m gt 1' target='low'/><onentry><rais "
        "event='e'/></onentry></state>");
  Write("chart.scxml", "\n\n\n\n\n\n<state id='s'><davit:include src='parts/levels.scxml'/></state>");
  EXPECT_EQ(Load("chart.scxml"), nullptr);
  EXPECT_THAT(faults_, HasSubstr("parts/levels.scxml:3: error: /s/low: no state has the id 'hihg'; did you "
                                 "mean 'high'?"));
  EXPECT_THAT(faults_, HasSubstr("parts/levels.scxml:4: error: /s/high: cond, column 36: no value"));
  EXPECT_THAT(faults_, HasSubstr("parts/levels.scxml:4: error: /s/high: <rais> is not executable content"));
  EXPECT_THAT(faults_, Not(HasSubstr("chart.scxml:")));
  Write("parts/levels.scxml", "<state id='low'/>\n<state id='never'/>");
  EXPECT_NE(Load("chart.scxml"), nullptr);
  EXPECT_EQ(faults_,
            "parts/levels.scxml:2: warning: /s/never: no transition leads to this state; it is never "
            "entered\n");
}

TEST_F(IncludeTest, AnErrorInARunNamesTheFile) {
  Write("part.scxml",
        "<datamodel><data id='n' expr='0'/></datamodel>\n<state id='t'>\n"
        "<onentry>\n<assign location='n' expr='1 / n'/></onentry></state>");
  Write("chart.scxml", "<state id='s'><davit:include src='part.scxml'/></state>");
  RecordingObserver observer;
  SessionTable table(Load("chart.scxml"), nullptr, &observer);
  table.Start(0);
  ASSERT_EQ(observer.errors.size(), 1U);
  EXPECT_THAT(observer.errors.front(), HasSubstr("part.scxml:4: "));
}

TEST_F(IncludeTest, RefusesWrongOnes) {
  const auto faults = [&](const std::string& content, const std::string& attributes = "") {
    Write("chart.scxml", content, attributes);
    EXPECT_EQ(Load("chart.scxml"), nullptr);
    return faults_;
  };
  Write("a.scxml", "<state id='t'><davit:include src='b.scxml'/></state>");
  Write("b.scxml", "<state id='u'>\n<davit:include src='./a.scxml'/></state>");
  Write("c.scxml", "<state id='s'/>");
  const std::string s = "<state id='s'>";
  EXPECT_THAT(faults(s + "<davit:include src='a.scxml'/></state>"),
              testing::AllOf(HasSubstr("b.scxml:2: error: /: "), HasSubstr("includes itself; write")));
  EXPECT_THAT(faults(s + "<davit:include src='chart.scxml'/></state>"), HasSubstr("includes itself; write"));
  EXPECT_THAT(faults(s + "<davit:include/></state>"), HasSubstr("<davit:include> has no src; write"));
  EXPECT_THAT(faults(s + "<davit:include src='none.scxml'/></state>"),
              HasSubstr("chart.scxml:1: error: /: "));
  EXPECT_THAT(faults(s + "<davit:include scr='c.scxml' src='c.scxml'/></state>"),
              HasSubstr("no attribute 'scr' on <davit:include>; it has src and prefix"));
  EXPECT_THAT(faults(s + "<davit:include src='c.scxml' prefix='a b'/></state>"),
              HasSubstr("'a b' is not a prefix of ids"));
  EXPECT_THAT(faults(s + "<davit:include src='c.scxml'/></state>"),
              testing::AllOf(HasSubstr("c.scxml:1: error: "), HasSubstr("already taken by line 1 of"),
                             HasSubstr("each <davit:include> a prefix")));
  EXPECT_THAT(faults(s + "<davit:include src='c.scxml' prefix='p'/><davit:include src='c.scxml'/></state>"),
              HasSubstr("a second <davit:include> of a state"));
  EXPECT_THAT(faults(s + "</state><final id='f'><davit:include src='c.scxml' prefix='p'/></final>"),
              HasSubstr("<davit:include> is not allowed in <final>"));
  Write("d.scxml", "<state id='t'/>", "datamodel='null' initial='t'");
  EXPECT_THAT(faults(s + "<davit:include src='d.scxml'/></state>"),
              HasSubstr("the data model is 'null', that of the chart around it davit; write the same"));
  Write("d.scxml", "<state id='t'/>", "initial='t'");
  EXPECT_THAT(faults("<parallel id='p'><davit:include src='d.scxml'/></parallel>"),
              HasSubstr("d.scxml:1: error: /: the file is included by a <parallel>"));
  EXPECT_THAT(faults("<state id='s' initial='t'><davit:include src='d.scxml'/></state>"),
              HasSubstr("both the state and the file it includes have an attribute initial; keep one"));
  WriteText("d.scxml", "<scxml");
  EXPECT_THAT(faults(s + "<davit:include src='d.scxml'/></state>"), HasSubstr("d.scxml:1: error: "));
  WriteText("d.scxml", "<System/>");
  EXPECT_THAT(faults(s + "<davit:include src='d.scxml'/></state>"),
              HasSubstr("d.scxml:1: error: the root element is 'System'"));
}

TEST_F(IncludeTest, BombsAreRefused) {
  for (int i = 0; i < 9; ++i) {
    std::string content;
    for (const std::string child : {"a", "b", "c", "d"}) {
      content += "<state id='" + child + "'><davit:include src='" + std::to_string(i + 1) + "' prefix='" +
                 child + ".'/></state>";
    }
    Write(std::to_string(i), content);
  }
  Write("9", "<state id='a'/>");
  EXPECT_EQ(Load("0"), nullptr);
  EXPECT_THAT(faults_, HasSubstr("files include each other more than 8 deep"));
  EXPECT_EQ(Load("2"), nullptr);
  EXPECT_THAT(faults_, HasSubstr("the chart includes more than 1000 files or 4 MiB; split it"));
}

}  // namespace
}  // namespace davit
