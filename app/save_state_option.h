#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "session/simulation.h"

namespace davit {

/// FILE of `FILE[@T]`.
std::filesystem::path FileOfSaveState(const std::string& text);

/// `--save-state FILE[@T]`, as typed: snapshots with a time become due in the simulation, the files of the
/// others are given back. A file name that contains @ needs its @T. Faults go to `diagnostics`. Call it when
/// the time at which the run begins is known. Throws std::runtime_error for a snapshot that is due at once
/// and cannot be written.
std::vector<std::filesystem::path> ReadSaveStateOptions(const std::vector<std::string>& texts,
                                                        Simulation& simulation, Diagnostics& diagnostics);

}  // namespace davit
