#include "simulator/building_blocks/compensated_sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "app/heap/allocation_counter.h"

namespace davit::building_blocks {
namespace {

TEST(CompensatedSumTest, KeepsSmallTermsBesideALargeOne) {
  CompensatedSum sum(1);
  sum += 1e100;
  sum += 1;
  sum -= 1e100;
  EXPECT_EQ(sum.value(), 2);  // a plain sum has 0, Kahan's too
}

TEST(CompensatedSumTest, OfTenMillionTenthsIsRoundedOnce) {
  CompensatedSum sum;
  double plain = 0;
  for (int n = 0; n < 10000000; ++n) {
    sum += 0.1;
    plain += 0.1;
  }
  EXPECT_EQ(sum.value(), 1e6);
  EXPECT_GT(std::abs(plain - 1e6), 1e-5);
}

RC_GTEST_PROP(CompensatedSumTest, IsTheExactSumOfIntegersRounded, (const std::vector<std::int64_t>& terms)) {
  CompensatedSum sum;
  long double exact = 0;  // terms of 53 bits with a common unit: a long double holds 2000 of them exactly
  RC_PRE(terms.size() < 2000);
  for (const std::int64_t term : terms) {
    const double number = static_cast<double>(term >> 10);
    sum += number;
    exact += number;
  }
  RC_ASSERT(sum.value() == static_cast<double>(exact));
}

TEST(CompensatedSumTest, DoesNotAllocate) {
  const AllocationCounter counter;
  CompensatedSum sum;
  for (int n = 0; n < 100; ++n) sum += n;
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace davit::building_blocks
