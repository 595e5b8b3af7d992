// Oil bears no tension, whatever changes its level while the crane works. benchmarks/crane_switching.cc does
// the same 300 times.

#include "tests/support/switched_crane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace davit {
namespace {

TEST(SwitchedCraneTest, NoPressureIsBelowVacuum) {
  constexpr double kStop = 6;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SwitchedCrane crane(seed, 30, kStop);
    const SwitchedCrane::Lowest lowest = crane.RunUntil(kStop);
    EXPECT_GE(lowest.pressure, kVacuum) << "seed " << seed << ", " << lowest.path;
    EXPECT_GT(crane.switches(), 10U);
  }
}

}  // namespace
}  // namespace davit
