#include "statecharts/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/statecharts/chart_fixture.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(InterpreterTest, ChildBeatsParentAndDocumentOrderDecides) {
  RunningChart chart(
      ChartText("<state id='s'><transition event='e' target='parent'/>"
                "<state id='a'><transition event='e' target='first'/>"
                "<transition event='e' target='second'/></state></state>"
                "<state id='parent'/><state id='first'/><state id='second'/>"));
  chart.Send("e");
  EXPECT_EQ(chart.Active(), "first");
}

TEST(InterpreterTest, DelaysRunInVirtualTimeAndCanBeCancelled) {
  RunningChart chart(
      ChartText("<state id='s'><onentry><send event='late' delay='2s' id='a'/>"
                "<send event='early' delay='500ms'/><send event='never' delay='1s' id='b'/>"
                "<cancel sendid='b'/></onentry>"
                "<transition event='early'/><transition event='late' target='t'/></state>"
                "<state id='t'/>"));
  EXPECT_EQ(chart.table().NextDue(), 0.5);
  chart.table().Step(0.499);
  EXPECT_THAT(chart.observer.events, IsEmpty());
  chart.table().Step(0.5);
  EXPECT_THAT(chart.observer.events, ElementsAre("early"));
  chart.table().Step(100);
  EXPECT_THAT(chart.observer.events, ElementsAre("early", "late"));
  EXPECT_EQ(chart.Active(), "t");
}

TEST(InterpreterTest, DelayedEventsComeAtTheFirstStepThatIsNotEarlier) {
  // 0.3 is no multiple of 0.1 in binary: 3 * 0.1 > 0.3.
  RunningChart chart(
      ChartText("<state id='s'><onentry><send event='e' delay='0.3s'/></onentry>"
                "<transition event='e' target='t'/></state><state id='t'/>"));
  chart.table().Step(0.2);
  EXPECT_EQ(chart.Active(), "s");
  chart.table().Step(0.1 + 0.1 + 0.1);
  EXPECT_EQ(chart.Active(), "t");
}

TEST(InterpreterTest, EventsDueTogetherComeInTheOrderOfSending) {
  RunningChart chart(
      ChartText("<state id='s'><onentry><send event='a' delay='1s'/><send event='b' delay='1s'/>"
                "<send event='c' delay='0.5s'/></onentry></state>"));
  chart.table().Step(1);
  EXPECT_THAT(chart.observer.events, ElementsAre("c", "a", "b"));
}

TEST(InterpreterTest, AfterCountsFromTheEntryOfItsState) {
  RunningChart chart(
      ChartText("<state id='s'><transition davit:after='2s' target='t'/>"
                "<transition event='again' target='s'/></state><state id='t'/>"));
  EXPECT_EQ(chart.table().NextDue(), 2);
  chart.table().Step(1.5);
  chart.Send("again");
  EXPECT_EQ(chart.table().NextDue(), 3.5);
  chart.table().Step(2);
  EXPECT_EQ(chart.Active(), "s");
  chart.table().Step(3.5);
  EXPECT_EQ(chart.Active(), "t");
}

TEST(InterpreterTest, HoldsNeedsTheConditionAllTheTime) {
  RunningChart chart(
      ChartText("<datamodel><data id='on' expr='false'/></datamodel><state id='s'>"
                "<transition cond='on' davit:holds='1s' target='t'/>"
                "<transition event='on'><assign location='on' expr='true'/></transition>"
                "<transition event='off'><assign location='on' expr='false'/></transition>"
                "</state><state id='t'/>"));
  chart.table().Step(10);
  chart.Send("on");
  chart.table().Step(10.9);
  chart.Send("off");
  chart.table().Step(11.5);
  EXPECT_EQ(chart.Active(), "s");
  chart.Send("on");
  chart.table().Step(12.4);
  EXPECT_EQ(chart.Active(), "s");
  EXPECT_EQ(chart.table().NextDue(), 12.5);
  chart.table().Step(12.5);
  EXPECT_EQ(chart.Active(), "t");
}

TEST(InterpreterTest, AnEventlessLoopEndsAtTheCap) {
  SessionLimits limits;
  limits.most_microsteps = 50;
  RunningChart chart(ChartText("<state id='a'><transition target='b'/></state>"
                               "<state id='b'><transition target='a'/></state>"),
                     nullptr, limits);
  EXPECT_TRUE(chart.session().is_stuck());
  EXPECT_EQ(chart.observer.livelocks, 1);
  chart.table().Step(1);  // continues at the next step, and is stopped again
  EXPECT_EQ(chart.observer.livelocks, 2);
}

TEST(InterpreterTest, EventsThatSendThemselvesEndAtTheCap) {
  SessionLimits limits;
  limits.most_macrosteps = 20;
  RunningChart chart(ChartText("<state id='a'><onentry><send event='e'/></onentry>"
                               "<transition event='e'><send event='e'/></transition></state>"),
                     nullptr, limits);
  EXPECT_TRUE(chart.table().has_waiting_events());
  EXPECT_EQ(chart.session().macrosteps(), 20U);
  // Without a cap a delay shorter than the tolerance of time would be the same storm.
  RunningChart delayed(
      ChartText("<state id='a'><onentry><send event='e' delayexpr='1e-12'/></onentry>"
                "<transition event='e'><send event='e' delayexpr='1e-12'/></transition></state>"),
      nullptr, limits);
  EXPECT_LE(delayed.session().macrosteps(), 20U);
}

TEST(InterpreterTest, AFullQueueLosesNothingInSilence) {
  SessionLimits limits;
  limits.external_events = 3;
  RunningChart chart(ChartText("<state id='a'/>"), nullptr, limits);
  for (int i = 0; i < 5; ++i) chart.session().Send(chart.session().MakeEvent("e"));
  EXPECT_EQ(chart.session().lost_events(), 2U);
  EXPECT_EQ(chart.observer.errors.size(), 2U);
  chart.table().Step(1);
  EXPECT_EQ(chart.observer.events.size(), 3U);
}

TEST(InterpreterTest, AFailedGuardIsReportedOnceAMacrostep) {
  RunningChart chart(
      ChartText("<datamodel><data id='x' expr='0'/></datamodel>"
                "<state id='a'><transition cond='1 / x gt 0' target='b'/></state><state id='b'/>"));
  EXPECT_EQ(chart.Active(), "a");
  EXPECT_THAT(chart.observer.events, ElementsAre("error.execution"));
  EXPECT_EQ(chart.observer.livelocks, 0);
}

TEST(InterpreterTest, AnErrorEndsItsBlockOnly) {
  RunningChart chart(
      ChartText("<datamodel><data id='x' expr='0'/></datamodel><state id='a'>"
                "<onentry><log label='1'/><assign location='x' expr='1 / 0'/><log label='2'/></onentry>"
                "<onentry><log label='3' expr='x'/></onentry></state>"));
  EXPECT_THAT(chart.observer.logs, ElementsAre("1=", "3=0"));
}

TEST(InterpreterTest, ChildChartsExchangeEventsAndValues) {
  RunningChart chart(ChartText(
      "<datamodel><data id='answer' expr='0'/></datamodel>"
      "<state id='work'><invoke id='adder'><param name='start' expr='40'/><content>"
      "<scxml version='1.0'><datamodel><data id='start' expr='0'/></datamodel>"
      "<state id='wait'><transition event='add' target='end'>"
      "<send target='#_parent' event='sum'><param name='value' expr='start + _event.data.by'/></send>"
      "</transition></state><final id='end'><donedata><param name='last' "
      "expr='start'/></donedata></final></scxml>"
      "</content><finalize><assign location='answer' expr='_event.data.value'/></finalize></invoke>"
      "<transition event='go'><send target='#_adder' event='add'><param name='by' "
      "expr='2'/></send></transition>"
      "<transition event='sum'><log label='sum' expr='answer'/></transition>"
      "<transition event='done.invoke.adder' target='rest'><log label='last' "
      "expr='_event.data.last'/></transition>"
      "</state><state id='rest'/>"));
  chart.Send("go");
  EXPECT_THAT(chart.observer.logs, ElementsAre("sum=42", "last=40"));
  EXPECT_EQ(chart.Active(), "rest");
}

TEST(InterpreterTest, AChartInContentHasThePrefixesOfTheOneAround) {
  RunningChart chart(
      ChartText("<state id='a'><invoke><content><scxml version='1.0'><state id='c'>"
                "<transition davit:after='2s' target='d'/></state><final id='d'/></scxml></content>"
                "</invoke><transition event='done.invoke' target='b'/></state><state id='b'/>"));
  chart.table().Step(1.9);
  EXPECT_EQ(chart.Active(), "a");
  chart.table().Step(2);
  EXPECT_EQ(chart.Active(), "b");
}

TEST(InterpreterTest, LeavingAStateEndsItsChild) {
  RunningChart chart(
      ChartText("<state id='a'><invoke><content><scxml version='1.0'><state id='c'>"
                "<onentry><send target='#_parent' event='late' delay='1s'/></onentry>"
                "<onexit><send target='#_parent' event='bye'/></onexit></state></scxml>"
                "</content></invoke><transition event='out' target='b'/></state>"
                "<state id='b'><transition event='back' target='a'/></state>"));
  chart.Send("out");
  chart.table().Step(5);
  EXPECT_THAT(chart.observer.events, ElementsAre("out"));  // neither bye nor late
  chart.Send("back");
  chart.table().Step(6);
  EXPECT_THAT(chart.observer.events, ElementsAre("out", "back", "late"));  // restarted
}

TEST(InterpreterTest, AChartThatInvokesItselfIsRefused) {
  EXPECT_THAT(FaultsOf(ChartText("<state id='a'><invoke src='missing.scxml'/></state>")),
              HasSubstr("cannot read 'missing.scxml'"));
}

TEST(InterpreterTest, HistoriesForgetNothingAndStartAnew) {
  const std::string text = ChartText(
      "<state id='s'><history id='h' type='deep'><transition target='a'/></history>"
      "<state id='a'><transition event='n' target='b'/></state><state id='b'/>"
      "<transition event='out' target='t'/></state><state id='t'><transition event='in' "
      "target='h'/></state>");
  RunningChart chart(text);
  for (const char* event : {"n", "out", "in"}) chart.Send(event);
  EXPECT_EQ(chart.Active(), "b");
  chart.table().Start(0);
  for (const char* event : {"out", "in"}) chart.Send(event);
  EXPECT_EQ(chart.Active(), "a");
}

TEST(InterpreterTest, EventsOfOtherNamesMatchByPrefixOnly) {
  RunningChart chart(ChartText("<state id='s'><transition event='a.b' target='t'/></state><state id='t'/>"));
  chart.Send("a");
  chart.Send("a.bc");
  chart.Send("a.c.b");
  EXPECT_EQ(chart.Active(), "s");
  chart.Send("a.b.unheard.of");
  EXPECT_EQ(chart.Active(), "t");
}

}  // namespace
}  // namespace davit
