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
  EXPECT_EQ(FaultOf("x"), "0: the condition is a number; compare it, for example x > 0");
  EXPECT_EQ(FaultOf("b + 1"), "0: the left operand is a boolean; it must be a number");
  EXPECT_EQ(FaultOf("x = 1"), "2: '=' assigns; write == to compare");
  EXPECT_EQ(FaultOf("x > 1 > 2"), "6: comparisons do not chain; write a < b && b < c");
  EXPECT_EQ(FaultOf("(b"), "2: ')' is missing here");
  EXPECT_EQ(FaultOf("b)"),
            "1: the expression should end here; an operator is missing, or there is a parenthesis too many");
  EXPECT_EQ(FaultOf(""), "0: the expression is empty; write a value");
  EXPECT_EQ(FaultOf("x > "), "4: the expression ends too early; a value is missing");
  EXPECT_EQ(FaultOf("2brr > 1"), "0: unknown unit 'brr'; did you mean 'bar'?");
  EXPECT_EQ(FaultOf("2 x > 1"),
            "0: unknown unit 'x'; write a unit after a number, or an operator between them");
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
  EXPECT_EQ(FaultOf("rising(x)"), "7: what rising watches is a number; compare it, for example x > 0");
  EXPECT_EQ(FaultOf("changed(_event.data)"),
            "8: changed() cannot watch the data of an event; it watches variables and signals");
}

// x is any number; p, d and w have units.
class UnitsOfExpressions : public testing::Test {
 protected:
  UnitsOfExpressions() {
    const auto add = [&](const char* name, const char* unit) {
      fixture_.compiler.AddVariable(
          {.name = name, .dimension = fixture_.compiler.units().get().Find(unit)->dimension});
    };
    add("p", "Pa");
    add("d", "m");
    add("w", "rad/s");
    add("k", "");
  }
  std::string Fault(const std::string& text, ValueType type = ValueType::kBoolean) {
    const ExpressionCompiler::Result result = fixture_.compiler.Compile(text, type);
    return result.fault ? std::to_string(result.offset) + ": " + result.fault.ToText() : "";
  }
  ExpressionFixture fixture_;
};

TEST_F(UnitsOfExpressions, AreThoseOfTheFile) {
  EXPECT_EQ(ExpressionFixture().Evaluate("x > 2499 mm and x < 2501 mm").value, 1);
  EXPECT_EQ(ExpressionFixture().Evaluate("250 bar + 1 kPa").value, 25001e3);
  EXPECT_EQ(ExpressionFixture().Evaluate("1 rev").value, ExpressionFixture().Evaluate("2*pi").value);
}

TEST_F(UnitsOfExpressions, OfSumsAndComparisonsAreEqual) {
  for (const char* right : {"p > 250 bar", "p > 25000000", "p > x", "p > x + 3 bar", "d > 3", "w > 10 rpm",
                            "max(p, 3 bar) > p", "sqrt(d*d) > 1 mm", "pow(d, 2) > 1 mm2", "p*d*d > 3 N",
                            "(b ? p : 2 bar) > 0", "time > 5 s", "sin(w) > 0.5", "k > 20 %"})
    EXPECT_EQ(Fault(right), "") << right;
  EXPECT_EQ(Fault("p > 3 m"), "4: '>' compares Pa and m; both must have the same dimension");
  EXPECT_EQ(Fault("p + d", ValueType::kNumber), "4: '+' adds Pa and m; both must have the same dimension");
  EXPECT_EQ(Fault("d eq p"), "5: '==' compares m and Pa; both must have the same dimension");
  EXPECT_EQ(Fault("b ? d : p", ValueType::kNumber),
            "8: '? :' chooses between m and Pa; both must have the same dimension");
  EXPECT_EQ(Fault("hypot(d, p) > 0"), "9: hypot compares m and Pa; both must have the same dimension");
  EXPECT_EQ(Fault("time > 3 m"), "7: '>' compares s and m; both must have the same dimension");
  EXPECT_EQ(Fault("sqrt(p) > 3 m"), "");  // of no unit that is known
  EXPECT_EQ(Fault("k > 3 m"), "4: '>' compares a number and m; both must have the same dimension");
}

// 5 Hz is 31.4 rad/s; in a product a radian is 1.
TEST_F(UnitsOfExpressions, AnAngleIsCheckedWhereItIsWritten) {
  EXPECT_EQ(Fault("w > 5 Hz"), "4: '>' compares rad/s and 1/s; both must have the same dimension");
  EXPECT_EQ(Fault("w*d > 5 m/s"), "");
  EXPECT_EQ(Fault("w*w*d > 9.81 m/s2"), "");
  EXPECT_EQ(Fault("w*d > 5 m"), "6: '>' compares m rad/s and m; both must have the same dimension");
}

// Where no unit is written, a number may be a coefficient of any unit, as in a control law.
TEST_F(UnitsOfExpressions, AFactorIsAPureNumberNextToUnits) {
  EXPECT_EQ(Fault("2*d - 0.5*w > p"), "");
  EXPECT_EQ(Fault("x*d > p"), "");
  EXPECT_EQ(Fault("time + time*time > d"), "");
  EXPECT_EQ(Fault("2*d > 3 bar"), "6: '>' compares m and Pa; both must have the same dimension");
  EXPECT_EQ(Fault("2 N/m3*d > 3 bar"), "");
}

TEST_F(UnitsOfExpressions, AreThoseOfWhatIsAssigned) {
  const ExpressionVariable target = fixture_.program.variables.at(3);
  const auto fault = [&](const std::string& text) {
    return fixture_.compiler.CompileFor(target, text).fault.ToText();
  };
  EXPECT_EQ(target.name, "p");
  for (const char* right : {"3", "3 bar", "2*d", "x", "p/2", "sin(w)"}) EXPECT_EQ(fault(right), "") << right;
  EXPECT_EQ(fault("d"),
            "the value is m, but Pa is needed; a number in the expression may have a unit, as in 2 N/m");
  EXPECT_THAT(fault("3 m"), StartsWith("the value is m, but Pa is needed"));
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
