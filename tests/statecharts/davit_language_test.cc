// The data model `davit` in a chart: values as they are logged, columns of faults, edges from step to step.
// tests/expressions has the language itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(DavitLanguage, TextsAndChoices) {
  EXPECT_EQ(ValueOf("m"), "auto");
  EXPECT_EQ(ValueOf("m == 'auto'"), "true");
  EXPECT_EQ(ValueOf("m != 'manual' ? 'a' : 'b'"), "a");
}

TEST(DavitLanguage, AFailedEvaluationIsAnError) {
  EXPECT_EQ(ValueOf("1 / 0"), "error");
  EXPECT_EQ(ValueOf("_event.data.q > 0"), "error");
  EXPECT_EQ(ValueOf("x > 100 &amp;&amp; _event.data.q > 0"), "false");  // no event, but not looked at
}

TEST(DavitLanguage, RefusesWithTheColumn) {
  EXPECT_EQ(FaultOf("x"), "column 19: the condition is a number; compare it, for example x > 0");
  EXPECT_EQ(FaultOf("redy"), "column 19: no value is named 'redy'; did you mean 'ready'?");
  EXPECT_EQ(FaultOf("ready and x &lt; yy"),
            "column 36: no value is named 'yy'; the chart has x, ready, m");  // &lt; counts as written
  EXPECT_EQ(FaultOf("In('t')"), "column 22: no state has the id 't'; use one of s");
  EXPECT_EQ(FaultOf("true", "x"), "column 28: the value is a boolean; it must be a number");
  EXPECT_EQ(FaultOf("'off'", "m"), "column 28: 'm' is never 'off'; it can be auto, manual");
  EXPECT_THAT(FaultOf("1", "y"), HasSubstr("nothing that can be set is named 'y'"));
}

TEST(DavitLanguage, NullModelHasInOnly) {
  const auto faults = [](const std::string& cond) {
    return FaultsOf(
        ChartText("<state id='s'><transition cond=\"" + cond + "\" event='e'/></state>", "datamodel='null'"));
  };
  EXPECT_EQ(faults("In('s') and not In('s')"), "");
  EXPECT_THAT(faults("x > 0"), HasSubstr("the null data model has no values"));
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
