// Several threads: two simulations at once, requests and stops from outside, calls that come at the same
// time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "session/call_guard.h"
#include "tests/session/sessions.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Two systems in two threads, each loaded, run, recorded to a file, saved there, give the bits of one after
/// the other.
TEST(ThreadsTest, TwoSimulationsDoNotDisturbEachOther) {
  const std::vector<std::pair<std::string, std::string>> systems{{"operated_lift", "3 s"},
                                                                 {"water_hammer", "0.2 s"},
                                                                 {"bouncing_ball", "2 s"},
                                                                 {"lifting_cylinder", "1 s"}};
  const auto run = [](const std::string& name, const std::string& stop, const std::string& ending,
                      std::string& snapshot) {
    const fs::path file = fs::path(testing::TempDir()) / ("threads_test_" + name + ending);
    const auto s = LoadExample(name, stop);
    s->StartRecording({.files = {file}});
    s->Initialize();
    s->Run();
    s->StopRecordings();
    snapshot = s->TakeSnapshot() + ReadAll(file);
    fs::remove(file);
  };
  for (std::size_t i = 0; i + 1 < systems.size(); i += 2) {
    for (const char* format : {".csv", ".h5", ".mat"}) {
      std::string alone[2], together[2];
      const auto start = [&](std::size_t k, std::string* results) {
        run(systems[i + k].first, systems[i + k].second, std::to_string(k) + format, results[k]);
      };
      start(0, alone);
      start(1, alone);
      std::thread first(start, 0, together);
      std::thread second(start, 1, together);
      first.join();
      second.join();
      EXPECT_TRUE(together[0] == alone[0]) << systems[i].first << format;
      EXPECT_TRUE(together[1] == alone[1]) << systems[i + 1].first << format;
    }
  }
}

/// A run without an end that another thread ends.
TEST(ThreadsTest, StopFromAnotherThreadEndsARun) {
  const auto s = LoadBody({.load = {.set = {"SimulatorManager.StopTime=1e9"}}});
  s->Initialize();
  std::atomic<bool> is_running = false;
  s->StartRecording({.interval = 0, .on_row = [&](double, std::span<const double>) { is_running = true; }});
  std::thread other([&] {
    while (!is_running) std::this_thread::yield();
    s->RequestStop();
  });
  EXPECT_EQ(s->Run(), RunEnd::kRequested);
  other.join();
  EXPECT_LT(s->time(), 1e9);
  const double t = s->time();
  EXPECT_EQ(s->RunUntil(t + 1), RunEnd::kReached) << "one request ends one run";
}

/// Also one that sleeps, since it is ahead of the clock.
TEST(ThreadsTest, StopFromAnotherThreadWakesAPacedRun) {
  const auto s = LoadBody({.load = {.set = {"SimulatorManager.StopTime=1000", "SimulatorManager.fs=0.01"}}});
  s->Initialize();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    s->RequestStop();
  });
  RunHost host;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(s->Run(host, 1.0), RunEnd::kRequested);  // a period has 100 s
  other.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

/// Senders in several threads: each request is answered once, in the thread that drives, and all act.
TEST(ThreadsTest, RequestsComeFromAnyThread) {
  constexpr int kSenders = 3;
  constexpr int kRequests = 200;
  const auto s = LoadBody({.load = {.set = {"SimulatorManager.StopTime=1e9"}}});
  s->Initialize();
  const ItemList stiffness = s->Items({"body.stiffness"});
  const std::thread::id driver = std::this_thread::get_id();
  std::atomic<int> accepted = 0, refused = 0;
  const auto take = [&](const RequestAnswer& answer) {
    EXPECT_EQ(std::this_thread::get_id(), driver);
    ++(answer.is_accepted ? accepted : refused);
    if (accepted + refused == 3 * kSenders * kRequests) s->RequestStop();
  };
  std::vector<std::thread> senders;
  for (int k = 0; k < kSenders; ++k) {
    senders.emplace_back([&s, &take, &stiffness, k] {
      for (int i = 0; i < kRequests; ++i) {
        const double value = 40 + k + 0.01 * i;
        while (!s->Post({.sender = "a", .command = "set body.mass " + std::to_string(value)}, take)) {
        }
        while (!s->Post({.sender = "b", .items = stiffness, .values = {value}}, take)) {
        }
        while (!s->Post({.sender = "c", .command = "set body.mass heavy"}, take)) {
        }
      }
    });
  }
  EXPECT_EQ(s->Run(), RunEnd::kRequested);
  for (std::thread& sender : senders) sender.join();
  s->TakeRequests();
  EXPECT_EQ(accepted, 2 * kSenders * kRequests);
  EXPECT_EQ(refused, kSenders * kRequests);
  s->Step();
  EXPECT_EQ(s->statistics().commands, static_cast<std::uint64_t>(2 * kSenders * kRequests));
  EXPECT_GE(s->Read("body.stiffness"), 40);
}

/// Of calls from many threads one at a time is inside, from its beginning to its end; what it writes the next
/// one sees.
TEST(ThreadsTest, GuardLetsOneCallInAtATime) {
  CallGuard guard;
  int inside = 0, passed = 0;  // of whoever is inside
  std::atomic<int> refused = 0;
  const auto work = [&] {
    for (int i = 0; i < 20'000; ++i) {
      try {
        const auto pass = guard.Enter("call");
        EXPECT_EQ(++inside, 1);
        ++passed;
        --inside;
      } catch (const std::logic_error&) {
        ++refused;
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed + refused, 80'000);
  EXPECT_GT(passed, 0);
}

/// A call that continues in another thread: that one may read, and nobody else, not even where it came from.
TEST(ThreadsTest, GuardFollowsACallIntoAnotherThread) {
  CallGuard guard;
  const auto is_refused = [&] {
    return !WhatOf<std::logic_error>([&] { guard.EnterToRead("read"); }).empty();
  };
  for (int i = 0; i < 200; ++i) {
    const auto pass = guard.Enter("call");
    EXPECT_FALSE(is_refused());
    pass.Leave();
    EXPECT_TRUE(is_refused());
    std::atomic<bool> may_end = false;
    std::thread other([&] {
      EXPECT_TRUE(is_refused());
      pass.Continue();
      EXPECT_FALSE(is_refused());
      while (!may_end) std::this_thread::yield();
      EXPECT_FALSE(is_refused());
      pass.Leave();
    });
    EXPECT_TRUE(is_refused());
    may_end = true;
    other.join();
    EXPECT_TRUE(is_refused());
    pass.Continue();
    EXPECT_FALSE(is_refused());
  }
  EXPECT_FALSE(is_refused());
}

/// Whoever calls while another thread is inside is refused, and nothing changes.
TEST(ThreadsTest, SecondThreadIsRefused) {
  const auto s = LoadBody();
  s->Initialize();
  std::vector<double> times;
  std::vector<std::string> refusals;
  s->StartRecording({.interval = 0.5, .on_row = [&](double t, std::span<const double>) {
                       times.push_back(t);
                       if (times.size() != 2) return;
                       std::thread other([&] {
                         refusals.push_back(WhatOf<std::logic_error>([&] { s->Step(); }));
                         refusals.push_back(WhatOf<std::logic_error>([&] { s->Write("body.mass", 5); }));
                         refusals.push_back(WhatOf<std::logic_error>([&] { s->Read("body.mass"); }));
                         refusals.push_back(WhatOf<std::logic_error>([&] { s->Initialize(); }));
                       });
                       other.join();
                     }});
  s->Run();
  ASSERT_EQ(refusals.size(), 4U);
  for (const std::string& refusal : refusals)
    EXPECT_THAT(refusal, HasSubstr("another thread is inside a call of this simulation; wait until that call "
                                   "has returned, or use Post"));
  const auto untouched = LoadBody();
  untouched->Initialize();
  untouched->Run();
  EXPECT_TRUE(s->TakeSnapshot() == untouched->TakeSnapshot());
}

/// Callbacks of a step may read, post and ask for a stop; not step or write.
TEST(ThreadsTest, CallbacksMayReadOnly) {
  const auto s = LoadBody();
  std::vector<std::string> refusals;
  double x = 0;
  s->StartRecording(
      {.signals = {"body.x"}, .interval = 0.5, .on_row = [&](double t, std::span<const double> values) {
         x = s->Read("body.x");
         EXPECT_EQ(x, values[0]);
         if (t != 0.5) return;
         s->Post({.command = "set body.mass 3 kg"});
         refusals.push_back(WhatOf<std::logic_error>([&] { s->Step(); }));
         refusals.push_back(WhatOf<std::logic_error>([&] { s->Write("body.mass", 5); }));
         refusals.push_back(WhatOf<std::logic_error>([&] { s->StopRecordings(); }));
         refusals.push_back(WhatOf<std::logic_error>([&] { s->Submit({.command = "event e"}); }));
       }});
  s->Initialize();
  s->Run();
  ASSERT_EQ(refusals.size(), 4U);
  for (const std::string& refusal : refusals)
    EXPECT_THAT(refusal, HasSubstr("it was called by a callback of a step"));
  EXPECT_EQ(s->Read("body.mass"), 3);
}

/// A simulation may move from thread to thread between its calls.
TEST(ThreadsTest, ThreadsMayTakeTurns) {
  const auto s = LoadBody();
  std::thread([&] { s->Initialize(); }).join();
  for (int i = 1; i <= 10; ++i) std::thread([&s, i] { s->RunUntil(0.1 * i); }).join();
  const auto alone = LoadBody();
  alone->Initialize();
  alone->Run();
  EXPECT_TRUE(s->TakeSnapshot() == alone->TakeSnapshot());
}

/// Threads that share the steps of a simulation change no bit.
TEST(ThreadsTest, SharedStepsHaveTheSameBits) {
  const auto one = LoadExample("water_hammer", "0.2 s");
  const auto two = LoadExample("water_hammer", "0.2 s", {.threads = 2, .thread_use = ThreadUse::kAlways});
  for (Simulation* s : {one.get(), two.get()}) {
    s->Initialize();
    s->Run();
  }
  EXPECT_EQ(two->statistics().threads, 2U);
  EXPECT_TRUE(one->TakeSnapshot() == two->TakeSnapshot());
}

}  // namespace
}  // namespace davit
