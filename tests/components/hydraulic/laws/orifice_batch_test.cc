#include "components/hydraulic/laws/orifice_batch.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "tests/components/hydraulic/random_network.h"

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

}  // namespace
}  // namespace davit
