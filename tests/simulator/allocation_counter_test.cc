#include "app/heap/allocation_counter.h"

#include <gtest/gtest.h>

#include <vector>

namespace davit {
namespace {

TEST(AllocationCounterTest, CountsWhatAVectorTakes) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  const AllocationCounter counter;
  std::vector<double> numbers(100);
  EXPECT_EQ(counter.count(), 1U);
  numbers.push_back(1);
  EXPECT_EQ(counter.count(), 2U);
}

}  // namespace
}  // namespace davit
