// Random charts on the compiled interpreter and on the algorithm of the standard as it is written: the same
// states are left and entered in the same order, event by event.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "statecharts/chart_loader.h"
#include "statecharts/session_table.h"
#include "tests/statecharts/literal_algorithm.h"
#include "tests/statecharts/random_chart.h"

namespace davit {
namespace {

constexpr int kMostMicrosteps = 60;

class Trace final : public ChartObserver {
 public:
  void OnExit(const Interpreter& session, StateId state) override {
    steps.push_back("-" + session.chart().names[state].id);
  }
  void OnEnter(const Interpreter& session, StateId state) override {
    steps.push_back("+" + session.chart().names[state].id);
  }
  std::vector<std::string> steps;
};

/// The end of a trace, for messages; what lies before was compared before.
std::vector<std::string> Last(const std::vector<std::string>& steps) {
  constexpr std::size_t kMost = 30;
  return {steps.size() > kMost ? steps.end() - kMost : steps.begin(), steps.end()};
}

class Differential : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Differential, ChartsBehaveAsTheStandardSays) {
  constexpr int kCharts = 500;
  constexpr int kEvents = 100;
  std::mt19937_64 random(GetParam());
  std::size_t moves = 0;
  for (int i = 0; i < kCharts; ++i) {
    const PlainChart plain = MakeRandomChart(random);
    const std::string text = plain.ToXml();
    Diagnostics diagnostics;
    const auto chart = LoadChartText(text, "random.scxml", {}, diagnostics);
    ASSERT_NE(chart, nullptr) << ToText(diagnostics.all().front()) << '\n' << text;
    ASSERT_EQ(chart->states.size(), plain.nodes.size());

    Trace trace;
    SessionLimits limits;
    limits.most_microsteps = kMostMicrosteps;
    limits.internal_events = 4096;
    SessionTable table(chart, nullptr, &trace, limits);
    LiteralAlgorithm literal(plain, kMostMicrosteps);
    table.Start(0);
    literal.Start();
    for (int k = 0; k < kEvents; ++k) {
      std::set<int> active;
      table.session().configuration().ForEach([&](StateId s) { active.insert(static_cast<int>(s)); });
      ASSERT_EQ(active, literal.configuration()) << "before event " << k << " of chart " << i << '\n' << text;
      ASSERT_EQ(Last(trace.steps), Last(literal.trace())) << "before event " << k << " of chart " << i << '\n'
                                                          << text;
      ASSERT_EQ(table.session().is_stuck(), literal.is_stuck()) << text;
      if (literal.is_stuck()) break;
      const std::string event(1, static_cast<char>('a' + static_cast<char>(random() % 4)));
      table.session().Send(table.session().MakeEvent(event));
      table.session().ProcessExternalEvent();
      literal.Send(event);
    }
    moves += trace.steps.size();
  }
  EXPECT_GT(moves, 100'000U) << "the charts hardly move; the comparison says little";
}

// 20 x 500 charts of 100 events each.
INSTANTIATE_TEST_SUITE_P(Seeds, Differential, testing::Range<std::uint64_t>(1, 21));

}  // namespace
}  // namespace davit
