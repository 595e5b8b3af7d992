#include "components/hydraulic/laws/orifice_batch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "components/hydraulic/directional_valve_2_2.h"
#include "components/hydraulic/orifice.h"
#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

struct Given {
  double K, dc, Zs;
};

Given RandomOrifice() {
  const double sign = *rc::gen::arbitrary<bool>() ? 1 : -1;
  const double K = *rc::gen::inRange(0, 8) == 0 ? 0 : RandomDecades(-12, -2);
  const double Zs = *rc::gen::inRange(0, 8) == 0 ? 0 : RandomDecades(0, 14);
  const double dc = *rc::gen::inRange(0, 8) == 0 ? 0 : sign * RandomDecades(-6, 9);
  return {K, dc, Zs};
}

/// Whatever is solved together, and in whatever order, each flow has the bits of the orifice alone.
RC_GTEST_PROP(OrificeBatchTest, EachFlowHasTheBitsOfTheOrificeAlone, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(0, OrificeBatch::kMost + 1);
  std::vector<Given> given(count);
  std::generate(given.begin(), given.end(), RandomOrifice);
  OrificeBatch batch;
  for (std::size_t i = count; i-- > 0;) batch.Add(i, given[i].K, given[i].dc, given[i].Zs);
  batch.Solve();
  for (std::size_t i = 0; i < count; ++i) {
    const double alone = OrificeFlow(given[i].K, given[i].dc, given[i].Zs);
    RC_ASSERT(std::bit_cast<std::uint64_t>(batch.flow(i)) == std::bit_cast<std::uint64_t>(alone));
  }
}

TEST(OrificeBatchTest, KeepsFlowsThatAreKnown) {
  OrificeBatch batch;
  batch.Set(0, 0.5);
  batch.Add(1, 1e-6, 1e5, 1e9);
  batch.Set(2, 0.0);
  batch.Solve();
  EXPECT_EQ(batch.flow(0), 0.5);
  EXPECT_EQ(batch.flow(1), OrificeFlow(1e-6, 1e5, 1e9));
  EXPECT_EQ(batch.flow(2), 0.0);
}

/// Orifices and valves that follow each other: each writes the bits that it would write alone.
RC_GTEST_PROP(OrificeInBatchTest, SeveralModelsInOneCallHaveTheBitsOfEachAlone, ()) {
  const auto orifices = *rc::gen::inRange<std::size_t>(0, OrificeBatch::kMost + 8);
  const auto valves = *rc::gen::inRange<std::size_t>(0, OrificeBatch::kMost + 8);
  ComponentHarness harness;
  std::vector<Component*> components;
  std::vector<std::pair<HydraulicBond*, HydraulicBond*>> bonds;
  const auto add = [&](DynamicSimComponent& component) {
    bonds.emplace_back(&harness.AttachHydraulic(component, "a"), &harness.AttachHydraulic(component, "b"));
    *bonds.back().first = RandomNeighbour();
    *bonds.back().second = RandomNeighbour();
    components.push_back(&component);
  };
  for (std::size_t i = 0; i < valves; ++i) {
    auto& valve = harness.Add<DirectionalValve22>(std::to_string(components.size()));
    harness.Set(valve, "opening", *rc::gen::inRange(-2, 12) / 10.0);
    add(valve);
  }
  for (std::size_t i = 0; i < orifices; ++i) {
    auto& orifice = harness.Add<Orifice>(std::to_string(components.size()));
    if (*rc::gen::inRange(0, 4) == 0) harness.Set(orifice, "law", "laminar_turbulent");
    add(orifice);
  }
  harness.Start();
  const auto flows = [&] {
    std::vector<std::uint64_t> bits;
    for (const auto& [a, b] : bonds) {
      bits.push_back(std::bit_cast<std::uint64_t>(a->q));
      bits.push_back(std::bit_cast<std::uint64_t>(b->q));
    }
    for (const Component* component : components)
      bits.push_back(std::bit_cast<std::uint64_t>(harness.Read(*component, "dp")));
    return bits;
  };
  for (Component* component : components)
    static_cast<DynamicSimComponent*>(component)->EvaluateDiffEquations(0);
  const std::vector<std::uint64_t> alone = flows();
  for (const auto& [a, b] : bonds) a->q = b->q = 1;
  OrificeInBatch::EvaluateIndependentFlows(components.data(), components.size(), 0);
  RC_ASSERT(flows() == alone);
}

}  // namespace
}  // namespace davit
