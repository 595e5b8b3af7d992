#include "proof/chart_coverage.h"

#include <gtest/gtest.h>

#include "statecharts/chart_loader.h"
#include "statecharts/session_table.h"

namespace davit {
namespace {

std::shared_ptr<const Chart> Load(const std::string& inside) {
  Diagnostics diagnostics;
  auto chart = LoadChartText(
      R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:davit="urn:davit:chart:1" version="1.0">)" +
          inside + "</scxml>",
      "test.scxml", {}, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << ToText(diagnostics);
  return chart;
}

/// What a run with some events counts.
ChartCounts CountsOf(const std::string& inside, const std::vector<std::string>& events) {
  const auto chart = Load(inside);
  ChartCoverage coverage(*chart);
  SessionTable table(chart, nullptr, nullptr);
  table.set_watch(&coverage);
  table.Start(0);
  double t = 0;
  for (const std::string& event : events) {
    table.session().Send(table.session().MakeEvent(event));
    table.Step(t += 1);
  }
  return coverage.Counts();
}

constexpr const char* kTwoRegions = R"(
  <datamodel><data id="n" expr="0"/></datamodel>
  <parallel id="p">
    <state id="a"><state id="a1"><transition event="go" cond="n gt 0" target="a2"/>
                                 <transition event="count"><assign location="n" expr="n + 1"/></transition></state>
                  <state id="a2"/></state>
    <state id="b"><state id="b1"><transition event="go" target="b2"/></state>
                  <state id="b2"><transition event="go" target="b1"/></state></state>
  </parallel>)";

TEST(ChartCoverage, CountsEachEntryTransitionGuardAndPair) {
  const ChartCounts counts = CountsOf(kTwoRegions, {"go", "count", "go", "go"});
  const ChartCounts::Counts states{{"p", 1}, {"a", 1}, {"a1", 1}, {"a2", 1}, {"b", 1}, {"b1", 2}, {"b2", 2}};
  EXPECT_EQ(counts.states, states);
  const ChartCounts::Counts transitions{{"a1/1", 1}, {"a1/2", 1}, {"b1/1", 2}, {"b2/1", 1}};
  EXPECT_EQ(counts.transitions, transitions);
  const ChartCounts::Counts guards{{"a1/1 true", 1}, {"a1/1 false", 1}};
  EXPECT_EQ(counts.guards, guards);
  EXPECT_EQ(counts.pairs.size(), 4U);
  EXPECT_GT(counts.pairs.at("a1 b1"), 0U);
  EXPECT_GT(counts.pairs.at("a1 b2"), 0U);
  EXPECT_GT(counts.pairs.at("a2 b1"), 0U);
  EXPECT_GT(counts.pairs.at("a2 b2"), 0U);
}

TEST(ChartCoverage, WhatNeverHappensHasTheNumberZero) {
  const ChartCounts counts = CountsOf(kTwoRegions, {});
  EXPECT_EQ(ChartCounts::ShareOf(counts.states).covered, 5U);
  EXPECT_EQ(ChartCounts::ShareOf(counts.states).total, 7U);
  EXPECT_EQ(ChartCounts::ShareOf(counts.transitions).covered, 0U);
  EXPECT_EQ(ChartCounts::ShareOf(counts.guards).percent(), 0);
  EXPECT_EQ(counts.pairs.at("a2 b2"), 0U);
  EXPECT_EQ(counts.pairs.at("a1 b1"), 1U);
}

TEST(ChartCoverage, RunsAddUpAndOtherChartsAreRefused) {
  ChartCounts all = CountsOf(kTwoRegions, {"go"});
  EXPECT_EQ(all.Add(CountsOf(kTwoRegions, {"go", "go"})), "");
  EXPECT_EQ(all.transitions.at("b1/1"), 2U);
  EXPECT_EQ(all.transitions.at("b2/1"), 1U);
  const ChartCounts before = all;
  EXPECT_NE(all.Add(CountsOf(R"(<state id="p"/>)", {})), "");
  EXPECT_EQ(all.states, before.states);
}

TEST(ChartCoverage, AWatchChangesNothing) {
  const auto chart = Load(kTwoRegions);
  ChartCoverage coverage(*chart);
  SessionTable watched(chart, nullptr, nullptr), alone(chart, nullptr, nullptr);
  watched.set_watch(&coverage);
  for (SessionTable* table : {&watched, &alone}) {
    table->Start(0);
    for (const char* event : {"go", "count", "go", "go", "count"}) {
      table->session().Send(table->session().MakeEvent(event));
      table->Step(table->time() + 1);
    }
  }
  EXPECT_EQ(watched.Save(), alone.Save());
}

}  // namespace
}  // namespace davit
