#include "simulator/requests/request_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

class RequestQueueTest : public testing::Test {
 protected:
  Command Write(double time, const std::string& value) {
    Fault fault;
    const System& system = harness_.system();
    return {.time = time, .action = *system.FindLiveAssignment(system.root(), "one.value", value, &fault)};
  }
  static Command Event(double time, const std::string& name) {
    return {.time = time, .action = EventPost{nullptr, name}};
  }
  /// What acts at the step point reached: values and names, in their order.
  std::vector<std::string> Due() {
    std::vector<std::string> due;
    while (const Command* command = queue_.Next(grid_)) due.push_back(command->write()->text);
    return due;
  }
  std::vector<std::string> DueEvents() {
    std::vector<std::string> due;
    while (const Command* command = queue_.NextEvent(grid_)) due.push_back(command->event()->name);
    return due;
  }

  using Texts = std::vector<std::string>;
  SystemHarness harness_{R"(<System name="s"><signal.Constant name="one" value="1"/></System>)"};
  StepGrid grid_{.origin = 0, .time_step = 0.1, .stop_time = 10};
  RequestQueue queue_;
};

TEST_F(RequestQueueTest, ActsAtTheFirstStepPointNotBeforeItsTime) {
  queue_.Begin({});
  queue_.Submit(Write(0.25, "5"));
  for (grid_.n = 0; grid_.n < 3; ++grid_.n) EXPECT_EQ(Due(), Texts{}) << grid_.n;
  EXPECT_EQ(Due(), Texts{"5"});
  EXPECT_EQ(Due(), Texts{});
}

TEST_F(RequestQueueTest, TheFileComesBeforeWhatWasSubmittedEachByTime) {
  const std::vector<Command> schedule{Write(0, "1"), Write(0.1, "2")};
  queue_.Begin(schedule);
  queue_.Submit(Write(0.1, "4"));
  queue_.Submit(Write(0, "3"));
  queue_.Submit(Write(0.1, "5"));
  grid_.n = 1;
  EXPECT_EQ(Due(), (Texts{"1", "2", "3", "4", "5"}));
}

TEST_F(RequestQueueTest, EventsAndWritesDoNotHoldUpEachOther) {
  const std::vector<Command> schedule{Event(0, "a"), Write(0, "1"), Event(0.1, "b"), Write(0.1, "2")};
  queue_.Begin(schedule);
  queue_.Submit(Write(0, "3"));
  queue_.Submit(Event(0, "c"));
  EXPECT_EQ(DueEvents(), (Texts{"a", "c"}));
  EXPECT_EQ(Due(), (Texts{"1", "3"}));
  grid_.n = 1;
  EXPECT_EQ(Due(), Texts{"2"});
  EXPECT_EQ(DueEvents(), Texts{"b"});
}

TEST_F(RequestQueueTest, ResumesAfterWhatWasDone) {
  const std::vector<Command> schedule{Event(0, "a"),   Write(0, "1"),   Event(0.1, "b"),
                                      Write(0.1, "2"), Event(0.2, "c"), Write(0.2, "3")};
  queue_.Begin(schedule);
  grid_.n = 1;
  queue_.Resume(grid_,
                false);  // events of the step point reached were heard; its writes act before the next step
  EXPECT_EQ(Due(), Texts{"2"});
  grid_.n = 2;
  EXPECT_EQ(DueEvents(), Texts{"c"});
  EXPECT_EQ(Due(), Texts{"3"});
}

TEST_F(RequestQueueTest, AnArchiveKeepsSenderAndReceiver) {
  queue_.Begin({});
  Command write = Write(0.5, "5");
  write.sender = "panel";
  queue_.Submit(write);
  queue_.Submit(Event(0.3, "lift"));
  Archive saving;
  queue_.ArchiveMemory(saving, harness_.system());
  RequestQueue loaded;
  loaded.Begin({});
  Archive loading(saving.Take());
  loaded.ArchiveMemory(loading, harness_.system());
  ASSERT_TRUE(loading.is_good()) << loading.fault();
  loaded.Submit(write);  // given again by the same stream: it does not come twice
  EXPECT_EQ(loaded.submitted(), 2U);
  grid_.n = 5;
  EXPECT_EQ(loaded.NextEvent(grid_)->event()->name, "lift");
  EXPECT_EQ(loaded.Next(grid_)->sender, "panel");
  EXPECT_EQ(loaded.Next(grid_), nullptr);
}

}  // namespace
}  // namespace davit
