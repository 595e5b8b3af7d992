#include "simulator/network/worker_pool.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace davit {
namespace {

TEST(WorkerPool, RunsTheWorkOnceOnEachThread) {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    WorkerPool pool(threads);
    ASSERT_EQ(pool.threads(), threads);
    std::vector<int> calls(threads, 0);
    const auto work = [&](unsigned k) { ++calls[k]; };
    constexpr int kRounds = 2000;
    for (int round = 0; round < kRounds; ++round) pool.Run(work);
    EXPECT_EQ(calls, std::vector<int>(threads, kRounds));
  }
}

TEST(WorkerPool, WhatOneRoundWroteTheNextOneReads) {
  constexpr unsigned kThreads = 4;
  WorkerPool pool(kThreads);
  // Each thread adds what its neighbour had after the round before: without a barrier the sums would differ.
  std::vector<std::uint64_t> now(kThreads, 1);
  std::vector<std::uint64_t> next(kThreads, 0);
  std::vector<std::uint64_t> expected(kThreads, 1);
  for (int round = 0; round < 500; ++round) {
    const auto work = [&](unsigned k) { next[k] = now[k] + 3 * now[(k + 1) % kThreads] + k; };
    pool.Run(work);
    now.swap(next);
    std::vector<std::uint64_t> serial(kThreads);
    for (unsigned k = 0; k < kThreads; ++k) serial[k] = expected[k] + 3 * expected[(k + 1) % kThreads] + k;
    expected = serial;
  }
  EXPECT_EQ(now, expected);
}

TEST(WorkerPool, EndsWhileWorkersSleep) {
  WorkerPool pool(3);
  const auto work = [](unsigned) {};
  pool.Run(work);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));  // long enough to fall asleep
}

}  // namespace
}  // namespace davit
