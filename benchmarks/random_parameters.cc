// Runs of a system with random parameters, each within ten times its usual size (tests/support/
// random_parameters.h): each ends within a minute of computing, or tells why it cannot.
//
//     bin/benchmarks/random_parameters SYSTEM [--all] [FIRST_SEED COUNT STOP_TIME [LEVEL]]
//
// With --all the lengths that say where the pistons of a crane are change too; then most runs cannot start.
// For example systems/knuckle_boom_crane.xml 1 1000 '1 s' Advanced. Each run is a process of its own. Writes
// a line for each that fails, with its message, and for each that takes too long or crashes; the exit code is
// 1 where there are such, and there the settings that repeat the run are written to random_SEED.txt.

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "components/register.h"
#include "tests/support/random_parameters.h"

namespace davit {
namespace {

constexpr rlim_t kMostSeconds = 60;

enum Outcome : int { kDone, kFailed, kNotLoaded };

struct Given {
  std::string system = "";
  std::uint64_t first = 1;
  std::uint64_t count = 1000;
  std::string stop_time = "1 s";
  std::string level = "";
  bool keeps_pose = true;
};

SimulationOptions OptionsOf(const Given& given) {
  SimulationOptions options;
  options.load.set = {"SimulatorManager.StopTime=" + given.stop_time};
  if (!given.level.empty()) options.load.level = {"*=" + given.level};
  options.log = [](RunLog::Severity /*severity*/, std::string_view /*line*/) {};
  return options;
}

Outcome RunOne(const Given& given, const Registry& registry, std::uint64_t seed) {
  const RandomSystem random =
      LoadWithRandomParameters(given.system, registry, seed, given.keeps_pose, OptionsOf(given));
  if (random.simulation == nullptr) return kNotLoaded;
  try {
    random.simulation->Initialize();
    random.simulation->Run();
    return kDone;
  } catch (const SimulationFailure& failure) {
    fmt::print("{}: {}\n", seed, failure.what());
    return kFailed;
  }
}

void WriteSettings(const Given& given, const Registry& registry, std::uint64_t seed) {
  std::ofstream file(fmt::format("random_{}.txt", seed));
  for (const std::string& text :
       LoadWithRandomParameters(given.system, registry, seed, given.keeps_pose, OptionsOf(given)).set)
    file << "--set\n" << text << '\n';
}

/// Whether the run has ended by itself. `failed` counts those that told why.
bool Ends(const Given& given, const Registry& registry, std::uint64_t seed, std::uint64_t& failed) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{kMostSeconds, kMostSeconds + 5};
    setrlimit(RLIMIT_CPU, &limit);
    const Outcome outcome = RunOne(given, registry, seed);
    std::fflush(nullptr);
    _exit(outcome);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (given.count == 1) WriteSettings(given, registry, seed);
  if (WIFEXITED(status) && WEXITSTATUS(status) <= kFailed) {
    failed += WEXITSTATUS(status) == kFailed ? 1 : 0;
    return true;
  }
  const bool is_slow = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  fmt::print("{}: {}\n", seed, is_slow ? "takes more than a minute" : "CRASHES, or cannot be loaded");
  if (given.count > 1) WriteSettings(given, registry, seed);
  return false;
}

}  // namespace
}  // namespace davit

int main(int count, char** arguments) try {
  std::vector<std::string> words(arguments + 1, arguments + count);
  davit::Given given;
  given.keeps_pose = std::erase(words, "--all") == 0;
  if (words.empty()) {
    fmt::print(stderr, "random_parameters SYSTEM [--all] [FIRST_SEED COUNT STOP_TIME [LEVEL]]\n");
    return 2;
  }
  given.system = words[0];
  if (words.size() > 2) {
    given.first = std::stoull(words[1]);
    given.count = std::stoull(words[2]);
  }
  if (words.size() > 3) given.stop_time = words[3];
  if (words.size() > 4) given.level = words[4];
  const davit::Registry registry = davit::AllModels();
  std::uint64_t failed = 0;
  std::uint64_t endless = 0;
  for (std::uint64_t seed = given.first; seed < given.first + given.count; ++seed)
    endless += davit::Ends(given, registry, seed, failed) ? 0 : 1;
  fmt::print("{} runs: {} done, {} told why not, {} did neither\n", given.count,
             given.count - failed - endless, failed, endless);
  return endless > 0 ? 1 : 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}
