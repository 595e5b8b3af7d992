// What a program that dies leaves on disk.

#include <gtest/gtest.h>

#include <csignal>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "results/load_result.h"
#include "tests/support/child_program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr double kInterval = 0.01;  // of the rows, and of a chart that writes the time into the event log [s]

class CrashTest : public testing::Test {
 protected:
  CrashTest() {
    std::string pattern = (fs::temp_directory_path() / "davit_crash_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "clock.scxml")
        << "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'><state id='s'><onentry>"
           "<log expr='time'/><send event='tick' delay='10ms'/></onentry>"
           "<transition event='tick' target='s'/></state></scxml>";
    std::ofstream(folder_ / "system.xml")
        << "<System name='s' xmlns='urn:davit:system:1'><SimulatorManager TimeStep='10 ms' StopTime='1e7 s'/>"
           "<mechanical.MassSpringDamper name='mass'><Start x='1 m'/></mechanical.MassSpringDamper>"
           "<Statechart name='clock' src='clock.scxml'/>"
           "<Record signals='mass.*' interval='10 ms'/></System>";
    for (const char* kind : {"csv", "mat", "h5"}) files_.push_back(folder_ / (std::string("run.") + kind));
  }
  ~CrashTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  /// Runs the program and kills it; `wait` after the first row is there.
  void RunAndKill(std::vector<std::string> options, milliseconds wait) {
    for (const fs::path& file : files_) {
      fs::remove(file);
      options.insert(options.end(), {"-o", file.string()});
    }
    options.insert(options.begin(), {DAVIT_BINARY, "run", (folder_ / "system.xml").string(), "--quiet"});
    ChildProgram program(options);
    while (!HasFirstRow()) std::this_thread::sleep_for(milliseconds(1));
    std::this_thread::sleep_for(wait);
    program.Send(SIGKILL);
    EXPECT_EQ(program.Finish(), -1);
  }

  bool HasFirstRow() const {
    std::ifstream csv(files_.front());
    std::string header, row;
    return static_cast<bool>(std::getline(csv, header) && std::getline(csv, row));
  }

  ResultTable Load(const fs::path& file) {
    Diagnostics diagnostics;
    std::optional<ResultTable> table = LoadResult(file, diagnostics);
    for (const Diagnostic& fault : diagnostics.all()) {  // a torn last line of a CSV is a warning
      if (fault.severity == Severity::kError) ADD_FAILURE() << ToText(fault);
    }
    return table ? *std::move(table) : ResultTable{};
  }

  /// The last time that the event log has: the run had reached it.
  double TimeReached() const {
    std::ifstream log(folder_ / "log");
    double time = 0;
    for (std::string line; std::getline(log, line);) {
      const bool is_whole = line.starts_with("t = ") && line.find(" s: ") != std::string::npos;
      if (is_whole) time = std::stod(line.substr(4));
    }
    return time;
  }

  fs::path folder_;
  std::vector<fs::path> files_;
};

TEST_F(CrashTest, LosesASecondOfAPacedRun) {
  std::mt19937 random(18);
  for (int i = 0; i < 8; ++i) {
    const milliseconds wait(std::uniform_int_distribution<>(5, 2500)(random));
    RunAndKill({"--realtime", "1", "--log", (folder_ / "log").string()}, wait);
    for (const fs::path& file : files_) {
      const ResultTable table = Load(file);
      EXPECT_EQ(table.names.size(), 3U) << file;
      ASSERT_FALSE(table.time.empty()) << file;
      const double last = table.time.back();
      EXPECT_GE(last, TimeReached() - 1 - kInterval) << file << ' ' << wait.count();
      EXPECT_EQ(table.time.size(), static_cast<std::size_t>(std::lround(last / kInterval)) + 1) << file;
    }
  }
}

TEST_F(CrashTest, LeavesFilesOfAFreeRunThatCanBeRead) {
  std::mt19937 random(19);
  for (int i = 0; i < 8; ++i) {
    const milliseconds wait(std::uniform_int_distribution<>(5, 1500)(random));
    RunAndKill({}, wait);
    for (const fs::path& file : files_) {
      const ResultTable table = Load(file);
      ASSERT_EQ(table.names.size(), 3U) << file;
      for (std::size_t n = 0; n < table.time.size(); ++n)
        ASSERT_NEAR(table.time[n], kInterval * static_cast<double>(n), 1e-9 * static_cast<double>(n));
    }
  }
}

}  // namespace
}  // namespace davit
