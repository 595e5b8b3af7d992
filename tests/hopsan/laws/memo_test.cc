#include "hopsan/laws/memo.h"

#include <gtest/gtest.h>

#include <limits>

namespace davit::hopsan {
namespace {

// The function is asked once, and again where any argument has changed; arguments that are no numbers are
// never the same.
TEST(HopsanMemo, FollowsEachOfItsArguments) {
  Memo<2> product;
  int calls = 0;
  const auto of = [&](double a, double b) {
    return product.Of({a, b}, [&] {
      ++calls;
      return a * b;
    });
  };
  EXPECT_EQ(of(2, 3), 6);
  EXPECT_EQ(of(2, 3), 6);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(of(5, 3), 15);
  EXPECT_EQ(of(5, 7), 35);
  EXPECT_EQ(of(2, 3), 6);
  EXPECT_EQ(calls, 4);
  of(std::numeric_limits<double>::quiet_NaN(), 3);
  of(std::numeric_limits<double>::quiet_NaN(), 3);
  EXPECT_EQ(calls, 6);
}

}  // namespace
}  // namespace davit::hopsan
