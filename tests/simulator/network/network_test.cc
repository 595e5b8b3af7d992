#include "simulator/network/network.h"

#include <gtest/gtest.h>

#include <unordered_set>

#include "simulator/simulator_manager.h"
#include "tests/support/loaded_system.h"

namespace davit {
namespace {

/// Islands, a schedule with two rates, a source that three of them read, an algebraic loop that is solved.
const char* const kSystem =
    "<signal.Sine name='s'/><test.Body name='a'/><test.Body name='b' TimeStep='2 ms'/>"
    "<hydraulic.VolumeC name='v'/><hydraulic.Orifice name='o'/><hydraulic.Tank name='t'/>"
    "<signal.LowPass name='sensor'/><signal.Gain name='g' solver='Algebraic'/><signal.Gain name='h'/>"
    "<signal.Sum name='sum'/><Connect from='v.port' to='o.a'/><Connect from='o.b' to='t.port'/>"
    "<Route from='s.y' to='a.u'/><Route from='s.y' to='b.u'/><Route from='v.p' to='sum.u'/>"
    "<Route from='s.y' to='sum.u'/><Route from='sum.y' to='sensor.u'/><Route from='g.y' to='h.u'/>"
    "<Route from='h.y' to='g.u'/>";

std::unique_ptr<Network> Build(LoadedSystem& loaded) {
  Diagnostics diagnostics;
  auto network = BuildNetwork(loaded.system(), {}, LoadedSystem::kTimeStep, diagnostics);
  EXPECT_EQ(TextOf(diagnostics), "");
  return network;
}

TEST(BuildNetworkTest, EveryComponentIsEvaluatedOnceAndEveryCopyToo) {
  LoadedSystem loaded(kSystem);
  const auto network = Build(loaded);
  std::unordered_set<const Component*> evaluated;
  for (const auto& island : network->islands) {
    for (const auto* member : island->members()) EXPECT_TRUE(evaluated.insert(member).second);
  }
  for (const auto& rate : network->rates) {
    for (const auto* phase : {&rate->tlm.signal_phase(), &rate->tlm.c_phase(), &rate->tlm.q_phase()}) {
      for (const auto* component : phase->components) EXPECT_TRUE(evaluated.insert(component).second);
    }
  }
  EXPECT_EQ(network->shadows.size(), 2U);
  for (const auto& [copy, original] : network->shadows) {
    EXPECT_EQ(evaluated.count(copy), 1U);
    EXPECT_EQ(original->path(), "s");
  }
  EXPECT_EQ(evaluated.size(), loaded.index().size() - 1 + network->shadows.size());  // without the tank
}

TEST(BuildNetworkTest, ComponentsGetTheirSolversAndRates) {
  LoadedSystem loaded(kSystem);
  const auto network = Build(loaded);
  const SystemPasses passes(loaded.index());
  for (std::uint32_t i = 0; i < loaded.index().size(); ++i) {
    EXPECT_EQ(loaded.index().component(i).GetSolverType(), passes.partition.solvers[i]);
  }
  ASSERT_EQ(network->rates.size(), 2U);
  EXPECT_DOUBLE_EQ(network->rates[0]->h, 1e-3);
  EXPECT_DOUBLE_EQ(network->rates[1]->h, 2e-3);
  EXPECT_EQ(network->rates[1]->components.size(), 1U);
  std::size_t islands = 0;
  for (const auto& rate : network->rates) islands += rate->islands.size();
  EXPECT_EQ(islands, network->islands.size());
}

TEST(BuildNetworkTest, GivesTheSameNetworkWhenItIsCalledAgain) {
  LoadedSystem loaded(kSystem);
  const auto first = Build(loaded);
  std::vector<std::vector<std::string>> names;
  for (const auto& island : first->islands) {
    auto& list = names.emplace_back();
    for (std::size_t i = 0; i < island->states().size(); ++i) list.push_back(island->states().Name(i));
  }
  const auto second = Build(loaded);
  ASSERT_EQ(second->islands.size(), names.size());
  for (std::size_t k = 0; k < names.size(); ++k) {
    const StateVectors& states = second->islands[k]->states();
    ASSERT_EQ(states.size(), names[k].size());
    for (std::size_t i = 0; i < states.size(); ++i) EXPECT_EQ(states.Name(i), names[k][i]);
  }
}

}  // namespace
}  // namespace davit
