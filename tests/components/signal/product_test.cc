#include "components/signal/product.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(ProductTest, MultipliesAllRoutes) {
  Block<Product> block;
  block.AddRoute();
  block.Feed(0, -2);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.At(0), -2);
  block.AddRoute().AddRoute();
  block.Feed(1, 3);
  block.Feed(2, 0.5);
  EXPECT_EQ(block.At(0), -3);
  block.Feed(1, 0);
  EXPECT_EQ(block.At(0), 0);
}

}  // namespace
}  // namespace davit
