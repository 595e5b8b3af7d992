// What expressions evaluate to: operators, functions, states, events, edges.

#include "expressions/expression_program.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tests/expressions/expression_fixture.h"

namespace davit {
namespace {

/// Its value; NaN where the evaluation fails.
double ValueOf(const std::string& text) {
  ExpressionFixture fixture;
  const ExpressionValue result = fixture.Evaluate(text);
  return result.is_valid ? result.value : std::numeric_limits<double>::quiet_NaN();
}

bool Fails(const std::string& text) { return std::isnan(ValueOf(text)); }

TEST(ExpressionProgramTest, BindsAsC) {
  EXPECT_EQ(ValueOf("1 + 2 * 3"), 7);
  EXPECT_EQ(ValueOf("(1 + 2) * 3"), 9);
  EXPECT_EQ(ValueOf("10 - 4 - 3"), 3);
  EXPECT_EQ(ValueOf("-2 * -x"), 5);
  EXPECT_EQ(ValueOf("7 % 4 + 1"), 4);
  EXPECT_EQ(ValueOf("1 + 1 == 2 && 3 > 2"), 1);
  EXPECT_EQ(ValueOf("true || false && false"), 1);
  EXPECT_EQ(ValueOf("!b || x < 3"), 1);
  EXPECT_EQ(ValueOf("x > 2 ? 10 : 20"), 10);
  EXPECT_EQ(ValueOf("x > 3 ? 10 : x > 2 ? 20 : 30"), 20);
  EXPECT_EQ(ValueOf("1e3 + .5"), 1000.5);
}

TEST(ExpressionProgramTest, WordsAreOperators) {
  EXPECT_EQ(ValueOf("x lt 3 and not (x le 2) or false"), 1);
  EXPECT_EQ(ValueOf("x gt 3 or x ge 2.5"), 1);
  EXPECT_EQ(ValueOf("x eq 2.5"), 1);
  EXPECT_EQ(ValueOf("x ne 2.5"), 0);
}

TEST(ExpressionProgramTest, TextsCompareAsSymbols) {
  EXPECT_EQ(ValueOf("m == 'auto'"), 1);
  EXPECT_EQ(ValueOf("m != 'manual'"), 1);
  ExpressionFixture fixture;
  const double value = fixture.Evaluate("m != 'manual' ? 'yes' : 'no'").value;
  EXPECT_EQ(value, fixture.symbols.Find("yes"));
}

TEST(ExpressionProgramTest, ShortCircuitsGuardWhatFollows) {
  EXPECT_EQ(ValueOf("x > 100 && _event.data.q > 0"), 0);  // no event, but not looked at
  EXPECT_EQ(ValueOf("b || _event.data.q > 0"), 1);
  EXPECT_EQ(ValueOf("b ? 1 : _event.data.q"), 1);
  EXPECT_TRUE(Fails("_event.data.q > 0"));
}

TEST(ExpressionProgramTest, WhatIsNoNumberIsInvalid) {
  EXPECT_TRUE(Fails("1 / 0"));
  EXPECT_TRUE(Fails("1 / 0 > 0"));
  EXPECT_TRUE(Fails("sqrt(-1) < 1"));
  EXPECT_TRUE(Fails("sqrt(-1) != sqrt(-1)"));
  EXPECT_TRUE(Fails("log(0)"));
}

TEST(ExpressionProgramTest, FunctionsAreThoseOfMathematics) {
  EXPECT_EQ(ValueOf("max(1, 2) + min(1, 2)"), 3);
  EXPECT_EQ(ValueOf("abs(-3) + sign(-7)"), 2);
  EXPECT_EQ(ValueOf("hypot(3, 4)"), 5);
  EXPECT_EQ(ValueOf("floor(2.7) + ceil(2.2) + round(2.5)"), 8);
  EXPECT_EQ(ValueOf("pow(2, 10) + sqrt(81)"), 1033);
  EXPECT_EQ(ValueOf("sin(0) + cos(0) + exp(0) + atan2(0, 1)"), 2);
}

/// Arithmetic is that of IEEE doubles, whichever operands are constants, variables or results.
RC_GTEST_PROP(ExpressionProgramTest, ComputesAsCpp, ()) {
  const auto number = [] { return *rc::gen::inRange(-1000, 1000) / 8.0; };
  const double a = number();
  const double c = number();
  constexpr double kX = 2.5;
  const std::string a_text = '(' + std::to_string(a) + ')';
  const std::string c_text = '(' + std::to_string(c) + ')';
  const auto value = [&](const std::string& form) {
    std::string text;
    for (const char letter : form)
      text += letter == 'A' ? a_text : letter == 'C' ? c_text : std::string(1, letter);
    return ValueOf(text);
  };
  RC_ASSERT(value("A + x * C - (A - x) * 0.5") == a + kX * c - (a - kX) * 0.5);
  RC_ASSERT(value("(A lt x and x le C) == (not (A ge x) and C ge x)") == 1);
  RC_ASSERT(value("A - x - C == A - (x + C)") == 1);
  RC_ASSERT(value("-A * (x - -C) == -(A * (x + C))") == 1);
}

TEST(ExpressionProgramTest, InReadsTheBitOfTheState) {
  const std::array<std::uint64_t, 2> active{1U << 3, std::uint64_t{1} << (64 - 1)};
  const auto is_in = [&](const std::string& id) {
    ExpressionFixture fixture;
    fixture.context.active_states = active.data();
    return fixture.Evaluate("In('" + id + "')").value;
  };
  EXPECT_EQ(is_in("s3"), 1);
  EXPECT_EQ(is_in("s2"), 0);
  EXPECT_EQ(is_in("s64"), 0);
  EXPECT_EQ(is_in("s67"), 0);
}

TEST(ExpressionProgramTest, InReadsEveryWord) {
  std::array<std::uint64_t, 2> active{};
  for (StateId state = 0; state < 100; ++state) {
    active = {};
    active[state / 64] = std::uint64_t{1} << (state % 64);
    ExpressionFixture fixture;
    fixture.context.active_states = active.data();
    const std::string next = std::to_string((state + 1) % 100);
    EXPECT_EQ(fixture.Evaluate("In('s" + std::to_string(state) + "') and not In('s" + next + "')").value, 1);
  }
}

TEST(ExpressionProgramTest, TimeInIsTheTimeSinceTheEntry) {
  const std::vector<double> entered{0, 0.25, 1};
  ExpressionFixture fixture;
  fixture.context.entered = entered.data();
  fixture.context.time = 1.5;
  fixture.source = 2;
  EXPECT_EQ(fixture.Evaluate("100*time + 10*timeIn('s1') + timeInState()").value, 150 + 12.5 + 0.5);
}

class EventExpressionTest : public testing::Test {
 protected:
  EventExpressionTest() { fixture.context.event = &event; }

  ExpressionFixture fixture;
  ExpressionEvent event;
};

TEST_F(EventExpressionTest, NameIsASymbol) {
  event.name = fixture.symbols.Add("go");
  EXPECT_EQ(fixture.Evaluate("_event.name == 'go'").value, 1);
}

TEST_F(EventExpressionTest, AnUnknownNameEqualsNothing) {
  const ExpressionValue is_go = fixture.Evaluate("_event.name == 'go'");
  EXPECT_TRUE(is_go.is_valid);
  EXPECT_EQ(is_go.value, 0);
}

TEST_F(EventExpressionTest, DataAreValuesOfTheTypeOfTheirUse) {
  event.has_value = true;
  event.value = {kNoSymbol, ValueType::kNumber, 4};
  event.field_count = 2;
  event.fields[0] = {fixture.symbols.Add("q"), ValueType::kNumber, 0.5};
  event.fields[1] = {fixture.symbols.Add("on"), ValueType::kBoolean, 1};
  EXPECT_EQ(fixture.Evaluate("_event.data.on ? _event.data * _event.data.q : 0").value, 2);
}

TEST_F(EventExpressionTest, AMissingFieldOrAnotherTypeIsInvalid) {
  event.field_count = 1;
  event.fields[0] = {fixture.symbols.Add("q"), ValueType::kString, 0};
  for (const char* text : {"_event.data.q > 0", "_event.data.r > 0", "_event.data > 0"}) {
    ExpressionFixture other;
    other.context.event = &event;
    EXPECT_FALSE(other.Evaluate(text).is_valid) << text;
  }
}

TEST(ExpressionProgramTest, EdgesCompareWithTheLastStep) {
  const auto value = [](const std::string& text, double last) {
    ExpressionFixture fixture;
    fixture.context.last = &last;
    return fixture.Evaluate(text).value;
  };
  EXPECT_EQ(value("rising(x > 2)", 0), 1);
  EXPECT_EQ(value("rising(x > 2)", 1), 0);
  EXPECT_EQ(value("falling(x > 3)", 1), 1);
  EXPECT_EQ(value("falling(x > 3)", 0), 0);
  EXPECT_EQ(value("changed(2*x)", 5), 0);
  EXPECT_EQ(value("changed(2*x)", 4), 1);
}

/// What an edge is compared with next: the code of its operand alone.
TEST(ExpressionProgramTest, AnEdgeHasAMemoryOfItsOperand) {
  ExpressionFixture fixture;
  const double last = 0;
  fixture.context.last = &last;
  EXPECT_EQ(fixture.Evaluate("rising(x > 2) ? 10 : 20").value, 10);
  ASSERT_EQ(fixture.program.memories.size(), 1U);
  EXPECT_EQ(fixture.Run(fixture.program.memories[0]).value, 1);
}

}  // namespace
}  // namespace davit
