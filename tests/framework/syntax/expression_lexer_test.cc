#include "framework/syntax/expression_lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "framework/syntax/expression_units.h"

namespace davit {
namespace {

using testing::ElementsAre;

std::vector<std::string> TextsOf(std::string_view expression) {
  ExpressionLexer lexer(expression);
  std::vector<std::string> texts;
  for (Token token = lexer.Next(); token.kind != TokenKind::kEnd; token = lexer.Next()) {
    if (token.kind == TokenKind::kFault) {
      texts.push_back("fault");
      break;
    }
    texts.emplace_back(token.text);
  }
  return texts;
}

TEST(ExpressionLexerTest, CutsAtTheLongestSymbol) {
  EXPECT_THAT(TextsOf("a<=b"), ElementsAre("a", "<=", "b"));
  EXPECT_THAT(TextsOf("a< =b"), ElementsAre("a", "<", "fault"));
  EXPECT_THAT(TextsOf("!a!=!b"), ElementsAre("!", "a", "!=", "!", "b"));
  EXPECT_THAT(TextsOf("a===b"), ElementsAre("a", "==", "b"));
}

TEST(ExpressionLexerTest, WordsAreSymbols) {
  EXPECT_THAT(TextsOf("a and b or not c lt d"), ElementsAre("a", "&&", "b", "||", "!", "c", "<", "d"));
  EXPECT_THAT(TextsOf("andy"), ElementsAre("andy"));
}

TEST(ExpressionLexerTest, NamesHaveDotsAndElements) {
  EXPECT_THAT(TextsOf("pump.p + q[2].x"), ElementsAre("pump.p", "+", "q[2].x"));
  EXPECT_THAT(TextsOf("q[] + 1"), ElementsAre("q", "fault"));
}

TEST(ExpressionLexerTest, NumbersAreThoseOfCppWithoutUnits) {
  ExpressionLexer lexer(" 1.5e3");
  const Token token = lexer.Next();
  EXPECT_EQ(token.number, 1500);
  EXPECT_EQ(token.offset, 1U);
  EXPECT_THAT(TextsOf("3bar"), ElementsAre("fault"));
  EXPECT_THAT(TextsOf("1e999"), ElementsAre("fault"));
}

TEST(ExpressionLexerTest, ANumberTakesTheLongestUnit) {
  const ExpressionUnits units;
  const auto first = [&](std::string_view text) { return ExpressionLexer(text, &units).Next(); };
  EXPECT_EQ(first("250 bar").number, 250e5);
  EXPECT_EQ(first("250bar > x").number, 250e5);
  EXPECT_EQ(first("2 N.s/m*v").text, "2");
  EXPECT_EQ(first("2 N.s/m*v").dimension, units.get().Find("N.s/m")->dimension);
  EXPECT_EQ(first("3 m/y").dimension, units.get().Find("m")->dimension);
  EXPECT_EQ(first("5 kg/(m s2)").dimension, units.get().Find("Pa")->dimension);
  EXPECT_FALSE(first("3 lt 5").has_unit);
  EXPECT_FALSE(first("7 % 2").has_unit);
  EXPECT_FALSE(first("7 % -2").has_unit);
  EXPECT_EQ(first("2 %").number, 0.02);
  EXPECT_EQ(first("2 % + x").number, 0.02);
  EXPECT_EQ(first("3 brr").fault.ToText().substr(0, 18), "unknown unit 'brr'");
}

TEST(ExpressionLexerTest, StringsHaveEitherQuote) {
  EXPECT_THAT(TextsOf("'a b' \"c'd\""), ElementsAre("a b", "c'd"));
  EXPECT_THAT(TextsOf("'a"), ElementsAre("fault"));
}

TEST(ExpressionLexerTest, AFaultHasARemedy) {
  for (const char* text : {"a = 1", "'a", "3bar", "1e999", "@"}) {
    ExpressionLexer lexer(text);
    Token token = lexer.Next();
    while (token.kind != TokenKind::kFault && token.kind != TokenKind::kEnd) token = lexer.Next();
    EXPECT_FALSE(token.fault.what.empty() || token.fault.remedy.empty()) << text;
  }
}

/// Any text ends, and no token lies outside of it.
RC_GTEST_PROP(ExpressionLexerTest, EndsOnAnyText, (const std::string& text)) {
  ExpressionLexer lexer(text);
  std::size_t last = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const Token token = lexer.Next();
    RC_ASSERT(token.offset <= text.size());
    RC_ASSERT(token.offset >= last);
    if (token.kind == TokenKind::kEnd || token.kind == TokenKind::kFault) return;
    last = token.offset;
  }
  RC_FAIL("more tokens than letters");
}

}  // namespace
}  // namespace davit
