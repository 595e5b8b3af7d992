// A chart in a system: signals, properties, messages; nothing is taken from the heap.

#include "statecharts/chart_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/heap/allocation_counter.h"
#include "tests/statecharts/chart_fixture.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Two signals, one of them a text, a property and a message.
class TestHost final : public ChartHost {
 public:
  std::optional<Found> FindSignal(std::string_view path, SymbolTable& symbols) override {
    if (path == "pump.p") return Found{0, ValueType::kNumber};
    if (path != "pump.level") return std::nullopt;
    level_ideal = symbols.Add("Ideal");
    level = level_ideal;
    return Found{1, ValueType::kString};
  }
  std::optional<Found> FindProperty(std::string_view path, SymbolTable& /*symbols*/) override {
    if (path != "pump.speed") return std::nullopt;
    return Found{7, ValueType::kNumber};
  }
  std::optional<std::uint32_t> FindMessage(std::string_view component, std::string_view message) override {
    if (component != "pump" || message != "Stop") return std::nullopt;
    return 3;
  }
  std::string Suggest(std::string_view /*path*/) const override { return "did you mean 'pump.p'?"; }
  double ReadSignal(std::uint32_t handle) const override {
    ++reads;
    return handle == 0 ? pressure : level;
  }
  bool WriteProperty(std::uint32_t handle, double value) override {
    written = handle * 1000 + value;
    return true;
  }
  void SendMessage(std::uint32_t handle) override { sent = handle; }

  double pressure = 0;
  SymbolId level_ideal = 0;
  double level = 0;
  double written = 0;
  std::uint32_t sent = 0;
  mutable int reads = 0;
};

const std::string kChart = ChartText(
    "<state id='low'><transition cond=\"pump.p gt 100 and pump.level == 'Ideal'\" target='high'/></state>"
    "<state id='high'><onentry><assign location='pump.speed' expr='pump.p / 2'/>"
    "<send target='pump' event='Stop'/></onentry>"
    "<transition cond='falling(pump.p gt 100)' target='low'/></state>");

TEST(ChartHostTest, ReadsSignalsWritesPropertiesSendsMessages) {
  TestHost host;
  RunningChart chart(kChart, &host);
  chart.table().Step(0.01);
  EXPECT_EQ(chart.Active(), "low");
  host.pressure = 150;
  chart.table().Step(0.02);
  EXPECT_EQ(chart.Active(), "high");
  EXPECT_EQ(host.written, 7075);
  EXPECT_EQ(host.sent, 3U);
  host.pressure = 50;
  chart.table().Step(0.03);
  EXPECT_EQ(chart.Active(), "low");
}

TEST(ChartHostTest, ReadsEachSignalOnceAStep) {
  TestHost host;
  RunningChart chart(kChart, &host);
  host.reads = 0;
  chart.table().Step(0.01);
  EXPECT_EQ(host.reads, 2);
}

TEST(ChartHostTest, RefusesUnknownNames) {
  TestHost host;
  const std::string faults =
      FaultsOf(ChartText("<state id='s'><onentry><assign location='pump.sped' expr='1'/>\n"
                         "<send target='pump' event='Go'/></onentry>\n"
                         "<transition cond='pump.q gt 1'/></state>"),
               &host);
  EXPECT_THAT(faults, HasSubstr("nothing that can be set is named 'pump.sped'; did you mean 'pump.p'?"));
  EXPECT_THAT(faults, HasSubstr("chart.scxml:2: error: /s: no component 'pump' takes the message 'Go'"));
  EXPECT_THAT(
      faults,
      HasSubstr("chart.scxml:3: error: /s: cond, column 19: no value is named 'pump.q'; did you mean"));
}

TEST(ChartHostTest, AStepTakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  TestHost host;
  const std::string text = ChartText(
      "<datamodel><data id='n' expr='0'/><data id='m' davit:values='a b'/></datamodel><parallel id='p'>"
      "<state id='r'><history id='h'><transition target='low'/></history>"
      "<state id='low'><transition cond=\"pump.p gt 100 and pump.level == 'Ideal'\" target='high'/></state>"
      "<state id='high'><onentry><assign location='pump.speed' expr='pump.p / 2'/><send event='x.y' "
      "delay='30ms'/>"
      "<raise event='inner'/></onentry><onexit><cancel sendid='none'/></onexit>"
      "<transition cond='falling(pump.p gt 100)' target='low'/></state></state>"
      "<state id='v'><state id='s'><transition event='x' target='t'><assign location='n' expr='n + "
      "1'/></transition>"
      "<transition event='e' cond='_event.data.q gt 1' target='t'/></state>"
      "<state id='t'><invoke id='child'><param name='k' expr='n'/><content><scxml version='1.0'>"
      "<datamodel><data id='k' expr='0'/></datamodel><state id='c'>"
      "<onentry><send target='#_parent' event='hi'><param name='q' expr='k'/></send></onentry>"
      "<transition davit:after='5ms' target='d'/></state><final id='d'/></scxml></content></invoke>"
      "<transition event='done.invoke' target='s'><assign location='m' "
      "expr=\"'b'\"/></transition></state></state>"
      "<state id='u'><transition event='back' target='h'/></state></parallel>");
  Diagnostics diagnostics;
  ChartLoadOptions options;
  options.host = &host;
  const auto loaded = LoadChartText(text, "chart.scxml", options, diagnostics);
  ASSERT_NE(loaded, nullptr) << ToText(diagnostics.all().front());
  SessionTable table(loaded, &host, nullptr);
  table.Start(0);
  const SymbolId e = table.session().MakeEvent("e").name;
  const SymbolId back = table.session().MakeEvent("back").name;
  const SymbolId q = loaded->symbols->Add("q");
  const AllocationCounter counter;
  constexpr int kSteps = 100'000;
  for (int n = 1; n <= kSteps; ++n) {
    host.pressure = n / 7 % 2 == 0 ? 50 : 150;
    Event event(e);
    event.field_count = 1;
    event.fields[0] = {q, ValueType::kNumber, static_cast<double>(n % 3)};
    table.session().Send(std::move(event));
    if (n % 5 == 0) table.session().Send(Event(back));
    table.Step(n * 1e-3);
  }
  EXPECT_EQ(counter.count(), 0U);
  EXPECT_EQ(table.lost_events(), 0U);
  EXPECT_GT(table.session().macrosteps(), static_cast<std::uint64_t>(kSteps));
}

TEST(ChartHostTest, AMillionEventsTakeNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  RunningChart chart(
      ChartText("<datamodel><data id='n' expr='0'/></datamodel><parallel id='p'>"
                "<state id='a'><state id='b'><onexit><assign location='n' expr='n + 1'/></onexit>"
                "<transition event='e' target='c'/></state><state id='c'>"
                "<transition event='e' target='b'/></state></state><state id='d'/></parallel>"));
  SessionTable table(std::shared_ptr<const Chart>(std::shared_ptr<const Chart>(), &chart.session().chart()),
                     nullptr, nullptr);
  table.Start(0);
  const SymbolId e = table.session().MakeEvent("e").name;
  const AllocationCounter counter;
  for (int i = 0; i < 1'000'000; ++i) {
    table.session().Send(Event(e));
    table.session().ProcessExternalEvent();
  }
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace davit
