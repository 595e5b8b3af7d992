// What a program that dies leaves on disk. benchmarks/killed_runs.cc kills more of them.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/support/killed_run.h"

namespace davit {
namespace {

using std::chrono::milliseconds;

constexpr double kInterval = KilledRun::kInterval;

/// The rows of a file, which can be read and are all there from the first to the last.
std::vector<double> TimesOf(const std::filesystem::path& file) {
  std::string fault;
  const ResultTable table = KilledRun::Load(file, fault);
  EXPECT_EQ(fault, "");
  EXPECT_EQ(table.names.size(), 3U) << file;
  for (std::size_t n = 0; n < table.time.size(); ++n)
    EXPECT_NEAR(table.time[n], kInterval * static_cast<double>(n), 1e-9 * static_cast<double>(n));
  return table.time;
}

TEST(CrashTest, LosesASecondOfAPacedRun) {
  KilledRun run(DAVIT_BINARY);
  std::mt19937 random(18);
  for (int i = 0; i < 8; ++i) {
    const milliseconds wait(std::uniform_int_distribution<>(5, 2500)(random));
    ASSERT_TRUE(run.RunAndKill({"--realtime", "1"}, wait));
    for (const auto& file : run.files()) {
      const std::vector<double> times = TimesOf(file);
      ASSERT_FALSE(times.empty()) << file;
      EXPECT_GE(times.back(), run.TimeReached() - 1 - kInterval) << file << ' ' << wait.count();
    }
  }
}

TEST(CrashTest, LeavesFilesOfAFreeRunThatCanBeRead) {
  KilledRun run(DAVIT_BINARY);
  std::mt19937 random(19);
  for (int i = 0; i < 8; ++i) {
    const milliseconds wait(std::uniform_int_distribution<>(5, 1500)(random));
    ASSERT_TRUE(run.RunAndKill({}, wait));
    for (const auto& file : run.files()) TimesOf(file);
  }
}

}  // namespace
}  // namespace davit
