#include "simulator/passes/state_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "simulator/islands/island.h"
#include "simulator/islands/state_vectors.h"
#include "simulator/passes/evaluation_batches.h"
#include "simulator/passes/evaluation_graph.h"
#include "tests/support/loaded_system.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct IslandLayout {
  IslandLayout(std::string_view content, std::string_view path) : loaded(content), passes(loaded.index()) {
    graph = MakeEvaluationGraph(loaded.index(), passes.contexts, passes.ContextOf(loaded[path]));
    EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
    batches = MakeBatches(graph, std::move(order.order));
    layout = LayOutStates(passes.MembersWith(loaded[path]), graph, batches);
  }
  std::string OwnerAt(std::size_t place) const {
    const std::uint32_t context = passes.contexts.schedule_count;  // the only island
    return passes.contexts.members[context][layout.owners[place]].component->path();
  }

  LoadedSystem loaded;
  SystemPasses passes;
  EvaluationGraph graph;
  EvaluationBatches batches;
  StateLayout layout;
};

/// Chain of masses and springs with a sensor.
const char* const kChain =
    "<mechanical.Fixed name='wall'/><mechanical.Spring name='s0'/><mechanical.Mass name='m0'/>"
    "<mechanical.Spring name='s1'/><mechanical.Mass name='m1'/><signal.LowPass name='f'/>"
    "<Connect from='wall.port' to='s0.a'/><Connect from='s0.b' to='m0.a'/>"
    "<Connect from='m0.b' to='s1.a'/><Connect from='s1.b' to='m1.a'/><Route from='m1.x' to='f.u'/>";

TEST(LayOutStatesTest, EveryMemberHasItsPlaceOnceInTheOrderOfEvaluation) {
  const IslandLayout island(kChain, "m0");
  const auto& members = island.layout.members;
  EXPECT_EQ(members.size(), island.graph.nodes_of.size());
  EXPECT_EQ(std::set<std::uint32_t>(members.begin(), members.end()).size(), members.size());
  std::vector<std::uint32_t> evaluated;
  for (const std::uint32_t node : island.batches.order) {
    const std::uint32_t member = island.graph.nodes[node].member;
    if (std::find(evaluated.begin(), evaluated.end(), member) == evaluated.end()) evaluated.push_back(member);
  }
  EXPECT_EQ(std::vector<std::uint32_t>(members.begin(), members.begin() + std::ssize(evaluated)), evaluated);
}

// What was planned is what the vectors of the island then hold.
TEST(LayOutStatesTest, TheIslandHasTheSameOwners) {
  for (const char* more : {"",
                           "<signal.Gain name='a' solver='Algebraic'/><signal.Gain name='b' gain='0.5'/>"
                           "<Route from='a.y' to='b.u'/><Route from='b.y' to='a.u'/>"
                           "<Route from='b.y' to='f.u'/>"}) {
    std::string content = kChain;
    if (*more != '\0') content.erase(content.find("<Route from='m1.x'"));
    content += more;
    const char* path = *more != '\0' ? "a" : "m0";
    const IslandLayout island(content, path);
    TestSystem test(SystemText("TimeStep='1 ms'", "", content));
    const std::uint32_t number =
        island.passes.ContextOf(island.loaded[path]) - island.passes.contexts.schedule_count;
    const StateVectors& states = test.manager().islands()[number]->states();
    ASSERT_EQ(states.size(), island.layout.owners.size());
    for (std::size_t place = 0; place < states.size(); ++place) {
      const auto& members = island.passes.MembersWith(island.loaded[path]);
      EXPECT_EQ(states.Owner(place).path(), members[island.layout.owners[place]].component->path());
    }
  }
}

TEST(LayOutStatesTest, OutputsThatAreSolvedForFollowTheStates) {
  const IslandLayout island(
      "<signal.Gain name='a' solver='Algebraic'/><signal.Gain name='b' solver='Algebraic'/>"
      "<signal.LowPass name='f'/><Route from='a.y' to='b.u'/><Route from='b.y' to='a.u'/>"
      "<Route from='b.y' to='f.u'/>",
      "a");
  ASSERT_EQ(island.layout.owners.size(), 3U);
  EXPECT_EQ(island.layout.state_count(), 1U);
  EXPECT_EQ(island.OwnerAt(0), "f");
  ASSERT_EQ(island.layout.outputs.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(island.layout.outputs[i].owner->path(), island.OwnerAt(1 + i));
    EXPECT_EQ(island.layout.outputs[i].name, "y");
  }
  EXPECT_EQ(island.layout.outputs_end.size(), island.batches.batches.size());
  EXPECT_TRUE(std::is_sorted(island.layout.outputs_end.begin(), island.layout.outputs_end.end()));
  EXPECT_EQ(island.layout.outputs_end.back(), 2U);
  EXPECT_THAT(island.layout.explicit_states, ElementsAre(0));  // f computes its derivative
}

TEST(LayOutStatesTest, UnknownEffortsAndFlowsHaveTypicalSizes) {
  const IslandLayout island(
      "<test.PassThrough name='p' solver='Algebraic'/><test.PassThrough name='r' solver='Algebraic'/>"
      "<Connect from='p.b' to='r.a'/><Connect from='r.b' to='p.a'/>",
      "p");
  std::set<double> nominals;
  for (const auto& output : island.layout.outputs) nominals.insert(output.nominal);
  EXPECT_THAT(nominals, ElementsAre(1e-3, 1e5));  // m3/s, Pa
}

TEST(LayOutStatesTest, StatesOfModelsWithResidualsAreNotExplicit) {
  EXPECT_THAT(IslandLayout("<test.ChainLink name='c'/>", "c").layout.explicit_states, IsEmpty());
  EXPECT_THAT(IslandLayout("<test.Oscillator name='m'/>", "m").layout.explicit_states, ElementsAre(0, 1));
}

TEST(LayOutStatesTest, ArraysTakeOnePlaceForEachElement) {
  EXPECT_EQ(IslandLayout("<test.Pleiades name='m'/>", "m").layout.owners.size(), 28U);
}

}  // namespace
}  // namespace davit
