// The crane with 300 random sequences of level switches and lever motions: the lowest pressure of each, which
// must not be below vacuum. Exit code 1 where one is.
//
//     bin/benchmarks/crane_switching [first seed] [number of seeds]

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tests/support/switched_crane.h"

int main(int count, char** arguments) try {
  constexpr double kStop = 10;
  constexpr int kSwitches = 40;
  const int first = count > 1 ? std::atoi(arguments[1]) : 1;
  const int seeds = count > 2 ? std::atoi(arguments[2]) : 300;
  double lowest = 0;
  std::uint64_t switches = 0;
  for (int seed = first; seed < first + seeds; ++seed) {
    davit::SwitchedCrane crane(static_cast<unsigned>(seed), kSwitches, kStop);
    const auto here = crane.RunUntil(kStop);
    switches += crane.switches();
    if (here.pressure < lowest) lowest = here.pressure;
    if (!(here.pressure >= davit::kVacuum)) {
      fmt::print("seed {}: {} at {:.5g} bar\n", seed, here.path, here.pressure / 1e5);
      lowest = davit::kVacuum - 1;
    }
  }
  fmt::print("{} runs, {} switches, lowest pressure {:.5f} bar (gauge)\n", seeds, switches, lowest / 1e5);
  return lowest >= davit::kVacuum ? 0 : 1;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
