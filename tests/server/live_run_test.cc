#include "server/live_run.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "session/run_condition.h"
#include "tests/server/live_system.h"

namespace davit {
namespace {

TEST(LiveRun, AFloodOfWritesWhileItIsPausedIsBounded) {
  LiveSystem live;
  live.Do([&] {
    const auto submit = [&] {
      return live.run().Submit({.sender = "flood", .command = "message SimulatorManager Start"});
    };
    live.run().Pause("test");
    Request write{.sender = "flood"};
    write.items = live.run().simulation().Items({"load.mass"});
    write.values = {20.0};
    for (std::size_t i = 0; i < LiveRun::kMostPending; ++i)
      ASSERT_TRUE(live.run().Submit(write).is_accepted) << i;
    const RequestAnswer refused = live.run().Submit(write);
    EXPECT_FALSE(refused.is_accepted);
    EXPECT_NE(refused.text.find("10000 requests wait"), std::string::npos) << refused.text;
    EXPECT_FALSE(submit().is_accepted);
    // A step takes them all.
    EXPECT_EQ(live.run().Step("test"), "");
    EXPECT_TRUE(live.run().Submit(write).is_accepted);
  });
}

/// What a recorded run has passed stays readable wherever it goes; a branch has its own, and the trunk keeps
/// that which it had.
TEST(LiveRun, TheHistoryFollowsARecordedRunThroughItsTime) {
  LiveSystem live;
  LiveRun& run = live.run();
  Simulation& simulation = run.simulation();
  const auto ends_at = [&run](const std::string& branch) {
    std::vector<History::Bin> bins;
    run.history().Read(branch, "time", 0, 1e9, History::kMostBins, bins);
    for (std::size_t i = 0; i < bins.size(); ++i) {
      EXPECT_EQ(bins[i].t, bins[i].last);
      if (i > 0) {
        EXPECT_GT(bins[i].t, bins[i - 1].t);
      }
    }
    return bins.empty() ? -1.0 : bins.back().t;
  };
  const auto go_to = [&run](double t) {
    return run.Travel([t](TimeTravel& travel) { travel.GoTo(t); }, "goto", "test");
  };
  live.Do([&] {
    simulation.RecordRun({});
    ASSERT_TRUE(run.writable_history().Watch("time", ValueSource(simulation.manager()), 0));
    for (int i = 0; i < 20; ++i) ASSERT_EQ(run.Step("test"), "");
    ASSERT_EQ(go_to(0.05), "");
  });
  live.Poll();
  const std::uint64_t number = live.context().events.run();
  EXPECT_NEAR(run.time(), 0.05, 1e-12);
  EXPECT_NEAR(run.end_time(), 0.2, 1e-12);
  EXPECT_NEAR(ends_at(""), 0.2, 1e-12);
  live.Do([&] {
    ASSERT_TRUE(run.Submit({.sender = "test", .command = "set load.mass 20 kg"}).is_accepted);
    ASSERT_EQ(run.Step("test"), "");
  });
  EXPECT_NEAR(run.end_time(), 0.06, 1e-12);
  EXPECT_NEAR(ends_at(""), 0.06, 1e-12);
  EXPECT_NEAR(ends_at("trunk"), 0.2, 1e-12);
  live.Do([&] {
    EXPECT_EQ(run.Travel([](TimeTravel& travel) { travel.SwitchTo("trunk"); }, "branch", "test"), "");
  });
  live.Poll();
  EXPECT_NEAR(run.end_time(), 0.2, 1e-12);
  EXPECT_NEAR(ends_at(""), 0.2, 1e-12);
  EXPECT_NEAR(ends_at("branch-1"), 0.06, 1e-12);
  EXPECT_EQ(live.context().events.run(), number) << "it has not begun again";
  // Another run has nothing of it.
  live.Do([&] { EXPECT_EQ(run.Reset("test"), ""); });
  live.Poll();
  EXPECT_EQ(ends_at("trunk"), -1.0);
  EXPECT_EQ(ends_at(""), 0.0);
  EXPECT_EQ(run.end_time(), 0.0);
  EXPECT_EQ(live.context().events.run(), number + 1);
}

/// It pauses where a condition becomes true, not where it is true already.
TEST(LiveRun, PausesWhereAConditionBecomesTrue) {
  LiveSystem live;
  LiveRun& run = live.run();
  live.Do([&] {
    const auto watched =
        std::make_shared<RunCondition>(run.simulation(), "time lt 0.05 s or time gt 0.395 s");
    EXPECT_EQ(run.StartUntil([watched] { return watched->HasBecomeTrue(); }, "test"), "");
  });
  ASSERT_TRUE(live.PollUntil([&] { return run.status() == LiveStatus::kPaused; }));
  EXPECT_NEAR(run.time(), 0.4, 1e-12);
}

}  // namespace
}  // namespace davit
