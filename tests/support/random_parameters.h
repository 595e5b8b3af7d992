#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "session/simulation.h"

namespace davit {

/// A system with random parameters.
struct RandomSystem {
  std::unique_ptr<Simulation> simulation;  ///< null where davit accepts not even the usual parameters
  std::vector<std::string> set;            ///< as `--set` takes them
  std::string refusals;                    ///< why davit has not accepted those that were drawn first
};

/// Loads a system with each parameter x of its machine replaced by x 10^u, u evenly spread over -1 .. 1 and
/// drawn with `seed`; values outside of the range of a parameter go to its end. Parameters that are 0 or
/// infinite stay, and so do those of the run: TimeStep, tolerances.
///
/// With `keeps_pose` the parameters stay that say where the pistons of a crane are: the boom, the attachments
/// of its cylinders, and their lengths and strokes. Without it most pistons would start outside of their
/// barrels.
///
/// Where parameters contradict each other (a rod thicker than its bore) the exponents u of those that
/// davit names are halved, until it accepts them. `options.load.set` are set besides.
RandomSystem LoadWithRandomParameters(const std::filesystem::path& file, const Registry& registry,
                                      std::uint64_t seed, bool keeps_pose, SimulationOptions options);

}  // namespace davit
