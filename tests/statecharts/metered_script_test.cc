// A metered script does what the script does, and ends.

#include "statecharts/metered_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "statecharts/ecmascript_data_model.h"
#include "tests/statecharts/chart_fixture.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string EcmascriptText(const std::string& content) {
  return ChartText(content, "datamodel='ecmascript'");
}

TEST(MeteredScriptTest, CallsStandInLoopsAndFunctionsOnly) {
  const std::vector<std::pair<std::string, std::string>> scripts{
      {"while (a) b();", "while (davit_meter(),a) b();"},
      {"do x++; while(x < 3)", "do x++; while(davit_meter(),x < 3)"},
      {"for (;;) f();", "for (;davit_meter();) f();"},
      {"for (i = 0; i < n; i++);", "for (i = 0; davit_meter(),i < n; i++);"},
      {"for (var k in o) s += k;", "for (var k in o) s += k;"},
      {"function f(a, b) { return a; }", "function f(a, b) { davit_meter();return a; }"},
      {"var g = function () { 'use strict'; x = 1; };",
       "var g = function () { 'use strict';davit_meter();; x = 1; };"},
      {"for (var i = (function () { a; b; })(); i; ) c;",
       "for (var i = (function () { davit_meter();a; b; })(); davit_meter(),i; ) c;"},
      // No loops: words in texts, comments, regular expressions, names of properties.
      {"s = 'while (1)'; // for (;;)\n/* while (1) */", "s = 'while (1)'; // for (;;)\n/* while (1) */"},
      {"r = /while (x)'[/(]/g; t = \"a'\"", "r = /while (x)'[/(]/g; t = \"a'\""},
      {"a.while (1); b = {'for': 1, if: 2}", "a.while (1); b = {'for': 1, if: 2}"},
      {"a = b / c; d = (e) / f; g++ / h", "a = b / c; d = (e) / f; g++ / h"},
      {"if (a) /'/.test(b)", "if (a) /'/.test(b)"},
  };
  for (const auto& [script, metered] : scripts) EXPECT_EQ(MeterScript(script), metered);
}

TEST(MeteredScriptTest, AnyTextIsTaken) {
  for (const char* text : {"", "(", ")", "}", "'", "\"\\", "/", "/*", "for(", "for(;", "while", "function",
                           "/[", "function f(){'use strict'"}) {
    EXPECT_GE(MeterScript(text).size(), std::string(text).size()) << text;
  }
}

TEST(MeteredScriptTest, ScriptsThatDoNotEndAreEnded) {
  if (!HasEcmascript()) GTEST_SKIP() << "built without Duktape";
  for (const std::string script : {"while (true) {}", "for (;;);", "do ; while (1)",
                                   "(function f(n) { if (n > 0) { f(n - 1); f(n - 1); } })(60)",
                                   "while (true) { try { while (true) {} } catch (e) {} }"}) {
    SCOPED_TRACE(script);
    RunningChart chart(EcmascriptText("<state id='s'><onentry><script><![CDATA[" + script +
                                      "]]></script></onentry><transition event='error.execution' "
                                      "target='ended'/></state><state id='ended'/>"));
    EXPECT_EQ(chart.Active(), "ended");
    EXPECT_THAT(chart.observer.errors, ElementsAre(HasSubstr("the script does not end")));
  }
}

TEST(MeteredScriptTest, EachScriptHasItsOwnAllowance) {
  if (!HasEcmascript()) GTEST_SKIP() << "built without Duktape";
  RunningChart chart(EcmascriptText(
      "<datamodel><data id='n' expr='0'/></datamodel>"
      "<state id='s'><onentry><script>for (var i = 0; i != 6000000; i++) n++;</script>"
      "<script>for (var i = 0; i != 6000000; i++) n++;</script><log expr='n'/></onentry></state>"));
  EXPECT_THAT(chart.observer.errors, testing::IsEmpty());
  EXPECT_THAT(chart.observer.logs, ElementsAre("12000000"));
}

TEST(EcmascriptEventTest, ParamsOfOneNameArriveTogether) {
  if (!HasEcmascript()) GTEST_SKIP() << "built without Duktape";
  // W3C assertion 178: all of them are in the message.
  RunningChart chart(EcmascriptText(
      "<state id='s'><onentry><send event='e'><param name='a' expr='2'/><param name='b' expr='5'/>"
      "<param name='a' expr=\"'x'\"/><param name='a' expr='[1]'/></send></onentry>"
      "<transition event='e' target='t'><log expr='JSON.stringify(_event.data)'/></transition></state>"
      "<state id='t'/>"));
  EXPECT_THAT(chart.observer.logs, ElementsAre(R"({"a":[2,"x",[1]],"b":5})"));
}

}  // namespace
}  // namespace davit
