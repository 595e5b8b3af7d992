#include "simulator/passes/evaluation_graph.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using What = EvaluationGraph::Carried::What;

/// A system, and the graph of the island of one of its components.
struct IslandGraph {
  IslandGraph(std::string_view content, std::string_view path)
      : loaded(content),
        passes(loaded.index()),
        graph(MakeEvaluationGraph(loaded.index(), passes.contexts, passes.ContextOf(loaded[path]))) {}

  EvaluationGraph::Nodes NodesOf(std::string_view path) const {
    return graph.nodes_of.at(passes.MemberOf(loaded[path]));
  }
  std::size_t CountEdges(std::uint32_t writer, std::uint32_t reader, What what) const {
    std::size_t count = 0;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const EvaluationEdge& edge = graph.edges[e];
      count += edge.writer == writer && edge.reader == reader && graph.carried[e].what == what ? 1U : 0U;
    }
    return count;
  }

  LoadedSystem loaded;
  SystemPasses passes;
  EvaluationGraph graph;
};

// Random routes between sums and lags, forward and backward through lags: an output makes one edge, a state
// none, and the order has every writer before its readers.
RC_GTEST_PROP(EvaluationGraphTest, EveryOutputIsWrittenBeforeItIsRead, ()) {
  const auto count = *rc::gen::inRange<std::uint32_t>(2, 15);
  std::string text;
  std::set<std::pair<std::string, std::string>> edges;
  for (std::uint32_t i = 0; i < count; ++i) {
    // All are in one island: that of the body.
    text += fmt::format(
        "<test.Sum name='sum{0}'/><signal.LowPass name='lag{0}'/><Route from='sum{0}.sum' to='lag{0}.u'/>"
        "<Route from='{1}' to='sum{0}.a'/>",
        i, i == 0 ? "body.x" : fmt::format("sum{}.sum", i - 1));
    edges.emplace(fmt::format("sum{}", i), fmt::format("lag{}", i));
    if (i > 0) edges.emplace(fmt::format("sum{}", i - 1), fmt::format("sum{}", i));
    const auto from = *rc::gen::inRange<std::uint32_t>(0, count);
    const bool is_forward = from < i && *rc::gen::arbitrary<bool>();
    text += fmt::format("<Route from='{}' to='sum{}.b'/>",
                        is_forward ? fmt::format("sum{}.sum", from) : fmt::format("lag{}.y", from), i);
    if (is_forward) edges.emplace(fmt::format("sum{}", from), fmt::format("sum{}", i));
  }
  const IslandGraph island("<test.Body name='body'/>" + text, "body");
  const EvaluationGraph& graph = island.graph;
  std::set<std::pair<std::string, std::string>> found;
  for (const EvaluationEdge& edge : graph.edges) {
    found.emplace(graph.nodes[edge.writer].owner->path(), graph.nodes[edge.reader].owner->path());
  }
  RC_ASSERT(found == edges);

  const EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
  RC_ASSERT(order.order.size() == graph.nodes.size());
  std::vector<std::size_t> place(order.order.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[order.order[i]] = i;
  for (const EvaluationEdge& edge : graph.edges) RC_ASSERT(place[edge.writer] < place[edge.reader]);
}

// p of a volume goes to the orifice; its flow comes back late and is read by the late evaluation of the
// volume.
TEST(EvaluationGraphTest, AHydraulicFlowIsComputedAfterTheEfforts) {
  const IslandGraph island(
      "<hydraulic.Volume name='v'/><hydraulic.Orifice name='o'/><hydraulic.Tank name='t'/>"
      "<Connect from='v.port' to='o.a'/><Connect from='o.b' to='t.port'/>",
      "v");
  const auto v = island.NodesOf("v");
  const auto o = island.NodesOf("o");
  EXPECT_EQ(island.CountEdges(v.efforts, o.flows, What::kEffort), 1U);
  EXPECT_EQ(island.CountEdges(o.flows, v.flows, What::kFlow), 1U);
  EXPECT_EQ(island.CountEdges(v.efforts, v.flows, What::kOwnEfforts), 1U);
  EXPECT_EQ(island.graph.edges.size(), 3U);  // the tank is constant
}

// A mass shows its motion early, so that springs can answer with forces that depend on it.
TEST(EvaluationGraphTest, AMotionIsShownBeforeTheEffortsThatReadIt) {
  const IslandGraph island(
      "<mechanical.Mass name='m'/><mechanical.Spring name='s'/><mechanical.Fixed name='f'/>"
      "<Connect from='m.b' to='s.a'/><Connect from='s.b' to='f.port'/>",
      "m");
  const auto m = island.NodesOf("m");
  const auto s = island.NodesOf("s");
  EXPECT_EQ(island.CountEdges(m.efforts, s.efforts, What::kFlow), 1U);
  EXPECT_EQ(island.CountEdges(s.efforts, m.flows, What::kEffort), 1U);
  EXPECT_TRUE(SortEvaluations(island.graph.types, island.graph.edges).loop.empty());
}

TEST(EvaluationGraphTest, ADerivativeIsReadAfterItsOwnerAStateIsKnownBefore) {
  const IslandGraph island(
      "<test.Oscillator name='m'/><signal.Gain name='slope'/><signal.Gain name='state'/>"
      "<Route from='m.v.ddt' to='slope.u'/><Route from='m.x' to='state.u'/>",
      "m");
  const std::uint32_t slope = island.NodesOf("slope").flows;
  EXPECT_EQ(island.CountEdges(island.NodesOf("m").flows, slope, What::kSignal), 1U);
  EXPECT_THAT(island.graph.slope_readers, testing::ElementsAre(slope));
  EXPECT_EQ(island.graph.edges.size(), 1U);
  EXPECT_EQ(island.graph.unknowns_read.size(), 2U);  // both depend on the states of m
}

// What an algebraic member without equations computes is an unknown: its readers need not wait.
TEST(EvaluationGraphTest, WhatIsSolvedForMakesNoEdge) {
  const IslandGraph island(
      "<test.Sum name='a' solver='Algebraic'/><test.Sum name='b'/><Route from='a.sum' to='b.a'/>"
      "<Route from='b.sum' to='a.a'/><Route from='a.sum' to='b.b'/>",
      "a");
  EXPECT_EQ(island.graph.edges.size(), 1U);   // b.sum to a
  ASSERT_EQ(island.graph.solved.size(), 1U);  // once, though it is read twice
  EXPECT_EQ(island.graph.solved[0].name, "sum");
  EXPECT_EQ(island.graph.solved[0].owner->path(), "a");
}

TEST(EvaluationGraphTest, TypesAreThoseOfModelAndEvaluation) {
  const IslandGraph island(
      "<test.Body name='m'/><signal.Gain name='g0'/><signal.Gain name='g1'/><signal.LowPass name='f'/>"
      "<Route from='m.x' to='g0.u'/><Route from='m.x' to='g1.u'/><Route from='g0.y' to='f.u'/>",
      "m");
  const auto type = [&](std::string_view path) { return island.graph.types[island.NodesOf(path).flows]; };
  EXPECT_EQ(type("g0"), type("g1"));
  EXPECT_NE(type("g0"), type("f"));
  EXPECT_NE(type("g0"), type("m"));
}

}  // namespace
}  // namespace davit
