#include "server/live_run.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace davit
