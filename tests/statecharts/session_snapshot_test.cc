#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "statecharts/ecmascript_data_model.h"
#include "tests/statecharts/chart_fixture.h"
#include "tests/statecharts/random_chart.h"

namespace davit {
namespace {

std::shared_ptr<const Chart> Load(const std::string& text) {
  Diagnostics diagnostics;
  auto chart = LoadChartText(text, "chart.scxml", {}, diagnostics);
  EXPECT_NE(chart, nullptr);
  return chart;
}

const std::string kSavedChart = ChartText(
    "<datamodel><data id='n' expr='0'/></datamodel><parallel id='p'><state id='r'>"
    "<history id='h' type='deep'><transition target='a'/></history>"
    "<state id='a'><transition event='e' target='b'/></state>"
    "<state id='b'><onentry><assign location='n' expr='n + 1'/><send event='late' delay='35ms' id='x'/>"
    "<send event='late' delay='35ms'/></onentry><transition davit:after='20ms' target='c'/></state>"
    "<state id='c'><invoke id='child'><param name='k' expr='n'/><content><scxml version='1.0'>"
    "<datamodel><data id='k' expr='0'/></datamodel><state id='u'>"
    "<transition cond='k gt 2' davit:holds='15ms' target='v'/><transition event='e' target='v'/></state>"
    "<final id='v'/></scxml></content></invoke>"
    "<transition event='late'><send event='e' target='#_child'/></transition>"
    "<transition event='done.invoke' target='a'/></state></state>"
    "<state id='s'><transition event='e' cond='changed(n)'><log expr='n'/></transition></state></parallel>");

/// A run from its middle on, again from a snapshot: the same to the last bit.
TEST(SessionSnapshot, GoesOnAsIfNothingHadBeen) {
  const auto chart = Load(kSavedChart);
  for (int middle = 1; middle < 60; ++middle) {
    RecordingObserver observer;
    SessionTable first(chart, nullptr, &observer);
    first.Start(0);
    const auto step = [](SessionTable& table, int n) {
      if (n % 3 == 0) table.session().Send(table.session().MakeEvent("e"));
      if (n % 7 == 0) table.session().Send(table.session().MakeEvent("unheard.of"));
      table.Step(n * 0.005);
    };
    for (int n = 1; n <= middle; ++n) step(first, n);
    first.session().Send(first.session().MakeEvent("e"));  // still in the queue
    const std::vector<std::byte> saved = first.Save();
    ASSERT_FALSE(saved.empty());
    observer = {};
    for (int n = middle + 1; n <= middle + 60; ++n) step(first, n);

    RecordingObserver again;
    SessionTable second(chart, nullptr, &again);
    ASSERT_TRUE(second.Restore(saved));
    EXPECT_EQ(second.Save(), saved);
    for (int n = middle + 1; n <= middle + 60; ++n) step(second, n);
    ASSERT_EQ(again.events, observer.events) << "from step " << middle;
    EXPECT_EQ(again.logs, observer.logs);
    EXPECT_EQ(second.Save(), first.Save());
  }
}

TEST(SessionSnapshot, OfRandomChartsKeepsTheirHistories) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) {
    const auto chart = Load(MakeRandomChart(random).ToXml());
    SessionLimits limits;
    limits.most_microsteps = 50;
    SessionTable first(chart, nullptr, nullptr, limits);
    SessionTable second(chart, nullptr, nullptr, limits);
    first.Start(0);
    const auto send = [](SessionTable& table, char event) {
      table.session().Send(table.session().MakeEvent(std::string(1, event)));
      table.RunUntilStable(0);
    };
    for (int k = 0; k < 30; ++k) send(first, static_cast<char>('a' + static_cast<char>(random() % 4)));
    ASSERT_TRUE(second.Restore(first.Save()));
    for (int k = 0; k < 30; ++k) {
      const char event = static_cast<char>('a' + static_cast<char>(random() % 4));
      send(first, event);
      send(second, event);
      ASSERT_EQ(second.Save(), first.Save());
    }
  }
}

TEST(SessionSnapshot, RefusesWhatDoesNotFit) {
  const auto chart = Load(kSavedChart);
  SessionTable table(chart, nullptr, nullptr);
  table.Start(0);
  const std::vector<std::byte> saved = table.Save();
  SessionTable other(Load(ChartText("<state id='s'/>")), nullptr, nullptr);
  EXPECT_FALSE(other.Restore(saved));
  for (std::size_t size = 0; size < saved.size(); size += 7) {
    EXPECT_FALSE(table.Restore(std::span(saved).first(size)));
  }
  EXPECT_TRUE(table.Restore(saved));
  if (!HasEcmascript()) return;
  SessionTable script(Load("<scxml version='1.0' datamodel='ecmascript'><state id='s'/></scxml>"), nullptr,
                      nullptr);
  script.Start(0);
  EXPECT_TRUE(script.Save().empty());
}

}  // namespace
}  // namespace davit
