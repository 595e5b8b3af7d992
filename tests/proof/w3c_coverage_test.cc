// Coverage of ten W3C tests of SCXML against counts by hand, read from the charts of
// DAVIT_REFERENCE_DIR/scxml-tests; skipped where that is absent.

#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>

#include "proof/chart_coverage.h"
#include "statecharts/chart_loader.h"
#include "statecharts/ecmascript_data_model.h"
#include "statecharts/session_table.h"

namespace davit {
namespace {

struct CountByHand {
  const char* test;
  std::size_t entered, states;
  std::size_t taken, transitions;
  std::size_t decided, guards;
  std::size_t together, pairs;
};

void PrintTo(const CountByHand& count, std::ostream* out) { *out << count.test; }

class W3cCoverage : public testing::TestWithParam<CountByHand> {};

TEST_P(W3cCoverage, EqualsTheCountByHand) {
  const CountByHand& hand = GetParam();
  const std::filesystem::path file = std::filesystem::path(DAVIT_REFERENCE_DIR) / "scxml-tests" / "w3c" /
                                     "ecma" / (std::string("test") + hand.test + ".scxml");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no W3C tests in " DAVIT_REFERENCE_DIR;
  if (!HasEcmascript()) GTEST_SKIP() << "built without Duktape";
  Diagnostics diagnostics;
  ChartLoadOptions options;
  options.default_data_model = DataModelKind::kEcmascript;
  const auto chart = LoadChart(file, options, diagnostics);
  ASSERT_NE(chart, nullptr) << ToText(diagnostics);
  ChartCoverage coverage(*chart);
  SessionTable table(chart, nullptr, nullptr);
  table.set_watch(&coverage);
  table.Start(0);
  const ChartCounts counts = coverage.Counts();
  const auto expect = [](const ChartCounts::Counts& all, std::size_t covered, std::size_t total,
                         const char* what) {
    EXPECT_EQ(ChartCounts::ShareOf(all).covered, covered) << what;
    EXPECT_EQ(ChartCounts::ShareOf(all).total, total) << what;
  };
  expect(counts.states, hand.entered, hand.states, "states");
  expect(counts.transitions, hand.taken, hand.transitions, "transitions");
  expect(counts.guards, hand.decided, hand.guards, "guards");
  expect(counts.pairs, hand.together, hand.pairs, "pairs");
}

// 364: three defaults that leave out their siblings; both parallel states are left by an event that is raised
// when one region is entered. 413: two transitions of one step are in conflict, the first one is taken.
// 504: a transition of a parallel state to one of its children leaves and enters both regions.
INSTANTIATE_TEST_SUITE_P(
    Ten, W3cCoverage,
    testing::Values(CountByHand{"144", 3, 4, 2, 4, 0, 0, 0, 0}, CountByHand{"147", 2, 3, 1, 2, 1, 2, 0, 0},
                    CountByHand{"149", 2, 3, 1, 2, 1, 2, 0, 0}, CountByHand{"172", 2, 3, 1, 2, 0, 0, 0, 0},
                    CountByHand{"436", 4, 6, 1, 3, 2, 4, 1, 1}, CountByHand{"355", 2, 4, 1, 2, 0, 0, 0, 0},
                    CountByHand{"364", 19, 29, 3, 6, 0, 0, 2, 8}, CountByHand{"376", 2, 3, 1, 2, 1, 2, 0, 0},
                    CountByHand{"413", 7, 11, 1, 6, 2, 4, 1, 4},
                    CountByHand{"504", 10, 11, 7, 12, 5, 10, 1, 1}),
    [](const auto& row) { return row.param.test; });

}  // namespace
}  // namespace davit
