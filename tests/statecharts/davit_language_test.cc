// The data model `davit`: values, operators, functions, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

#include "tests/statecharts/chart_fixture.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The value of an expression as a chart logs it.
std::string ValueOf(const std::string& expression) {
  RunningChart chart(
      ChartText("<datamodel><data id='x' expr='2.5'/><data id='b' expr='true'/>"
                "<data id='m' davit:values='auto manual'/></datamodel>"
                "<state id='s'><onentry><log expr=\"" +
                expression + "\"/></onentry></state>"));
  return chart.observer.logs.empty() ? "error" : chart.observer.logs.front();
}

/// The message of a wrong expression, from the column on.
std::string FaultOf(const std::string& expression, const std::string& use = "cond") {
  const std::string start =
      "<datamodel><data id='x' expr='2.5'/><data id='ready' expr='true'/>"
      "<data id='m' davit:values='auto manual'/></datamodel><state id='s'>";
  const std::string text = use == "cond" ? start + "\n<transition cond=\"" + expression + "\"/></state>"
                                         : start + "<onentry>\n<assign location='" + use + "' expr=\"" +
                                               expression + "\"/></onentry></state>";
  const std::string faults = FaultsOf(ChartText(text));
  const std::size_t at = faults.find("column ");
  return at == std::string::npos ? faults : faults.substr(at, faults.find('\n', at) - at);
}

TEST(DavitLanguage, BindsAsC) {
  EXPECT_EQ(ValueOf("1 + 2 * 3"), "7");
  EXPECT_EQ(ValueOf("(1 + 2) * 3"), "9");
  EXPECT_EQ(ValueOf("10 - 4 - 3"), "3");
  EXPECT_EQ(ValueOf("-2 * -x"), "5");
  EXPECT_EQ(ValueOf("7 % 4 + 1"), "4");
  EXPECT_EQ(ValueOf("1 + 1 == 2 &amp;&amp; 3 > 2"), "true");
  EXPECT_EQ(ValueOf("true || false &amp;&amp; false"), "true");
  EXPECT_EQ(ValueOf("!b || x &lt; 3"), "true");
  EXPECT_EQ(ValueOf("x > 2 ? 10 : 20"), "10");
  EXPECT_EQ(ValueOf("x > 3 ? 10 : x > 2 ? 20 : 30"), "20");
  EXPECT_EQ(ValueOf("1e3 + .5"), "1000.5");
}

TEST(DavitLanguage, WordsAreOperators) {
  EXPECT_EQ(ValueOf("x lt 3 and not (x le 2) or false"), "true");
  EXPECT_EQ(ValueOf("x gt 3 or x ge 2.5"), "true");
  EXPECT_EQ(ValueOf("x eq 2.5"), "true");
  EXPECT_EQ(ValueOf("x ne 2.5"), "false");
}

TEST(DavitLanguage, TextsAndChoices) {
  EXPECT_EQ(ValueOf("m"), "auto");
  EXPECT_EQ(ValueOf("m == 'auto'"), "true");
  EXPECT_EQ(ValueOf("m != 'manual' ? 'a' : 'b'"), "a");
}

TEST(DavitLanguage, ShortCircuitsGuardWhatFollows) {
  EXPECT_EQ(ValueOf("x > 100 &amp;&amp; _event.data.q > 0"), "false");  // no event, but not looked at
  EXPECT_EQ(ValueOf("b || _event.data.q > 0"), "true");
  EXPECT_EQ(ValueOf("_event.data.q > 0"), "error");
}

TEST(DavitLanguage, WhatIsNoNumberIsAnError) {
  EXPECT_EQ(ValueOf("1 / 0"), "error");
  EXPECT_EQ(ValueOf("1 / 0 > 0"), "error");
  EXPECT_EQ(ValueOf("sqrt(-1) &lt; 1"), "error");
  EXPECT_EQ(ValueOf("sqrt(-1) != sqrt(-1)"), "error");
  EXPECT_EQ(ValueOf("log(0)"), "error");
}

TEST(DavitLanguage, FunctionsAreThoseOfMathematics) {
  EXPECT_EQ(ValueOf("max(1, 2) + min(1, 2)"), "3");
  EXPECT_EQ(ValueOf("abs(-3) + sign(-7)"), "2");
  EXPECT_EQ(ValueOf("hypot(3, 4)"), "5");
  EXPECT_EQ(ValueOf("floor(2.7) + ceil(2.2) + round(2.5)"), "8");
  EXPECT_EQ(ValueOf("pow(2, 10) + sqrt(81)"), "1033");
  EXPECT_EQ(ValueOf("sin(0) + cos(0) + exp(0) + atan2(0, 1)"), "2");
}

/// Arithmetic is that of IEEE doubles, whichever operands are constants, variables or results.
RC_GTEST_PROP(DavitLanguage, ComputesAsCpp, ()) {
  const auto number = [] { return *rc::gen::inRange(-1000, 1000) / 8.0; };
  const double a = number();
  const double b = number();
  const double c = number();
  const std::string text = ChartText(
      "<datamodel><data id='a' expr='" + std::to_string(a) + "'/><data id='b' expr='" + std::to_string(b) +
      "'/><data id='c' expr='" + std::to_string(c) + "'/></datamodel><state id='s'><onentry>" +
      "<log expr='a + b * c - (a - b) * 0.5'/><log expr='(a lt b and b le c) == (not (a ge b) and c ge "
      "b)'/>" +
      "<log expr='a - b - c == a - (b + c)'/><log expr='-a * (b - -c) == -(a * (b + c))'/>" +
      "</onentry></state>");
  RunningChart chart(text);
  RC_ASSERT(chart.observer.logs.size() == 4U);
  RC_ASSERT(std::stod(chart.observer.logs[0]) == a + b * c - (a - b) * 0.5);
  for (int i = 1; i < 4; ++i) RC_ASSERT(chart.observer.logs[static_cast<std::size_t>(i)] == "true");
}

TEST(DavitLanguage, RefusesWithTheColumn) {
  EXPECT_EQ(FaultOf("x"), "column 19: a condition is a number; it must be a boolean, for example x > 0");
  EXPECT_EQ(FaultOf("redy"), "column 19: no value is named 'redy'; did you mean 'ready'?");
  EXPECT_EQ(FaultOf("ready and x &lt; yy"),
            "column 36: no value is named 'yy'; the chart has x, ready, m");  // &lt; counts as written
  EXPECT_EQ(FaultOf("ready + 1"),
            "column 19: what is left of the operator is a boolean; it must be a number");
  EXPECT_EQ(FaultOf("x = 1"), "column 21: '=' assigns; write == to compare");
  EXPECT_EQ(FaultOf("x > 1 > 2"), "column 25: comparisons do not chain; write a < b && b < c");
  EXPECT_EQ(FaultOf("(ready"), "column 25: ')' is missing here");
  EXPECT_EQ(FaultOf("ready)"),
            "column 24: the expression should end here; an operator is missing, or a parenthesis too many");
  EXPECT_EQ(FaultOf(""), "column 19: the expression is empty; write a value");
  EXPECT_EQ(FaultOf("x > "), "column 23: the expression ends too early; a value is missing");
  EXPECT_EQ(FaultOf("2bar > 1"),
            "column 19: a name follows the number without an operator; values are in SI without units");
  EXPECT_EQ(FaultOf("m == 'atuo'"), "column 24: 'm' is never 'atuo'; did you mean 'auto'?");
  EXPECT_EQ(FaultOf("m == 'auto"), "column 24: the string is not closed; write 'text'");
  EXPECT_EQ(FaultOf("In('t')"), "column 22: no state has the id 't'; there are s");
  EXPECT_EQ(FaultOf("In(s)"), "column 22: In takes the id of a state; write In('id')");
  EXPECT_THAT(FaultOf("sinus(x) > 0"), HasSubstr("no function is named 'sinus'"));
  EXPECT_EQ(FaultOf("max(x) > 0"), "column 24: max takes two arguments");
  EXPECT_EQ(FaultOf("x > 1e999"),
            "column 23: the number is too large or too small; write one between 1e-300 and 1e300");
  EXPECT_THAT(FaultOf("x > 0 @"), HasSubstr("'@' has no meaning here"));
  EXPECT_EQ(FaultOf("true", "x"), "column 28: the value is a boolean; it must be a number");
  EXPECT_EQ(FaultOf("'off'", "m"), "column 28: 'm' is never 'off'; it can be auto, manual");
  EXPECT_THAT(FaultOf("1", "y"), HasSubstr("nothing that can be set is named 'y'"));
}

TEST(DavitLanguage, BoundsTheDepthOfExpressions) {
  EXPECT_THAT(FaultOf(std::string(5000, '(') + "x" + std::string(5000, ')') + " > 0"),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(FaultOf(std::string(5000, '!') + "ready"), HasSubstr("nested too deeply"));
  std::string chain = "ready";
  for (int i = 0; i < 5000; ++i) chain += " and ready";
  EXPECT_EQ(FaultOf(chain), "");  // long is not deep
}

TEST(DavitLanguage, NullModelHasInOnly) {
  const auto faults = [](const std::string& cond) {
    return FaultsOf(
        ChartText("<state id='s'><transition cond=\"" + cond + "\" event='e'/></state>", "datamodel='null'"));
  };
  EXPECT_EQ(faults("In('s') and not In('s')"), "");
  EXPECT_THAT(faults("x > 0"), HasSubstr("the null data model has no values"));
  EXPECT_THAT(faults("sin(0) > 0"), HasSubstr("the null data model has the function In('id') only"));
}

TEST(DavitLanguage, EdgesLookAtTheLastStep) {
  // `phase` changes in a step; rising() sees it in the next one, and once only.
  RunningChart chart(ChartText(
      "<datamodel><data id='phase' expr='0'/><data id='count' expr='0'/></datamodel>"
      "<parallel id='p'><state id='a'><transition event='go'><assign location='phase' expr='phase + "
      "1'/></transition>"
      "</state><state id='b'><transition cond='changed(phase)' event='look'>"
      "<assign location='count' expr='count + 1'/><log expr='count'/></transition></state></parallel>"));
  double time = 0;
  const auto step = [&](const char* event) {
    chart.session().Send(chart.session().MakeEvent(event));
    chart.table().Step(time += 0.01);
  };
  step("look");
  EXPECT_THAT(chart.observer.logs, ElementsAre());
  chart.session().Send(chart.session().MakeEvent("go"));
  step("look");  // in the same step as the change
  EXPECT_THAT(chart.observer.logs, ElementsAre("1"));
  step("look");
  EXPECT_THAT(chart.observer.logs, ElementsAre("1"));
}

TEST(DavitLanguage, ScriptsAreAssignments) {
  RunningChart chart(
      ChartText("<datamodel><data id='x' expr='1'/></datamodel><script>x = x + 1; x = x * 10;</script>"
                "<state id='s'><onentry><log expr='x'/></onentry></state>"));
  EXPECT_THAT(chart.observer.logs, ElementsAre("20"));
}

}  // namespace
}  // namespace davit
