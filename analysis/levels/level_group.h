#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/level.h"
#include "framework/system.h"

namespace davit {

/// Components whose level is chosen together.
struct LevelGroup {
  std::string name = {};                        ///< path of the component, or the glob
  std::vector<std::string> components = {};     ///< paths
  std::vector<std::vector<Level>> levels = {};  ///< by rung, then component: the lowest rung comes first
  std::vector<std::string> rungs = {};          ///< names of the rungs; the last one is the reference
  /// By rung below the highest: the indicators of what its levels neglect.
  std::vector<std::vector<std::string>> indicators = {};
};

/// A glob of components that make one group, and where it is asked for.
struct LevelGlob {
  std::string glob = {};
  SourceLocation place = {};
};

/// Which rung each group has in each window: `[group][window]`.
using LevelSchedule = std::vector<std::vector<std::size_t>>;

/// The largest indicators of a run: by window, then group, then rung below the highest.
using LevelIndicators = std::vector<std::vector<std::vector<double>>>;

/// Each group at its highest rung.
LevelSchedule TopSchedule(const std::vector<LevelGroup>& groups, std::size_t windows);

/// The components with several levels, those that a glob matches in one group, each other one alone. A
/// component of a group that lacks the level of a rung has its next lower one, or its lowest. Faults go to
/// `diagnostics`: a glob that matches no component with levels, two globs that match the same one.
std::vector<LevelGroup> FindLevelGroups(const System& system, const std::vector<LevelGlob>& globs,
                                        Diagnostics& diagnostics);

}  // namespace davit
