#include "framework/tree/item_name.h"

#include <gtest/gtest.h>

namespace davit {
namespace {

TEST(ItemNameTest, TakesANameApart) {
  const auto plain = ParseItemName("x");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->name, "x");
  EXPECT_FALSE(plain->index);
  EXPECT_EQ(plain->field, "");
  const auto whole = ParseItemName("pos[31].ddt");
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->name, "pos");
  EXPECT_EQ(whole->index, 31U);
  EXPECT_EQ(whole->field, "ddt");
  EXPECT_EQ(ParseItemName("rod.F")->field, "F");
  EXPECT_EQ(ParseItemName("a.b.c")->field, "b.c");
}

TEST(ItemNameTest, RefusesWhatNoItemCanBeCalled) {
  for (const char* text : {"x[", "x[]", "x[1", "x[-1]", "x[1]y", "x[4294967296]", "x[1.5]", "x[ 1]"}) {
    EXPECT_FALSE(ParseItemName(text)) << text;
  }
}

TEST(ItemNameTest, AnEmptyNameIsEmpty) {
  EXPECT_EQ(ParseItemName("")->name, "");
  EXPECT_EQ(ParseItemName(".")->name, "");
  EXPECT_EQ(ParseItemName("[0]")->name, "");
}

}  // namespace
}  // namespace davit
