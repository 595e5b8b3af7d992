// Paced and free runs that write a CSV, a MAT and an HDF5 file, each killed (SIGKILL) at a random time. Every
// file must be readable, without a gap, and end at most a second before the kill. Exit code 1 where one does
// not.
//
//     bin/benchmarks/killed_runs DAVIT [number of runs of each kind]

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "tests/support/killed_run.h"

namespace {

/// Of the runs of one kind.
struct Outcome {
  int kills = 0;
  int files = 0;
  int faults = 0;
  int judged = 0;        ///< files of runs that were killed after more than a second
  double most_lost = 0;  ///< simulated time between the last row and what the log had reached [s]
  double worst =
      -1e300;  ///< time that the log had reached a second before the kill, less that of the last row [s]
};

Outcome Kill(davit::KilledRun& run, const std::vector<std::string>& options, int count, unsigned seed) {
  using davit::KilledRun;
  Outcome outcome;
  std::mt19937 random(seed);
  for (int i = 0; i < count; ++i) {
    const std::chrono::milliseconds wait(std::uniform_int_distribution<>(5, 4000)(random));
    if (run.RunAndKill(options, wait)) ++outcome.kills;
    const double before = run.TimeASecondBefore();
    for (const auto& file : run.files()) {
      std::string fault;
      const davit::ResultTable table = KilledRun::Load(file, fault);
      ++outcome.files;
      bool is_good = fault.empty() && !table.time.empty();
      for (std::size_t n = 0; n < table.time.size(); ++n)
        is_good = is_good && std::abs(table.time[n] - KilledRun::kInterval * static_cast<double>(n)) <=
                                 1e-9 * static_cast<double>(n);
      const double last = table.time.empty() ? -1 : table.time.back();
      outcome.most_lost = std::max(outcome.most_lost, run.TimeReached() - last);
      if (before >= 0) {
        ++outcome.judged;
        outcome.worst = std::max(outcome.worst, before - last);
        is_good = is_good && last >= before - KilledRun::kInterval;
      }
      if (is_good) continue;
      ++outcome.faults;
      fmt::print("{} after {} ms: {} rows to {} s, log {} s, a second before {} s; {}\n",
                 file.filename().string(), wait.count(), table.time.size(), last, run.TimeReached(), before,
                 fault);
    }
  }
  return outcome;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count < 2) {
    fmt::print(stderr, "killed_runs DAVIT [number of runs of each kind]\n");
    return 2;
  }
  const int runs = count > 2 ? std::atoi(arguments[2]) : 30;
  davit::KilledRun run(arguments[1]);
  int faults = 0;
  for (const bool is_paced : {true, false}) {
    const Outcome outcome = is_paced ? Kill(run, {"--realtime", "1"}, runs, 18) : Kill(run, {}, runs, 19);
    fmt::print(
        "{}: {} of {} runs killed, {} files, {} of them not as they should be; at most {:.3f} s of simulated "
        "time "
        "lost; {} files of runs of more than a second, which lack at most {:.3f} s of what was there a "
        "second before\n",
        is_paced ? "paced" : "free", outcome.kills, runs, outcome.files, outcome.faults, outcome.most_lost,
        outcome.judged, std::max(0.0, outcome.worst));
    faults += outcome.faults + runs - outcome.kills;
  }
  return faults == 0 ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
