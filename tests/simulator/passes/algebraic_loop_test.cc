#include "simulator/passes/algebraic_loop.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

/// The path of the loop in the island of a component, rotated to begin at `first`; empty where there is none.
std::string LoopIn(const std::string& content, std::string_view path, const std::string& first) {
  LoadedSystem loaded(content);
  const SystemPasses passes(loaded.index());
  const EvaluationGraph graph =
      MakeEvaluationGraph(loaded.index(), passes.contexts, passes.ContextOf(loaded[path]));
  const EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
  if (order.loop.empty()) return {};
  std::string text = DescribeLoop(loaded.index(), graph, order.loop);
  text.erase(text.rfind(" -> "));  // its first item again
  const std::size_t begin = text.find(first);
  if (begin == std::string::npos) return text;
  if (begin > 0) text = text.substr(begin) + " -> " + text.substr(0, begin - std::string(" -> ").size());
  return text;
}

// One loop among components that hang on it: the path names its members and no other.
RC_GTEST_PROP(AlgebraicLoopTest, ThePathIsTheLoopAndNothingElse, ()) {
  const auto length = *rc::gen::inRange<std::uint32_t>(1, 8);
  std::string text;
  std::string expected;
  for (std::uint32_t i = 0; i < length; ++i) {
    text += fmt::format("<test.Sum name='m{}'/><test.Sum name='after{}'/>", i, i);
    text += fmt::format("<Route from='m{}.sum' to='m{}.a'/>", i, (i + 1) % length);
    text += fmt::format("<Route from='m{0}.sum' to='after{0}.a'/>", i);
    text += fmt::format("<Route from='after{}.sum' to='after{}.b'/>", i, i == 0 ? length : i - 1);
    expected += (i == 0 ? "" : " -> ") + fmt::format("m{}.sum", i);
  }
  text += fmt::format("<test.Sum name='after{}'/>", length);
  RC_ASSERT(LoopIn(text, "m0", "m0.sum") == expected);
}

TEST(AlgebraicLoopTest, EachDomainIsNamedByItsOwnVariables) {
  EXPECT_EQ(LoopIn("<test.PassThrough name='p'/><test.PassThrough name='r'/>"
                   "<Connect from='p.b' to='r.a'/><Connect from='r.b' to='p.a'/>",
                   "p", "p.b.p"),
            "p.b.p -> r.b.p");
  EXPECT_EQ(LoopIn("<mechanical.Force name='f'/><mechanical.Mass name='m'/><signal.Gain name='g'/>"
                   "<Connect from='f.port' to='m.a'/><Route from='m.acceleration' to='g.u'/>"
                   "<Route from='g.y' to='f.force'/>",
                   "m", "f.port.F"),
            "f.port.F -> m.acceleration -> g.y");
  EXPECT_EQ(LoopIn("<mechanical.Torque name='t'/><mechanical.Inertia name='i'/><signal.Gain name='g'/>"
                   "<Connect from='t.port' to='i.a'/><Route from='i.acceleration' to='g.u'/>"
                   "<Route from='g.y' to='t.torque'/>",
                   "i", "t.port.T"),
            "t.port.T -> i.acceleration -> g.y");
  EXPECT_EQ(LoopIn("<mechanical.Gear name='g'/><mechanical.Gear name='h'/>"
                   "<Connect from='g.a' to='h.b'/><Connect from='h.a' to='g.b'/>",
                   "g", "g.a.w"),
            "g.a.w -> h.a.w");
}

TEST(AlgebraicLoopTest, AStateOrAnAlgebraicMemberBreaksIt) {
  const std::string ring = "<Route from='a.sum' to='b.u'/><Route from='b.y' to='a.a'/><test.Sum name='a'/>";
  EXPECT_NE(LoopIn(ring + "<signal.Gain name='b'/>", "a", ""), "");
  EXPECT_EQ(LoopIn(ring + "<signal.LowPass name='b'/>", "a", ""), "");
  EXPECT_EQ(LoopIn(ring + "<signal.Gain name='b' solver='Algebraic'/>", "a", ""), "");
}

TEST(AlgebraicLoopTest, IsReportedAtTheWriterOfItsFirstEdge) {
  LoadedSystem loaded(
      "<test.Sum name='a'/>\n<test.Sum name='b'/>\n<Route from='a.sum' to='b.a'/>"
      "<Route from='b.sum' to='a.b'/>");
  const SystemPasses passes(loaded.index());
  const EvaluationGraph graph =
      MakeEvaluationGraph(loaded.index(), passes.contexts, passes.ContextOf(loaded["a"]));
  const EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
  ASSERT_EQ(order.loop.size(), 2U);
  Diagnostics diagnostics;
  ReportLoop(loaded.index(), graph, order.loop, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  const Component& first = *graph.nodes[graph.edges[order.loop[0]].writer].owner;
  EXPECT_EQ(diagnostics.all()[0].path, first.DisplayPath());
  EXPECT_EQ(diagnostics.all()[0].location.line, first.location().line);
}

}  // namespace
}  // namespace davit
