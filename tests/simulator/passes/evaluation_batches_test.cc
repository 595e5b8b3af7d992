#include "simulator/passes/evaluation_batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/passes/evaluation_graph.h"
#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::ElementsAre;

struct IslandBatches {
  IslandBatches(std::string_view content, std::string_view path) : loaded(content), passes(loaded.index()) {
    graph = MakeEvaluationGraph(loaded.index(), passes.contexts, passes.ContextOf(loaded[path]));
    EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
    result = MakeBatches(graph, std::move(order.order));
  }
  /// The owners of the evaluations, batch by batch.
  std::vector<std::vector<std::string>> Owners() const {
    std::vector<std::vector<std::string>> owners;
    for (const EvaluationBatch& batch : result.batches) {
      auto& list = owners.emplace_back();
      for (std::size_t i = 0; i < batch.count; ++i) {
        list.push_back(graph.nodes[result.order[batch.begin + i]].owner->path());
      }
    }
    return owners;
  }

  LoadedSystem loaded;
  SystemPasses passes;
  EvaluationGraph graph;
  EvaluationBatches result;
};

TEST(EvaluationBatchesTest, BatchesOfOneTypeCoverTheOrder) {
  const IslandBatches island(
      "<hydraulic.Volume name='v'/><hydraulic.Volume name='w'/><hydraulic.Tank name='t'/>"
      "<hydraulic.Orifice name='o'/><hydraulic.Orifice name='p'/><signal.LowPass name='f'/>"
      "<Connect from='v.port' to='o.a'/><Connect from='o.b' to='w.port'/><Connect from='w.port' to='p.a'/>"
      "<Connect from='p.b' to='t.port'/><Route from='v.p' to='f.u'/>",
      "v");
  std::size_t next = 0;
  for (const EvaluationBatch& batch : island.result.batches) {
    EXPECT_EQ(batch.begin, next);
    EXPECT_GT(batch.count, 0U);
    next += batch.count;
    for (std::size_t i = batch.begin; i < next; ++i) {
      const std::uint32_t node = island.result.order[i];
      EXPECT_EQ(island.graph.nodes[node].evaluate, batch.evaluate);
    }
  }
  EXPECT_EQ(next, island.result.order.size());
  EXPECT_EQ(next, island.graph.nodes.size());
}

TEST(EvaluationBatchesTest, ADerivativeIsReadInALaterBatchThanItIsWritten) {
  const IslandBatches island(
      "<signal.LowPass name='a' solver='Differential'/><signal.LowPass name='b' solver='Differential'/>"
      "<Route from='a.y.ddt' to='b.u' hold='none'/>",
      "a");
  EXPECT_THAT(island.Owners(), ElementsAre(ElementsAre("a"), ElementsAre("b")));
}

TEST(EvaluationBatchesTest, ABatchEndsAfterWhatIsSolvedFor) {
  const IslandBatches island(
      "<signal.Gain name='a' solver='Algebraic'/><signal.Gain name='b' solver='Algebraic'/>"
      "<Route from='a.y' to='b.u'/><Route from='b.y' to='a.u'/>",
      "a");
  EXPECT_THAT(island.Owners(), ElementsAre(ElementsAre("a"), ElementsAre("b")));
}

TEST(EvaluationBatchesTest, ModelsThatEvaluateBatchesDoNotReadTheirOwn) {
  const std::string element =
      "<user.Equation name='{}'><Input name='u'/><State name='x' der='u - x'/>"
      "<Output name='y' expr='u + x'/></user.Equation>";
  const auto named = [&](const std::string& name) {
    std::string text = element;
    return text.replace(text.find("{}"), 2, name);
  };
  const IslandBatches chain(named("a") + named("b") + "<Route from='a.y' to='b.u'/>", "a");
  EXPECT_THAT(chain.Owners(), ElementsAre(ElementsAre("a"), ElementsAre("b")));
  const IslandBatches side_by_side(named("a") + named("b") + "<Route from='a.x' to='b.u'/>", "a");
  EXPECT_THAT(side_by_side.Owners(), ElementsAre(ElementsAre("a", "b")));
}

TEST(EvaluationBatchesTest, ALoopHasNone) {
  const IslandBatches island("<test.Sum name='a'/><Route from='a.sum' to='a.a'/>", "a");
  EXPECT_TRUE(island.result.batches.empty());
}

}  // namespace
}  // namespace davit
