// What the compiler finds, and what it refuses.

#include "expressions/expression_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/expressions/expression_fixture.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// `offset: fault` of a wrong expression; empty where it is right.
std::string FaultOf(const std::string& text, ValueType expected = ValueType::kBoolean) {
  ExpressionFixture fixture;
  const ExpressionCompiler::Result result = fixture.compiler.Compile(text, expected);
  return result.fault ? std::to_string(result.offset) + ": " + result.fault.ToText() : "";
}

TEST(ExpressionCompilerTest, RefusesWithTheOffset) {
  EXPECT_EQ(FaultOf("x"), "0: a condition is a number; it must be a boolean, for example x > 0");
  EXPECT_EQ(FaultOf("b + 1"), "0: the left operand is a boolean; it must be a number");
  EXPECT_EQ(FaultOf("x = 1"), "2: '=' assigns; write == to compare");
  EXPECT_EQ(FaultOf("x > 1 > 2"), "6: comparisons do not chain; write a < b && b < c");
  EXPECT_EQ(FaultOf("(b"), "2: ')' is missing here");
  EXPECT_EQ(FaultOf("b)"),
            "1: the expression should end here; an operator is missing, or there is a parenthesis too many");
  EXPECT_EQ(FaultOf(""), "0: the expression is empty; write a value");
  EXPECT_EQ(FaultOf("x > "), "4: the expression ends too early; a value is missing");
  EXPECT_EQ(FaultOf("2bar > 1"),
            "0: a name follows the number without an operator; values are in SI without units");
  EXPECT_EQ(FaultOf("m == 'auto"), "5: the string is not closed; write 'text'");
  EXPECT_EQ(FaultOf("x > 1e999"),
            "4: the number is too large or too small; write one between 1e-300 and 1e300");
  EXPECT_THAT(FaultOf("x > 0 @"), StartsWith("6: '@' has no meaning here"));
  EXPECT_EQ(FaultOf("true", ValueType::kNumber), "0: the value is a boolean; it must be a number");
}

TEST(ExpressionCompilerTest, RefusesCallsThatDoNotFit) {
  EXPECT_THAT(FaultOf("sinus(x) > 0"), StartsWith("0: no function is named 'sinus'"));
  EXPECT_EQ(FaultOf("max(x) > 0"), "5: max takes two arguments");
  EXPECT_EQ(FaultOf("sin(x, x) > 0"), "5: sin takes one argument");
  EXPECT_EQ(FaultOf("rising(x)"),
            "7: what rising watches is a number; it must be a boolean, for example x > 0");
  EXPECT_EQ(FaultOf("changed(_event.data)"),
            "8: changed() cannot watch the data of an event; it watches variables and signals");
}

TEST(ExpressionCompilerTest, AChoiceIsOneOfItsVariable) {
  EXPECT_EQ(FaultOf("m == 'atuo'"), "5: 'm' is never 'atuo'; did you mean 'auto'?");
  EXPECT_EQ(FaultOf("'Lossless' != pump.level"),
            "0: 'pump.level' is never 'Lossless'; it can be Ideal, Lossy");
  ExpressionFixture fixture;
  const ExpressionVariable m = fixture.program.variables[2];
  EXPECT_EQ(fixture.compiler.CompileFor(m, "'off'").fault.ToText(),
            "'m' is never 'off'; it can be auto, manual");
  EXPECT_EQ(fixture.compiler.CompileFor(m, "b ? 'auto' : 'manual'").fault.ToText(), "");
}

TEST(ExpressionCompilerTest, NestsToALimit) {
  EXPECT_THAT(FaultOf(std::string(5000, '(') + "x" + std::string(5000, ')') + " > 0"),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(FaultOf(std::string(5000, '!') + "b"), HasSubstr("nested too deeply"));
  std::string chain = "b";
  for (int i = 0; i < 5000; ++i) chain += " and b";
  EXPECT_EQ(FaultOf(chain), "");  // long is not deep
}

TEST(ExpressionCompilerTest, AFaultLeavesNoCode) {
  ExpressionFixture fixture;
  fixture.compiler.Compile("x > 0", ValueType::kBoolean);
  const std::size_t size = fixture.program.code.size();
  fixture.compiler.Compile("x > 0 and b and x", ValueType::kBoolean);
  EXPECT_EQ(fixture.program.code.size(), size);
}

TEST(ExpressionCompilerTest, AsksTheHostForSignalsOnce) {
  ExpressionFixture fixture;
  fixture.signals = {150};
  EXPECT_EQ(fixture.Evaluate("pump.p > 100 and pump.p < 200").value, 1);
  EXPECT_EQ(fixture.host.asked, 1);
  ASSERT_EQ(fixture.program.signals.size(), 1U);
  EXPECT_EQ(fixture.program.signals[0].path, "pump.p");
  EXPECT_EQ(fixture.program.signals[0].handle, PumpHost::kPressure);
}

TEST(ExpressionCompilerTest, SuggestsItsOwnNamesFirstThenThoseOfTheHost) {
  ExpressionFixture fixture;
  fixture.compiler.AddVariable({"ready", ValueType::kBoolean, {}});
  const auto fault = [&](const std::string& text) {
    return fixture.compiler.Compile(text, ValueType::kBoolean).fault.ToText();
  };
  EXPECT_EQ(fault("redy"), "no value is named 'redy'; did you mean 'ready'?");
  EXPECT_EQ(fault("pump.q > 0"), "no value is named 'pump.q'; did you mean 'pump.p'?");
}

TEST(ExpressionCompilerTest, AsksForStates) {
  EXPECT_EQ(FaultOf("In('s99')"), "");
  EXPECT_EQ(FaultOf("In('t')"), "3: no state has the id 't'; use one of s0 to s99");
  EXPECT_EQ(FaultOf("In(s)"), "3: In takes the id of a state; write In('id')");
  EXPECT_EQ(FaultOf("timeInState() > 1"),
            "0: timeInState() is available only in a transition; write timeIn('id')");
}

TEST(ExpressionCompilerTest, WithoutAChartThereAreNeitherStatesNorEvents) {
  SymbolTable symbols;
  ExpressionProgram program;
  ExpressionCompiler compiler(program, symbols, {});
  const auto fault = [&](const std::string& text) {
    return compiler.Compile(text, ValueType::kBoolean).fault.ToText();
  };
  EXPECT_EQ(fault("In('s1')"), "no state has the id 's1'; only a chart has states");
  EXPECT_EQ(fault("_event.data.q > 1"), "'_event.data.q' belongs to an event; only a chart has events");
  EXPECT_EQ(fault("time > 1"), "");
}

TEST(ExpressionCompilerTest, TheNullModelHasInOnly) {
  SymbolTable symbols;
  ExpressionProgram program;
  const HundredStates states;
  ExpressionCompiler compiler(program, symbols, {.states = &states, .is_null_model = true});
  const auto fault = [&](const std::string& text) {
    return compiler.Compile(text, ValueType::kBoolean).fault.ToText();
  };
  EXPECT_EQ(fault("In('s1') and not In('s2')"), "");
  EXPECT_THAT(fault("x > 0"), HasSubstr("the null data model has no values"));
  EXPECT_THAT(fault("sin(0) > 0"), HasSubstr("the null data model has the function In('id') only"));
}

TEST(ExpressionCompilerTest, ScopesAreTriedInTheirOrder) {
  ExpressionFixture fixture;
  fixture.compiler.AddVariable({"left.x", ValueType::kBoolean, {}});
  const std::vector<std::string> scopes{"left.", ""};
  fixture.compiler.SetScopes(scopes);
  EXPECT_EQ(fixture.compiler.Compile("x and b", ValueType::kBoolean).fault.ToText(), "");
}

TEST(ExpressionCompilerTest, ReportsConstantsAndWhetherTimeIsRead) {
  ExpressionFixture fixture;
  const ExpressionCompiler::Result constant = fixture.compiler.Compile("'auto'", ValueType::kAnyType);
  EXPECT_EQ(constant.type, ValueType::kString);
  EXPECT_EQ(constant.constant, fixture.symbols.Find("auto"));
  EXPECT_FALSE(fixture.compiler.Compile("m", ValueType::kAnyType).constant);
  EXPECT_FALSE(fixture.compiler.reads_time());
  fixture.compiler.Compile("timeIn('s1') > 1", ValueType::kBoolean);
  EXPECT_TRUE(fixture.compiler.reads_time());
}

}  // namespace
}  // namespace davit
