#include "expressions/symbol_table.h"

#include <gtest/gtest.h>

#include <string>

namespace davit {
namespace {

TEST(SymbolTableTest, ATextHasOneSymbol) {
  SymbolTable symbols;
  const SymbolId a = symbols.Add("a");
  EXPECT_EQ(symbols.Find("b"), kNoSymbol);
  const SymbolId b = symbols.Add("b");
  EXPECT_NE(a, b);
  EXPECT_EQ(symbols.Add("a"), a);
  EXPECT_EQ(symbols.Find("b"), b);
  EXPECT_EQ(symbols.size(), 2U);
}

TEST(SymbolTableTest, TextsStayWhileItGrows) {
  SymbolTable symbols;
  const std::string& first = symbols.Text(symbols.Add("first"));
  for (int i = 0; i < 10'000; ++i) symbols.Add(std::to_string(i));
  EXPECT_EQ(first, "first");
  EXPECT_EQ(symbols.Text(symbols.Find("9999")), "9999");
}

}  // namespace
}  // namespace davit
