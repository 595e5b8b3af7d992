#include "framework/arithmetic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace davit {
namespace {

using testing::HasSubstr;

double ArithmeticValue(std::string_view text) {
  constexpr std::array<NamedNumber, 2> kNames{{{"i", 7}, {"n_2", 4}}};
  const ArithmeticResult result = EvaluateArithmetic(text, kNames);
  EXPECT_EQ(result.fault.ToText(), "") << text;
  return result.value;
}

std::string ArithmeticFault(const std::string& text) {
  constexpr std::array<NamedNumber, 1> kNames{{{"i", 7}}};
  return EvaluateArithmetic(text, kNames).fault.ToText();
}

TEST(EvaluateArithmeticTest, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(ArithmeticValue("i-1"), 6);
  EXPECT_EQ(ArithmeticValue(" 2 * (i + 1) / n_2 "), 4);
  EXPECT_EQ(ArithmeticValue("1 - 2 - 3"), -4);
  EXPECT_EQ(ArithmeticValue("12/3/2"), 2);
  EXPECT_EQ(ArithmeticValue("-i*-2 + +1"), 15);
  EXPECT_EQ(ArithmeticValue("i % n_2"), 3);
  EXPECT_EQ(ArithmeticValue("1.5e1"), 15);
  EXPECT_EQ(ArithmeticValue("max(i, 2*n_2) - min(1, 2)"), 7);
  EXPECT_EQ(ArithmeticValue("sin(2*pi*i/3)"), std::sin(2 * std::numbers::pi * 7 / 3));
  EXPECT_EQ(ArithmeticValue("pow(sqrt(n_2), 3)"), 8);
  EXPECT_EQ(ArithmeticValue("i gt 5 and not (n_2 eq 3) ? i : -1"), 7);
}

TEST(EvaluateArithmeticTest, SaysWhatIsWrong) {
  EXPECT_EQ(ArithmeticFault("j+1"), "nothing is named 'j'; there are i");
  EXPECT_THAT(ArithmeticFault("sine(1)"), HasSubstr("no function 'sine'; did you mean 'sin'?"));
  EXPECT_THAT(ArithmeticFault("1/(i-7)"), HasSubstr("'1/(i-7)' has no finite value"));
  EXPECT_THAT(ArithmeticFault("(1"), HasSubstr("')' is missing here"));
  EXPECT_THAT(ArithmeticFault("pow(1)"), HasSubstr("pow takes 2 numbers"));
  EXPECT_THAT(ArithmeticFault("i > 2"), HasSubstr("'i > 2' is a condition"));
  EXPECT_THAT(ArithmeticFault("i and 1 > 0"), HasSubstr("'i' is a number"));
  EXPECT_THAT(ArithmeticFault("1 2"), HasSubstr("the expression should end here"));
  EXPECT_THAT(ArithmeticFault("$"), HasSubstr("'$' has no meaning here"));
  EXPECT_THAT(ArithmeticFault("2*"), HasSubstr("the expression ends too early"));
  EXPECT_THAT(ArithmeticFault(""), HasSubstr("the expression is empty"));
  EXPECT_THAT(ArithmeticFault(std::string(100'000, '(')), HasSubstr("nested too deeply"));
}

TEST(EvaluateArithmeticTest, ItsTextReadsBackAsTheSameNumber) {
  EXPECT_EQ(ToArithmeticText(-3), "-3");
  EXPECT_EQ(ToArithmeticText(1e9), "1000000000");
  for (const double value : {0.1, 1.0 / 3, -2.5e-9, 1e300, 9007199254740992.0}) {
    EXPECT_EQ(ArithmeticValue(ToArithmeticText(value)), value);
  }
}

}  // namespace
}  // namespace davit
